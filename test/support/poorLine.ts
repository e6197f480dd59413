import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A connection to a gateway that can be cut, slowed down, or made to drop all data without an error. */
export type PoorLine = {
  url: string;
  /** Sets the gateway to which it leads: one that was restarted has another port. */
  leadTo: (url: string) => void;
  /** Ends every connection. */
  cut: () => void;
  /** Ends every connection, and each new one, until it is up again. */
  down: (isDown: boolean) => void;
  /** Goes down after this many more bytes from the gateway, and resolves then. Earlier bytes still arrive. */
  downAfter: (bytes: number) => Promise<void>;
  /** Drops all data from now on, without an error. A connection that was open then stays dead. */
  swallow: (isSilent: boolean) => void;
  /** Connections that were opened so far. */
  opened: () => number;
  stop: () => Promise<void>;
};

const stepMs = 20;

/**
 * Opens a line that carries this many bytes a second to the gateway. Its connections reach the gateway `from` this
 * address.
 */
export async function openPoorLine(to: string, bytesPerSecond = Infinity, from?: string): Promise<PoorLine> {
  let target = new URL(to);
  let isSilent = false;
  let isDown = false;
  let left = Infinity;
  let onDown = () => {};
  let count = 0;
  let credit = 0;
  const pairs = new Set<{ near: Socket; far: Socket; isDead: boolean }>();
  /** Connections whose browser side closed without a message to the gateway. */
  const forgotten = new Set<Socket>();
  const refill = setInterval(() => {
    credit = Math.min(credit + (bytesPerSecond * stepMs) / 1000, bytesPerSecond / 10);
    for (const { near, isDead } of pairs) if (!isDead && credit > 0) near.resume();
  }, stepMs);
  const all = () => [...pairs].flatMap(({ near, far }) => [near, far]);
  const cut = () => all().forEach((socket) => socket.resetAndDestroy());
  const down = (next: boolean) => {
    isDown = next;
    left = Infinity;
    if (isDown) cut();
  };
  const server = createServer((near) => {
    if (isDown) return void near.resetAndDestroy();
    count += 1;
    const far = connect({ port: Number(target.port), host: target.hostname, localAddress: from });
    const pair = { near, far, isDead: isSilent };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      if (pair.isDead) forgotten.add(far);
      else far.destroy();
    };
    near.on("data", (chunk) => {
      if (pair.isDead) return;
      far.write(chunk);
      credit -= chunk.length;
      if (bytesPerSecond !== Infinity && credit <= 0) near.pause();
    });
    far.on("data", (chunk) => {
      if (pair.isDead || near.writableEnded) return;
      near.write(chunk);
      left -= chunk.length;
      if (left > 0) return;
      pairs.delete(pair);
      near.end();
      down(true);
      onDown();
    });
    for (const side of [near, far]) side.on("error", () => {}).on("close", end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url) => (target = new URL(url)),
    cut,
    down,
    downAfter: (bytes) => {
      left = bytes;
      return new Promise((resolve) => (onDown = resolve));
    },
    swallow: (silent) => {
      isSilent = silent;
      if (silent) for (const pair of pairs) pair.isDead = true;
    },
    opened: () => count,
    stop: async () => {
      clearInterval(refill);
      for (const socket of [...all(), ...forgotten]) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
