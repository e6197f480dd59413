import type { FastifyReply, FastifyRequest } from "fastify";

import type { LongTable } from "../../db/list/csv.ts";
import { requireViewer } from "../access/access.ts";
import { Problem } from "../problem.ts";
import type { Files } from "../storage/files.ts";
import { openSpool } from "../storage/spool.ts";
import { inChunks, named, sendHead } from "./lines.ts";
import { csvHead, csvType, type TableFormat } from "./table.ts";
import { sheetEnd, sheetHead, sheetRow, workbookType } from "./workbook/sheet.rules.ts";
import { withinSheet, workbook } from "./workbook/workbook.ts";

/** Sends files of long lists. The rows of a CSV file are passed on as bytes (db/list/csv.ts). */

/** How many files a gateway makes at the same time, each with a database connection. Further ones wait. */
const mostMaking = 2;
/**
 * The most files that are waiting, being made or being sent: of all people (`most`), and of one person (`mostOfOne`).
 */
const most = 32;
const mostOfOne = 8;

/** `entered`: the person of each file that is waiting, being made or being sent. `making`: how many are being made. */
type Turns = { entered: string[]; making: number; waiting: (() => void)[] };
const turnsOf = new WeakMap<Files, Turns>();

/** Takes a place. Returns a function that gives it back. @throws Problem TOO_MANY */
function enter({ entered }: Turns, userUuid: string): () => void {
  const retryAfterSeconds = 10;
  if (entered.length >= most)
    throw new Problem("TOO_MANY", "The server is busy with other exports. Try again in a moment.", {
      retryAfterSeconds,
    });
  if (entered.filter((each) => each === userUuid).length >= mostOfOne)
    throw new Problem("TOO_MANY", `You have ${mostOfOne} exports under way. Wait for one of them to end.`, {
      retryAfterSeconds,
    });
  entered.push(userUuid);
  return () => void entered.splice(entered.indexOf(userUuid), 1);
}

/** Waits until a file may be made. @throws the signal's reason if the caller has gone meanwhile */
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
 * Sends a list as a file to be saved as `name` with the format's ending. The whole file is written to disk before the first byte is
 * sent. So failures are answered like all failures, and a slow caller holds no database connection and no memory. If
 * the caller closes the connection, the statement is cancelled.
 *
 * @throws Problem TOO_MANY, STORAGE_FULL, STORAGE_AWAY, INVALID (too many rows for Excel), and errors of reading
 */
export async function sendLongTable(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, format }: { name: string; format: TableFormat },
  { header, copy, copyRows }: LongTable,
): Promise<FastifyReply> {
  const answer = () => named(reply, `${name}.${format}`, format === "csv" ? csvType : workbookType);
  if (request.method === "HEAD") return sendHead(answer());
  const { files } = request.context;
  const { userUuid } = requireViewer(request.context);
  if (!turnsOf.has(files)) turnsOf.set(files, { entered: [], making: 0, waiting: [] });
  const turns = turnsOf.get(files)!;
  const gone = new Problem("MALFORMED", "The connection was closed.");
  if (reply.raw.destroyed) throw gone;
  const leave = enter(turns, userUuid);
  const left = new AbortController();
  reply.raw.once("close", () => {
    leave();
    left.abort(gone);
  });
  const spool = await openSpool(files.staging);
  try {
    await takeTurn(turns, left.signal);
    try {
      if (format === "csv") await copy((pieces) => spool.write(headed(csvHead(header), pieces)), left.signal);
      else
        await copyRows((rows) => {
          const frame = { head: sheetHead(header), tail: sheetEnd };
          return spool.write(workbook(inChunks(withinSheet(rows), sheetRow, frame)));
        }, left.signal);
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
  return answer().header("content-length", spool.size()).send(bytes);
}
