import type { IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";

import { sharedLocks } from "../../db/engine/lock.ts";
import * as db from "../../db/tdb/tdb.ts";
import { requireSender } from "../access/access.ts";
import type { Context } from "../context.ts";
import { notFound, Problem } from "../problem.ts";
import { removeStaged } from "../storage/staging.ts";
import { storageProblem } from "../storage/storage.ts";
import { checkHead, headBytes } from "./head.ts";
import { receiptOf, receiveStaged } from "./receive.ts";
import { isBound } from "./reach.ts";
import type { TdbReceipt } from "./tdb.rules.ts";

/**
 * Uploads in parts (tus). When all parts are there, a separate act finishes the upload. It can be repeated: after a
 * lost answer, a restart or at another gateway it gives the same result.
 */

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `fileEnd`: SHA-256 of the end of the whole file, as its sender announced it. */
type PartialUpload = { size: number; fileName: string; fileEnd?: string | undefined };
/** The caller, and the file's SHA-256 if they know it. */
type Asked = { userUuid: string; sha256: string | undefined };
type Outcome = { owner: string; receipt: TdbReceipt };

/** Locks that let only one request write to an upload, on all gateways together. */
export type UploadLocks = ReturnType<typeof uploadLocks>;
/** The names under which the gateways share these locks contain the upload's id. */
export function uploadLocks(handle: Context["db"]) {
  const locks = sharedLocks(handle);
  return {
    tryTake: (id: string, onWanted: () => void) => locks.tryTake(`upload ${id}`, onWanted),
    ask: (id: string) => locks.ask(`upload ${id}`),
  };
}

/** The caller's own upload. @throws Problem FORBIDDEN, NOT_FOUND (nobody learns of others' uploads) */
export async function readPartial(context: Context, id: string): Promise<PartialUpload> {
  const viewer = requireSender(context);
  const info = idPattern.test(id) ? await context.files.parts.readNote(id, "info") : undefined;
  const { size, metadata } = (info ?? {}) as { size?: number; metadata?: Record<string, string | null> };
  if (size === undefined || metadata?.["owner"] !== viewer.userUuid) throw notFound("upload");
  return { size, fileName: metadata["filename"] ?? "", fileEnd: metadata["end"] ?? undefined };
}

/**
 * Checks a part that belongs to the file's first bytes before it is written. A refused upload is removed.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID
 */
export async function checkPart(
  context: Context,
  id: string,
  { offset, body }: { offset: number; body: IncomingMessage },
): Promise<void> {
  const { parts } = context.files;
  if (!(offset < headBytes) || !isBound(context)) return;
  const { fileName, size } = await readPartial(context, id);
  // If the offset is wrong, the tus server answers that.
  if ((await parts.sizeOf(id)) !== offset) return;
  const before: Buffer[] = [];
  if (offset > 0) for await (const piece of parts.pieces(id, [{ start: 0, end: offset }])) before.push(piece);
  try {
    await checkHead(context, { fileName, size }, body, Buffer.concat(before));
  } catch (error) {
    if (error instanceof Problem && error.code === "INVALID") await parts.remove(id);
    throw error;
  }
}

/** When an upload began: its id is a UUID of version 7, which contains the time. */
export const beganAtOf = (id: string): Date => new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16));

/** The TDB that this upload of the caller has become, for as long as its receipt is kept. @throws Problem FORBIDDEN */
export async function findTaken(context: Context, id: string): Promise<db.TdbRow | undefined> {
  const { userUuid } = requireSender(context);
  const taken = idPattern.test(id) ? await db.findTdb(context.db, { uuid: id }) : undefined;
  return taken?.userUuid === userUuid && taken.receiptRemoved === null ? taken : undefined;
}

/** The receipt of an upload of the caller that is already finished. @throws Problem FORBIDDEN */
async function findReceipt(context: Context, id: string): Promise<TdbReceipt | undefined> {
  const { userUuid } = requireSender(context);
  const outcome = idPattern.test(id)
    ? ((await context.files.parts.readNote(id, "outcome")) as Outcome | undefined)
    : undefined;
  if (outcome?.owner === userUuid) return outcome.receipt;
  const taken = await findTaken(context, id);
  return taken && receiptOf(taken.fileName, taken);
}

/**
 * The size of an upload of the caller that has arrived completely, also while it is being finished and afterwards.
 * @throws Problem FORBIDDEN
 */
export async function findCompleteSize(context: Context, id: string): Promise<number | undefined> {
  const { parts } = context.files;
  const partial = await readPartial(context, id).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "NOT_FOUND") return undefined;
    throw error;
  });
  if (partial && (await parts.sizeOf(id)) === partial.size) return partial.size;
  // Asked for after the parts: it is there before they are removed.
  return (await findReceipt(context, id))?.size ?? undefined;
}

async function finish(context: Context, id: string, { userUuid, sha256 }: Asked): Promise<TdbReceipt> {
  const { parts } = context.files;
  const { size, fileName } = await readPartial(context, id);
  const there = await parts.sizeOf(id);
  if (there === undefined) throw notFound("upload");
  if (there !== size) throw new Problem("CONFLICT", `The upload is not complete: ${there} of ${size} bytes are here.`);
  const staged = await parts.stage(id);
  const receipt = await receiveStaged(context, { fileName, staged, tdbUuid: id, sha256 });
  // Before anything is removed: a sender that asks at any moment, also after a gateway was killed here, finds the parts
  // or the outcome.
  await parts.writeNote(id, "outcome", { owner: userUuid, receipt } satisfies Outcome);
  await removeStaged(staged);
  await parts.remove(id);
  return receipt;
}

/** How long a call waits while another gateway finishes the upload. */
const meanwhileMs = 1000;

/** One gateway finishes an upload. Another one that gets the same call meanwhile checks whether it is done. */
async function finishAlone(context: Context, id: string, asked: Asked): Promise<TdbReceipt | undefined> {
  const giveBack = await sharedLocks(context.db).tryTake(`finish ${id}`);
  if (!giveBack) {
    await setTimeout(meanwhileMs);
    return findReceipt(context, id);
  }
  try {
    return (await findReceipt(context, id)) ?? (await finish(context, id, asked));
  } catch (error) {
    throw storageProblem(error);
  } finally {
    await giveBack();
  }
}

const underWay = new WeakMap<Context["db"], Map<string, Promise<TdbReceipt | undefined>>>();

/**
 * Finishes an upload whose parts are complete, by the same act as every other way to send a TDB. Simultaneous calls
 * wait for the same work; a later call gets the first one's receipt. If the SHA-256 is given, other content is
 * rejected. Returns undefined while another gateway is finishing it.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (parts are missing), STORAGE_FULL, STORAGE_AWAY
 */
export async function finishUpload(context: Context, id: string, sha256?: string): Promise<TdbReceipt | undefined> {
  const viewer = requireSender(context);
  if (!idPattern.test(id)) throw notFound("upload");
  const done = await findReceipt(context, id);
  if (done) {
    // Parts that a killed gateway has left. If they cannot be removed now, the sweep does it later.
    await context.files.parts.remove(id).catch(() => {});
    return done;
  }
  const works = underWay.get(context.db) ?? new Map<string, Promise<TdbReceipt | undefined>>();
  underWay.set(context.db, works);
  const key = `${viewer.userUuid} ${id}`;
  let work = works.get(key);
  if (!work) {
    work = finishAlone(context, id, { userUuid: viewer.userUuid, sha256 }).finally(() => works.delete(key));
    work.catch(() => {});
    works.set(key, work);
  }
  return work;
}
