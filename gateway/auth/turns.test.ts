import { expect, test } from "vitest";

import { openTurns } from "./turns.ts";

type Asker = Parameters<ReturnType<typeof openTurns>["take"]>[0];

/** A check that ends when its function `end` is called. */
function check() {
  let end = () => {};
  const done = new Promise<void>((resolve) => (end = resolve));
  return { run: () => done, end };
}

test("one check runs at a time; somebody known is next, then the one whose last turn was longest ago", async () => {
  const turns = openTurns(60_000);
  const begun: string[] = [];
  const checks = ["guesser", "guesser", "guesser", "person", "other guesser", "guesser", "known person"].map(
    (address, place) => ({
      name: `${address} ${place}`,
      address,
      ...check(),
    }),
  );
  const answers = checks.map(({ name, address, run }) =>
    turns.take({ asker: address, isKnown: address === "known person" }, () => {
      begun.push(name);
      return run();
    }),
  );
  const order = ["guesser 0", "known person 6", "person 3", "other guesser 4", "guesser 1", "guesser 2", "guesser 5"];
  for (const [place, name] of order.entries()) {
    await expect.poll(() => begun.at(-1)).toBe(name);
    expect(begun).toEqual(order.slice(0, place + 1));
    checks.find((one) => one.name === name)!.end();
  }
  await Promise.all(answers);
});

const [a, b] = ["a", "b"].map((asker) => ({ asker, isKnown: false })) as [Asker, Asker];

test("a check that fails releases its turn", async () => {
  const turns = openTurns(60_000);
  await expect(turns.take(a, () => Promise.reject(new Error("damaged")))).rejects.toThrow("damaged");
  expect(await turns.take(b, () => Promise.resolve(3))).toBe(3);
});

test("a check that waits too long is rejected and takes no turn", async () => {
  const turns = openTurns(20);
  const long = check();
  const running = turns.take(a, long.run);
  await expect(turns.take(b, () => Promise.resolve(true))).rejects.toThrow("Too many passwords are being checked");
  long.end();
  await running;
  const again = () => turns.take(b, () => Promise.resolve("checked")).catch(() => "told to wait");
  await expect.poll(again).toBe("checked");
});
