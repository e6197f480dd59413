import type { FacilityRow, FacilitySort, WholeFacility } from "../../db/facility/facility.ts";
import * as db from "../../db/facility/facility.ts";
import { searchFacilities } from "../../db/facility/facilitySearch.ts";
import { editableNames, valuesOf } from "../../db/facility/facilityFields.rules.ts";
import { listIdsOfNames } from "../../db/facility/facilityFilter.ts";
import type { Handle } from "../../db/engine/connect.ts";
import type { PageInput } from "../../db/list/page.ts";
import { listSurvivors } from "../../db/registry/registry.ts";
import { isLimited, isWithin, requireRight, requireViewer, requireWithin } from "../access/access.ts";
import { noPrivileges, type Privileges } from "../access/access.rules.ts";
import { batched } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { knownDay } from "../calendar/asOf.ts";
import { dayBefore, namedPeriodOf, periodEnd, periodOf, todayIn } from "../calendar/fiscal.rules.ts";
import { invalid, notFound } from "../problem.ts";
import { readFieldList } from "../fieldList/fieldList.ts";
import { checkScope } from "../reference/reference.ts";
import { isStorable } from "../input/text.rules.ts";
import { privilegesAt } from "../user/user.ts";
import type { FacilityFilter } from "./facility.rules.ts";
import { type FacilityMatch, recordNames } from "./facilityFilter.rules.ts";
import { readVersions } from "./version.ts";

/** Acts on facilities, shared by REST and GraphQL: every signed-in person may read them. */

export type { FacilityRow, FacilitySort, WholeFacility } from "../../db/facility/facility.ts";

type FacilityList = FacilityFilter & {
  search?: string | null;
  match?: FacilityMatch | null;
  sort?: FacilitySort | null;
  page: PageInput;
};

/**
 * Facilities of a scope and mode, by default by name, or with a search text the best match first. For a place or
 * partner that does not exist the answer is NOT_FOUND, because an empty list would look like a result. Filters on what
 * only a visit's record says need the right to see assessments; filters on open facts (mode, works, power, version,
 * days) do not.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN or INVALID
 */
export async function listFacilities(context: Context, { search, page, sort, ...asked }: FacilityList) {
  requireViewer(context);
  const list = { ...(await resolveFilter(context, asked)), sort, page };
  return search == null ? db.listFacilities(context.db, list) : searchFacilities(context.db, { ...list, search });
}

/** As `listFacilities`, but only uuids and names, by name. @throws Problem as `listFacilities` */
export async function listFacilityNames(
  context: Context,
  { page, ...asked }: FacilityFilter & { match?: FacilityMatch | null; page: PageInput },
) {
  requireViewer(context);
  return db.listFacilityNames(context.db, { ...(await resolveFilter(context, asked)), page });
}

/** The whole list of `listFacilityNames` as JSON text. @throws Problem as `listFacilities` */
export async function readFacilityNamesJson(
  context: Context,
  asked: FacilityFilter & { match?: FacilityMatch | null },
  keys: Readonly<Record<string, "facilityUuid" | "facilityName">>,
): Promise<string> {
  requireViewer(context);
  return db.readFacilityNamesJson(context.db, await resolveFilter(context, asked), keys);
}

/**
 * The database's filter for the given one: names are replaced by ids, and periods by their first days.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN or INVALID
 */
export async function resolveFilter(
  context: Context,
  { year, quarter, month, asOf, match, ...rest }: FacilityFilter & { match?: FacilityMatch | null },
): Promise<db.FacilityListFilter> {
  await checkScope(context, rest);
  const period = year == null ? null : periodOf({ year, quarter, month });
  const day = asOf == null ? null : knownDay(context, asOf, "asOf");
  return { ...rest, period, asOf: day, match: match && (await resolveMatch(context, match)) };
}

async function resolveMatch(
  context: Context,
  {
    province,
    district,
    implementingPartner,
    provinceIds,
    districtIds,
    implementingPartnerIds,
    latestAssessment,
    earlierAssessment,
    change,
    lastAssessedBefore,
    upgradedBefore,
    oldVersion,
    libraryVersion,
    ...match
  }: FacilityMatch,
): Promise<db.FacilityMatch> {
  if (
    upgradedBefore != null ||
    [latestAssessment, earlierAssessment].some((visit) => visit && recordNames.some((name) => visit[name] != null))
  )
    requireRight(context, "viewAssessments");
  if (match.fieldList != null) await readFieldList(context, match.fieldList, context.db, "fieldList");
  const asked = [
    latestAssessment?.notRecorded,
    earlierAssessment?.notRecorded,
    change?.lost,
    change?.gained,
    match.inARow && [match.inARow.answer],
  ];
  if (asked.some((names) => names?.includes("libraryVersionConsistent"))) requireRight(context, "viewAssessments");
  if (change?.clientsFell != null) requireRight(context, "viewTdbs");
  const today = todayIn(context.timeZone);
  const dated = (visit: typeof latestAssessment, name: string) =>
    visit && {
      ...visit,
      period: visit.period ? namedPeriodOf(visit.period, today) : null,
      asOf: visit.asOf == null ? null : knownDay(context, visit.asOf, `filter.${name}.asOf`),
    };
  const names = { province, district, implementingPartner };
  const isNamed = Object.values(names).some((name) => name != null);
  const found = isNamed ? await listIdsOfNames(context.db, names) : [];
  const idsOf = (kind: keyof typeof names, what: string): number[] | null => {
    if (names[kind] == null) return null;
    const ids = found.filter((row) => row.kind === kind).map(({ id }) => id);
    if (ids.length === 0) throw invalid([{ path: `filter.${kind}`, message: `There is no ${what} of this name` }]);
    return ids;
  };
  const versions = oldVersion == null ? null : await readVersions(context.db);
  return {
    ...match,
    libraryVersions: both(
      versions && (oldVersion ? versions.old : versions.newest),
      libraryVersion == null ? null : [libraryVersion],
    ),
    provinceIds: both(provinceIds, idsOf("province", "province")),
    districtIds: both(districtIds, idsOf("district", "district")),
    implementingPartnerIds: both(implementingPartnerIds, idsOf("implementingPartner", "implementing partner")),
    last:
      lastAssessedBefore == null && upgradedBefore == null
        ? null
        : { assessedBefore: lastAssessedBefore, upgradedBefore },
    latestAssessment: dated(latestAssessment, "latestAssessment"),
    earlierAssessment: dated(earlierAssessment, "earlierAssessment"),
    change: change && datedChange(context, change, today),
  };
}

/** What is in both lists; a missing list contains everything. */
const both = <One>(
  one: readonly One[] | null | undefined,
  other: readonly One[] | null | undefined,
): readonly One[] | null => (one && other ? one.filter((id) => other.includes(id)) : (one ?? other ?? null));

/** The database's condition for a change between two days. */
function datedChange(
  context: Context,
  { from, fromEndOf, to, ...asked }: NonNullable<FacilityMatch["change"]>,
  today: string,
) {
  const [first, path] = fromEndOf
    ? [dayBefore(periodEnd(namedPeriodOf(fromEndOf, today))), "fromEndOf"]
    : [from!, "from"];
  const last = to == null ? today : knownDay(context, to, "filter.change.to");
  if (first > last && first <= today)
    throw invalid([{ path: "filter.change.to", message: `must not be before ${first}` }]);
  return { ...asked, from: knownDay(context, first, `filter.change.${path}`), to: last };
}

/** A facility; for the uuid of a merged facility, the one that it was merged into. @throws Problem NOT_FOUND */
export async function readFacility(context: Context, facilityUuid: string): Promise<WholeFacility> {
  requireViewer(context);
  const facility = isStorable(facilityUuid) ? await db.findFacility(context.db, { facilityUuid }) : undefined;
  return facility ?? readSurvivor(context, facilityUuid);
}

/** The present uuid for a facility's uuid: that of the facility that it was merged into, or else the same. */
export async function presentUuid(handle: Handle, facilityUuid: string): Promise<string> {
  return (
    (isStorable(facilityUuid) && (await listSurvivors(handle, { facilityUuids: [facilityUuid] })).get(facilityUuid)) ||
    facilityUuid
  );
}

async function readSurvivor(context: Context, facilityUuid: string): Promise<WholeFacility> {
  const survivor = await presentUuid(context.db, facilityUuid);
  const facility =
    survivor === facilityUuid ? undefined : await db.findFacility(context.db, { facilityUuid: survivor });
  if (!facility) throw notFound("facility", "facilityUuid");
  return facility;
}

/** The rows of facilities by uuid. A merged uuid has the row of the facility that it was merged into. */
async function loadFollowing(context: Context, facilityUuids: readonly string[]): Promise<Map<string, FacilityRow>> {
  const found = await loadFacilities(context, facilityUuids);
  const missing = facilityUuids.filter((uuid) => !found.has(uuid) && isStorable(uuid));
  if (missing.length === 0) return found;
  const survivors = await listSurvivors(context.db, { facilityUuids: missing });
  const rows = await loadFacilities(context, [...survivors.values()]);
  for (const [uuid, survivor] of survivors) if (rows.has(survivor)) found.set(uuid, rows.get(survivor)!);
  return found;
}

/** Several facilities by uuid; unknown ones are left out. */
export async function loadFacilities(
  context: Context,
  facilityUuids: readonly string[],
): Promise<Map<string, FacilityRow>> {
  requireViewer(context);
  const asked = facilityUuids.filter(isStorable);
  const rows = asked.length > 0 ? await db.listFacilitiesByUuid(context.db, { facilityUuids: asked }) : [];
  return new Map(rows.map((row) => [row.facilityUuid, row]));
}

/** A facility to which another row refers. All facilities of a request are read together. @throws Problem NOT_FOUND */
export const loadFacility = batched<string, FacilityRow>(loadFollowing, () => notFound("facility", "facilityUuid"));

/** Refuses a facility that is outside the limit of the caller's account. @throws Problem FORBIDDEN or NOT_FOUND */
export async function requireFacilityWithin(context: Context, facilityUuid: string): Promise<void> {
  if (isLimited(context)) requireWithin(context, await loadFacility(context, facilityUuid));
}

export type ServiceAreaRow = { serviceAreaId: number; serviceArea: string };

/**
 * The fields of a facility that can be edited, without its connectivity: REST's settings, and a kind of the feed of
 * changes.
 */
export const settingsOf = (facility: FacilityRow, areas: readonly Pick<ServiceAreaRow, "serviceAreaId">[]) => ({
  implementingPartnerId: facility.implementingPartnerId,
  serviceAreas: areas.map(({ serviceAreaId }) => serviceAreaId),
  ...valuesOf(editableNames, facility),
});
export type FacilitySettings = ReturnType<typeof settingsOf>;

/** The service areas of several facilities, each facility's by name. */
export async function loadAreasOf(
  context: Context,
  facilityUuids: readonly string[],
): Promise<Map<string, ServiceAreaRow[]>> {
  requireViewer(context);
  const areas = new Map<string, ServiceAreaRow[]>(facilityUuids.map((uuid) => [uuid, []]));
  const rows = facilityUuids.length > 0 ? await db.listFacilityServiceAreas(context.db, { facilityUuids }) : [];
  for (const { facilityUuid, ...area } of rows) areas.get(facilityUuid)?.push(area);
  return areas;
}

/** A facility's service areas by name. Those of all facilities of a request are read together. */
export const loadServiceAreas = batched<string, ServiceAreaRow[]>(loadAreasOf, () => []);

/**
 * What the caller may do at a facility. Rights are for all facilities of the country, except that users are managed
 * only for the caller's own partner.
 *
 * @throws Problem NOT_FOUND
 */
export async function readPrivilegesAtFacility(context: Context, facilityUuid: string): Promise<Privileges> {
  const facility = await readFacility(context, facilityUuid);
  const privileges = privilegesAt(context, facility.implementingPartnerId);
  if (isWithin(context, facility)) return privileges;
  return { ...noPrivileges, accessDownloads: privileges.accessDownloads };
}
