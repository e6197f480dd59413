import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";

import * as db from "../../db/tdb/tdb.ts";
import { requireSender } from "../access/access.ts";
import type { Context } from "../context.ts";
import { notFound, Problem } from "../problem.ts";
import { readKept } from "../storage/files.ts";
import { contentGone } from "./tdb.ts";
import { beganAtOf, findTaken, readPartial } from "./resumable.ts";
import { endOf, type Place, placesIn } from "./sending.rules.ts";
import type { UnfinishedUpload, UploadHashes } from "./tdb.rules.ts";

/** The caller's own unfinished uploads. Any device that has the file can continue them. */

const hourMs = 60 * 60 * 1000;
/** How many records are read at a time. Each may be a call to an object storage. */
const together = 20;

/**
 * The caller's uploads that are incomplete or not yet finished, the newest first. With a size: those of this size, and
 * recently finished ones. So a sender that was closed before it got its receipt finds it, and does not send the file
 * again.
 *
 * @throws Problem FORBIDDEN
 */
export async function listUnfinishedUploads(context: Context, size?: number): Promise<UnfinishedUpload[]> {
  const unfinished = (await listPartials(context)).filter((upload) => size === undefined || upload.size === size);
  const complete = unfinished.filter((upload) => upload.received === upload.size).map(({ uuid }) => uuid);
  // A gateway that was killed after it had received the file has left its parts behind.
  const taken = new Set(
    (complete.length > 0 ? await db.listTdbsByUuid(context.db, { uuids: complete }) : []).map(({ uuid }) => uuid),
  );
  const received = size === undefined ? [] : await listReceived(context, size);
  return [...unfinished.filter(({ uuid }) => !taken.has(uuid)), ...received].toSorted((a, b) =>
    b.uuid.localeCompare(a.uuid),
  );
}

/**
 * TDBs of this size that the caller has sent within the time for which parts are kept, and whose content is still there
 * to be compared.
 */
async function listReceived(context: Context, size: number): Promise<UnfinishedUpload[]> {
  const { userUuid } = requireSender(context);
  const keptMs = context.uploadKeepHours * hourMs;
  const rows = await db.listTdbsSent(context.db, { userUuid, fileSize: size, since: new Date(Date.now() - keptMs) });
  return rows
    .filter(({ contentRemoved }) => contentRemoved === null)
    .map(({ uuid, fileName, sha256, receivedAt }) => {
      const at = new Date(receivedAt);
      const expiresAt = new Date(at.getTime() + keptMs).toISOString();
      return {
        uuid,
        fileName,
        size,
        received: size,
        beganAt: at.toISOString(),
        lastByteAt: at.toISOString(),
        expiresAt,
        sha256,
      };
    });
}

async function listPartials(context: Context): Promise<UnfinishedUpload[]> {
  requireSender(context);
  const ids = await context.files.parts.listIds();
  const mine: UnfinishedUpload[] = [];
  for (let from = 0; from < ids.length; from += together) {
    const found = await Promise.all(ids.slice(from, from + together).map((id) => findOwn(context, id)));
    mine.push(...found.filter((upload) => upload !== undefined));
  }
  return mine;
}

/** Undefined if it belongs to somebody else, was removed meanwhile, or cannot be read. */
async function findOwn(context: Context, id: string): Promise<UnfinishedUpload | undefined> {
  const partial = await readPartial(context, id).catch((error: unknown) => {
    if (error instanceof SyntaxError || (error instanceof Problem && error.code === "NOT_FOUND")) return undefined;
    throw error;
  });
  const state = partial && (await context.files.parts.stateOf(id));
  if (!state) return undefined;
  return {
    uuid: id,
    fileName: partial.fileName,
    size: partial.size,
    received: state.received,
    beganAt: beganAtOf(id).toISOString(),
    lastByteAt: state.received > 0 ? state.changedAt.toISOString() : null,
    expiresAt: new Date(state.changedAt.getTime() + context.uploadKeepHours * hourMs).toISOString(),
    sha256: null,
  };
}

/**
 * SHA-256 of pieces of the received part, and of the file's end as its sender announced it. With them, a sender that
 * has a file of this size can find out whether it is the same file. Also for a finished upload.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, GONE (it was taken in, and its content was removed)
 */
export async function hashUpload(context: Context, id: string): Promise<UploadHashes> {
  const taken = await findTaken(context, id);
  if (taken) {
    if (taken.contentRemoved !== null) throw contentGone(taken);
    const places = placesIn(taken.fileSize);
    return {
      size: taken.fileSize,
      received: taken.fileSize,
      hashes: await hashesOf(keptPieces(context, id, places), places),
    };
  }
  const { size, fileEnd } = await readPartial(context, id);
  const { parts } = context.files;
  const state = await parts.stateOf(id);
  if (!state) throw notFound("upload");
  const places = placesIn(state.received);
  const hashes = await hashesOf(parts.pieces(id, places), places);
  if (fileEnd !== undefined) hashes.push({ ...endOf(size), sha256: fileEnd });
  return { size, received: state.received, hashes };
}

async function* keptPieces(context: Context, id: string, places: readonly Place[]): AsyncGenerator<Buffer> {
  const key = await db.findTdbKey(context.db, { uuid: id });
  for (const { start, end } of places) yield buffer(await readKept(context.files, key!, { start, end: end - 1 }));
}

async function hashesOf(pieces: AsyncIterable<Buffer>, places: readonly Place[]): Promise<UploadHashes["hashes"]> {
  const hashes: UploadHashes["hashes"] = [];
  for await (const piece of pieces)
    hashes.push({ ...places[hashes.length]!, sha256: createHash("sha256").update(piece).digest("hex") });
  return hashes;
}
