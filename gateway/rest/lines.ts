import { Readable } from "node:stream";

import type { FastifyReply } from "fastify";

const chunkLength = 32_768;

/** Marks an answer as a file to be saved under this name. */
export const named = (reply: FastifyReply, fileName: string, type: string): FastifyReply =>
  reply
    .header("content-type", type)
    .header("content-disposition", `attachment; filename="${fileName.replaceAll(/[^\w.-]+/g, "-")}"`);

/** Answers HEAD without making the body: for a stream, however short, Fastify does not set the length. */
export const sendHead = (reply: FastifyReply): FastifyReply => reply.send(Readable.from([]));

/**
 * Answers rows as a file of lines to be saved under `fileName`, as fast as the caller takes them and in constant memory. What
 * fails before the first row is thrown and answered like any failure; what fails later breaks the transfer off, so that a part
 * is never taken for the whole.
 */
export async function sendLines<Row>(
  reply: FastifyReply,
  { fileName, type, head = "", between = "", tail = "" }: { fileName: string; type: string; head?: string; between?: string; tail?: string },
  rows: AsyncIterable<Row>,
  lineOf: (row: Row) => string,
): Promise<FastifyReply> {
  if (reply.request.method === "HEAD") return sendHead(named(reply, fileName, type));
  const iterator = rows[Symbol.asyncIterator]();
  let next = await iterator.next();
  async function* chunks(): AsyncGenerator<string> {
    try {
      let chunk = head;
      let before = "";
      for (; !next.done; next = await iterator.next()) {
        chunk += before + lineOf(next.value);
        before = between;
        if (chunk.length < chunkLength) continue;
        yield chunk;
        chunk = "";
      }
      yield chunk + tail;
    } finally {
      await iterator.return?.();
    }
  }
  return named(reply, fileName, type).send(Readable.from(chunks(), { objectMode: false }));
}

/** Answers records as NDJSON (a JSON object a line), to be saved under `fileName`. */
export function sendNdjson(reply: FastifyReply, fileName: string, records: AsyncIterable<object>): Promise<FastifyReply> {
  return sendLines(reply, { fileName, type: "application/x-ndjson; charset=utf-8" }, records, (record) => `${JSON.stringify(record)}\n`);
}

/** The rows of a stream in another shape. */
export async function* mapRows<Row, Result>(rows: AsyncIterable<Row>, shape: (row: Row) => Result): AsyncGenerator<Result, void> {
  for await (const row of rows) yield shape(row);
}

/** A row of a table as an object: its keys are the columns. */
export const objectOf = (header: readonly string[], cells: readonly unknown[]): object => Object.fromEntries(header.map((column, place) => [column, cells[place] ?? null]));
