import { Readable } from "node:stream";

import type { FastifyReply } from "fastify";

import type { Context } from "../context.ts";

const chunkLength = 32_768;

/** Marks an answer as a file to be saved under this name. */
export const named = (reply: FastifyReply, fileName: string, type: string): FastifyReply =>
  reply
    .header("content-type", type)
    .header("content-disposition", `attachment; filename="${fileName.replaceAll(/[^\w.-]+/g, "-")}"`);

/**
 * Answers HEAD without making the body. It sends an empty stream, because for a stream Fastify does not set
 * Content-Length.
 */
export const sendHead = (reply: FastifyReply): FastifyReply => reply.send(Readable.from([]));

/** The texts before, between and after the lines. The last may depend on the rows. */
type Frame = { head?: string; between?: string; tail?: string | (() => string) };

/** The text of all rows, in pieces of about 32 kB. */
export async function* inChunks<Row>(
  rows: AsyncIterable<Row>,
  lineOf: (row: Row) => string,
  { head = "", between = "", tail = "" }: Frame,
): AsyncGenerator<string, void> {
  let chunk = head;
  let before = "";
  for await (const row of rows) {
    chunk += before + lineOf(row);
    before = between;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk + (typeof tail === "string" ? tail : tail());
}

/** How often the caller's rights are looked at again while an answer is sent. */
const lookEveryMs = 5000;

/**
 * The chunks that were made already, followed by the others. It ends with an error if the caller loses a right
 * meanwhile. If the caller leaves, the reading of rows ends, even if nobody has asked for the first chunk.
 */
function following(
  { raw, request: { context } }: FastifyReply,
  begun: readonly string[],
  chunks: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  const end = () => void chunks.return();
  if (raw.destroyed) end();
  else raw.once("close", end);
  return whileAllowed(context, begun, chunks);
}

async function* whileAllowed(
  context: Context,
  begun: readonly string[],
  chunks: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  let looked = performance.now();
  try {
    yield* begun;
    for await (const chunk of chunks) {
      if (performance.now() - looked > lookEveryMs) {
        await context.lookAgain?.();
        looked = performance.now();
      }
      yield chunk;
    }
  } finally {
    await chunks.return();
  }
}

/** Makes chunks until they have `length` characters. `chunks`: the rest, or null if there is none. */
async function begin(
  chunks: AsyncGenerator<string, void>,
  length: number,
): Promise<{ begun: string[]; chunks: AsyncGenerator<string, void> | null }> {
  const begun: string[] = [];
  for (let made = 0; ;) {
    const { done, value } = await chunks.next();
    if (done) return { begun, chunks: null };
    begun.push(value);
    made += value.length;
    if (made >= length) return { begun, chunks };
  }
}

const streamOf = (chunks: AsyncIterable<string>): Readable => Readable.from(chunks, { objectMode: false });
/** `pack`: makes the bytes of the file from its text. */
type LinesFile = Frame & { fileName: string; type: string; pack?: (chunks: AsyncIterable<string>) => Readable };

/**
 * Sends rows as a file of lines to be saved under `fileName`, as fast as the caller reads them and in constant memory.
 * A failure before the first chunk is thrown and answered like all failures. A later failure aborts the transfer, so
 * that the caller cannot mistake a part for the whole file.
 */
export async function sendLines<Row>(
  reply: FastifyReply,
  { fileName, type, pack = streamOf, ...frame }: LinesFile,
  rows: AsyncIterable<Row>,
  lineOf: (row: Row) => string,
): Promise<FastifyReply> {
  if (reply.request.method === "HEAD") return sendHead(named(reply, fileName, type));
  const all = inChunks(rows, lineOf, frame);
  const { begun } = await begin(all, 1);
  return named(reply, fileName, type).send(pack(following(reply, begun, all)));
}

/** A list with more characters is sent while it is read. */
const wholeLength = 5_000_000;

/**
 * Sends rows in a frame: a short list in one piece, with an ETag; a long one as a stream without ETag, which a later
 * failure aborts.
 */
export async function sendRows<Row>(
  reply: FastifyReply,
  frame: Frame,
  rows: AsyncIterable<Row>,
  lineOf: (row: Row) => string,
): Promise<FastifyReply> {
  const { begun, chunks } = await begin(inChunks(rows, lineOf, frame), wholeLength);
  // As a buffer, because a string would be encoded twice: for its ETag and for the socket.
  if (!chunks) return reply.send(Buffer.from(begun.join("")));
  if (reply.request.method !== "HEAD") return reply.send(streamOf(following(reply, begun, chunks)));
  await chunks.return();
  return sendHead(reply);
}

/** Sends rows as a JSON array. */
export const sendJsonRows = (reply: FastifyReply, rows: AsyncIterable<object>): Promise<FastifyReply> =>
  sendRows(reply.type("application/json; charset=utf-8"), { head: "[", between: ",", tail: "]" }, rows, (row) =>
    JSON.stringify(row),
  );

/** Sends records as NDJSON (one JSON object per line), to be saved under `fileName`. */
export function sendNdjson(
  reply: FastifyReply,
  fileName: string,
  records: AsyncIterable<object>,
): Promise<FastifyReply> {
  return sendLines(
    reply,
    { fileName, type: "application/x-ndjson; charset=utf-8" },
    records,
    (record) => `${JSON.stringify(record)}\n`,
  );
}

/** The rows of a stream, each converted by `shape`. */
export async function* mapRows<Row, Result>(
  rows: AsyncIterable<Row>,
  shape: (row: Row) => Result,
): AsyncGenerator<Result, void> {
  for await (const row of rows) yield shape(row);
}

/** A row of a table as an object: its keys are the columns. */
export const objectOf = (header: readonly string[], cells: readonly unknown[]): object =>
  Object.fromEntries(header.map((column, place) => [column, cells[place] ?? null]));
