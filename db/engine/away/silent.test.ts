import { type AddressInfo, connect, createServer } from "node:net";

import { expect, test } from "vitest";

import { afterSilence } from "./silent.ts";

/** Blocks this process, so that it reads nothing, like long work or a busy machine. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("a silence is reported once", async () => {
  const reported: string[] = [];
  afterSilence(40, () => reported.push("silence"));
  await expect.poll(() => reported).toEqual(["silence"]);
  await new Promise((resolve) => void afterSilence(80, () => resolve(null)));
  expect(reported).toEqual(["silence"]);
});

test("reports nothing after it was ended", async () => {
  const reported: string[] = [];
  const end = afterSilence(20, () => reported.push("silence"));
  end();
  await new Promise((resolve) => void afterSilence(80, () => resolve(null)));
  expect(reported).toEqual([]);
});

test("an answer that arrived while this process was blocked for longer than the limit is not a silence", async () => {
  const server = createServer((socket) => socket.end("answer"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const reported: string[] = [];
  const end = afterSilence(400, () => reported.push("silence"));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("data", (bytes) => {
    reported.push(String(bytes));
    end();
  });
  block(1500);
  await expect.poll(() => reported).toEqual(["answer"]);
  server.close();
});
