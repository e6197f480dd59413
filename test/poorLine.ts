import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line to a gateway that can be cut, made slow, or made to swallow what it is given without a word. */
export type PoorLine = {
  url: string;
  /** Where it leads: a gateway that was started anew has another port. */
  leadTo: (url: string) => void;
  /** Ends every connection. */
  cut: () => void;
  /** From now on nothing passes, and nobody is told; a connection that was silenced stays so. */
  swallow: (isSilent: boolean) => void;
  /** Connections that were opened so far. */
  opened: () => number;
  stop: () => Promise<void>;
};

const stepMs = 20;

/** Opens one that carries so many bytes a second to the gateway. */
export async function openPoorLine(to: string, bytesPerSecond = Infinity): Promise<PoorLine> {
  let target = new URL(to);
  let isSilent = false;
  let count = 0;
  let credit = 0;
  const pairs = new Set<{ near: Socket; far: Socket; isDead: boolean }>();
  /** Their nearer ends went without a word to the gateway. */
  const forgotten = new Set<Socket>();
  const refill = setInterval(() => {
    credit = Math.min(credit + (bytesPerSecond * stepMs) / 1000, bytesPerSecond / 10);
    for (const { near, isDead } of pairs) if (!isDead && credit > 0) near.resume();
  }, stepMs);
  const server = createServer((near) => {
    count += 1;
    const far = connect(Number(target.port), target.hostname);
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
    far.on("data", (chunk) => pair.isDead || near.write(chunk));
    for (const side of [near, far]) side.on("error", () => {}).on("close", end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const all = () => [...pairs].flatMap(({ near, far }) => [near, far]);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url) => (target = new URL(url)),
    cut: () => all().forEach((socket) => socket.resetAndDestroy()),
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
