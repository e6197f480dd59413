import { valueNames } from "../../gateway/assessment/content.rules.ts";
import type { FromField } from "../keptAnswers.ts";
import type { LastVisit } from "../assessment/lastVisit.ts";
import { findLastVisit, type KeptSite, type KeptSites, readKeptSites } from "./fieldSites.ts";
import { search } from "./siteSearch.ts";

/**
 * Answers queries from the downloaded sites when there is no network, so that screens work as usual. An answer needs
 * every field of its query: a field that is added to one of these queries must be added here too.
 */

const perPage = 10;

type Variables = Record<string, unknown>;
type Answer = (kept: KeptSites, variables: Variables) => object | null | Promise<object | null>;

const provinceOf = ({ provinceId, province: name }: KeptSite) => ({
  __typename: "Province",
  id: `Province:${provinceId}`,
  provinceId,
  name,
});
const districtOf = (site: KeptSite) => ({
  __typename: "District",
  id: `District:${site.districtId}`,
  districtId: site.districtId,
  name: site.district,
});
const partnerOf = ({ implementingPartnerId, implementingPartner }: KeptSite) =>
  implementingPartnerId === null
    ? null
    : {
        __typename: "ImplementingPartner",
        id: `ImplementingPartner:${implementingPartnerId}`,
        implementingPartnerId,
        implementingPartner,
      };
const areaOf = ({ serviceAreaId, serviceArea }: { serviceAreaId: number; serviceArea: string }) => ({
  __typename: "ServiceArea",
  id: `ServiceArea:${serviceAreaId}`,
  serviceAreaId,
  serviceArea,
});

/** Whether one of two sources works: null where that is not recorded. */
const eitherOf = (one: boolean | null | undefined, other: boolean | null | undefined): boolean | null =>
  one || other ? true : one == null || other == null ? null : false;

function facilityOf(site: KeptSite, visit: LastVisit | null) {
  const { serviceAreas, connectivity, ...known } = site;
  return {
    ...known,
    __typename: "Facility",
    id: `Facility:${site.facilityUuid}`,
    district: districtOf(site),
    province: provinceOf(site),
    implementingPartner: partnerOf(site),
    functionalityStatusMode: visit?.content.functionalityStatusMode ?? null,
    // Downloads contain only open facilities, and no identifiers of other systems.
    closedOn: null,
    closeReason: null,
    identifiers: [],
    connectivity: { __typename: "FacilityConnectivity", ...connectivity },
    serviceAreas: serviceAreas.map(areaOf),
    // What nobody takes along: earlier visits, when it last sent a TDB, and what is to be done by the work lists.
    problems: null,
    state: {
      __typename: "FacilityState",
      smartCareFunctionalSince: null,
      powerWorking: eitherOf(visit?.content.primaryPowerWorking, visit?.content.backupPowerWorking),
      powerWorkingSince: null,
      libraryVersionSince: null,
      functionalityStatusModeSince: null,
      smartCareFunctional: visit?.content.smartCareFunctional ?? null,
      libraryVersion: visit?.content.libraryVersion ?? null,
      primaryPower: visit?.content.primaryPower ?? null,
      primaryPowerWorking: visit?.content.primaryPowerWorking ?? null,
      backupPower: visit?.content.backupPower ?? null,
      backupPowerWorking: visit?.content.backupPowerWorking ?? null,
      lastVisitDate: visit?.assessmentDate ?? null,
      lastTdbCreationDate: null,
      daysSinceLastTdb: null,
      expected: null,
      overdue: null,
      contactName: null,
      contactRole: null,
      contactPhone: null,
    },
    openActions: null,
    partnerPeople: null,
    latestAssessment: visit && {
      __typename: "Assessment",
      id: `Assessment:${visit.assessmentUuid}`,
      assessmentUuid: visit.assessmentUuid,
      assessmentDate: visit.assessmentDate,
      ...Object.fromEntries(valueNames.map((name) => [name, visit.content[name]])),
      distanceFromFacility: null,
      serviceAreaAssessments: visit.content.serviceAreaAssessments,
    },
  };
}

async function facility({ byUuid }: KeptSites, { facilityUuid }: Variables) {
  const site = byUuid.get(String(facilityUuid));
  return site ? facilityOf(site, await findLastVisit(site.facilityUuid)) : null;
}

function pageOf<Row>(rows: readonly Row[], offset: unknown, first: unknown = perPage) {
  const from = typeof offset === "number" ? offset : 0;
  return { totalCount: rows.length, nodes: rows.slice(from, from + (first as number)) };
}

function facilitiesOf(sites: readonly KeptSite[], offset: unknown, first?: unknown) {
  const { totalCount, nodes } = pageOf(sites, offset, first);
  return { totalCount, nodes: nodes.map((site) => facilityOf(site, null)) };
}

/** The downloaded field list, if a filter asks for that and for nothing else. */
function fieldListOf({ note: { scope, scopeName } }: KeptSites, filter: unknown) {
  const { fieldList: uuid, ...others } = (filter ?? {}) as { fieldList?: string };
  if (uuid === undefined || uuid !== scope.fieldList || Object.keys(others).length > 0) return undefined;
  const [, name] = /“(.*)”/.exec(scopeName) ?? [];
  return { __typename: "FieldList", id: `FieldList:${uuid}`, uuid, name: name ?? scopeName, changeable: false };
}

/** Whether all sites of a place or partner are downloaded. */
function isWhole(
  { note: { scope }, sites }: KeptSites,
  { provinceId, districtId, implementingPartnerId }: Variables,
): boolean {
  if (scope.fieldList !== undefined) return false;
  if (scope.implementingPartnerId !== undefined && scope.implementingPartnerId !== implementingPartnerId) return false;
  if (scope.districtId !== undefined) return scope.districtId === districtId;
  if (scope.provinceId === undefined || scope.provinceId === provinceId) return true;
  return districtId != null && sites.some((site) => site.districtId === districtId);
}

/** The distinct places or partners of the downloaded sites, by name. */
const listed = <Row extends object>(
  sites: readonly KeptSite[],
  rowOf: (site: KeptSite) => Row | null,
  idOf: (row: Row) => number,
  nameOf: (row: Row) => string,
): Row[] =>
  [...new Map(sites.flatMap((site) => rowOf(site) ?? []).map((row) => [idOf(row), row])).values()].toSorted(
    (one, other) => (nameOf(one) < nameOf(other) ? -1 : 1),
  );
const provincesOf = (sites: readonly KeptSite[]) =>
  listed(
    sites,
    provinceOf,
    ({ provinceId }) => provinceId,
    ({ name }) => name,
  );
const districtsOf = (sites: readonly KeptSite[]) =>
  listed(
    sites,
    (site) => ({ ...districtOf(site), province: provinceOf(site) }),
    ({ districtId }) => districtId,
    ({ name }) => name,
  );
const partnersOf = (sites: readonly KeptSite[]) =>
  listed(
    sites,
    partnerOf,
    ({ implementingPartnerId }) => implementingPartnerId,
    ({ implementingPartner }) => implementingPartner ?? "",
  );

const answers: Record<string, Answer> = {
  // Only places and partners that have a downloaded site. The screen says of how many sites the list is.
  ProvincesScreenQuery: ({ sites }) => {
    const nodes = provincesOf(sites);
    return { provinces: { totalCount: nodes.length, nodes } };
  },
  DistrictsScreenQuery: ({ sites }, { provinceId, offset }) => {
    if (provinceId == null) return { districts: pageOf(districtsOf(sites), offset) };
    const within = sites.filter((site) => site.provinceId === provinceId);
    return within[0] ? { province: provinceOf(within[0]), districts: pageOf(districtsOf(within), offset) } : null;
  },
  PartnersScreenQuery: ({ sites }, { offset }) => ({ implementingPartners: pageOf(partnersOf(sites), offset) }),
  PartnerScreenQuery: ({ sites }, { implementingPartnerId }) => {
    const first = sites.find((site) => site.implementingPartnerId === implementingPartnerId);
    return first ? { implementingPartner: { ...partnerOf(first), active: true } } : null;
  },
  PartnerFacilitiesTabQuery: ({ sites }, { implementingPartnerId, offset }) => {
    const own = sites.filter((site) => site.implementingPartnerId === implementingPartnerId);
    return own.length > 0 ? { facilities: facilitiesOf(own, offset) } : null;
  },
  FacilityScreenQuery: async (kept, variables) => {
    const found = await facility(kept, variables);
    if (!found) return null;
    const smartCareAssessmentVersions = kept.note.versions.map((version) => ({
      __typename: "SmartCareVersion",
      ...version,
      id: String(version.id),
    }));
    return { facility: found, serviceAreas: kept.serviceAreas.map(areaOf), smartCareAssessmentVersions };
  },
  SearchResultsSectionQuery: ({ searchable }, { text, offset }) => ({
    facilities: facilitiesOf(search(searchable, String(text)), offset),
  }),
  FacilitiesScreenQuery: (kept, variables) => {
    const { provinceId, districtId, implementingPartnerId, mode, filter, sort, search: text } = variables;
    const fieldList = fieldListOf(kept, filter);
    if (mode != null || (sort != null && sort !== "NAME_ASC")) return null;
    if (!fieldList && (filter != null || !isWhole(kept, variables))) return null;
    const matches = (site: KeptSite) =>
      (provinceId == null || site.provinceId === provinceId) &&
      (districtId == null || site.districtId === districtId) &&
      (implementingPartnerId == null || site.implementingPartnerId === implementingPartnerId);
    const first = kept.sites.find(matches);
    if (!first) return null;
    const sites =
      typeof text === "string"
        ? search(
            kept.searchable.filter(({ site }) => matches(site)),
            text,
          )
        : kept.sites.filter(matches);
    return {
      ...(provinceId == null ? {} : { province: provinceOf(first) }),
      ...(districtId == null ? {} : { district: { ...districtOf(first), province: provinceOf(first) } }),
      ...(implementingPartnerId == null ? {} : { implementingPartner: partnerOf(first) }),
      ...(fieldList ? { fieldList } : {}),
      facilities: facilitiesOf(sites, variables["offset"], variables["first"] ?? undefined),
    };
  },
};

/** The answer to a query from the downloaded sites, if they contain it. */
export async function answerFromField(
  name: string,
  variables: object,
): Promise<{ data: object; field: FromField } | undefined> {
  const answer = answers[name];
  if (!answer) return undefined;
  const kept = await readKeptSites();
  const data = kept && (await answer(kept, variables as Variables));
  if (!kept || !data) return undefined;
  const { scopeName, asOf } = kept.note;
  return { data, field: { scopeName, total: kept.sites.length, asOf } };
}
