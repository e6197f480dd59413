import { v7 as newUuid } from "uuid";

import type { Handle } from "../../db/engine/connect.ts";
import { recountFacilities } from "../../db/derived/recount.ts";
import { transact } from "../../db/engine/transaction.ts";
import * as facilities from "../../db/facility/facility.ts";
import { type Identifier, listIdentifiers } from "../../db/facility/facilityIdentifier.ts";
import * as db from "../../db/registry/registry.ts";
import { lockPlacesOf } from "../../db/reference/place.ts";
import { listPartnersById } from "../../db/reference/reference.ts";
import { findToday } from "../../db/system/system.ts";
import { requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { type InputError, invalid, notFound, Problem, refuseChanged } from "../problem.ts";
import { judgeActions } from "./actionEvidence.ts";
import { type FacilityRow, presentUuid, readFacility } from "./facility.ts";
import { explainTaken, nameOfSystem } from "./identifier.ts";
import { type ChangedFacility, type Closing, echoedFacilityNames, type NewFacility } from "./registry.rules.ts";

/**
 * Acts of the registry: adding, changing, closing and merging facilities. Shared by REST and GraphQL. A closed facility
 * is no longer in lists and counts, and is not expected to send; its history stays.
 */

/** A facility with its identifiers: the result of the registry's acts. */
export type Registered = { facility: FacilityRow; identifiers: Identifier[] };

async function readRegistered(handle: Handle, facilityUuid: string): Promise<Registered> {
  const identifiers = (await listIdentifiers(handle, { facilityUuids: [facilityUuid] })).map(
    ({ facilityUuid: _of, ...one }) => one,
  );
  return { facility: (await facilities.findFacility(handle, { facilityUuid }))!, identifiers };
}

/**
 * The error for a uuid that was merged; undefined if it was not. A caller who uses it does not know the facility that
 * it was merged into, so nothing is changed.
 */
async function mergedAway(handle: Handle, facilityUuid: string): Promise<string | undefined> {
  const merge = await db.findMerge(handle, { facilityUuid });
  return (
    merge &&
    `${merge.facilityName} (${facilityUuid}) was merged into ${merge.intoName} (${merge.intoUuid}) on ${merge.mergedDate}. Name that facility, or undo that merge first.`
  );
}

/** Locks a facility and reads it. @throws Problem NOT_FOUND, STALE; CONFLICT if it was merged (see `mergedAway`) */
async function hold(context: Context, handle: Handle, facilityUuid: string): Promise<Registered> {
  const merged = await mergedAway(handle, facilityUuid);
  if (merged !== undefined) throw new Problem("CONFLICT", merged);
  if (!(await facilities.lockFacility(handle, { facilityUuid }))) throw notFound("facility", "facilityUuid");
  const held = await readRegistered(handle, facilityUuid);
  context.expect?.(held);
  return held;
}

/**
 * Why a district cannot have open facilities: it or its province is closed; undefined if both are open. The caller has
 * locked both.
 */
function closedIn({ district, province }: NonNullable<Awaited<ReturnType<typeof lockPlacesOf>>>): string | undefined {
  if (!district.isOpen) return `is closed since ${district.closedOn}`;
  return province.isOpen ? undefined : `lies in ${province.name} Province, which is closed since ${province.closedOn}`;
}

/** Refuses to reopen a facility in a closed place. @throws Problem CONFLICT */
async function requireOpenPlace(handle: Handle, { facilityName, districtId }: FacilityRow): Promise<void> {
  const places = (await lockPlacesOf(handle, { districtId }))!;
  const closed = closedIn(places);
  if (closed !== undefined)
    throw new Problem(
      "CONFLICT",
      `${places.district.name}, where ${facilityName} lies, ${closed}. Open that again first.`,
    );
}

/**
 * Checks the new district, partner and code of a facility. Returns the province of the district; undefined without a
 * district.
 *
 * @throws Problem INVALID
 */
async function checkValues(
  handle: Handle,
  { districtId, implementingPartnerId, hmisCode }: Omit<ChangedFacility, (typeof echoedFacilityNames)[number]>,
  old?: FacilityRow,
) {
  const errors: InputError[] = [];
  const places = districtId === undefined ? undefined : await lockPlacesOf(handle, { districtId });
  const closed = places && districtId !== old?.districtId ? closedIn(places) : undefined;
  if (districtId !== undefined && !places) errors.push({ path: "districtId", message: "there is no such district" });
  else if (closed !== undefined) errors.push({ path: "districtId", message: closed });
  if (implementingPartnerId != null && implementingPartnerId !== old?.implementingPartnerId) {
    const [partner] = await listPartnersById(handle, { ids: [implementingPartnerId] });
    if (!partner?.active)
      errors.push({
        path: "implementingPartnerId",
        message: partner ? "is no longer active" : "there is no such implementing partner",
      });
  }
  if (hmisCode != null && hmisCode !== old?.hmisCode) {
    const holder = await facilities.findByCode(handle, { hmisCode });
    if (holder)
      errors.push({
        path: "hmisCode",
        message: `'${hmisCode}' is the code of ${holder.facilityName} (${holder.facilityUuid})`,
      });
  }
  if (errors.length > 0) throw invalid(errors);
  return places?.province.id;
}

const explained = (error: unknown): never => {
  throw explainTaken(error);
};

/** Adds a facility. @throws Problem FORBIDDEN, INVALID, CONFLICT */
export function addFacility(context: Context, { facilityUuid: wanted, ...values }: NewFacility): Promise<Registered> {
  requireRight(context, "editRegistry");
  const facilityUuid = wanted ?? newUuid();
  return transact(context.db, async (transaction) => {
    const taken =
      (await presentUuid(transaction, facilityUuid)) !== facilityUuid ||
      (await facilities.lockFacility(transaction, { facilityUuid }));
    if (taken) throw new Problem("CONFLICT", "There is or was a facility with this uuid.");
    const provinceId = await checkValues(transaction, values);
    await facilities.insertFacility(transaction, { ...values, facilityUuid, provinceId: provinceId! });
    const added = await readRegistered(transaction, facilityUuid);
    await recordAudit(
      context,
      { action: "facility.add", outcome: "done", facilityUuid, details: { new: added } },
      transaction,
    );
    return added;
  }).catch(explained);
}

/**
 * Changes the given fields of a facility's name, codes, place and kind.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, STALE, INVALID
 */
export function changeFacility(context: Context, asked: string, given: ChangedFacility): Promise<Registered> {
  requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    const old = await hold(context, transaction, asked);
    const { facilityUuid } = old.facility;
    const faults = refuseChanged(given, { ...old.facility, identifiers: old.identifiers }, echoedFacilityNames);
    if (faults.length > 0) throw invalid(faults);
    const values = Object.fromEntries(
      Object.entries(given).filter(([name]) => !(echoedFacilityNames as readonly string[]).includes(name)),
    ) as Omit<ChangedFacility, (typeof echoedFacilityNames)[number]>;
    const { latitude = old.facility.latitude, longitude = old.facility.longitude } = values;
    if ((latitude === null) !== (longitude === null))
      throw invalid([
        { path: latitude === null ? "latitude" : "longitude", message: "is empty while the other coordinate is given" },
      ]);
    const provinceId = await checkValues(transaction, values, old.facility);
    await facilities.updateFacility(transaction, {
      facilityUuid,
      values: { ...values, ...(provinceId === undefined ? {} : { provinceId }) },
    });
    const changed = await readRegistered(transaction, facilityUuid);
    await recordAudit(
      context,
      { action: "facility.change", outcome: "done", facilityUuid, details: { old, new: changed } },
      transaction,
    );
    return changed;
  }).catch(explained);
}

/** Closes a facility from a day on. @throws Problem FORBIDDEN, NOT_FOUND, STALE, INVALID */
export function closeFacility(context: Context, asked: string, { closedOn, reason }: Closing): Promise<Registered> {
  requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    const { facility } = await hold(context, transaction, asked);
    const { facilityUuid } = facility;
    const lastVisit = await db.findLastVisitDay(transaction, { facilityUuid });
    if (lastVisit !== null && closedOn < lastVisit)
      throw invalid([{ path: "closedOn", message: `is before the last visit, on ${lastVisit}` }]);
    if (closedOn > (await findToday(transaction)))
      throw invalid([{ path: "closedOn", message: "is in the future: close it on that day" }]);
    const old = { closedOn: facility.closedOn, reason: facility.closeReason };
    await facilities.updateFacility(transaction, { facilityUuid, values: { closedOn, closeReason: reason } });
    await recordAudit(
      context,
      { action: "facility.close", outcome: "done", facilityUuid, details: { old, new: { closedOn, reason } } },
      transaction,
    );
    return readRegistered(transaction, facilityUuid);
  });
}

/** Opens a closed facility again. @throws Problem FORBIDDEN, NOT_FOUND, STALE, CONFLICT */
export function reopenFacility(context: Context, asked: string): Promise<Registered> {
  requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    const { facility } = await hold(context, transaction, asked);
    const { facilityUuid, closedOn, closeReason: reason } = facility;
    if (closedOn === null) throw new Problem("CONFLICT", `${facility.facilityName} is open.`);
    await requireOpenPlace(transaction, facility);
    await facilities.updateFacility(transaction, { facilityUuid, values: { closedOn: null, closeReason: null } });
    await recordAudit(
      context,
      { action: "facility.reopen", outcome: "done", facilityUuid, details: { old: { closedOn, reason } } },
      transaction,
    );
    return readRegistered(transaction, facilityUuid);
  });
}

export type { MergeRow } from "../../db/registry/registry.ts";
export type MergePreview = {
  from: FacilityRow;
  into: FacilityRow;
  moves: db.Holdings;
  identifiers: Identifier[];
  hindrance: string | null;
};

/** Why two facilities cannot be merged; null if they can. */
async function hindranceOf(
  handle: Handle,
  from: FacilityRow,
  into: FacilityRow,
  asked: { from: string; into: string },
): Promise<string | null> {
  if (asked.from === asked.into) return "A facility cannot be merged with itself.";
  if (from.facilityUuid === into.facilityUuid)
    return `${asked.from === from.facilityUuid ? asked.into : asked.from} was merged into ${from.facilityName} already: a merge in a circle has no end.`;
  const merged = (await mergedAway(handle, asked.from)) ?? (await mergedAway(handle, asked.into));
  if (merged !== undefined) return merged;
  const lastVisit = into.closedOn === null ? null : await db.findLastVisitDay(handle, from);
  if (lastVisit !== null && lastVisit > into.closedOn!)
    return `${into.facilityName} is closed since ${into.closedOn}, before the last visit to ${from.facilityName}, on ${lastVisit}. Open it again first.`;
  const holdings = await Promise.all([from, into].map(({ facilityUuid }) => db.findHoldings(handle, { facilityUuid })));
  return holdings.every(({ siteCredential }) => siteCredential)
    ? "Both have a site credential: revoke one of them first."
    : null;
}

/** What a merge would do. @throws Problem FORBIDDEN, NOT_FOUND */
export async function previewMerge(context: Context, asked: { from: string; into: string }): Promise<MergePreview> {
  requireRight(context, "editRegistry");
  const [from, into] = [await readFacility(context, asked.from), await readFacility(context, asked.into)];
  return {
    from,
    into,
    moves: await db.findHoldings(context.db, from),
    identifiers: (await readRegistered(context.db, from.facilityUuid)).identifiers,
    hindrance: await hindranceOf(context.db, from, into, asked),
  };
}

/**
 * Merges a facility into another one: its visits, TDBs and identifiers move to the other one, which is also found by
 * its uuid.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, STALE, CONFLICT
 */
export function mergeFacilities(context: Context, asked: { from: string; into: string }): Promise<Registered> {
  const { userUuid } = requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    const uuids = {
      from: await presentUuid(transaction, asked.from),
      into: await presentUuid(transaction, asked.into),
    };
    for (const facilityUuid of Object.values(uuids).toSorted())
      if (!(await facilities.lockFacility(transaction, { facilityUuid })))
        throw notFound("facility", facilityUuid === uuids.into ? "into" : "facilityUuid");
    const from = await hold(context, transaction, uuids.from);
    const into = await readRegistered(transaction, uuids.into);
    const hindrance = await hindranceOf(transaction, from.facility, into.facility, asked);
    if (hindrance) throw new Problem("CONFLICT", hindrance);
    await db.insertMerge(transaction, { facilityUuid: uuids.from, intoUuid: uuids.into, userUuid });
    await recountFacilities(transaction, [uuids.into]);
    await recordAudit(
      context,
      {
        action: "facility.merge",
        outcome: "done",
        facilityUuid: uuids.into,
        subject: { type: "facility", id: uuids.from },
        details: { old: from, into: into.facility },
      },
      transaction,
    );
    await judgeActions(context, transaction, { facilityUuid: uuids.into, from: ever });
    return readRegistered(transaction, uuids.into);
  }).catch(explained);
}

/** A merge moves visits and TDBs of all times. */
const ever = "-infinity";

/**
 * Locks the survivor of a merge. The merge is read again after that, because another transaction may have changed it
 * meanwhile.
 *
 * @throws Problem NOT_FOUND, CONFLICT
 */
async function holdMerge(handle: Handle, facilityUuid: string): Promise<db.MergeRow> {
  const found = await db.findMerge(handle, { facilityUuid });
  if (!found) throw notFound("merge", "facilityUuid");
  await facilities.lockFacility(handle, { facilityUuid: found.intoUuid });
  const merge = await db.findMerge(handle, { facilityUuid });
  if (!merge) throw notFound("merge", "facilityUuid");
  if (merge.intoUuid !== found.intoUuid)
    throw new Problem("CONFLICT", "The remaining facility was changed by another merge just now. Read it again.");
  return merge;
}

/** Undoes a merge within its 30 days. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT */
export function undoMerge(context: Context, facilityUuid: string): Promise<Registered> {
  requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    const merge = await holdMerge(transaction, facilityUuid);
    if (!merge.undoable) throw new Problem("CONFLICT", `This merge could be undone until ${merge.undoUntil}.`);
    const { intoUuid, facilityName } = merge;
    const [taken] = await db.listGivenAway(transaction, { facilityUuid, intoUuid });
    if (taken) {
      const what = `${await nameOfSystem(context, taken.system)} '${taken.value}'`;
      throw new Problem(
        "CONFLICT",
        `${what}, which ${facilityName} would get back, is that of ${taken.facilityName} (${taken.facilityUuid}) by now. Change that first.`,
      );
    }
    await db.deleteMerge(transaction, { facilityUuid, intoUuid });
    const parted = (await facilities.findFacility(transaction, { facilityUuid }))!;
    if (parted.closedOn === null) await requireOpenPlace(transaction, parted);
    await recountFacilities(transaction, [facilityUuid, intoUuid].toSorted());
    await recordAudit(
      context,
      { action: "facility.unmerge", outcome: "done", facilityUuid, details: { from: intoUuid } },
      transaction,
    );
    for (const uuid of [facilityUuid, intoUuid])
      await judgeActions(context, transaction, { facilityUuid: uuid, from: ever });
    return readRegistered(transaction, facilityUuid);
  }).catch(explained);
}

/** Merges, the latest first. @throws Problem FORBIDDEN */
export async function listMerges(context: Context): Promise<db.MergeRow[]> {
  requireRight(context, "editRegistry");
  return db.listMerges(context.db);
}
