import { Readable } from "node:stream";

import { TextReader, ZipWriter } from "@zip.js/zip.js/lib/zip-core-native.js";

import { Problem } from "../../problem.ts";
import { sheetPath, workbookParts } from "./sheet.rules.ts";

/** Excel workbooks of one sheet, written while they are sent. */

/** The rows of a sheet, its header included. */
const mostRows = 1_048_576;

/** The rows as they come. @throws Problem INVALID, in place of the first row that a sheet has no room for */
export async function* withinSheet<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row, void> {
  let count = 1;
  for await (const row of rows) {
    count += 1;
    if (count > mostRows)
      throw new Problem("INVALID", `A sheet of Excel holds ${mostRows} rows, and this list has more. Ask for CSV.`);
    yield row;
  }
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  for await (const piece of text) yield Buffer.from(piece);
}

/** The bytes of a workbook whose sheet is this text. An error of the text destroys the stream. */
export function workbook(sheet: AsyncIterable<string>): Readable {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const zip = new ZipWriter(writable, { useWebWorkers: false });
  const bytes = Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]);
  const source = Readable.from(encoded(sheet));
  // Whoever stops reading the workbook ends the reading of its rows.
  bytes.once("close", () => source.destroy());
  const write = async () => {
    for (const [path, text] of workbookParts) await zip.add(path, new TextReader(text));
    await zip.add(sheetPath, Readable.toWeb(source) as ReadableStream);
    await zip.close();
  };
  write().catch((error: unknown) => bytes.destroy(error as Error));
  return bytes;
}
