import type { Readable } from "node:stream";

import { v7 as uuidv7 } from "uuid";

import * as db from "../../db/download/download.ts";
import { mapPage, type PageInput } from "../../db/list/page.ts";
import { transact } from "../../db/engine/transaction.ts";
import { may } from "../access/access.rules.ts";
import { deny, requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import { batchedByUuid } from "../reading/batch.ts";
import type { Context, Viewer } from "../context.ts";
import { shownFileName } from "../input/fileName.rules.ts";
import { isUuid } from "../input/page.rules.ts";
import { invalid, notFound, Problem, refuseChanged } from "../problem.ts";
import { readKept } from "../storage/files.ts";
import { removeStaged, type StagedFile } from "../storage/staging.ts";
import { type ByteRange, storageProblem } from "../storage/storage.ts";
import { batchLimitBytes, batchLimitMessage } from "../input/upload.rules.ts";
import { type DownloadForm, faultOfDownload, type FileType } from "./download.rules.ts";
import { echoedReleaseNames, type GivenRelease, type Release } from "./release.rules.ts";
import { isAskedToApply } from "./releasePath.ts";

/** Acts on files to download, shared by REST and GraphQL. The database key is for administrators only. */

export type DownloadRow = Omit<db.DownloadRow, "storageKey" | "fileType"> & { fileType: FileType };

export type { DownloadSort } from "../../db/download/download.ts";

/** Whether the caller sees database keys. */
export const seesDatabaseKeys = ({ viewer }: Context): boolean => may(viewer?.privileges, "addDownloads");

function shown(context: Context, found: db.DownloadRow): DownloadRow {
  const { storageKey: _storageKey, ...row } = found;
  return {
    ...row,
    fileType: row.fileType as FileType,
    databaseKey: seesDatabaseKeys(context) ? row.databaseKey : null,
  };
}

/** Files, by default ordered by kind and name. @throws Problem FORBIDDEN */
export async function listDownloads(
  context: Context,
  list: db.DownloadFilter & { fileType?: FileType | null; sort?: db.DownloadSort | null; page: PageInput },
) {
  requireRight(context, "accessDownloads");
  const found = await db.listDownloads(context.db, list);
  return mapPage(found, (row) => shown(context, row));
}

async function find(context: Context, uuid: string): Promise<db.DownloadRow> {
  requireRight(context, "accessDownloads");
  const row = isUuid(uuid) ? await db.findDownload(context.db, { uuid }) : undefined;
  if (!row) throw notFound("file", "id");
  return row;
}

/** @throws Problem FORBIDDEN or NOT_FOUND */
const readDownload = async (context: Context, uuid: string): Promise<DownloadRow> =>
  shown(context, await find(context, uuid));

/** As `readDownload`; several files of one request are read together. @throws Problem FORBIDDEN or NOT_FOUND */
export const loadDownload = batchedByUuid<DownloadRow>(
  async (context, uuids) => {
    requireRight(context, "accessDownloads");
    const rows = await db.listDownloadsByUuid(context.db, { uuids });
    return new Map(rows.map((row) => [row.uuid, shown(context, row)]));
  },
  () => notFound("file", "id"),
);

/** A file that a rollout asks a site to apply. @throws Problem FORBIDDEN */
async function findForSite(context: Context, uuid: string, facilityUuid: string): Promise<db.DownloadRow> {
  const row = isUuid(uuid) ? await db.findDownload(context.primary, { uuid }) : undefined;
  if (row && (await isAskedToApply(context.primary, { facilityUuid, downloadUuid: uuid }))) return row;
  throw deny(
    context,
    { action: "access.right", details: { right: "site" } },
    new Problem("FORBIDDEN", "No rollout asks this site to apply this file."),
  );
}

/**
 * Opens a file to send it, and writes that to the audit log. A site may fetch the files that a rollout asks it to
 * apply.
 *
 * @throws Problem FORBIDDEN or NOT_FOUND
 */
export async function openDownload(context: Context, uuid: string) {
  const site = context.viewer?.machine?.kind === "site" ? context.viewer.machine : undefined;
  const found = site ? await findForSite(context, uuid, site.facilityUuid) : await find(context, uuid);
  const { fileName, size, sha256, storageKey } = found;
  const subject = { type: "Download", id: uuid };
  await recordAudit(context, {
    action: "download.fetch",
    outcome: "done",
    ...(site ? { facilityUuid: site.facilityUuid } : {}),
    subject,
    details: { fileName, sha256 },
  });
  return { fileName, size, sha256, open: (range?: ByteRange) => readKept(context.files, storageKey, range) };
}

/** Checks the right before a byte of the file is read. @throws Problem UNAUTHENTICATED or FORBIDDEN */
export const checkMayAddDownload = (context: Context): Viewer => requireRight(context, "addDownloads");

/** A file that has arrived, while the rest of its form is still to be read and checked. */
export type ArrivedDownload = { fileName: string; staged: StagedFile };

/**
 * Stores the file of a form in the staging area.
 *
 * @throws Problem FORBIDDEN, INVALID, TOO_LARGE, STORAGE_FULL, STORAGE_AWAY
 */
export async function receiveDownload(
  context: Context,
  { fileName, content }: { fileName: string; content: Readable },
): Promise<ArrivedDownload> {
  checkMayAddDownload(context);
  const fault = faultOfDownload(fileName);
  if (fault) throw invalid([{ path: "file", message: fault }]);
  let size = 0;
  const staged = await context.files.staging.receive(content, (count) => {
    size += count;
    if (size > batchLimitBytes) throw new Problem("TOO_LARGE", batchLimitMessage);
  });
  return { fileName: shownFileName(fileName), staged };
}

/** Removes a file whose form was refused. */
export const dropDownload = ({ staged }: ArrivedDownload): Promise<void> => removeStaged(staged);

/**
 * Adds a file to the downloads: the file is stored first, then its row.
 *
 * @throws Problem FORBIDDEN, INVALID, STORAGE_FULL, STORAGE_AWAY
 */
export async function addDownload(
  context: Context,
  { fileName, staged }: ArrivedDownload,
  form: DownloadForm,
): Promise<DownloadRow> {
  const viewer = checkMayAddDownload(context);
  if (staged.size === 0) throw invalid([{ path: "file", message: "The file is empty" }]);
  const downloadUuid = uuidv7();
  const storageKey = `files/download/${downloadUuid}`;
  try {
    await context.files.storage.keep(staged.path, storageKey);
  } catch (error) {
    await context.files.storage.remove(storageKey).catch(() => {});
    throw storageProblem(error);
  }
  const { fileType, fileName: name, fileDescription: description, dbKey } = form;
  try {
    await transact(context.db, async (transaction) => {
      await db.insertDownload(transaction, {
        downloadUuid,
        userUuid: viewer.userUuid,
        fileType,
        name,
        description,
        databaseKey: dbKey || null,
        fileName,
        fileSize: staged.size,
        sha256: staged.sha256,
        storageKey,
      });
      const details = { fileType, name, description, fileName, size: staged.size, sha256: staged.sha256 };
      await recordAudit(
        context,
        { action: "download.add", outcome: "done", subject: { type: "Download", id: downloadUuid }, details },
        transaction,
      );
    });
  } catch (error) {
    // If even this lookup fails, the row may exist, so the file stays.
    if (!(await db.findDownload(context.db, { uuid: downloadUuid }))) await context.files.storage.remove(storageKey);
    throw error;
  }
  return readDownload(context, downloadUuid);
}

/** A file with its release. @throws Problem FORBIDDEN or NOT_FOUND */
export const readRelease = (context: Context, uuid: string): Promise<DownloadRow> => readDownload(context, uuid);

/** The fields of a file that are its release. */
export const releaseOf = ({
  version,
  installs,
  appliesFrom,
  appliesTo,
  channel,
  requiredSince,
}: DownloadRow): Release => ({
  ...{ version, installs, appliesFrom, appliesTo, channel, requiredSince },
});

/** Replaces the release of a file. @throws Problem FORBIDDEN, NOT_FOUND or STALE */
export async function setRelease(context: Context, uuid: string, given: GivenRelease): Promise<DownloadRow> {
  checkMayAddDownload(context);
  if (!isUuid(uuid)) throw notFound("file", "id");
  return transact(context.db, async (transaction) => {
    const found = await db.lockDownload(transaction, { uuid });
    if (!found) throw notFound("file", "id");
    const held = shown(context, found);
    context.expect?.(held);
    const faults = refuseChanged(given, held, echoedReleaseNames);
    if (faults.length > 0) throw invalid(faults);
    const { version, installs, appliesFrom, appliesTo, channel, requiredSince } = given;
    const release = { version, installs, appliesFrom, appliesTo, channel, requiredSince };
    await db.updateDownloadRelease(transaction, { uuid, ...release });
    const details = { name: held.name, before: releaseOf(held), ...release };
    await recordAudit(
      context,
      { action: "download.release", outcome: "done", subject: { type: "Download", id: uuid }, details },
      transaction,
    );
    return { ...held, ...release };
  });
}

/** Withdraws a file from the list; its content stays stored. @throws Problem FORBIDDEN or NOT_FOUND */
export async function withdrawDownload(context: Context, uuid: string): Promise<DownloadRow> {
  checkMayAddDownload(context);
  const row = await readDownload(context, uuid);
  context.expect?.(row);
  await transact(context.db, async (transaction) => {
    if (!(await db.updateDownloadWithdrawn(transaction, { uuid }))) throw notFound("file", "id");
    const { name, fileName, sha256 } = row;
    const subject = { type: "Download", id: uuid };
    await recordAudit(
      context,
      { action: "download.withdraw", outcome: "done", subject, details: { name, fileName, sha256 } },
      transaction,
    );
  });
  return row;
}
