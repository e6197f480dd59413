import { connect, type Socket } from "node:net";

import { v7 as uuidv7 } from "uuid";

/** A request as the bytes that go over the wire: the same for every answerer, without compression. */
export type Request = { method: "GET" | "POST"; path: string; headers?: Record<string, string>; body?: string };

/** A placeholder for a uuid that no other request has. */
export const freshUuid = "00000000-0000-7000-8000-000000000000";
export const fresh = <Given extends Request>(request: Given): Given =>
  JSON.parse(JSON.stringify(request).replaceAll(freshUuid, uuidv7())) as Given;

export function bytesOf({ method, path, headers = {}, body = "" }: Request): Buffer {
  const lines = {
    host: "127.0.0.1",
    connection: "keep-alive",
    ...headers,
    ...(body ? { "content-type": "application/json" } : {}),
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${head.join("")}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** `failed`: another status than 200, or errors of GraphQL. */
export type Answer = { bytes: number; failed: string | null };

/**
 * One connection that is kept open and does as little work as possible: it reads status and length, looks for GraphQL's
 * errors in the first piece, and discards the rest. So the load costs little compared with what it measures.
 */
export function openConnection(port: number): { ask: (request: Buffer) => Promise<Answer>; close: () => void } {
  let socket: Socket | undefined;
  let settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  let head: Buffer = Buffer.alloc(0);
  let answer: (Answer & { left: number; isChunked: boolean }) | undefined;
  let tail = "";

  const end = () => {
    const { bytes, failed } = answer!;
    answer = undefined;
    settle!.resolve({ bytes, failed });
  };
  const take = (piece: Buffer) => {
    let body = piece;
    if (!answer) {
      head = head.length > 0 ? Buffer.concat([head, piece]) : piece;
      const until = head.indexOf("\r\n\r\n");
      if (until < 0) return;
      const text = head.toString("latin1", 0, until);
      body = head.subarray(until + 4);
      head = Buffer.alloc(0);
      tail = "";
      const status = text.slice(9, 12);
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      const first = body.toString("latin1", 0, 2000);
      const failed = status !== "200" || first.includes('"errors":[{') ? `${status} ${first.slice(0, 300)}` : null;
      answer = { bytes: 0, failed, left: Number(length ?? 0), isChunked: length === undefined };
    }
    answer.bytes += body.length;
    if (answer.isChunked) {
      // No request is sent before the answer is complete, so the last chunk is at the end of what was read.
      tail = (tail + body.subarray(-7).toString("latin1")).slice(-7);
      if (tail === "\r\n0\r\n\r\n" || tail.endsWith("\n0\r\n\r\n")) end();
    } else if ((answer.left -= body.length) <= 0) end();
  };
  const open = () => {
    const opened = connect({ port, host: "127.0.0.1", noDelay: true });
    const lost = (error: Error) => {
      if (socket !== opened) return;
      socket = undefined;
      head = Buffer.alloc(0);
      answer = undefined;
      settle?.reject(error);
    };
    opened.on("data", take);
    opened.on("error", lost);
    opened.on("close", () => lost(new Error("the connection was closed")));
    return opened;
  };
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket ??= open();
        socket.write(request);
      }),
    close: () => {
      settle = undefined;
      socket?.destroy();
    },
  };
}
