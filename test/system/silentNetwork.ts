import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A network path to PostgreSQL that can swallow what is sent, as a broken router does, or break off. */
export type SilentNetwork = {
  /** where the path begins */
  port: number;
  /** From now on nothing arrives, and nobody is told; with false what is sent arrives again. What was swallowed is gone. */
  swallow: (isSwallowing: boolean) => void;
  /** Nothing arrives any more over what is open now; new connections lead on, as after a failover. */
  strand: () => void;
  /** Breaks off every connection. */
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
        // The end of a connection is swallowed as well.
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
