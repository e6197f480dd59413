import {
  byField,
  type FacilityField,
  siteColumnNames,
  siteKindNames,
  type ValuesOf,
  valuesOf,
} from "../../db/facility/facilityFields.rules.ts";

/**
 * The compact site list: one column for each property of a site, and dictionaries for values that many sites share
 * (places, partners, kinds, connectivity, sets of service areas). This file does not import zod, because the client's
 * search needs it.
 */

export type SiteKind = ValuesOf<(typeof siteKindNames)[number]>;
type ColumnValues = ValuesOf<(typeof siteColumnNames)[number]>;
export type SiteConnectivity = {
  present: boolean | null;
  type: number | null;
  details: string | null;
  mobileCoverage: boolean | null;
  mobileProvider: number | null;
};

/** The dictionaries. */
export type SiteDictionaries = {
  provinces: { provinceId: number; province: string }[];
  districts: { districtId: number; district: string; provinceId: number }[];
  implementingPartners: { implementingPartnerId: number; implementingPartner: string; active: boolean }[];
  serviceAreas: { serviceAreaId: number; serviceArea: string }[];
  connectivityTypes: { id: number; type: string }[];
  connectivityProviders: { id: number; provider: string }[];
  kinds: SiteKind[];
  connectivities: SiteConnectivity[];
  serviceAreaSets: number[][];
};

/** The columns: a site has the same index in each column. */
type SiteColumns = {
  facilityUuid: string[];
  facilityName: string[];
  districtId: number[];
  implementingPartnerId: (number | null)[];
  /** indexes in `kinds` */
  kind: number[];
  /** indexes in `connectivities` */
  connectivity: number[];
  /** indexes in `serviceAreaSets` */
  serviceAreaSet: number[];
} & { [Name in keyof ColumnValues]: ColumnValues[Name][] };

export type SiteList = { cursor: string; total: number } & SiteDictionaries & SiteColumns;

/** A site, assembled from the list. */
export type Site = Omit<
  { [Name in keyof SiteColumns]: SiteColumns[Name][number] },
  "kind" | "connectivity" | "serviceAreaSet"
> &
  SiteKind & { connectivity: SiteConnectivity; serviceAreas: number[] };

/** Gives each different value an index, in the order of first occurrence. */
function placesIn<Value>(values: Value[]): (value: Value) => number {
  const places = new Map<string, number>(values.map((value, place) => [JSON.stringify(value), place]));
  return (value) => {
    const key = JSON.stringify(value);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, values.length);
    return values.push(value) - 1;
  };
}

const metre = 1e5;
/** Degrees are rounded to 5 decimals (about a metre); other values are unchanged. */
const shownValue = <Value>(value: Value, { type }: FacilityField) =>
  type === "degrees" && typeof value === "number" ? Math.round(value * metre) / metre : value;

/** Sites as columns, with the dictionaries to which the columns refer. */
export function columnsOf(
  sites: readonly Site[],
): SiteColumns & Pick<SiteDictionaries, "kinds" | "connectivities" | "serviceAreaSets"> {
  const [kinds, connectivities, serviceAreaSets]: [SiteKind[], SiteConnectivity[], number[][]] = [[], [], []];
  const [kindAt, connectivityAt, setAt] = [placesIn(kinds), placesIn(connectivities), placesIn(serviceAreaSets)];
  return {
    kinds,
    connectivities,
    serviceAreaSets,
    facilityUuid: sites.map((site) => site.facilityUuid),
    facilityName: sites.map((site) => site.facilityName),
    districtId: sites.map((site) => site.districtId),
    implementingPartnerId: sites.map((site) => site.implementingPartnerId),
    kind: sites.map((site) => kindAt(valuesOf(siteKindNames, site))),
    connectivity: sites.map(({ connectivity: { present, type, details, mobileCoverage, mobileProvider } }) =>
      connectivityAt({ present, type, details, mobileCoverage, mobileProvider }),
    ),
    serviceAreaSet: sites.map(({ serviceAreas }) => setAt(serviceAreas)),
    ...(byField(siteColumnNames, (name, field) => sites.map((site) => shownValue(site[name], field))) as Pick<
      SiteColumns,
      keyof ColumnValues
    >),
  };
}

/** The site at an index of the list. A list that a device stored before a field was added lacks that field. */
export function siteAt(list: SiteList, place: number): Site {
  return {
    facilityUuid: list.facilityUuid[place]!,
    facilityName: list.facilityName[place]!,
    districtId: list.districtId[place]!,
    implementingPartnerId: list.implementingPartnerId[place]!,
    ...(byField(siteColumnNames, (name) => list[name]?.[place] ?? null) as ColumnValues),
    ...(byField(siteKindNames, (name) => list.kinds[list.kind[place]!]![name] ?? null) as SiteKind),
    connectivity: list.connectivities[list.connectivity[place]!]!,
    serviceAreas: list.serviceAreaSets[list.serviceAreaSet[place]!]!,
  };
}
