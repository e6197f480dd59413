import { v7 as uuidv7 } from "uuid";

import { listUnits } from "../../db/dash/groupUnits.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { findFacility, lockFacility } from "../../db/facility/facility.ts";
import { transact } from "../../db/engine/transaction.ts";
import { everyRow, mapPage, type Page, type PageInput } from "../../db/list/page.ts";
import * as db from "../../db/situation/worklist.ts";
import { mayAt, requireRight, requireViewer, requireWithin } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Context } from "../context.ts";
import { readFacility } from "../facility/facility.ts";
import { type FacilityState, readStates } from "../facility/siteState.ts";
import { visitDays } from "../facility/state.rules.ts";
import { readVersions } from "../facility/version.ts";
import { invalid, notFound } from "../problem.ts";
import { batched } from "../reading/batch.ts";
import { checkScope, type Scope } from "../reference/reference.ts";
import { readMine } from "./mine.ts";
import type { Situation } from "./situation.ts";
import {
  snoozeError,
  type WorklistFilter,
  type WorklistKind,
  type WorklistNoteInput,
  type WorklistView,
  worklistKinds,
} from "./worklist.rules.ts";

/**
 * Acts on the work list, for REST and GraphQL. The entries are open facts: every signed-in person reads them. The
 * site's contact and what people noted are for those who may see assessments. People who may edit a facility may write
 * notes on its entries.
 */

export type { WorklistKind } from "./worklist.rules.ts";
export type WorklistEntry = Omit<db.WorklistRow, "order" | "groupName"> & { kind: WorklistKind };
export type ExportedEntry = WorklistEntry & { state: FacilityState };
export type WorklistPartnerCounts = db.WorklistPartnerRow;
export type WorklistCount = { kind: WorklistKind; entries: number; snoozed: number };

async function readRule(handle: Handle): Promise<db.WorklistRule> {
  return { oldVersions: (await readVersions(handle)).old, visitDays };
}

const hidden = {
  contactName: null,
  contactRole: null,
  contactPhone: null,
  comment: null,
  commentedDate: null,
  commentedBy: null,
};
/** An entry as the caller may see it. */
const shown =
  (context: Context, kind: WorklistKind) =>
  (row: db.WorklistRow): db.WorklistRow & { kind: WorklistKind } => ({
    ...row,
    kind,
    ...(mayAt(context, "viewAssessments", row) ? {} : hidden),
  });

/**
 * Entries of a kind, the oldest first, or first by partner or district. `mine`: only those of the caller, who must see
 * actions.
 *
 * @throws Problem NOT_FOUND or FORBIDDEN
 */
export async function listWorklist(
  context: Context,
  { page, ...asked }: WorklistFilter & WorklistView & { page: PageInput },
): Promise<Page<WorklistEntry>> {
  requireViewer(context);
  const { kind, show, orderBy, mine, facilityUuids, ...scope } = asked;
  await checkScope(context, scope);
  const found = await db.listWorklist(context.db, {
    ...{ kind, show, scope, orderBy, page, ...(facilityUuids ? { facilityUuids } : {}) },
    rule: await readRule(context.db),
    mine: mine ? await readMine(context) : undefined,
  });
  return mapPage<db.WorklistRow, WorklistEntry>(found, shown(context, kind));
}

export type FacilityProblem = Omit<db.ProblemRow, "facilityUuid"> & { newestVersion: string | null };

/** The problems of a facility: its entries of the work list. Several facilities of one request are read together. */
export const loadProblems = batched<string, FacilityProblem[]>(
  async (context, facilityUuids) => {
    requireViewer(context);
    const { old, newestVersion } = await readVersions(context.db);
    const problems = new Map<string, FacilityProblem[]>(facilityUuids.map((uuid) => [uuid, []]));
    for (const row of await db.listProblems(context.db, { facilityUuids, oldVersions: old, visitDays }))
      problems.get(row.facilityUuid)?.push({ ...row, newestVersion });
    return problems;
  },
  () => [],
);

/** All entries of a kind, with how their sites stand. The export is written to the audit log. @throws Problem NOT_FOUND */
export async function exportWorklist(
  context: Context,
  filter: WorklistFilter & WorklistView,
): Promise<AsyncGenerator<ExportedEntry>> {
  requireViewer(context);
  await checkScope(context, filter);
  const details = Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null));
  await recordAudit(context, { action: "worklist.export", outcome: "done", details });
  return everyRow(async (page) => {
    const found = await listWorklist(context, { ...filter, page });
    const states = await readStates(
      context,
      found.rows.map(({ facilityUuid }) => facilityUuid),
    );
    return mapPage<WorklistEntry, ExportedEntry>(found, (entry) => ({
      ...entry,
      state: states.get(entry.facilityUuid)!,
    }));
  });
}

/** The number of entries of each kind in a scope, with snoozed ones, from its situation. */
export async function countEntries(
  context: Context,
  scope: Scope,
  { stopped, lostPower, silent, oldVersion, notVisited }: Situation,
): Promise<WorklistCount[]> {
  const snoozed = await db.countSnoozed(context.db, { scope, rule: await readRule(context.db) });
  const entries = { stopped, lostPower, silent: silent.value, oldVersion: oldVersion.value, notVisited };
  return worklistKinds.map((kind) => ({
    kind,
    entries: entries[kind],
    snoozed: snoozed.find((row) => row.kind === kind)?.snoozed ?? 0,
  }));
}

/** The number of open entries of each kind, by partner (null: none) by name, in a scope. @throws Problem NOT_FOUND */
export async function listOpenByPartner(context: Context, scope: Scope): Promise<WorklistPartnerCounts[]> {
  requireViewer(context);
  await checkScope(context, scope);
  const [partners, counts] = await Promise.all([
    listUnits(context.db, { by: ["implementingPartner"], scope }),
    db.listOpenByPartner(context.db, { scope, rule: await readRule(context.db) }),
  ]);
  const countsOf = new Map(counts.map((row) => [row.implementingPartnerId, row]));
  const none = Object.fromEntries(worklistKinds.map((kind) => [kind, 0])) as Record<WorklistKind, number>;
  return partners.map(({ implementingPartnerId = null }) => ({
    ...none,
    ...countsOf.get(implementingPartnerId),
    implementingPartnerId,
  }));
}

/** The notes on an entry, the newest first. @throws Problem FORBIDDEN or NOT_FOUND */
export async function listWorklistNotes(
  context: Context,
  { facilityUuid, kind, page }: { facilityUuid: string; kind: WorklistKind; page: PageInput },
): Promise<Page<db.WorklistNoteRow>> {
  requireRight(context, "viewAssessments", "somewhere");
  requireWithin(context, await readFacility(context, facilityUuid));
  return db.listWorklistNotes(context.db, { facilityUuid, kind, page });
}

/** The entries of a kind that these facilities have today, snoozed ones included. */
export async function findEntries(
  context: Context,
  handle: Handle,
  { facilityUuids, kind }: { facilityUuids: readonly string[]; kind: WorklistKind },
): Promise<db.WorklistRow[]> {
  requireViewer(context);
  const rule = await readRule(handle);
  return (await db.listWorklist(handle, { kind, show: "all", scope: {}, rule, facilityUuids, page: {} })).rows;
}

/** Refuses a facility that is not on this list today. @throws Problem NOT_FOUND */
export async function requireEntry(
  context: Context,
  handle: Handle,
  { facilityUuid, kind }: { facilityUuid: string; kind: WorklistKind },
): Promise<void> {
  const [entry] = await findEntries(context, handle, { facilityUuids: [facilityUuid], kind });
  if (!entry) throw notFound("entry of the work list", "facilityUuid");
}

/**
 * Writes a note on an entry, and snoozes the entry if a day is given.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND (no such facility, or it is not on that list) or INVALID
 */
export async function noteWorklistEntry(
  context: Context,
  { facilityUuid, kind, comment, snoozedUntil }: WorklistNoteInput,
): Promise<WorklistEntry> {
  const { userUuid } = requireRight(context, "editFacility", "somewhere");
  const wrong = snoozedUntil == null ? null : snoozeError(todayIn(context.timeZone), snoozedUntil);
  return transact(context.db, async (transaction) => {
    if (!(await lockFacility(transaction, { facilityUuid }))) throw notFound("facility", "facilityUuid");
    requireWithin(context, (await findFacility(transaction, { facilityUuid }))!);
    if (wrong) throw invalid([{ path: "snoozedUntil", message: wrong }]);
    await requireEntry(context, transaction, { facilityUuid, kind });
    const noteUuid = uuidv7();
    await db.insertWorklistNote(transaction, {
      noteUuid,
      facilityUuid,
      kind,
      userUuid,
      comment,
      snoozedUntil: snoozedUntil ?? null,
    });
    await recordAudit(
      context,
      {
        action: "worklist.note",
        outcome: "done",
        facilityUuid,
        details: { kind, comment, snoozedUntil: snoozedUntil ?? null },
      },
      transaction,
    );
    const [entry] = await findEntries(context, transaction, { facilityUuids: [facilityUuid], kind });
    return shown(context, kind)(entry!);
  });
}
