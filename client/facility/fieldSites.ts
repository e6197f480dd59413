import { type Site, siteAt, type SiteConnectivity, type SiteList } from "../../gateway/site/siteList.rules.ts";
import type { LastVisit } from "../assessment/lastVisit.ts";
import { list, onHolder, read } from "../store/store.ts";
import type { Boundaries } from "../ui/map/boundaries.ts";
import { noteKey } from "../store/fieldNote.ts";
import { compare, type Searchable, searchable } from "./siteSearch.ts";

/**
 * The downloaded sites for work without network, in the person's encrypted store (kind "site"): a note that describes
 * the download, a record with the sites of each province, and one with the last visits of each district.
 */

/** What is downloaded: the whole country, or only this place and partner, or the sites of a field list (its uuid). */
export type FieldScope = {
  provinceId?: number;
  districtId?: number;
  implementingPartnerId?: number;
  fieldList?: string;
};

export type FieldNote = {
  /** identifies its parts among those of other downloads */
  generation: string;
  scope: FieldScope;
  /** in words: "Lusaka Province" */
  scopeName: string;
  /** when the list was last up to date, an instant by the server's clock */
  asOf: string;
  /** the cursor from which the feed of changes continues */
  cursor: string;
  total: number;
  provinceIds: number[];
  /** districts whose last visits are downloaded */
  visits: { districtId: number; district: string; count: number; etag: string | null }[];
  versions: { id: number; libraryVersion: string; databaseVersion: string }[];
};

/** The last visits of a district, by facility. */
export type KeptVisits = Record<string, LastVisit>;

export const sitesKey = (generation: string, provinceId: number) => `sites:${generation}:${provinceId}`;
/** The outlines of the places, for the map. A download of an older client has none. */
export const outlineKey = (generation: string) => `outline:${generation}`;
export const visitsKey = (generation: string, districtId: number) => `visits:${generation}:${districtId}`;

/** A downloaded site with the names of its district, province and partner. */
export type KeptSite = Omit<Site, "connectivity" | "serviceAreas"> & {
  district: string;
  provinceId: number;
  province: string;
  implementingPartner: string | null;
  connectivity: Omit<SiteConnectivity, "type" | "mobileProvider"> & {
    type: { id: number; type: string } | null;
    mobileProvider: { id: number; provider: string } | null;
  };
  serviceAreas: { serviceAreaId: number; serviceArea: string }[];
};

export type KeptSites = {
  note: FieldNote;
  /** by name */
  sites: KeptSite[];
  byUuid: Map<string, KeptSite>;
  serviceAreas: { serviceAreaId: number; serviceArea: string }[];
  searchable: Searchable<KeptSite>[];
};

/** The note of the download; null if there is none, or if it cannot be read. */
export const readNote = (): Promise<FieldNote | null> =>
  read<FieldNote>("site", noteKey)
    .then((note) => note ?? null)
    .catch(() => null);

function namedSites(part: SiteList): KeptSite[] {
  const provinces = new Map(part.provinces.map(({ provinceId, province }) => [provinceId, province]));
  const districts = new Map(part.districts.map((one) => [one.districtId, one]));
  const partners = new Map(
    part.implementingPartners.map((one) => [one.implementingPartnerId, one.implementingPartner]),
  );
  const areas = new Map(part.serviceAreas.map((area) => [area.serviceAreaId, area]));
  return part.facilityUuid.map((_, place) => {
    const { connectivity, serviceAreas, ...site } = siteAt(part, place);
    const { district, provinceId } = districts.get(site.districtId)!;
    return {
      ...site,
      district,
      provinceId,
      province: provinces.get(provinceId) ?? "",
      implementingPartner:
        site.implementingPartnerId === null ? null : (partners.get(site.implementingPartnerId) ?? null),
      connectivity: {
        ...connectivity,
        type: part.connectivityTypes.find(({ id }) => id === connectivity.type) ?? null,
        mobileProvider: part.connectivityProviders.find(({ id }) => id === connectivity.mobileProvider) ?? null,
      },
      serviceAreas: serviceAreas
        .flatMap((id) => areas.get(id) ?? [])
        .toSorted((one, other) => (one.serviceArea < other.serviceArea ? -1 : 1)),
    };
  });
}

async function readSites(note: FieldNote): Promise<KeptSites> {
  const parts = (
    await Promise.all(note.provinceIds.map((id) => read<SiteList>("site", sitesKey(note.generation, id))))
  ).filter((part) => part !== undefined);
  const sites = parts.flatMap(namedSites).toSorted(compare);
  return {
    note,
    sites,
    byUuid: new Map(sites.map((site) => [site.facilityUuid, site])),
    serviceAreas: parts[0]?.serviceAreas ?? [],
    searchable: sites.map((site) => searchable(site)),
  };
}

let latest: { state: string; sites: Promise<KeptSites> } | undefined;

// The next person reads their own download.
onHolder(() => (latest = undefined));

/** The downloaded sites, cached until they change; null if there are none. */
export async function readKeptSites(): Promise<KeptSites | null> {
  const note = await readNote();
  if (!note) {
    latest = undefined;
    return null;
  }
  const state = `${note.generation} ${note.cursor}`;
  if (latest?.state !== state) latest = { state, sites: readSites(note) };
  try {
    return { ...(await latest.sites), note };
  } catch {
    latest = undefined;
    return null;
  }
}

/** The answers of a facility's last visit, if they are downloaded. */
export async function findLastVisit(facilityUuid: string): Promise<LastVisit | null> {
  const kept = await readKeptSites();
  const site = kept?.byUuid.get(facilityUuid);
  if (!site || !kept?.note.visits.some(({ districtId }) => districtId === site.districtId)) return null;
  const visits = await read<KeptVisits>("site", visitsKey(kept.note.generation, site.districtId)).catch(
    () => undefined,
  );
  return visits?.[facilityUuid] ?? null;
}

/** The days of the last visits that are downloaded, by facility. */
export async function readLastDays({ generation, visits }: FieldNote): Promise<Map<string, string>> {
  const readOne = ({ districtId }: FieldNote["visits"][number]) =>
    read<KeptVisits>("site", visitsKey(generation, districtId)).catch(() => undefined);
  const days = (await Promise.all(visits.map(readOne))).flatMap((of) => Object.entries(of ?? {}));
  return new Map(days.map(([facilityUuid, { assessmentDate }]) => [facilityUuid, assessmentDate]));
}

/** The downloaded outlines; undefined if there are none. */
export const readOutline = ({ generation }: FieldNote): Promise<Boundaries | undefined> =>
  read<Boundaries>("site", outlineKey(generation)).catch(() => undefined);

/** How many bytes the downloaded sites use on the device. */
export async function countKeptBytes(): Promise<number> {
  const records = await list("site").catch(() => []);
  return records.reduce((sum, { bytes }) => sum + bytes, 0);
}
