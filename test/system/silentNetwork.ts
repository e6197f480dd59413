import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A network path to PostgreSQL that can drop all data without an error, as a broken router does, or reset its
 * connections.
 */
export type SilentNetwork = {
  /** the local port to connect to */
  port: number;
  /**
   * With true, drops all data from now on without an error; with false, lets data through again. Dropped data is lost.
   */
  swallow: (isSwallowing: boolean) => void;
  /** Drops all data of the connections that are open now; new connections work, as after a failover. */
  strand: () => void;
  /** Ends every connection. */
  reset: () => void;
  close: () => Promise<void>;
};

/** @param path of PostgreSQL's socket */
export async function silentNetwork(path: string): Promise<SilentNetwork> {
  let isSwallowing = false;
  const open = new Set<Socket>();
  const stranded = new WeakSet<Socket>();
  const server = createServer((near) => {
    const far = connect(path);
    const isLost = () => isSwallowing || stranded.has(near);
    open.add(near).add(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (bytes) => isLost() || to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => {
        open.delete(from);
        // The end of a connection is dropped as well.
        if (!isLost()) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow: (is) => (isSwallowing = is),
    strand: () => {
      for (const socket of open) stranded.add(socket);
    },
    reset: () => {
      for (const socket of open) socket.destroy();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
