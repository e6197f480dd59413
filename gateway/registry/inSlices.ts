import { setImmediate } from "node:timers/promises";

/** How long a computation runs before other requests can run. */
const sliceMs = 2;

/** Runs a long computation, which yields after each small step. Other requests run between its slices. */
export async function inSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + sliceMs;
    do {
      const { done, value } = steps.next();
      if (done) return value as Result;
    } while (performance.now() < end);
    await setImmediate();
  }
}

/** Maps many items in slices. */
export const mapInSlices = <Item, Made>(items: Iterable<Item>, make: (item: Item) => Made): Promise<Made[]> =>
  inSlices(
    (function* () {
      const made: Made[] = [];
      for (const item of items) {
        made.push(make(item));
        yield;
      }
      return made;
    })(),
  );
