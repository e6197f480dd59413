import type { FastifyReply, FastifyRequest } from "fastify";

import type { CsvLines } from "../../db/csv.ts";
import { Problem } from "../problem.ts";
import type { Files } from "../storage/files.ts";
import { openSpool } from "../storage/spool.ts";
import { csvHead, csvType } from "./csv.ts";
import { named } from "./lines.ts";

/** CSV files of long lists, whose rows pass through as bytes (db/csv.ts). */

/** Files that a gateway makes at one time, each with a connection to the database; the next ones wait. */
const mostMaking = 2;
/** Files that it makes, keeps waiting or sends. */
const most = 32;

type Turns = { entered: number; making: number; waiting: (() => void)[] };
const turnsOf = new WeakMap<Files, Turns>();

/** Waits for a turn to make a file. @throws the signal's reason, when the caller left meanwhile */
async function takeTurn(turns: Turns, signal: AbortSignal): Promise<void> {
  if (turns.making < mostMaking) {
    turns.making += 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    turns.waiting.push(resolve);
    signal.addEventListener("abort", () => {
      const place = turns.waiting.indexOf(resolve);
      if (place < 0) return;
      turns.waiting.splice(place, 1);
      reject(signal.reason as Error);
    });
  });
}

function passTurn(turns: Turns): void {
  const next = turns.waiting.shift();
  if (next) next();
  else turns.making -= 1;
}

async function* headed(head: string, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield Buffer.from(head);
  yield* pieces;
}

/**
 * Answers lines as a CSV file to be saved under `fileName`. The file is made whole on disk before the first byte is sent: what
 * fails is answered like any failure, and a slow caller holds neither a connection to the database nor memory. A caller who
 * leaves ends the statement.
 *
 * @throws Problem TOO_MANY, STORAGE_FULL, STORAGE_AWAY, and what reading throws
 */
export async function sendCsvLines(request: FastifyRequest, reply: FastifyReply, fileName: string, { header, copy }: CsvLines): Promise<FastifyReply> {
  if (request.method === "HEAD") return named(reply, fileName, csvType).send();
  const { files } = request.context;
  if (!turnsOf.has(files)) turnsOf.set(files, { entered: 0, making: 0, waiting: [] });
  const turns = turnsOf.get(files)!;
  if (turns.entered >= most) throw new Problem("TOO_MANY", "The server is busy with other exports. Try again in a moment.", { retryAfterSeconds: 10 });
  const gone = new Problem("MALFORMED", "The connection was closed.");
  if (reply.raw.destroyed) throw gone;
  turns.entered += 1;
  const left = new AbortController();
  reply.raw.once("close", () => {
    turns.entered -= 1;
    left.abort(gone);
  });
  const spool = await openSpool(files.staging);
  try {
    await takeTurn(turns, left.signal);
    try {
      await copy((pieces) => spool.write(headed(csvHead(header), pieces)), left.signal);
    } finally {
      passTurn(turns);
    }
    left.signal.throwIfAborted();
  } catch (error) {
    await spool.close();
    throw error;
  }
  const bytes = spool.read();
  left.signal.addEventListener("abort", () => bytes.destroy());
  return named(reply, fileName, csvType).header("content-length", spool.size()).send(bytes);
}
