import { afterAll, beforeAll, expect, test } from "vitest";

import { readEverything, recountComputers, recountRows, recountVersions } from "./dash-recount.ts";
import { bodyOf, type Nodes, type Person, testGateway, type TestGateway } from "../support/gateway.ts";

/** The dashboards of the demonstration country, through the door, against a slow recount of its assessments and TDBs. */

let gateway: TestGateway;
let plain: Person;
let uploader: Person;
let everything: Awaited<ReturnType<typeof readEverything>>;
beforeAll(async () => {
  gateway = await testGateway();
  [plain, uploader] = await Promise.all([gateway.as("plain"), gateway.as("uploader")]);
  everything = await readEverything(gateway.db, "Africa/Lusaka");
});
afterAll(() => gateway.stop());

const year = new Date().getUTCFullYear();

test("charts agree at all four levels, by month and quarter, with and without a partner", async () => {
  type Data = { provinces: Nodes<{ provinceId: number }>; districts: Nodes<{ districtId: number }>; implementingPartners: Nodes<{ implementingPartnerId: number }> };
  const { data } = await plain.graphql<Data>(`{
    provinces { nodes { provinceId } } districts(first: 4) { nodes { districtId } }
    implementingPartners { nodes { implementingPartnerId } }
  }`);
  const partners = data.implementingPartners.nodes.map((node) => node.implementingPartnerId);
  const levels = [
    { path: "", scope: {} },
    ...data.provinces.nodes.map(({ provinceId }) => ({ path: `/province/${provinceId}`, scope: { provinceId } })),
    ...data.districts.nodes.map(({ districtId }) => ({ path: `/district/${districtId}`, scope: { districtId } })),
  ];
  const asked = [
    ...levels.flatMap(({ path, scope }) =>
      [-1, partners[1]!].map((partner) => ({
        tail: (quarter: number, of: number) => `${path}/${of}/${quarter}/${partner}`,
        scope: partner === -1 ? scope : { ...scope, implementingPartnerId: partner },
      })),
    ),
    ...partners.map((partner) => ({
      tail: (quarter: number, of: number) => `/ip/${partner}/${of}/${quarter}`,
      scope: { implementingPartnerId: partner },
    })),
  ];
  const { data: lists } = await plain.graphql<{ smartCareAssessmentVersions: { libraryVersion: string }[] }>("{ smartCareAssessmentVersions { libraryVersion } }");
  const known = lists.smartCareAssessmentVersions.map(({ libraryVersion }) => libraryVersion);
  let figures = 0;
  for (const { tail, scope } of asked) {
    for (const [of, quarter] of [[year, -1], [year, 3], [year + 1, -1]] as const) {
      for (const view of ["monthly", "quarterly", "yearly"]) {
        const { body } = await plain.get(`/api/v1/dash/functionalityComparison${tail(quarter, of)}?view=${view}`);
        expect(body).toEqual(recountRows(everything, { year: of, quarter, view, scope }));
        figures += (body as { sumSmartCareFunctional: number }[]).reduce((sum, row) => sum + row.sumSmartCareFunctional, 0);
      }
    }
    const versions = bodyOf<{ param: string; value: number }[]>(await plain.get(`/api/v1/dash/libraryVersion${tail(-1, year)}`));
    const computers = bodyOf<{ param: string; value: number }[]>(await uploader.get(`/api/v1/dash/cpuCore${tail(-1, year)}`));
    expect(versions).toEqual(recountVersions(everything, { year, quarter: -1, scope }, known));
    expect(computers).toEqual(recountComputers(everything, { year, quarter: -1, scope }).cpuCore);
  }
  expect(figures).toBeGreaterThan(1000);
});

test("every bar of the mode chart opens exactly the facilities behind it", async () => {
  const bars = bodyOf<Record<string, number>[]>(await plain.get(`/api/v1/dash/deploymentMode/${year}/-1/-1?view=quarterly`));
  const months = bodyOf<Record<string, number>[]>(await plain.get(`/api/v1/dash/deploymentMode/${year}/-1/-1`));
  for (const [mode, key] of [["EFirst", "efirst"], ["EFast", "efast"], ["ELast", "elast"]] as const) {
    for (const bar of bars) {
      const { body } = await plain.get(`/api/v1/facility/mode/${mode}?year=${year}&quarter=${bar["quarter"]}`);
      expect((body as unknown[]).length).toBe(bar[key]);
    }
    for (const bar of months) {
      const { body } = await plain.get(`/api/v1/facility/mode/${mode}?year=${year}&month=${bar["calMonth"]}`);
      expect((body as unknown[]).length).toBe(bar[key]);
    }
  }
});
