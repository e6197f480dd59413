/**
 * The compact site list: one column for each property of a site, and dictionaries for values that repeat (places, partners, kinds,
 * connections, sets of service areas). It is separate from the zod rules, because the client reads it where it searches.
 */

export type SiteKind = { facilityOwner: string | null; healthCenterType: string | null; facilityType: string | null; laboratoryLevel: string | null };
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

/** The columns: the same index in each column is the same site. */
export type SiteColumns = {
  facilityUuid: string[];
  facilityName: string[];
  hmisCode: (string | null)[];
  oldHmisCode: (string | null)[];
  districtId: number[];
  implementingPartnerId: (number | null)[];
  /** places in `kinds` */
  kind: number[];
  /** places in `connectivities` */
  connectivity: number[];
  /** places in `serviceAreaSets` */
  serviceAreaSet: number[];
  /** degrees, to 5 decimals: a metre */
  latitude: (number | null)[];
  longitude: (number | null)[];
};

export type SiteList = { cursor: string; total: number } & SiteDictionaries & SiteColumns;

/** A site, assembled from the list. */
export type Site = Omit<{ [Name in keyof SiteColumns]: SiteColumns[Name][number] }, "kind" | "connectivity" | "serviceAreaSet"> &
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
const toMetre = (degrees: number | null): number | null => (degrees === null ? null : Math.round(degrees * metre) / metre);

/** Sites as columns, with the dictionaries that the columns point into. */
export function columnsOf(sites: readonly Site[]): SiteColumns & Pick<SiteDictionaries, "kinds" | "connectivities" | "serviceAreaSets"> {
  const [kinds, connectivities, serviceAreaSets]: [SiteKind[], SiteConnectivity[], number[][]] = [[], [], []];
  const [kindAt, connectivityAt, setAt] = [placesIn(kinds), placesIn(connectivities), placesIn(serviceAreaSets)];
  return {
    kinds,
    connectivities,
    serviceAreaSets,
    facilityUuid: sites.map((site) => site.facilityUuid),
    facilityName: sites.map((site) => site.facilityName),
    hmisCode: sites.map((site) => site.hmisCode),
    oldHmisCode: sites.map((site) => site.oldHmisCode),
    districtId: sites.map((site) => site.districtId),
    implementingPartnerId: sites.map((site) => site.implementingPartnerId),
    kind: sites.map(({ facilityOwner, healthCenterType, facilityType, laboratoryLevel }) =>
      kindAt({ facilityOwner, healthCenterType, facilityType, laboratoryLevel }),
    ),
    connectivity: sites.map(({ connectivity: { present, type, details, mobileCoverage, mobileProvider } }) =>
      connectivityAt({ present, type, details, mobileCoverage, mobileProvider }),
    ),
    serviceAreaSet: sites.map(({ serviceAreas }) => setAt(serviceAreas)),
    latitude: sites.map(({ latitude }) => toMetre(latitude)),
    longitude: sites.map(({ longitude }) => toMetre(longitude)),
  };
}

/** The site at a place of the list. */
export function siteAt(list: SiteList, place: number): Site {
  return {
    facilityUuid: list.facilityUuid[place]!,
    facilityName: list.facilityName[place]!,
    hmisCode: list.hmisCode[place]!,
    oldHmisCode: list.oldHmisCode[place]!,
    districtId: list.districtId[place]!,
    implementingPartnerId: list.implementingPartnerId[place]!,
    latitude: list.latitude[place]!,
    longitude: list.longitude[place]!,
    ...list.kinds[list.kind[place]!]!,
    connectivity: list.connectivities[list.connectivity[place]!]!,
    serviceAreas: list.serviceAreaSets[list.serviceAreaSet[place]!]!,
  };
}
