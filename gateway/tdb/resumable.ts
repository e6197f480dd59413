import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import * as db from "../../db/tdb.ts";
import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { notFound, Problem } from "../problem.ts";
import { stageExisting } from "../storage/staging.ts";
import { receiptOf, receiveStaged } from "./receive.ts";
import type { TdbReceipt } from "./tdb.rules.ts";

/**
 * Uploads in parts (tus). The parts gather in a file named after the upload's id; when all are there, the upload is finished by
 * an act of its own that can be asked for again: after a lost answer or a restarted server it tells the same.
 */

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Partial = { size: number; fileName: string };
type Outcome = { owner: string; receipt: TdbReceipt };

const pathOf = ({ files }: Context, id: string, suffix = ""): string => join(files.staging.resumable, `${id}${suffix}`);

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The caller's own upload. @throws Problem FORBIDDEN, NOT_FOUND (nobody learns of others' uploads) */
export async function readPartial(context: Context, id: string): Promise<Partial> {
  const viewer = requireRight(context, "uploadTdbs");
  const info = idPattern.test(id) ? await readJson(pathOf(context, id, ".json")) : undefined;
  const { size, metadata } = (info ?? {}) as { size?: number; metadata?: Record<string, string | null> };
  if (size === undefined || metadata?.["owner"] !== viewer.userUuid) throw notFound("upload");
  return { size, fileName: metadata["filename"] ?? "" };
}

async function finish(context: Context, id: string, viewerUuid: string): Promise<TdbReceipt> {
  const { size, fileName } = await readPartial(context, id);
  const path = pathOf(context, id);
  const there = await stat(path).catch(() => undefined);
  if (!there) throw notFound("upload");
  if (there.size !== size) throw new Problem("CONFLICT", `The upload is not complete: ${there.size} of ${size} bytes are here.`);
  const receipt = await receiveStaged(context, { fileName, staged: await stageExisting(path), tdbUuid: id });
  await writeFile(pathOf(context, id, ".outcome"), JSON.stringify({ owner: viewerUuid, receipt } satisfies Outcome));
  await rm(pathOf(context, id, ".json"), { force: true });
  return receipt;
}

const underWay = new Map<string, Promise<TdbReceipt>>();

/**
 * Finishes an upload whose parts are all there: the same act as every other way in. Calls that meet wait for the same work; one
 * that comes later gets the first one's receipt.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (parts are missing), STORAGE_FULL, STORAGE_AWAY
 */
export async function finishUpload(context: Context, id: string): Promise<TdbReceipt> {
  const viewer = requireRight(context, "uploadTdbs");
  if (!idPattern.test(id)) throw notFound("upload");
  const outcome = (await readJson(pathOf(context, id, ".outcome"))) as Outcome | undefined;
  if (outcome?.owner === viewer.userUuid) return outcome.receipt;
  const received = await db.findTdb(context.db, { uuid: id });
  if (received?.userUuid === viewer.userUuid) return receiptOf(received.fileName, received);
  const key = `${viewer.userUuid} ${id}`;
  let work = underWay.get(key);
  if (!work) {
    work = finish(context, id, viewer.userUuid).finally(() => underWay.delete(key));
    work.catch(() => {});
    underWay.set(key, work);
  }
  return work;
}
