import {
  countSiteUnits,
  listFormerUnits,
  listMergedUnits,
  listPlaceUnits,
  listSiteUnits,
  listTreeUnits,
  type TreeUnit as TreeRow,
  type Unit,
  type UnitFilter,
  type UnitKey,
  type UnitKind,
  unitKinds,
} from "../../db/directory/directory.ts";
import { ForeignCursor } from "../../db/list/page.ts";
import { listMergedInto } from "../../db/registry/registry.ts";
import { requireViewer } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { presentUuid } from "../facility/facility.ts";
import { type Identifier, loadIdentifiersOf } from "../facility/identifier.ts";
import { isStorable } from "../input/text.rules.ts";
import { notFound, Problem } from "../problem.ts";
import { listDistrictBoundaries, listProvinceBoundaries } from "../reference/boundary.ts";

/**
 * Acts that read the units of the country for the directories of other systems (FHIR, DHIS2). Every signed-in person
 * may read them, as facilities.
 */

export type { Unit, UnitFilter, UnitKey, UnitKind } from "../../db/directory/directory.ts";
/** A unit with the identifiers under which other systems know it. */
export type DirectoryUnit = Unit & {
  identifiers: Identifier[];
  /** of a facility: the uuids of those that were merged into it */
  formerIds: string[];
  /** the outline of a place: its path (boundary.rules.ts) and its attribution */
  outline: { path: string; credit: string | null } | null;
};

/** The outlines of those units that are places, by kind and id. */
async function loadOutlines(context: Context, units: readonly Unit[]): Promise<Map<string, DirectoryUnit["outline"]>> {
  const found = new Map<string, DirectoryUnit["outline"]>();
  const reads = {
    province: () => listProvinceBoundaries(context),
    district: () => listDistrictBoundaries(context, {}),
  };
  for (const kind of ["province", "district"] as const) {
    if (!units.some((unit) => unit.kind === kind)) continue;
    const { credit, outlines } = await reads[kind]();
    for (const { id, path } of outlines) found.set(`${kind} ${id}`, { path, credit });
  }
  return found;
}

async function whole(context: Context, units: readonly Unit[]): Promise<DirectoryUnit[]> {
  const facilities = units.filter(({ kind }) => kind === "facility").map(({ id }) => id);
  const identifiers = await loadIdentifiersOf(context, facilities);
  const merges = facilities.length > 0 ? await listMergedInto(context.db, { facilityUuids: facilities }) : [];
  const formerOf = (id: string) =>
    merges.filter(({ intoUuid }) => intoUuid === id).map(({ facilityUuid }) => facilityUuid);
  const outlines = await loadOutlines(context, units);
  return units.map((unit) => ({
    ...unit,
    identifiers: identifiers.get(unit.id) ?? [],
    formerIds: formerOf(unit.id),
    outline: outlines.get(`${unit.kind} ${unit.id}`) ?? null,
  }));
}

const rankOf = ({ kind }: UnitKey): number => unitKinds.indexOf(kind);
const isAfter = (unit: UnitKey, after: UnitKey): boolean =>
  rankOf(unit) > rankOf(after) || (unit.kind === after.kind && Number(unit.id) > Number(after.id));

const cursorOf = ({ kind, id }: UnitKey): string =>
  Buffer.from(JSON.stringify(["unit", kind, id])).toString("base64url");
/** The last unit of the page before, from a cursor. @throws ForeignCursor */
function unitOf(cursor: string): UnitKey {
  try {
    const [mark, kind, id] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as unknown[];
    if (mark === "unit" && typeof id === "string" && isStorable(id) && unitKinds.some((one) => one === kind))
      return { kind: kind as UnitKind, id };
  } catch {
    // Falls through to the error below.
  }
  throw new ForeignCursor();
}

export type UnitPage = { units: DirectoryUnit[]; total: number; next: string | null };

/**
 * A page of the units that match, by kind and id.
 *
 * @throws ForeignCursor
 */
export async function listUnits(
  context: Context,
  { count, cursor, ...filter }: UnitFilter & { count: number; cursor?: string | null | undefined },
): Promise<UnitPage> {
  requireViewer(context);
  const after = cursor == null ? null : unitOf(cursor);
  const places = await listPlaceUnits(context.db, filter);
  const total = places.length + (await countSiteUnits(context.db, filter));
  const units = places.filter((unit) => after === null || isAfter(unit, after)).slice(0, count + 1);
  if (units.length <= count)
    units.push(
      ...(await listSiteUnits(context.db, {
        ...filter,
        after: after?.kind === "facility" ? after.id : null,
        first: count + 1 - units.length,
      })),
    );
  const shown = units.slice(0, count);
  const last = shown.at(-1);
  return { units: await whole(context, shown), total, next: units.length > count && last ? cursorOf(last) : null };
}

export type UnitHistory = UnitPage & { merged: { id: string; at: string }[] };

/**
 * The present state of the units that changed since an instant, a page at a time, and on the first page the facilities
 * that were merged away since. `total` counts both.
 *
 * @throws ForeignCursor
 */
export async function listUnitHistory(
  context: Context,
  {
    kinds,
    since,
    ...page
  }: Pick<UnitFilter, "kinds"> & {
    since: string | undefined;
    count: number;
    cursor?: string | undefined;
  },
): Promise<UnitHistory> {
  const changed = since === undefined ? {} : { changed: [{ from: { at: since, lasts: "0" } }] };
  const found = await listUnits(context, { kinds, ...changed, ...page });
  const merged = await listMergedUnits(context.db, { since: since ?? null });
  return { ...found, total: found.total + merged.length, merged: page.cursor === undefined ? merged : [] };
}

/** One unit. @throws Problem NOT_FOUND; GONE if the facility was merged into another one */
export async function readUnit(context: Context, { kind, id }: UnitKey): Promise<DirectoryUnit> {
  requireViewer(context);
  const filter: UnitFilter = { kinds: [kind], keys: [{ kind, id }] };
  const found = !isStorable(id)
    ? []
    : kind === "facility"
      ? await listSiteUnits(context.db, { ...filter, first: 1 })
      : await listPlaceUnits(context.db, filter);
  if (found[0]) return (await whole(context, found))[0]!;
  const survivor = kind === "facility" ? await presentUuid(context.db, id) : id;
  if (survivor !== id) throw new Problem("GONE", `This facility was merged into ${survivor}.`);
  throw notFound(kind === "implementingPartner" ? "partner" : kind);
}

/** A unit of the tree with the outline of a place. */
export type TreeUnit = TreeRow & Pick<DirectoryUnit, "outline">;

const treeOf = (level: number | undefined): UnitFilter => {
  const kinds: UnitKind[] = ["country", "province", "district", "facility"];
  return { kinds: level === undefined ? kinds : kinds.slice(level - 1, level) };
};
const uidIn = ({ identifiers }: DirectoryUnit): string | null =>
  identifiers.find(({ system, until }) => system === "dhis2" && until === null)?.value ?? null;

/** A numbered page of the tree of the country, province, district and facility, with the number of all its units. */
export async function listTree(
  context: Context,
  { level, skip, first }: { level?: number | undefined; skip: number; first: number },
): Promise<{ units: TreeUnit[]; total: number }> {
  requireViewer(context);
  const filter = treeOf(level);
  const places = await listPlaceUnits(context.db, filter);
  const units = places.slice(skip, skip + first);
  const ahead = places.length + (await countSiteUnits(context.db, filter));
  const formers = filter.kinds.includes("facility") ? await listFormerUnits(context.db) : [];
  const left = first - units.length;
  if (left > 0)
    units.push(
      ...(await listSiteUnits(context.db, { ...filter, skip: Math.max(0, skip - places.length), first: left })),
    );
  const present = (await whole(context, units)).map((unit) => ({ ...unit, dhis2: uidIn(unit), mergedInto: null }));
  const former = formers.slice(Math.max(0, skip - ahead), Math.max(0, skip + first - ahead));
  return {
    units: [...present, ...former.map((unit) => ({ ...unit, outline: null }))],
    total: ahead + formers.length,
  };
}

/**
 * The whole tree, or one level of it, read at one moment, so that it never has a facility twice. The
 * export is written to the audit log.
 */
export async function exportTree(context: Context, level?: number): Promise<AsyncIterable<TreeUnit>> {
  requireViewer(context);
  const units = await listTreeUnits(context.db, treeOf(level));
  const outlines = await loadOutlines(context, units);
  await recordAudit(context, {
    action: "facility.export",
    outcome: "done",
    details: { organisationUnits: level ?? "all" },
  });
  return (async function* each() {
    for (const unit of units) yield { ...unit, outline: outlines.get(`${unit.kind} ${unit.id}`) ?? null };
  })();
}
