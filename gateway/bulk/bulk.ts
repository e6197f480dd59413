import { v7 as uuidv7 } from "uuid";

import { insertActionsAt, listAssigned, updateUnchangedDropped } from "../../db/action/action.ts";
import * as db from "../../db/bulk/bulk.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { deleteFieldListSites, insertFieldListSites } from "../../db/fieldList/fieldList.ts";
import { transact } from "../../db/engine/transaction.ts";
import { listPartnersById } from "../../db/reference/reference.ts";
import { listSurvivors } from "../../db/registry/registry.ts";
import { deleteNewestNotes, insertWorklistNotes } from "../../db/situation/worklist.ts";
import { isWithin, requireRight } from "../access/access.ts";
import { type AuditInput, recordAudits } from "../audit/audit.ts";
import { dueDayRefusal } from "../assessment/visitActions.rules.ts";
import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Context } from "../context.ts";
import { holdFieldList } from "../fieldList/fieldList.ts";
import { mostListedSites } from "../fieldList/fieldList.rules.ts";
import { numberText } from "../input/text.rules.ts";
import { listFacilities } from "../facility/facility.ts";
import { readVersions } from "../facility/version.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { requirePartners } from "../reference/requirePartners.ts";
import { snoozeError, worklistKinds } from "../situation/worklist.rules.ts";
import { findEntries, listWorklist } from "../situation/worklist.ts";
import {
  type AssignInput,
  type FieldListInput,
  type LeftOutReason,
  leftOutReasons,
  mostSites,
  type NoteInput,
  type Selection,
  selectionError,
  type SetPartnerInput,
} from "./bulk.rules.ts";

/**
 * Acts on many sites at once. Each is one transaction with its audit events, whose statements do not depend on the
 * number of sites. Sites where the caller may not do it, or where there is nothing to do, are left out and counted by
 * reason. Who did it can undo it within 10 minutes.
 */

export type BulkAct = db.BulkActRow;

/** The uuids of the selected sites, each once. @throws Problem INVALID, NOT_FOUND or FORBIDDEN */
async function selectedSites(context: Context, { facilityUuids, facilities, worklist }: Selection): Promise<string[]> {
  if (facilityUuids) return [...new Set(facilityUuids)];
  const page = { first: mostSites + 1 };
  const { rows } = worklist
    ? await listWorklist(context, { ...worklist, page })
    : await listFacilities(context, {
        ...facilities!.list,
        ...{ search: facilities!.search, match: facilities!.match, page },
      });
  const wrong = selectionError(rows.length);
  if (wrong) throw invalid([{ path: "sites", message: wrong }]);
  return rows.map(({ facilityUuid }) => facilityUuid);
}

/** Counts the sites that are left out, by reason. */
class LeftOut {
  readonly #sites = new Map<LeftOutReason, number>();
  add(reason: LeftOutReason, sites = 1): void {
    if (sites > 0) this.#sites.set(reason, (this.#sites.get(reason) ?? 0) + sites);
  }
  list() {
    return leftOutReasons.flatMap((reason) => {
      const sites = this.#sites.get(reason);
      return sites === undefined ? [] : { reason, sites };
    });
  }
}

/**
 * Locks the sites, and leaves out those that are not there and, unless the act concerns `any` site, those that are
 * closed or not the caller's to change.
 */
async function holdSites(
  context: Context,
  transaction: Handle,
  facilityUuids: readonly string[],
  leftOut: LeftOut,
  any = false,
): Promise<db.LockedSite[]> {
  const found = await db.lockSites(transaction, { facilityUuids });
  const known = new Set(found.map(({ facilityUuid }) => facilityUuid));
  const missing = facilityUuids.filter((uuid) => !known.has(uuid));
  const merged = missing.length === 0 ? 0 : (await listSurvivors(transaction, { facilityUuids: missing })).size;
  leftOut.add("merged", merged);
  leftOut.add("unknown", missing.length - merged);
  if (any) return found;
  return found.filter((site) => {
    const reason = !isWithin(context, site) ? "notYours" : site.closedOn !== null ? "closed" : null;
    if (reason) leftOut.add(reason);
    return reason === null;
  });
}

/** What an act does at the sites that are left: its records, with an audit event for each. */
type Done = { records: db.BulkActRecord[]; events: AuditInput[] };

/**
 * Does an act at the selected sites. If the same one is sent again, it is done once and answered as before.
 *
 * @throws Problem FORBIDDEN, INVALID, NOT_FOUND or CONFLICT
 */
async function doAtSites(
  context: Context,
  {
    bulkActUuid,
    sites,
    act,
    implementingPartnerId = null,
    any,
  }: Pick<BulkAct, "bulkActUuid" | "act"> & {
    sites: Selection;
    implementingPartnerId?: number | null;
    any?: boolean;
  },
  doAt: (transaction: Handle, sites: readonly db.LockedSite[], leftOut: LeftOut) => Promise<Done>,
): Promise<BulkAct> {
  const { userUuid } = requireRight(context, "editFacility", "somewhere");
  const facilityUuids = await selectedSites(context, sites);
  return transact(context.db, async (transaction) => {
    const leftOut = new LeftOut();
    const held = await holdSites(context, transaction, facilityUuids, leftOut, any);
    const earlier = await db.findBulkAct(transaction, { bulkActUuid });
    if (earlier?.userUuid === userUuid && earlier.act === act) return earlier;
    if (earlier) throw new Problem("CONFLICT", "There is another act with this bulkActUuid already.");
    const { records, events } = await doAt(transaction, held, leftOut);
    await db.insertBulkAct(transaction, {
      ...{ bulkActUuid, userUuid, act, implementingPartnerId, records },
      asked: facilityUuids.length,
      leftOut: leftOut.list(),
    });
    await recordAudits(context, events, transaction);
    return (await db.findBulkAct(transaction, { bulkActUuid }))!;
  });
}

/**
 * Agrees the same action at each of the selected sites, by hand or about its entry of the work list. Who has an entry
 * already is not given it twice, as by two people at once.
 *
 * @throws Problem FORBIDDEN, INVALID, NOT_FOUND or CONFLICT
 */
export async function assignSites(
  context: Context,
  { bulkActUuid, sites, kind = null, ...given }: AssignInput,
): Promise<BulkAct> {
  const { userUuid } = requireRight(context, "editAssessments", "somewhere");
  const agreed = { ...given, implementingPartnerId: given.implementingPartnerId ?? null };
  await requirePartners(context, [agreed.implementingPartnerId], () => "implementingPartnerId");
  const wrong = dueDayRefusal(agreed.dueDay, todayIn(context.timeZone));
  if (wrong) throw invalid([{ path: "dueDay", message: wrong }]);
  const wantedVersion = kind === "oldVersion" ? ((await readVersions(context.db)).newest[0] ?? null) : null;
  return doAtSites(context, { bulkActUuid, sites, act: "assign" }, async (transaction, held, leftOut) => {
    const facilityUuids = held.map(({ facilityUuid }) => facilityUuid);
    const listed = kind && new Set(await entriesOf(context, transaction, { facilityUuids, kinds: [kind] }).then(uuids));
    const open = facilityUuids.filter((uuid) => !listed || listed.has(uuid));
    leftOut.add("notOnList", facilityUuids.length - open.length);
    const assigned = new Set(kind && (await listAssigned(transaction, { ...agreed, facilityUuids: open, kind })));
    leftOut.add("unchanged", assigned.size);
    const places = open
      .filter((uuid) => !assigned.has(uuid))
      .map((facilityUuid) => ({ actionUuid: uuidv7(), facilityUuid }));
    await insertActionsAt(transaction, { ...agreed, places, userUuid, kind, wantedVersion });
    const origin = kind ? { origin: "worklist", kind } : { origin: "hand" };
    return {
      records: places.map(({ actionUuid, facilityUuid }) => ({ facilityUuid, recordUuid: actionUuid })),
      events: places.map(({ actionUuid, facilityUuid }) => ({
        action: "action.create",
        outcome: "done",
        facilityUuid,
        subject: { type: "Action", id: actionUuid },
        details: { ...origin, ...agreed, bulkActUuid },
      })),
    };
  });
}

const uuids = (entries: readonly { facilityUuid: string }[]) => entries.map(({ facilityUuid }) => facilityUuid);

/** The entries of these kinds that the facilities have today: a statement for each kind. */
async function entriesOf(
  context: Context,
  transaction: Handle,
  { facilityUuids, kinds }: { facilityUuids: readonly string[]; kinds: readonly (typeof worklistKinds)[number][] },
) {
  const entries = [];
  for (const kind of kinds)
    for (const entry of await findEntries(context, transaction, { facilityUuids, kind }))
      entries.push({ ...entry, kind });
  return entries;
}

/**
 * Notes the same on the selected sites' entries of the work list (of a kind, or all), and snoozes them if a day is
 * given. Without a day, snoozed entries stay snoozed; null shows them again.
 *
 * @throws Problem FORBIDDEN, INVALID, NOT_FOUND or CONFLICT
 */
export async function noteSites(
  context: Context,
  { bulkActUuid, sites, kind, comment, snoozedUntil }: NoteInput,
): Promise<BulkAct> {
  const { userUuid } = requireRight(context, "editFacility", "somewhere");
  const wrong = snoozedUntil == null ? null : snoozeError(todayIn(context.timeZone), snoozedUntil);
  if (wrong) throw invalid([{ path: "snoozedUntil", message: wrong }]);
  return doAtSites(context, { bulkActUuid, sites, act: "note" }, async (transaction, held, leftOut) => {
    const facilityUuids = uuids(held);
    const kinds = kind == null ? worklistKinds : [kind];
    const entries = (await entriesOf(context, transaction, { facilityUuids, kinds })).map((entry) => ({
      noteUuid: uuidv7(),
      facilityUuid: entry.facilityUuid,
      kind: entry.kind,
      snoozedUntil: snoozedUntil === undefined && entry.snoozed ? entry.snoozedUntil : (snoozedUntil ?? null),
    }));
    leftOut.add("notOnList", facilityUuids.length - new Set(uuids(entries)).size);
    await insertWorklistNotes(transaction, { userUuid, comment, entries });
    return {
      records: entries.map(({ noteUuid, facilityUuid }) => ({ facilityUuid, recordUuid: noteUuid })),
      events: entries.map((entry) => ({
        action: "worklist.note",
        outcome: "done",
        facilityUuid: entry.facilityUuid,
        details: { kind: entry.kind, comment, snoozedUntil: entry.snoozedUntil, bulkActUuid },
      })),
    };
  });
}

/** The change of a facility's partner as an event: one of its settings. */
const partnerEvent = (
  facilityUuid: string,
  bulkActUuid: string,
  from: number | null,
  to: number | null,
): AuditInput => ({
  action: "facility.settings",
  outcome: "done",
  facilityUuid,
  details: { old: { implementingPartnerId: from }, new: { implementingPartnerId: to }, bulkActUuid },
});

/**
 * Sets the partner of the selected sites; null: none.
 *
 * @throws Problem FORBIDDEN, INVALID, NOT_FOUND or CONFLICT
 */
export async function setPartnerOfSites(
  context: Context,
  { bulkActUuid, sites, implementingPartnerId }: SetPartnerInput,
): Promise<BulkAct> {
  requireRight(context, "editFacility", "somewhere");
  return doAtSites(
    context,
    { bulkActUuid, sites, act: "setPartner", implementingPartnerId },
    async (transaction, held, leftOut) => {
      if (implementingPartnerId !== null) {
        const [partner] = await listPartnersById(transaction, { ids: [implementingPartnerId] });
        const message = partner ? "is no longer active" : "there is no such implementing partner";
        if (!partner?.active) throw invalid([{ path: "implementingPartnerId", message }]);
      }
      const changed = held.filter((site) => site.implementingPartnerId !== implementingPartnerId);
      leftOut.add("unchanged", held.length - changed.length);
      await db.updatePartners(transaction, {
        sites: changed.map(({ facilityUuid }) => ({ facilityUuid, implementingPartnerId })),
      });
      return {
        records: changed.map(({ facilityUuid, implementingPartnerId: formerPartnerId }) => ({
          ...{ facilityUuid, formerPartnerId },
          recordUuid: uuidv7(),
        })),
        events: changed.map(({ facilityUuid, implementingPartnerId: former }) =>
          partnerEvent(facilityUuid, bulkActUuid, former, implementingPartnerId),
        ),
      };
    },
  );
}

type ListedSites = { uuid: string; facilityUuids: readonly string[] };

/** A site that was put on a field list or taken off it, as an event. */
const listEvent = (
  action: "field-list.add" | "field-list.remove",
  { facilityUuid, recordUuid }: Pick<db.BulkActRecord, "facilityUuid" | "recordUuid">,
  bulkActUuid: string,
): AuditInput => ({
  action,
  outcome: "done",
  facilityUuid,
  subject: { type: "FieldList", id: recordUuid },
  details: { bulkActUuid },
});

/** Puts sites on a field list that the caller may change. Returns those that were not on it. */
async function putOnList(context: Context, transaction: Handle, { uuid, facilityUuids }: ListedSites) {
  const list = await holdFieldList(context, transaction, uuid, "fieldList");
  const added = await insertFieldListSites(transaction, { uuid, facilityUuids });
  if (list.sites + added.length > mostListedSites)
    throw invalid([{ path: "sites", message: `a field list may have at most ${numberText(mostListedSites)} sites` }]);
  return added;
}

/** Takes sites off a field list that the caller may change. Returns those that were on it. */
async function takeOffList(context: Context, transaction: Handle, sites: ListedSites) {
  await holdFieldList(context, transaction, sites.uuid, "fieldList");
  return deleteFieldListSites(transaction, sites);
}

/**
 * Puts the selected sites on a field list.
 *
 * @throws Problem FORBIDDEN, INVALID, NOT_FOUND or CONFLICT
 */
export async function addSitesToFieldList(context: Context, input: FieldListInput): Promise<BulkAct> {
  requireRight(context, "editFacility", "somewhere");
  return changeList(context, input, "addToFieldList");
}

/**
 * Takes the selected sites off a field list, also closed ones and those that the caller may not change: the list is
 * theirs.
 *
 * @throws Problem FORBIDDEN, INVALID, NOT_FOUND or CONFLICT
 */
export async function removeSitesFromFieldList(context: Context, input: FieldListInput): Promise<BulkAct> {
  requireRight(context, "editFacility", "somewhere");
  return changeList(context, input, "removeFromFieldList");
}

const changeList = (
  context: Context,
  { bulkActUuid, sites, fieldList: uuid }: FieldListInput,
  act: "addToFieldList" | "removeFromFieldList",
): Promise<BulkAct> =>
  doAtSites(
    context,
    { bulkActUuid, sites, act, any: act === "removeFromFieldList" },
    async (transaction, held, leftOut) => {
      const listed = { uuid, facilityUuids: uuids(held) };
      const [change, action] =
        act === "addToFieldList"
          ? ([putOnList, "field-list.add"] as const)
          : ([takeOffList, "field-list.remove"] as const);
      const records = (await change(context, transaction, listed)).map((facilityUuid) => ({
        facilityUuid,
        recordUuid: uuid,
      }));
      leftOut.add("unchanged", held.length - records.length);
      return { records, events: records.map((record) => listEvent(action, record, bulkActUuid)) };
    },
  );

export type Undone = { restored: number; leftOut: { reason: LeftOutReason; sites: number }[] };

const undoneReason = "Undone";

/**
 * Undoes an own act of the last 10 minutes: actions are dropped, notes are removed, partners and field lists are as before. Sites where
 * somebody has changed it since, and those that are not the caller's to change any more, stay as they are.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND or CONFLICT (undone already, or too late)
 */
export async function undoBulkAct(context: Context, { bulkActUuid }: { bulkActUuid: string }): Promise<Undone> {
  const { userUuid } = requireRight(context, "editFacility", "somewhere");
  return transact(context.db, async (transaction) => {
    const records = await db.listBulkActRecords(transaction, { bulkActUuid });
    const leftOut = new LeftOut();
    const found = await db.lockSites(transaction, { facilityUuids: uuids(records) });
    const act = await db.findBulkAct(transaction, { bulkActUuid, hold: true });
    if (act?.userUuid !== userUuid) throw notFound("act of yours", "bulkActUuid");
    if (act.isUndone) throw new Problem("CONFLICT", "This was undone already.");
    if (!act.isUndoable) throw new Problem("CONFLICT", "This can be undone for 10 minutes only.");
    const held = new Map(found.filter((site) => isWithin(context, site)).map((site) => [site.facilityUuid, site]));
    leftOut.add("notYours", found.length - held.size);
    const own = records.filter(({ facilityUuid }) => held.has(facilityUuid));
    const restored = await restore(context, transaction, { act, own, held, userUuid });
    const places = new Set(restored.map(({ facilityUuid }) => facilityUuid));
    leftOut.add("changedSince", new Set(uuids(own)).size - places.size);
    await db.updateBulkActUndone(transaction, { bulkActUuid });
    await recordAudits(
      context,
      restored.map(({ facilityUuid, recordUuid, formerPartnerId }): AuditInput => {
        if (act.act === "setPartner")
          return partnerEvent(facilityUuid, bulkActUuid, act.implementingPartnerId, formerPartnerId);
        if (act.act === "addToFieldList")
          return listEvent("field-list.remove", { facilityUuid, recordUuid }, bulkActUuid);
        if (act.act === "removeFromFieldList")
          return listEvent("field-list.add", { facilityUuid, recordUuid }, bulkActUuid);
        if (act.act === "note")
          return { action: "worklist.note-undo", outcome: "done", facilityUuid, details: { bulkActUuid } };
        return {
          action: "action.close",
          outcome: "done",
          facilityUuid,
          subject: { type: "Action", id: recordUuid },
          details: { state: "dropped", reason: undoneReason, bulkActUuid },
        };
      }),
      transaction,
    );
    return { restored: places.size, leftOut: leftOut.list() };
  });
}

type OwnRecord = Awaited<ReturnType<typeof db.listBulkActRecords>>[number];

/** Restores what the records of an act changed, where nobody has changed it since. Returns the restored ones. */
async function restore(
  context: Context,
  transaction: Handle,
  {
    act,
    own,
    held,
    userUuid,
  }: { act: BulkAct; own: OwnRecord[]; held: ReadonlyMap<string, db.LockedSite>; userUuid: string },
): Promise<OwnRecord[]> {
  const recordUuids = own.map(({ recordUuid }) => recordUuid);
  if (act.act === "setPartner") {
    const former = [...new Set(own.flatMap(({ formerPartnerId: id }) => id ?? []))];
    const active = new Set(
      (await listPartnersById(transaction, { ids: former })).flatMap(({ active, implementingPartnerId: id }) =>
        active ? id : [],
      ),
    );
    const asSet = own.filter(
      ({ facilityUuid, formerPartnerId: id }) =>
        held.get(facilityUuid)!.implementingPartnerId === act.implementingPartnerId && (id === null || active.has(id)),
    );
    await db.updatePartners(transaction, {
      sites: asSet.map(({ facilityUuid, formerPartnerId }) => ({
        facilityUuid,
        implementingPartnerId: formerPartnerId,
      })),
    });
    return asSet;
  }
  if (act.act === "addToFieldList" || act.act === "removeFromFieldList") {
    const [one] = own;
    if (!one) return [];
    const change = act.act === "addToFieldList" ? takeOffList : putOnList;
    const changed = new Set(await change(context, transaction, { uuid: one.recordUuid, facilityUuids: uuids(own) }));
    return own.filter(({ facilityUuid }) => changed.has(facilityUuid));
  }
  const restored = new Set(
    act.act === "note"
      ? await deleteNewestNotes(transaction, { noteUuids: recordUuids })
      : await updateUnchangedDropped(transaction, { actionUuids: recordUuids, userUuid, reason: undoneReason }),
  );
  return own.filter(({ recordUuid }) => restored.has(recordUuid));
}
