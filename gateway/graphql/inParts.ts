import { setImmediate } from "node:timers/promises";

/** Rows that are answered at a time: about 1 ms. */
const part = 50;

/** A list that may have thousands of rows, as an answer takes it: other people's requests go on between its parts. */
export async function* inParts<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % part === 0) await setImmediate();
    yield row;
  }
}
