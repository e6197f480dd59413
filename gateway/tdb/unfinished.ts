import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";

import * as db from "../../db/tdb.ts";
import { requireSender } from "../access/access.ts";
import type { Context } from "../context.ts";
import { notFound, Problem } from "../problem.ts";
import { readKept } from "../storage/files.ts";
import { beganAtOf, findTaken, readPartial } from "./resumable.ts";
import { endOf, type Place, placesIn } from "./sending.rules.ts";
import type { UnfinishedUpload, UploadHashes } from "./tdb.rules.ts";

/** The caller's own unfinished uploads: any device can go on with one that has the file. */

const hourMs = 60 * 60 * 1000;
/** How many notes are read at a time: each may be a call of an object storage. */
const together = 20;

/**
 * The caller's uploads of which parts are missing, or which were not taken in yet, the newest first; with a size, those of this size
 * and what was taken in lately: a sender that was closed before its receipt came finds it there, and does not send the file again.
 *
 * @throws Problem FORBIDDEN
 */
export async function listUnfinishedUploads(context: Context, size?: number): Promise<UnfinishedUpload[]> {
  const unfinished = (await listPartials(context)).filter((upload) => size === undefined || upload.size === size);
  const complete = unfinished.filter((upload) => upload.received === upload.size).map(({ uuid }) => uuid);
  // A gateway that was killed after it had taken a file in has left its parts behind.
  const taken = new Set((complete.length > 0 ? await db.listTdbsByUuid(context.db, { uuids: complete }) : []).map(({ uuid }) => uuid));
  const received = size === undefined ? [] : await listReceived(context, size);
  return [...unfinished.filter(({ uuid }) => !taken.has(uuid)), ...received].toSorted((a, b) => b.uuid.localeCompare(a.uuid));
}

/** Files of this size that the caller has sent, for as long as parts would be kept. */
async function listReceived(context: Context, size: number): Promise<UnfinishedUpload[]> {
  const { userUuid } = requireSender(context);
  const keptMs = context.uploadKeepHours * hourMs;
  const rows = await db.listTdbsSent(context.db, { userUuid, fileSize: size, since: new Date(Date.now() - keptMs) });
  return rows.map(({ uuid, fileName, sha256, receivedAt }) => {
    const at = new Date(receivedAt);
    const expiresAt = new Date(at.getTime() + keptMs).toISOString();
    return { uuid, fileName, size, received: size, beganAt: at.toISOString(), lastByteAt: at.toISOString(), expiresAt, sha256 };
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

/** Undefined where it is somebody else's, went meanwhile, or cannot be read any more. */
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
 * SHA-256 of pieces of what is here, and of the file's end as its sender announced it: whoever has a file of this size can tell
 * whether it is the one. The same of a file that was taken in.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND
 */
export async function hashUpload(context: Context, id: string): Promise<UploadHashes> {
  const taken = await findTaken(context, id);
  if (taken) {
    const places = placesIn(taken.fileSize);
    return { size: taken.fileSize, received: taken.fileSize, hashes: await hashesOf(keptPieces(context, id, places), places) };
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
  for await (const piece of pieces) hashes.push({ ...places[hashes.length]!, sha256: createHash("sha256").update(piece).digest("hex") });
  return hashes;
}
