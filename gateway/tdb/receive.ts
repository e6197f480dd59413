import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";

import { v7 as uuidv7 } from "uuid";

import { findPatientsBefore, updateTdbHeld } from "../../db/assessment/setAside.ts";
import { lockFacility } from "../../db/facility/facility.ts";
import { refreshTdbRollups } from "../../db/derived/latest.ts";
import { refreshTdbSilence } from "../../db/derived/silence.ts";
import * as db from "../../db/tdb/tdb.ts";
import { transact } from "../../db/engine/transaction.ts";
import { judgeActions } from "../facility/actionEvidence.ts";
import { requireSender } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { shownFileName } from "../input/fileName.rules.ts";
import { invalid, Problem } from "../problem.ts";
import { notWhole, removeStaged, type StagedFile, withSource } from "../storage/staging.ts";
import { storageProblem } from "../storage/storage.ts";
import { lookAtHead } from "./head.ts";
import { facilityOf, requireReach } from "./reach.ts";
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
    await lockFacility(transaction, { facilityUuid });
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
 * database was lost during the commit), the file stays, because it may belong to a row.
 */
async function keep(context: Context, arrived: Arrived): Promise<boolean> {
  const { storage } = context.files;
  const key = `files/tdb/${arrived.tdbUuid}.tdbx`;
  try {
    await storage.keep(arrived.staged.path, key);
  } catch (error) {
    await storage.remove(key).catch(() => {});
    throw storageProblem(error);
  }
  // The row may exist: written by a commit whose answer was lost, or by another gateway.
  const removeUnlessKnown = async () => {
    if (!(await db.findTdbKey(context.db, { uuid: arrived.tdbUuid }))) await storage.remove(key);
  };
  let isNew = false;
  try {
    isNew = await insertReceived(context, arrived, key);
  } catch (error) {
    await removeUnlessKnown();
    throw error;
  }
  if (!isNew) await removeUnlessKnown();
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
  const known = () => db.findTdbByHash(context.db, { sha256: staged.sha256 });
  try {
    if (sha256 !== undefined && sha256 !== staged.sha256)
      throw new TdbxFault("What arrived is not the file that was sent. Send it again.");
    const earlier = await known();
    if (earlier) await requireReach(context, earlier.facilityUuid);
    if (earlier) return receiptOf(fileName, earlier, earlier.uuid !== tdbUuid);
    const manifest = await withSource(staged.path, readTdbx);
    const { facilityUuid } = await facilityOf(context, manifest.facility);
    const isNew = await keep(context, { tdbUuid, fileName, staged, manifest, facilityUuid });
    return receiptOf(fileName, (await known())!, !isNew);
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
    return await receiveStaged(context, { fileName, staged });
  } finally {
    await removeStaged(staged);
  }
}

export type IncomingFile = { fileName: string; content: Readable };

/**
 * A failure during the transfer of a file (storage, connection, or a machine that sends what it may not): it is the
 * file's reason and ends the request.
 */
const endsRequest = new Set<Problem["code"]>(["STORAGE_FULL", "STORAGE_AWAY", "TOO_LARGE", "MALFORMED", "INVALID"]);

/**
 * Receives files one after another as they arrive. Each succeeds or fails by itself, and received files stay. A failure
 * that ends the request lists the files up to the failed one (`files` of the problem), which has the failure as its
 * reason.
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
    if (current && error instanceof Problem && endsRequest.has(error.code))
      report(rejected(current.fileName, error.message));
    throw error instanceof Problem && receipts.length > 0
      ? new Problem(error.code, error.message, { ...error.extra, files: receipts })
      : error;
  }
  if (receipts.length === 0) throw invalid([{ path: "files", message: "at least one file is needed" }]);
  return receipts;
}
