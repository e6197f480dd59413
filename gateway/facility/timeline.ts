import * as db from "../../db/facility/timeline.ts";
import { mapPage, type Page, type PageInput } from "../../db/list/page.ts";
import {
  listConnectivityProviders,
  listConnectivityTypes,
  listPartnersById,
  listServiceAreas,
} from "../../db/reference/reference.ts";
import { isLimited, requireRight, requireViewer, requireWithin } from "../access/access.ts";
import { may } from "../access/access.rules.ts";
import type { Context } from "../context.ts";
import { loadFacilities } from "./facility.ts";
import { differencesOf, type TimelineChange, type TimelineKind, timelineNeeds } from "./timeline.rules.ts";

/**
 * A facility's timeline. What it was found to be is an open fact, also of earlier days. Who visited, what was set aside,
 * notes and actions are for people who may see assessments, TDBs for those who may see TDBs, changes of the facility
 * for those who may see the audit.
 */

/** `isCompared`: `from` says what was before; false where nothing was before. */
export type TimelineEntry = Omit<db.TimelineRow, "old" | "new" | "changes"> & {
  changes: TimelineChange[];
  isCompared: boolean;
};

type Names = Readonly<Record<string, Map<number, string>>>;

/** The names of what settings and connectivity refer to by ids, by the field and the id. */
async function readNames(context: Context, rows: readonly db.TimelineRow[]): Promise<Names> {
  const edits = rows.filter(({ kind }) => kind === "configuration");
  if (edits.length === 0) return {};
  const states = edits.flatMap((row) => [row.old, row.new]);
  const partnerIds = states.map((state) => state?.["implementingPartnerId"]).filter((id) => typeof id === "number");
  const [partners, areas, types, providers] = await Promise.all([
    listPartnersById(context.db, { ids: partnerIds }),
    listServiceAreas(context.db),
    listConnectivityTypes(context.db),
    listConnectivityProviders(context.db),
  ]);
  return {
    implementingPartnerId: new Map(partners.map((one) => [one.implementingPartnerId, one.implementingPartner])),
    serviceAreas: new Map(areas.map((one) => [one.serviceAreaId, one.serviceArea])),
    type: new Map(types.map((one) => [one.id, one.type])),
    mobileProvider: new Map(providers.map((one) => [one.id, one.provider])),
  };
}

function named(state: Record<string, unknown> | null, names: Names): Record<string, unknown> | null {
  const nameOf = (field: string, value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((one) => nameOf(field, one))
      : typeof value === "number"
        ? (names[field]?.get(value) ?? value)
        : value;
  return state && Object.fromEntries(Object.entries(state).map(([field, value]) => [field, nameOf(field, value)]));
}

const nameIn = (state: Record<string, unknown> | null): string | null =>
  (state?.["facility"] as { facilityName?: string } | undefined)?.facilityName ?? null;

/** An entry as the reader may see it. */
function entryOf({ old, new: present, changes, ...row }: db.TimelineRow, names: Names, seesVisits: boolean) {
  const isOfVisit = row.kind === "visit" || row.kind === "upgrade";
  // A merge and a new facility have nothing that it can be compared with.
  const isWhole = row.event === "facility.merge" || row.event === "facility.add";
  return {
    ...row,
    ...(isOfVisit && !seesVisits ? { userName: null, assessmentUuid: null } : {}),
    ...(isWhole ? { text: nameIn(old ?? present) } : {}),
    isCompared: changes !== null || old !== null,
    changes: changes ?? (isWhole ? [] : differencesOf(named(old, names), named(present, names))),
  };
}

/** A page of what happened at each facility of `page.of`, the newest first. @throws Problem FORBIDDEN */
export async function listTimeline(
  context: Context,
  { kind, page }: { kind?: TimelineKind | null; page: PageInput },
): Promise<Page<TimelineEntry>> {
  const { privileges } = requireViewer(context);
  const needed = kind == null ? null : timelineNeeds[kind];
  if (needed) requireRight(context, needed, "somewhere");
  if (isLimited(context)) {
    const facilities = await loadFacilities(context, (page.of?.keys ?? []).map(String));
    for (const facility of facilities.values()) requireWithin(context, facility);
  }
  const rights = {
    visits: may(privileges, "viewAssessments"),
    tdbs: may(privileges, "viewTdbs"),
    edits: may(privileges, "viewAudit"),
  };
  const found = await db.listTimeline(context.db, { kind: kind ?? null, rights, page });
  const rows = (page.of?.keys ?? []).flatMap((key) => found.pageOf(key).rows);
  const names = await readNames(context, rows);
  return mapPage(found, (row) => entryOf(row, names, rights.visits));
}
