import type { z } from "zod";

import type { LongTable } from "../../db/list/csv.ts";
import { everyRow, type PageInput } from "../../db/list/page.ts";
import type { TdbRow } from "../../db/tdb/tdb.ts";
import * as db from "../../db/tdb/tdb.ts";
import { deny, isLimited, isWithin, narrowed, requireRight, requireViewer, requireWithin } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import { batchedByUuid } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { readFacility } from "../facility/facility.ts";
import { isUuid } from "../input/page.rules.ts";
import { notFound, Problem } from "../problem.ts";
import { checkScope, type Scope } from "../reference/reference.ts";
import { readKept } from "../storage/files.ts";
import type { ByteRange } from "../storage/storage.ts";
import { checkPerson } from "../user/user.ts";
import { reachableFacility } from "./reach.ts";
import type { TdbFilter, tdbPreviewRules } from "./tdb.rules.ts";
import { TdbxFault } from "./tdbx.rules.ts";

/** Acts on transport databases, shared by REST and GraphQL. Reading their rows needs the right to upload them. */

export type { TdbHistoryFacility, TdbRow, TdbSort } from "../../db/tdb/tdb.ts";

/** @throws Problem FORBIDDEN or NOT_FOUND */
async function readTdb(context: Context, uuid: string): Promise<TdbRow> {
  requireRight(context, "viewTdbs", "somewhere");
  const tdb = isUuid(uuid) ? await db.findTdb(context.db, { uuid }) : undefined;
  if (!tdb) throw notFound("TDB", "uuid");
  requireWithin(context, tdb);
  return tdb;
}

/** As `readTdb`; several TDBs of one request are read together. @throws Problem FORBIDDEN or NOT_FOUND */
export const loadTdb = batchedByUuid<TdbRow>(
  async (context, uuids) => {
    requireRight(context, "viewTdbs", "somewhere");
    const rows = await db.listTdbsByUuid(context.db, { uuids });
    return new Map(rows.filter((row) => isWithin(context, row)).map((row) => [row.uuid, row]));
  },
  () => notFound("TDB", "uuid"),
);

/** Several TDBs by uuid; unknown ones are left out. @throws Problem FORBIDDEN */
export async function loadTdbs(context: Context, uuids: readonly string[]): Promise<Map<string, TdbRow>> {
  if (uuids.length === 0) return new Map();
  requireRight(context, "viewTdbs");
  return new Map((await db.listTdbsByUuid(context.db, { uuids })).map((row) => [row.uuid, row]));
}

/** Why a TDB's file cannot be read any more. */
export const contentGone = ({ contentRemoved, sha256 }: Pick<TdbRow, "contentRemoved" | "sha256">): Problem =>
  new Problem(
    "GONE",
    `The content of this TDB was removed on ${contentRemoved} by the rules of retention. Its SHA-256 is ${sha256}.`,
  );

/**
 * The file of a stored TDB. The download is written to the audit log. A TDB may hold patient data, so only
 * administrators and its sender may fetch it.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND or GONE (its content was removed)
 */
export async function openTdbFile(context: Context, uuid: string) {
  const { fileName, fileSize, sha256, facilityUuid, userUuid, contentRemoved } = await readTdb(context, uuid);
  const subject = { type: "Tdb", id: uuid };
  const viewer = requireViewer(context);
  if (!viewer.privileges.administrator && viewer.userUuid !== userUuid)
    throw deny(
      context,
      { action: "tdb.fetch", facilityUuid, subject },
      new Problem("FORBIDDEN", "The content of a TDB is for administrators and for who sent it."),
    );
  if (contentRemoved !== null) throw contentGone({ contentRemoved, sha256 });
  const key = await db.findTdbKey(context.db, { uuid });
  await recordAudit(context, {
    action: "tdb.fetch",
    outcome: "done",
    facilityUuid,
    subject,
    details: { fileName, sha256 },
  });
  return { fileName, size: fileSize, sha256, open: (range?: ByteRange) => readKept(context.files, key!, range) };
}

/** TDBs of a facility or a scope, by default the latest received first. @throws Problem FORBIDDEN or NOT_FOUND */
export async function listTdbs(
  context: Context,
  { page, sort, facilityUuid, ...filter }: TdbFilter & { sort?: db.TdbSort | null; page: PageInput },
) {
  requireRight(context, "viewTdbs", "somewhere");
  const within = narrowed(context, filter, page.of);
  await checkTdbFilter(context, { ...within, ...(isLimited(context) ? { facilityUuid } : {}) });
  const found = await db.listTdbs(context.db, { ...within, facilityUuid, sort, page });
  // A facility that has TDBs exists.
  if (facilityUuid == null || found.rows.length > 0) return found;
  const { facilityUuid: present } = await readFacility(context, facilityUuid);
  return present === facilityUuid ? found : db.listTdbs(context.db, { ...within, facilityUuid: present, sort, page });
}

/** Refuses a filter by a place, partner, facility or person that does not exist. @throws Problem NOT_FOUND */
async function checkTdbFilter(context: Context, filter: TdbFilter): Promise<void> {
  await checkScope(context, filter);
  if (filter.facilityUuid != null) requireWithin(context, await readFacility(context, filter.facilityUuid));
  if (filter.userUuid != null) await checkPerson(context, filter.userUuid);
}

/** How many TDBs were received on these days. @throws Problem FORBIDDEN */
export async function countTdbs(context: Context, days: { start: string; end: string }): Promise<number> {
  requireRight(context, "viewTdbs");
  return db.countTdbs(context.db, days);
}

type TdbExport = TdbFilter & { sort?: db.TdbSort | null | undefined };

async function beginExport(context: Context, asked: TdbExport): Promise<TdbExport> {
  requireRight(context, "viewTdbs", "somewhere");
  const filter = narrowed(context, asked);
  await checkTdbFilter(context, filter);
  await recordAudit(context, {
    action: "tdb.export",
    outcome: "done",
    facilityUuid: filter.facilityUuid,
    details: filter,
  });
  return filter;
}

/**
 * All TDBs that match and were received on these days, by default the latest first, as they are read from the database.
 * The export is written to the audit log.
 *
 * @throws Problem FORBIDDEN or NOT_FOUND
 */
export async function exportTdbs(context: Context, asked: TdbExport): Promise<AsyncIterable<TdbRow>> {
  const filter = await beginExport(context, asked);
  return everyRow((page) => db.listTdbs(context.db, { ...filter, page }));
}

/** The same as lines of CSV. @throws Problem FORBIDDEN or NOT_FOUND */
export async function exportTdbLines(context: Context, asked: TdbExport): Promise<LongTable> {
  const filter = await beginExport(context, asked);
  return db.listTdbLines(context.db, filter);
}

/**
 * The facilities of a scope that sent a TDB on these days, each with its latest.
 *
 * @throws Problem FORBIDDEN or NOT_FOUND
 */
export async function listTdbHistoryFacilities(
  context: Context,
  { start, end, scope: asked, page }: { start: string; end: string; scope: Scope; page: PageInput },
) {
  requireRight(context, "viewTdbs", "somewhere");
  const scope = narrowed(context, asked, page.of);
  await checkScope(context, scope);
  return db.listTdbHistoryFacilities(context.db, { days: { start, end }, scope, page });
}

/**
 * What would happen to a file: its facility, and a TDB with the same manifest values if there is one.
 *
 * @throws Problem FORBIDDEN
 */
export async function previewTdb(
  context: Context,
  { facilityUuid: uuid, hmisCode, createdAt, ...file }: z.output<typeof tdbPreviewRules>,
) {
  requireRight(context, "uploadTdbs", "somewhere");
  try {
    const { facilityUuid } = await reachableFacility(context, {
      uuid: uuid ?? undefined,
      hmisCode: hmisCode ?? undefined,
    });
    const received = await db.findTdbLike(context.db, { facilityUuid, tdbCreatedAt: createdAt, ...file });
    return { facilityUuid, warning: null, received: received ?? null };
  } catch (error) {
    if (!(error instanceof TdbxFault)) throw error;
    return { facilityUuid: null, warning: error.message, received: null };
  }
}
