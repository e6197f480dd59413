import { setImmediate } from "node:timers/promises";

/** The number of rows that are converted to the answer at a time, which takes about 1 ms. */
const part = 50;

/** A list that may have thousands of rows, in parts, so that other requests can run between them. */
export async function* inParts<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % part === 0) await setImmediate();
    yield row;
  }
}
