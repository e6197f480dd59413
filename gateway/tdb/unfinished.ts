import { createHash } from "node:crypto";

import { requireSender } from "../access/access.ts";
import type { Context } from "../context.ts";
import { notFound, Problem } from "../problem.ts";
import { beganAtOf, readPartial } from "./resumable.ts";
import { endOf, placesIn } from "./sending.rules.ts";
import type { UnfinishedUpload, UploadHashes } from "./tdb.rules.ts";

/** The caller's own unfinished uploads: any device can go on with one that has the file. */

const hourMs = 60 * 60 * 1000;
/** How many notes are read at a time: each may be a call of an object storage. */
const together = 20;

/** The caller's uploads of which parts are missing, or which were not taken in yet, the newest first. @throws Problem FORBIDDEN */
export async function listUnfinishedUploads(context: Context): Promise<UnfinishedUpload[]> {
  requireSender(context);
  const ids = await context.files.parts.listIds();
  const mine: UnfinishedUpload[] = [];
  for (let from = 0; from < ids.length; from += together) {
    const found = await Promise.all(ids.slice(from, from + together).map((id) => findOwn(context, id)));
    mine.push(...found.filter((upload) => upload !== undefined));
  }
  return mine.toSorted((a, b) => b.uuid.localeCompare(a.uuid));
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
  };
}

/**
 * SHA-256 of pieces of what is here, and of the file's end as its sender announced it: whoever has a file of this size can tell
 * whether it is the one.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND
 */
export async function hashUpload(context: Context, id: string): Promise<UploadHashes> {
  const { size, fileEnd } = await readPartial(context, id);
  const { parts } = context.files;
  const state = await parts.stateOf(id);
  if (!state) throw notFound("upload");
  const places = placesIn(state.received);
  const hashes: UploadHashes["hashes"] = [];
  for await (const piece of parts.pieces(id, places)) {
    const place = places[hashes.length]!;
    hashes.push({ ...place, sha256: createHash("sha256").update(piece).digest("hex") });
  }
  if (fileEnd !== undefined) hashes.push({ ...endOf(size), sha256: fileEnd });
  return { size, received: state.received, hashes };
}
