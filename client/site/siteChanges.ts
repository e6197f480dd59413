import { columnsOf, siteAt } from "../../gateway/site/siteList.rules.ts";
import type { Site, SiteConnectivity, SiteDictionaries, SiteList } from "../../gateway/site/siteList.rules.ts";
import type { FieldScope } from "../facility/fieldSites.ts";

/** Applies the feed of changes to the downloaded sites. */

type Record = Omit<Site, "connectivity" | "serviceAreas"> & {
  district: string;
  provinceId: number;
  province: string;
  implementingPartner: string | null;
};
export type Settings = { implementingPartnerId: number | null; serviceAreas: number[] };
/** A change of the feed, of the kinds that a downloaded site consists of. */
export type SiteChange =
  | { kind: "facility"; key: string; record: Record | null }
  | { kind: "facilitySettings"; key: string; record: Settings | null }
  | { kind: "facilityConnectivity"; key: string; record: SiteConnectivity | null };

/** Downloaded sites by province. */
export type FieldParts = ReadonlyMap<number, SiteList>;

const isIn = (scope: FieldScope, { provinceId, districtId, implementingPartnerId }: Record): boolean =>
  (scope.provinceId === undefined || scope.provinceId === provinceId) &&
  (scope.districtId === undefined || scope.districtId === districtId) &&
  (scope.implementingPartnerId === undefined || scope.implementingPartnerId === implementingPartnerId);

type Held = { site: Site; provinceId: number };

class Holding {
  readonly held = new Map<string, Held>();
  readonly touched = new Set<number>();
  private readonly provinces = new Map<number, string>();
  private readonly districts = new Map<number, SiteDictionaries["districts"][number]>();
  private readonly partners = new Map<number, SiteDictionaries["implementingPartners"][number]>();
  private readonly shared: Pick<SiteDictionaries, "serviceAreas" | "connectivityTypes" | "connectivityProviders">;

  constructor(
    private readonly cursor: string,
    parts: FieldParts,
  ) {
    const [first] = parts.values();
    this.shared = {
      serviceAreas: first?.serviceAreas ?? [],
      connectivityTypes: first?.connectivityTypes ?? [],
      connectivityProviders: first?.connectivityProviders ?? [],
    };
    for (const [provinceId, part] of parts) {
      part.provinces.forEach((one) => this.provinces.set(one.provinceId, one.province));
      part.districts.forEach((one) => this.districts.set(one.districtId, one));
      part.implementingPartners.forEach((one) => this.partners.set(one.implementingPartnerId, one));
      part.facilityUuid.forEach((uuid, place) => this.held.set(uuid, { site: siteAt(part, place), provinceId }));
    }
  }

  remove(uuid: string): void {
    const before = this.held.get(uuid);
    if (before && this.held.delete(uuid)) this.touched.add(before.provinceId);
  }

  put(record: Record): void {
    const { district, province, provinceId, implementingPartner, ...said } = record;
    const before = this.held.get(said.facilityUuid);
    if (before) this.touched.add(before.provinceId);
    this.touched.add(provinceId);
    this.provinces.set(provinceId, province);
    this.districts.set(said.districtId, { districtId: said.districtId, district, provinceId });
    const { implementingPartnerId } = said;
    if (implementingPartnerId !== null && implementingPartner !== null)
      this.partners.set(implementingPartnerId, {
        active: true,
        ...this.partners.get(implementingPartnerId),
        implementingPartnerId,
        implementingPartner,
      });
    const connectivity = before?.site.connectivity ?? {
      present: null,
      type: null,
      details: null,
      mobileCoverage: null,
      mobileProvider: null,
    };
    this.held.set(said.facilityUuid, {
      provinceId,
      site: { ...said, connectivity, serviceAreas: before?.site.serviceAreas ?? [] },
    });
  }

  change(uuid: string, values: Partial<Site>): void {
    const before = this.held.get(uuid);
    if (!before) return;
    this.touched.add(before.provinceId);
    this.held.set(uuid, { ...before, site: { ...before.site, ...values } });
  }

  partOf(provinceId: number): SiteList {
    const sites = [...this.held.values()].filter((one) => one.provinceId === provinceId).map(({ site }) => site);
    const partners = new Set(sites.map((site) => site.implementingPartnerId));
    return {
      cursor: this.cursor,
      total: sites.length,
      provinces: [{ provinceId, province: this.provinces.get(provinceId) ?? "" }],
      districts: [...this.districts.values()].filter((one) => one.provinceId === provinceId),
      implementingPartners: [...this.partners.values()].filter((one) => partners.has(one.implementingPartnerId)),
      ...this.shared,
      ...columnsOf(sites),
    };
  }
}

/**
 * The changed parts by province. `incomplete` are sites that are new in the scope and not fully described by the
 * changes: their settings and connectivity did not change when they came into the scope.
 */
export function applyChanges(
  parts: FieldParts,
  scope: FieldScope,
  changes: readonly SiteChange[],
  cursor: string,
): { changed: Map<number, SiteList>; incomplete: string[]; total: number } {
  const holding = new Holding(cursor, parts);
  const before = new Set(holding.held.keys());
  for (const change of changes) {
    if (change.kind !== "facility") continue;
    if (change.record && isIn(scope, change.record)) holding.put(change.record);
    else holding.remove(change.key);
  }
  const complete = new Set<string>();
  for (const { kind, key, record } of changes) {
    if (kind === "facility" || !record) continue;
    complete.add(`${kind} ${key}`);
    if (kind === "facilitySettings")
      holding.change(key, { serviceAreas: [...record.serviceAreas].toSorted((one, other) => one - other) });
    else {
      const { present, type, details, mobileCoverage, mobileProvider } = record;
      holding.change(key, { connectivity: { present, type, details, mobileCoverage, mobileProvider } });
    }
  }
  const isComplete = (uuid: string) =>
    complete.has(`facilitySettings ${uuid}`) && complete.has(`facilityConnectivity ${uuid}`);
  return {
    changed: new Map([...holding.touched].map((provinceId) => [provinceId, holding.partOf(provinceId)])),
    incomplete: [...holding.held.keys()].filter((uuid) => !before.has(uuid) && !isComplete(uuid)),
    total: holding.held.size,
  };
}
