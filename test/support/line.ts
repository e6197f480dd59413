import { connect, createServer, type Socket } from "node:net";

/** A line of a chosen speed between a browser and the gateway, which counts every byte that crosses it. */

export type LineOptions = {
  /** bits a second each way; absent: no limit */
  bitsPerSecond?: number;
  /** milliseconds there and back */
  roundTripMs?: number;
};

export type Line = {
  url: string;
  /** bytes from and to the gateway, headers included, since this function was last called */
  takeBytes: () => { down: number; up: number };
  /** drops all bytes without closing, as a dead line does; or carries them again */
  swallow: (isDead: boolean) => void;
  close: () => Promise<void>;
};

const until = (time: number) => new Promise((resolve) => setTimeout(resolve, time - performance.now()));

/**
 * One direction of the line, which all connections share. The returned function waits until this many bytes have been
 * sent.
 */
function lane({ bitsPerSecond = Infinity }: LineOptions) {
  let freeAt = 0;
  return async (bytes: number): Promise<void> => {
    freeAt = Math.max(freeAt, performance.now()) + (bytes * 8000) / bitsPerSecond;
    if (bitsPerSecond < Infinity) await until(freeAt);
  };
}

const pieceBytes = 1460;

export async function openLine(target: string, options: LineOptions = {}): Promise<Line> {
  const { hostname, port } = new URL(target);
  const [downLane, upLane] = [lane(options), lane(options)];
  let bytes = { down: 0, up: 0 };
  let isDead = false;
  const sockets = new Set<Socket>();

  const arriving = (roundTripMs = options.roundTripMs ?? 0) =>
    roundTripMs > 0 ? until(performance.now() + roundTripMs / 2) : undefined;
  const carry = async (from: Socket, to: Socket, way: "down" | "up", send: (bytes: number) => Promise<void>) => {
    let last: unknown;
    try {
      for await (const data of from as AsyncIterable<Buffer>) {
        for (let at = 0; at < data.length; at += pieceBytes) {
          const piece = data.subarray(at, at + pieceBytes);
          await send(piece.length);
          if (isDead) continue;
          bytes[way] += piece.length;
          const arrived = arriving();
          if (!arrived) to.write(piece);
          else last = arrived.then(() => to.write(piece));
        }
      }
      await last;
      to.end();
    } catch {
      to.destroy();
    }
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.add(near).add(far);
    // The handshake of TCP takes one more round trip.
    setTimeout(() => void carry(near, far, "up", upLane), options.roundTripMs ?? 0);
    void carry(far, near, "down", downLane);
    for (const socket of [near, far]) {
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The line has no address.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    takeBytes: () => {
      const taken = bytes;
      bytes = { down: 0, up: 0 };
      return taken;
    },
    swallow: (dead) => (isDead = dead),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
