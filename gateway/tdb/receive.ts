import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";

import { v7 as uuidv7 } from "uuid";

import { findPatientsBefore, updateTdbHeld } from "../../db/assessment/setAside.ts";
import { lockFacility } from "../../db/facility/facility.ts";
import { refreshTdbRollups } from "../../db/derived/latest.ts";
import { refreshTdbSilence } from "../../db/derived/silence.ts";
import * as db from "../../db/tdb/tdb.ts";
import { isRolledBack, transact } from "../../db/engine/transaction.ts";
import { judgeActions } from "../facility/actionEvidence.ts";
import { requireSender } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { shownFileName } from "../input/fileName.rules.ts";
import { invalid, Problem, problemOf } from "../problem.ts";
import { notWhole, removeStaged, type StagedFile, withSource } from "../storage/staging.ts";
import { storageProblem } from "../storage/storage.ts";
import { lookAtHead } from "./head.ts";
import { reachableFacility, checkReach } from "./reach.ts";
import type { TdbReceipt } from "./tdb.rules.ts";
import { TdbxFault, type TdbxManifest } from "./tdbx.rules.ts";
import { batchLimitBytes, batchLimitMessage } from "../input/upload.rules.ts";
import { faultOfFileName } from "./tdbxFile.rules.ts";
import { readTdbx } from "./tdbxReader.rules.ts";
import { unusualPatients } from "./unusual.rules.ts";

/**
 * Receives transport databases, for the multipart call, the GraphQL mutation and resumable uploads. It reports success
 * after the file was stored under its name and its row was committed, in this order. So if the process is killed at any
 * moment, no row lacks its file; the next sweep removes a file without a row.
 */

const rejected = (fileName: string, message: string, file?: StagedFile): TdbReceipt => ({
  fileName: shownFileName(fileName),
  accepted: false,
  duplicate: false,
  uuid: null,
  reference: null,
  facilityUuid: null,
  facility: null,
  sha256: file?.sha256 ?? null,
  size: file?.size ?? null,
  uploadDate: null,
  uploadTime: null,
  held: null,
  error: { message },
});

/** The receipt of a TDB. */
export const receiptOf = (fileName: string, row: db.TdbRow, duplicate = false): TdbReceipt => ({
  fileName: shownFileName(fileName),
  accepted: true,
  duplicate,
  uuid: row.uuid,
  reference: row.reference,
  facilityUuid: row.facilityUuid,
  facility: row.facility,
  sha256: row.sha256,
  size: row.fileSize,
  uploadDate: row.uploadDate,
  uploadTime: row.uploadTime,
  held: row.held,
  error: null,
});

function grouped(computers: TdbxManifest["computers"] = []) {
  const groups = new Map<string, { cpuCores: number; os64Bit: boolean; computers: number }>();
  for (const { cpuCores, os64Bit } of computers) {
    const key = `${cpuCores} ${os64Bit}`;
    groups.set(key, { cpuCores, os64Bit, computers: (groups.get(key)?.computers ?? 0) + 1 });
  }
  return [...groups.values()];
}

type Arrived = { tdbUuid: string; fileName: string; staged: StagedFile; manifest: TdbxManifest; facilityUuid: string };

/**
 * Writes the row of a stored file, its roll-ups and its audit event in one transaction. It is held if its number of
 * patients is far from usual, because the file is a program's work, whoever sends it. Returns false if a TDB with
 * this content exists already.
 */
function insertReceived(
  context: Context,
  { tdbUuid, fileName, staged, manifest, facilityUuid }: Arrived,
  storageKey: string,
) {
  const viewer = requireSender(context);
  return transact(context.db, async (transaction) => {
    if (!(await lockFacility(transaction, { facilityUuid })))
      throw new TdbxFault("Its facility was merged or removed while the file arrived. Send it again.");
    const received = await db.insertTdb(transaction, {
      tdbUuid,
      facilityUuid,
      userUuid: viewer.userUuid,
      delta: manifest.delta,
      tdbCreatedAt: manifest.createdAt,
      totalPatients: manifest.totalPatients,
      libraryVersion: manifest.libraryVersion ?? null,
      databaseVersion: manifest.databaseVersion ?? null,
      fileName,
      fileSize: staged.size,
      sha256: staged.sha256,
      storageKey,
      computers: grouped(manifest.computers),
    });
    if (received === undefined) return false;
    const { day, receivedAt } = received;
    const held = unusualPatients(manifest.totalPatients, await findPatientsBefore(transaction, { tdbUuid }));
    if (held !== null) await updateTdbHeld(transaction, { tdbUuid, held });
    await refreshTdbRollups(transaction, { facilityUuid, days: [day] });
    await refreshTdbSilence(transaction, { facilityUuid, tdbUuid });
    const details = {
      fileName,
      size: staged.size,
      sha256: staged.sha256,
      createdAt: manifest.createdAt,
      delta: manifest.delta,
      ...(held === null ? {} : { held }),
    };
    const subject = { type: "Tdb", id: tdbUuid };
    await recordAudit(context, { action: "tdb.upload", outcome: "done", facilityUuid, subject, details }, transaction);
    await judgeActions(context, transaction, { facilityUuid, from: receivedAt });
    return true;
  });
}

/**
 * Stores the file, then writes its row. If the row was not written, the file is removed. If that is not known (the
 * database was lost during the commit, which may still be done), the file stays, and the sweep removes it later if it
 * has no row.
 */
async function storeAndInsert(context: Context, arrived: Arrived): Promise<boolean> {
  const { storage } = context.files;
  const key = `files/tdb/${arrived.tdbUuid}.tdbx`;
  try {
    await storage.keep(arrived.staged.path, key);
  } catch (error) {
    await storage.remove(key).catch(() => {});
    throw storageProblem(error);
  }
  // Another gateway may have written the row.
  const removeUnlessInserted = async () => {
    if (!(await db.findTdbKey(context.db, { uuid: arrived.tdbUuid }))) await storage.remove(key);
  };
  let isNew = false;
  try {
    isNew = await insertReceived(context, arrived, key);
  } catch (error) {
    const isRefused = error instanceof TdbxFault || error instanceof Problem;
    if (isRefused || isRolledBack(error)) await removeUnlessInserted();
    throw error;
  }
  if (!isNew) await removeUnlessInserted();
  return isNew;
}

/**
 * Receives a file that has arrived completely. If the sender gave its SHA-256, it must match. The caller removes the
 * staged file. After a failure that is not the file's (database, storage) the call can be repeated.
 *
 * @throws Problem
 */
export async function receiveStaged(
  context: Context,
  {
    fileName,
    staged,
    tdbUuid = uuidv7(),
    sha256,
  }: { fileName: string; staged: StagedFile; tdbUuid?: string; sha256?: string | undefined },
): Promise<TdbReceipt> {
  requireSender(context);
  const sameContent = () => db.findTdbByHash(context.db, { sha256: staged.sha256 });
  try {
    if (sha256 !== undefined && sha256 !== staged.sha256)
      throw new TdbxFault("What arrived is not the file that was sent. Send it again.");
    const earlier = await sameContent();
    if (earlier) await checkReach(context, earlier.facilityUuid);
    if (earlier) return receiptOf(fileName, earlier, earlier.uuid !== tdbUuid);
    const manifest = await withSource(staged.path, readTdbx);
    const { facilityUuid } = await reachableFacility(context, manifest.facility);
    const isNew = await storeAndInsert(context, {
      tdbUuid,
      fileName: shownFileName(fileName),
      staged,
      manifest,
      facilityUuid,
    });
    return receiptOf(fileName, (await sameContent())!, !isNew);
  } catch (error) {
    if (error instanceof TdbxFault) return refuse(context, rejected(fileName, error.message, staged));
    throw storageProblem(error);
  }
}

async function refuse(context: Context, receipt: TdbReceipt): Promise<TdbReceipt> {
  const { fileName, sha256, size, error } = receipt;
  await recordAudit(context, {
    action: "tdb.upload",
    outcome: "failed",
    details: { fileName, sha256, size, reason: error?.message },
  });
  return receipt;
}

/**
 * How much of a refused file a machine may still send before the connection is closed. Up to this size, the next file
 * of the form is read.
 */
const pastBytes = 1024 * 1024;

/**
 * Reads a refused file to its end, so that the answer can include the form's other files. If that would take long,
 * `endOf` ends it.
 */
async function readPast(content: Readable, onBytes: (count: number) => void, endOf?: () => Problem): Promise<void> {
  let past = 0;
  content.on("data", (chunk: Buffer) => {
    past += chunk.length;
    try {
      onBytes(chunk.length);
      if (endOf && past > pastBytes) throw endOf();
    } catch (error) {
      content.destroy(error as Error);
    }
  });
  await finished(content).catch((error: unknown) => {
    throw error instanceof Problem ? error : notWhole();
  });
}

/**
 * Receives one file from a stream: it is hashed while it arrives, then read, matched with its facility and stored. For
 * a rejected file the receipt has the reason; failures that are not the file's (a full disk, a lost connection) are
 * thrown.
 *
 * @throws Problem FORBIDDEN, STORAGE_FULL, STORAGE_AWAY, and whatever `onBytes` throws
 */
async function receiveTdb(
  context: Context,
  { fileName, content, onBytes = () => {} }: { fileName: string; content: Readable; onBytes?: (count: number) => void },
): Promise<TdbReceipt> {
  requireSender(context);
  const wrongName = faultOfFileName(fileName);
  const { fault, whole } =
    wrongName === undefined ? await lookAtHead(context, content) : { fault: wrongName, whole: content };
  if (fault) {
    const receipt = await refuse(context, rejected(fileName, fault));
    await readPast(whole, onBytes, context.viewer?.machine ? () => new Problem("INVALID", fault) : undefined);
    return receipt;
  }
  const staged = await context.files.staging.receive(whole, onBytes);
  try {
    // The transfer may have taken half an hour.
    await context.lookAgain?.();
    return await receiveStaged(context, { fileName, staged });
  } finally {
    await removeStaged(staged);
  }
}

export type IncomingFile = { fileName: string; content: Readable };

/**
 * Receives files one after another as they arrive. Each succeeds or fails by itself, and received files stay. A failure
 * that is not a file's own (storage, database, connection) ends the request. It lists the files up to the present one
 * (`files` of the problem), which has the failure as its reason.
 *
 * @throws Problem as receiveTdb, TOO_LARGE for more than 30 GB in all, INVALID for none
 */
export async function receiveTdbs(context: Context, files: AsyncIterable<IncomingFile>): Promise<TdbReceipt[]> {
  requireSender(context);
  const receipts: TdbReceipt[] = [];
  const report = (receipt: TdbReceipt) => {
    receipts.push(receipt);
    context.received?.push(receipt);
  };
  let total = 0;
  const onBytes = (count: number) => {
    total += count;
    if (total > batchLimitBytes) throw new Problem("TOO_LARGE", batchLimitMessage);
  };
  let current: IncomingFile | undefined;
  try {
    for await (const file of files) {
      current = file;
      report(await receiveTdb(context, { ...file, onBytes }));
      current = undefined;
    }
  } catch (error) {
    const problem = problemOf(error);
    if (current) report(rejected(current.fileName, problem.message));
    throw receipts.length > 0
      ? new Problem(problem.code, problem.message, {
          ...(problem === error ? {} : { cause: error }),
          ...problem.extra,
          files: receipts,
        })
      : error;
  }
  if (receipts.length === 0) throw invalid([{ path: "files", message: "at least one file is needed" }]);
  return receipts;
}
