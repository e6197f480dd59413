import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import * as db from "../../db/reference/place.ts";
import { findToday } from "../../db/system/system.ts";
import { requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import type { Context } from "../context.ts";
import { invalid, notFound, Problem, refuseChanged } from "../problem.ts";
import {
  type ChangedPlace,
  echoedPlaceNames,
  longestPlaceName,
  type NewPlace,
  type PlaceClosing,
  type PlaceKind,
} from "./place.rules.ts";

/**
 * Acts of the registry on provinces, districts and partners, shared by REST and GraphQL: adding, renaming, moving,
 * closing, reopening, and removing those on which nothing depends. For splitting see placeSplit.ts.
 */

export type { CountedPlace, Place } from "../../db/reference/place.ts";
type Of = { kind: PlaceKind; id: number };

/** What each kind is called in a sentence. */
export const called: Record<PlaceKind, string> = {
  province: "province",
  district: "district",
  implementingPartner: "implementing partner",
};

/**
 * All places of a kind by name, closed ones too, with the numbers of rows that depend on each.
 *
 * @throws Problem FORBIDDEN
 */
export async function listPlaces(context: Context, kind: PlaceKind): Promise<db.CountedPlace[]> {
  requireRight(context, "editRegistry");
  return db.listPlaces(context.db, { kind });
}

/** One place or partner. @throws Problem FORBIDDEN, NOT_FOUND */
export async function readPlace(context: Context, of: Of): Promise<db.Place> {
  requireRight(context, "editRegistry");
  const place = await db.findPlace(context.db, of);
  if (!place) throw notFound(called[of.kind], "placeId");
  return place;
}

/**
 * Runs `act` on a locked place or partner in a transaction, and writes the event to the audit log. Returns the place
 * after that.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, STALE
 */
function change(
  context: Context,
  action: AuditAction,
  of: Of,
  act: (transaction: Handle, old: db.Place) => Promise<void>,
): Promise<db.Place> {
  requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    // Facilities are locked before places, as in every act that moves them.
    if (action === "place.change" && of.kind === "district") await db.lockFacilitiesOf(transaction, of);
    const old = await db.findPlace(transaction, { ...of, hold: "update" });
    if (!old) throw notFound(called[of.kind], "placeId");
    context.expect?.(old);
    await act(transaction, old);
    const changed = await db.findPlace(transaction, of);
    await recordAudit(
      context,
      {
        action,
        outcome: "done",
        subject: { type: of.kind, id: String(of.id) },
        details: { old, ...(changed ? { new: changed } : {}) },
      },
      transaction,
    );
    return changed ?? old;
  });
}

/** Checks that a province exists and is open, so that a district can be in it. @throws Problem INVALID */
async function checkProvince(handle: Handle, kind: PlaceKind, id: number): Promise<void> {
  if (kind !== "district") throw invalid([{ path: "provinceId", message: "only districts lie in a province" }]);
  const province = await db.findPlace(handle, { kind: "province", id, hold: "share" });
  if (!province?.isOpen)
    throw invalid([
      { path: "provinceId", message: province ? `is closed since ${province.closedOn}` : "there is no such province" },
    ]);
}

type Named = { kind: PlaceKind; id: number | null; name: string; provinceId: number | null };

/**
 * Refuses a name that is too long or that another place of the kind has. `path`: the field of the error in the second
 * case.
 *
 * @throws Problem INVALID
 */
export async function checkName(handle: Handle, { kind, id, name, provinceId }: Named, path = "name"): Promise<void> {
  if (name.length > longestPlaceName[kind])
    throw invalid([{ path: "name", message: `may have at most ${longestPlaceName[kind]} characters` }]);
  const namesake = await db.findNamesake(handle, { kind, id, name, provinceId });
  if (!namesake) return;
  const where = namesake.province ? `${namesake.province} Province has` : "there is";
  throw invalid([
    {
      path,
      message: `${where} a${kind === "implementingPartner" ? "n" : ""} ${called[kind]} '${namesake.name}' (${namesake.id}) already`,
    },
  ]);
}

/** Adds a place or partner. @throws Problem FORBIDDEN, INVALID */
export function addPlace(context: Context, kind: PlaceKind, { name, provinceId: within }: NewPlace): Promise<db.Place> {
  requireRight(context, "editRegistry");
  const provinceId = within ?? null;
  return transact(context.db, async (transaction) => {
    if (kind === "district" && provinceId === null)
      throw invalid([{ path: "provinceId", message: "is needed: the province that the district lies in" }]);
    if (provinceId !== null) await checkProvince(transaction, kind, provinceId);
    await checkName(transaction, { kind, id: null, name, provinceId });
    const id = await db.insertPlace(transaction, { kind, name, provinceId });
    const added = (await db.findPlace(transaction, { kind, id }))!;
    await recordAudit(
      context,
      { action: "place.add", outcome: "done", subject: { type: kind, id: String(id) }, details: { new: added } },
      transaction,
    );
    return added;
  });
}

/**
 * Renames a place or partner, or moves a district with its facilities to another province.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, STALE, INVALID
 */
export function changePlace(
  context: Context,
  of: Of,
  { name: wanted, provinceId: movedTo, ...echoed }: ChangedPlace,
): Promise<db.Place> {
  return change(context, "place.change", of, async (transaction, old) => {
    const faults = refuseChanged(echoed, old, echoedPlaceNames);
    if (faults.length > 0) throw invalid(faults);
    const name = wanted ?? old.name;
    const provinceId = movedTo ?? old.provinceId;
    if (movedTo != null && (of.kind !== "district" || movedTo !== old.provinceId))
      await checkProvince(transaction, of.kind, movedTo);
    await checkName(transaction, { ...of, name, provinceId }, wanted === undefined ? "provinceId" : "name");
    await db.updatePlaceName(transaction, { ...of, name, provinceId });
  });
}

/** The names of each kind of rows in messages: singular and plural. */
const words: Record<keyof db.PlaceHoldings, [string, string]> = {
  districts: ["district", "districts"],
  openFacilities: ["open facility", "open facilities"],
  closedFacilities: ["closed facility", "closed facilities"],
  people: ["user", "users"],
  serviceAccounts: ["service account limited to it", "service accounts limited to it"],
  undoableMerges: ["merged facility that can still be separated", "merged facilities that can still be separated"],
};

/** Refuses what cannot be done while rows depend on it, with their counts. @throws Problem CONFLICT */
async function refuseWhile(
  handle: Handle,
  of: Of,
  { name }: db.Place,
  kinds: (keyof db.PlaceHoldings)[],
  remedy: string,
): Promise<void> {
  const [holdings] = await db.listPlaces(handle, of);
  const counted = kinds
    .filter((kind) => holdings![kind] > 0)
    .map((kind) => `${holdings![kind].toLocaleString("en")} ${words[kind][holdings![kind] === 1 ? 0 : 1]}`);
  if (counted.length > 0) throw new Problem("CONFLICT", `${name} has ${counted.join(", ")}. ${remedy}`);
}

/**
 * Closes a place or partner from a day on. A place must have no open facilities.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, STALE, INVALID, CONFLICT
 */
export function closePlace(context: Context, of: Of, { closedOn }: PlaceClosing): Promise<db.Place> {
  return change(context, "place.close", of, async (transaction, old) => {
    if (of.kind !== "implementingPartner") {
      await refuseWhile(transaction, of, old, ["openFacilities"], "Move or close them first.");
      const last = await db.findLastClosing(transaction, of);
      if (last !== null && closedOn < last)
        throw invalid([{ path: "closedOn", message: `is before its last facility was closed, on ${last}` }]);
    }
    if (closedOn > (await findToday(transaction)))
      throw invalid([{ path: "closedOn", message: "is in the future: close it on that day" }]);
    await db.updatePlaceClosing(transaction, { ...of, closedOn });
  });
}

/** Opens a closed place or partner again. @throws Problem FORBIDDEN, NOT_FOUND, STALE, CONFLICT */
export function reopenPlace(context: Context, of: Of): Promise<db.Place> {
  return change(context, "place.reopen", of, async (transaction, old) => {
    if (old.isOpen) throw new Problem("CONFLICT", `${old.name} is open.`);
    await db.updatePlaceClosing(transaction, { ...of, closedOn: null });
  });
}

/**
 * Removes a place or partner on which nothing depends. Returns it as it was.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, STALE, CONFLICT
 */
export function removePlace(context: Context, of: Of): Promise<db.Place> {
  return change(context, "place.remove", of, async (transaction, old) => {
    await refuseWhile(transaction, of, old, Object.keys(words) as (keyof db.PlaceHoldings)[], "Nothing was removed.");
    await db.deletePlace(transaction, of);
  });
}
