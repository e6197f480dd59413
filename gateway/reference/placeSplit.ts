import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import * as db from "../../db/reference/place.ts";
import { requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { type InputError, invalid, notFound, Problem } from "../problem.ts";
import { called, checkName } from "./place.ts";
import type { PlaceKind, PlaceSplit } from "./place.rules.ts";

/** The act that splits a place or partner, shared by REST and GraphQL. */

type Of = { kind: PlaceKind; id: number };
/**
 * `from`: the place that was split, as it is now. `into`: the new one. `moved`: how many districts or facilities were
 * moved to it.
 */
export type Split = { from: db.Place; into: db.Place; moved: number };

/** The parts of each kind, and the field in which a request names them. */
const partsOf = {
  province: { field: "districtIds", one: "district", many: "districts" },
  district: { field: "facilityUuids", one: "facility", many: "facilities" },
  implementingPartner: { field: "facilityUuids", one: "facility", many: "facilities" },
} as const;

/**
 * The parts to move.
 *
 * @throws Problem INVALID for the field if it lists none, all, or one that does not belong to the place
 */
function chosenParts(
  { kind }: Of,
  { name }: db.Place,
  split: PlaceSplit,
  held: readonly (number | string)[],
): readonly (number | string)[] {
  const { field, one, many } = partsOf[kind];
  const other = field === "districtIds" ? "facilityUuids" : "districtIds";
  if (split[other] != null) throw invalid([{ path: other, message: `a ${called[kind]} is split by ${field}` }]);
  const chosen = split[field] ?? [];
  if (chosen.length === 0)
    throw invalid([{ path: field, message: `names no ${one}: say which go to the new ${called[kind]}` }]);
  const [known, seen] = [new Set(held), new Set<number | string>()];
  const errors: InputError[] = [];
  for (const [at, part] of chosen.entries()) {
    if (!known.has(part)) errors.push({ path: `${field}.${at}`, message: `${part} is no ${one} of ${name}` });
    else if (seen.has(part)) errors.push({ path: `${field}.${at}`, message: `${part} is named twice` });
    seen.add(part);
  }
  if (errors.length > 0) throw invalid(errors);
  if (seen.size === known.size)
    throw invalid([
      {
        path: field,
        message: `names ${known.size === 1 ? `the only ${one}` : `all ${known.size.toLocaleString("en")} ${many}`} of ${name}: rename it instead`,
      },
    ]);
  return chosen;
}

/** Locks the parts of a place, then the place. Facilities are locked first, as in every act that moves them. */
async function hold(
  handle: Handle,
  of: Of,
): Promise<{ old: db.Place | undefined; parts: readonly (number | string)[] }> {
  const facilities = await db.lockFacilitiesOf(handle, of);
  const old = await db.findPlace(handle, { ...of, hold: "update" });
  return { old, parts: of.kind === "province" ? await db.lockDistrictsOf(handle, of) : facilities };
}

/**
 * Makes a new place or partner from a part of one: districts of a province, facilities of a district or a partner.
 * Their visits, TDBs and counts move with them. People, targets and limits of service accounts stay with the one that
 * was split.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, STALE, CONFLICT, INVALID
 */
export function splitPlace(context: Context, of: Of, split: PlaceSplit): Promise<Split> {
  requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    const { old, parts } = await hold(transaction, of);
    if (!old) throw notFound(called[of.kind], "placeId");
    context.expect?.(old);
    if (!old.isOpen)
      throw new Problem(
        "CONFLICT",
        `${old.name} is closed${old.closedOn === null ? "" : ` since ${old.closedOn}`}: open it again before it is split.`,
      );
    const chosen = chosenParts(of, old, split, parts);
    await checkName(transaction, { ...of, id: null, name: split.name, provinceId: old.provinceId });
    const id = await db.insertPlace(transaction, { kind: of.kind, name: split.name, provinceId: old.provinceId });
    await db.updateParts(transaction, { ...of, into: id, parts: chosen });
    const from = (await db.findPlace(transaction, of))!;
    const into = (await db.findPlace(transaction, { kind: of.kind, id }))!;
    await recordAudit(
      context,
      {
        action: "place.split",
        outcome: "done",
        subject: { type: of.kind, id: String(of.id) },
        details: { old, new: from, into, [partsOf[of.kind].field]: chosen },
      },
      transaction,
    );
    return { from, into, moved: chosen.length };
  });
}
