import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Rows that are read in their order, possibly several times. An array is one implementation. */
export type Rows<Row> = Iterable<Row> & { readonly length: number; at: (index: number) => Row | undefined };

/** How many rows are packed together. Only the rows of the pack that is being read are objects. */
const together = 64;

/**
 * Rows kept as deflated JSON, outside the heap: 100,000 take about 3 MB, so that a list of any length takes about the
 * same memory while it is compared with the registry. Reading the rows in their order takes a few microseconds for each.
 */
export function packRows<Row extends object>(): Rows<Row> & { add: (row: Row) => void; clear: () => void } {
  const blocks: Buffer[] = [];
  let last: Row[] = [];
  let opened: { block: number; rows: Row[] } | undefined;
  const blockAt = (block: number): Row[] => {
    if (block === blocks.length) return last;
    if (opened?.block !== block)
      opened = { block, rows: JSON.parse(inflateRawSync(blocks[block]!).toString()) as Row[] };
    return opened.rows;
  };
  return {
    add(row) {
      last.push(row);
      if (last.length < together) return;
      // What zlib answers is a part of 16 kB: its bytes are copied.
      blocks.push(Buffer.from(deflateRawSync(JSON.stringify(last), { level: 1 })));
      last = [];
    },
    clear() {
      blocks.length = 0;
      [last, opened] = [[], undefined];
    },
    get length() {
      return blocks.length * together + last.length;
    },
    at: (index) => blockAt(Math.floor(index / together))[index % together],
    *[Symbol.iterator]() {
      for (let block = 0; block <= blocks.length; block += 1) yield* blockAt(block);
    },
  };
}
