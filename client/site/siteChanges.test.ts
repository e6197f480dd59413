import { expect, test } from "vitest";

import { byField, fieldNames } from "../../db/facility/facilityFields.rules.ts";
import { columnsOf, type Site, siteAt, type SiteList } from "../../gateway/site/siteList.rules.ts";
import { applyChanges, type SiteChange } from "./siteChanges.ts";

const site = (facilityUuid: string, more: Partial<Site> = {}): Site => ({
  ...{ facilityUuid, facilityName: `Clinic ${facilityUuid}`, districtId: 11, implementingPartnerId: null },
  ...{ ...byField(fieldNames, () => null), facilityType: "Clinic", latitude: -15.5, longitude: 28.25 },
  connectivity: { present: true, type: 1, details: null, mobileCoverage: null, mobileProvider: null },
  serviceAreas: [1, 2],
  ...more,
});
const part = (provinceId: number, sites: Site[]): [number, SiteList] => [
  provinceId,
  {
    ...{ cursor: "old", total: sites.length, provinces: [{ provinceId, province: `P${provinceId}` }] },
    districts: [{ districtId: provinceId * 11, district: `D${provinceId * 11}`, provinceId }],
    ...{
      implementingPartners: [],
      serviceAreas: [{ serviceAreaId: 1, serviceArea: "ART" }],
      connectivityTypes: [],
      connectivityProviders: [],
    },
    ...columnsOf(sites),
  },
];
const parts = () => new Map([part(1, [site("a"), site("b")]), part(2, [site("c", { districtId: 22 })])]);
const changeOf = (of: Site, provinceId = 1, more: object = {}): SiteChange => {
  const { connectivity: _connectivity, serviceAreas: _areas, ...record } = of;
  const place = { provinceId, province: `P${provinceId}`, district: `D${of.districtId}`, implementingPartner: null };
  return { kind: "facility", key: of.facilityUuid, record: { ...record, ...place, ...more } };
};
const sitesOf = (list: SiteList | undefined) => list?.facilityUuid.map((_, place) => siteAt(list, place));

test("a renamed site keeps the fields that were not sent, and only the part of its province changes", () => {
  const { changed, incomplete, total } = applyChanges(
    parts(),
    {},
    [changeOf(site("a", { facilityName: "New" }))],
    "new",
  );
  expect([[...changed.keys()], incomplete, total]).toEqual([[1], [], 3]);
  expect(sitesOf(changed.get(1))).toEqual([site("a", { facilityName: "New" }), site("b")]);
  expect(changed.get(1)?.cursor).toBe("new");
});

test("settings and connectivity change a stored site, and unknown sites are ignored", () => {
  const connectivity = { present: false, type: null, details: null, mobileCoverage: true, mobileProvider: 4 };
  const changes: SiteChange[] = [
    { kind: "facilitySettings", key: "c", record: { implementingPartnerId: null, serviceAreas: [2, 1, 3] } },
    { kind: "facilityConnectivity", key: "c", record: connectivity },
    { kind: "facilitySettings", key: "elsewhere", record: { implementingPartnerId: null, serviceAreas: [] } },
  ];
  const { changed } = applyChanges(parts(), {}, changes, "new");
  expect([...changed.keys()]).toEqual([2]);
  expect(sitesOf(changed.get(2))).toEqual([site("c", { districtId: 22, serviceAreas: [1, 2, 3], connectivity })]);
});

test("a site leaves its part if it moves to another province, moves out of the scope or is withdrawn", () => {
  const moved = applyChanges(parts(), {}, [changeOf(site("a", { districtId: 22 }), 2)], "new");
  expect([sitesOf(moved.changed.get(1)), sitesOf(moved.changed.get(2))?.length]).toEqual([[site("b")], 2]);
  const left = applyChanges(parts(), { provinceId: 1 }, [changeOf(site("a", { districtId: 22 }), 2)], "new");
  expect([sitesOf(left.changed.get(1)), left.total]).toEqual([[site("b")], 2]);
  const gone = applyChanges(parts(), {}, [{ kind: "facility", key: "b", record: null }], "new");
  expect(sitesOf(gone.changed.get(1))).toEqual([site("a")]);
});

test("a site that comes into the scope is incomplete until all its records have arrived", () => {
  const partner = { implementingPartnerId: 5 };
  const change = changeOf(site("n", partner), 1, { implementingPartner: "Partner E" });
  const first = applyChanges(parts(), {}, [change], "new");
  expect(first.incomplete).toEqual(["n"]);
  expect(first.changed.get(1)?.implementingPartners).toEqual([
    { ...partner, implementingPartner: "Partner E", active: true },
  ]);
  const rest: SiteChange[] = [
    { kind: "facilitySettings", key: "n", record: { ...partner, serviceAreas: [1, 2] } },
    { kind: "facilityConnectivity", key: "n", record: site("n").connectivity },
  ];
  const complete = applyChanges(parts(), {}, [...rest, change], "new");
  expect(complete.incomplete).toEqual([]);
  expect(sitesOf(complete.changed.get(1))).toContainEqual(site("n", partner));
});
