import { type AddressInfo, connect, createServer } from "node:net";

import { expect, test } from "vitest";

import { afterSilence } from "./silent.ts";

/** Blocks this process, so that it reads nothing, as long work or a busy machine does. */
function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("a silence is told once", async () => {
  const told: string[] = [];
  afterSilence(40, () => told.push("silence"));
  await expect.poll(() => told).toEqual(["silence"]);
  await new Promise((resolve) => void afterSilence(80, () => resolve(null)));
  expect(told).toEqual(["silence"]);
});

test("a count that was ended tells nothing", async () => {
  const told: string[] = [];
  const end = afterSilence(20, () => told.push("silence"));
  end();
  await new Promise((resolve) => void afterSilence(80, () => resolve(null)));
  expect(told).toEqual([]);
});

test("an answer that waited while this process was held up, longer than the silence, is no silence", async () => {
  const server = createServer((socket) => socket.end("answer"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const told: string[] = [];
  const end = afterSilence(400, () => told.push("silence"));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("data", (bytes) => {
    told.push(String(bytes));
    end();
  });
  holdUp(1500);
  await expect.poll(() => told).toEqual(["answer"]);
  server.close();
});
