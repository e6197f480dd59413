import { afterAll, beforeAll, expect, test } from "vitest";

import {
  isIn,
  latestAssessments,
  readEverything,
  recountComputers,
  recountRows,
  recountVersions,
} from "./dash-recount.ts";
import { bodyOf, type Nodes, type Person, testGateway, type TestGateway } from "../support/gateway.ts";

/** The dashboards of the demonstration country over HTTP, compared with a slow recount of its assessments and TDBs. */

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

test("charts equal a recount at all four levels, by month, quarter and year, with and without a partner", async () => {
  type Data = {
    provinces: Nodes<{ provinceId: number }>;
    districts: Nodes<{ districtId: number }>;
    implementingPartners: Nodes<{ implementingPartnerId: number }>;
  };
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
  const requests = [
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
  const { data: lists } = await plain.graphql<{ smartCareAssessmentVersions: { libraryVersion: string }[] }>(
    "{ smartCareAssessmentVersions { libraryVersion } }",
  );
  const known = lists.smartCareAssessmentVersions.map(({ libraryVersion }) => libraryVersion);
  let figures = 0;
  for (const { tail, scope } of requests) {
    for (const [of, quarter] of [
      [year, -1],
      [year, 3],
      [year + 1, -1],
    ] as const) {
      for (const view of ["monthly", "quarterly", "yearly"]) {
        const { body } = await plain.get(`/api/v1/dash/functionalityComparison${tail(quarter, of)}?view=${view}`);
        expect(body).toEqual(recountRows(everything, { year: of, quarter, view, scope }));
        figures += (body as { sumSmartCareFunctional: number }[]).reduce(
          (sum, row) => sum + row.sumSmartCareFunctional,
          0,
        );
      }
    }
    const versions = bodyOf<{ param: string; value: number }[]>(
      await plain.get(`/api/v1/dash/libraryVersion${tail(-1, year)}`),
    );
    const computers = bodyOf<{ param: string; value: number }[]>(
      await uploader.get(`/api/v1/dash/cpuCore${tail(-1, year)}`),
    );
    expect(versions).toEqual(recountVersions(everything, { year, quarter: -1, scope }, known));
    expect(computers).toEqual(recountComputers(everything, { year, quarter: -1, scope }).cpuCore);
  }
  expect(figures).toBeGreaterThan(1000);
});

test("each bar of the mode chart has a list of exactly its facilities, for all six modes", async () => {
  type Bar = Record<string, number> & { quarter: number; calMonth: number | null };
  const chart = async (query: string) =>
    bodyOf<Bar[]>(await plain.get(`/api/v1/dash/deploymentMode/${year}/-1/-1${query}`));
  const [quarters, months] = [await chart("?view=quarterly"), await chart("")];
  expect([quarters.length, months.length]).toEqual([4, 12]);
  const keys = {
    EFirst: "efirst",
    EFast: "efast",
    ELast: "elast",
    NotDeployed: "notDeployed",
    Partial: "partial",
    NotOperational: "notOperational",
  };
  for (const [mode, key] of Object.entries(keys)) {
    for (const { quarter, calMonth, ...bar } of [...quarters, ...months]) {
      const period = calMonth === null ? `quarter=${quarter}` : `month=${calMonth}`;
      const listed = bodyOf<{ uuid: string }[]>(
        await plain.get(`/api/v1/facility/mode/${mode}?year=${year}&${period}`),
      ).map(({ uuid }) => uuid);
      const recounted = latestAssessments(everything, {}, (local) => isIn(local, year, quarter, calMonth)).filter(
        (visit) => visit.functionalityStatusMode === mode,
      );
      expect([mode, period, listed.toSorted()]).toEqual([
        mode,
        period,
        recounted.map(({ facilityUuid }) => facilityUuid).toSorted(),
      ]);
      expect([mode, period, bar[key]]).toEqual([mode, period, listed.length]);
    }
    expect([mode, quarters.some((bar) => bar[key]! > 0)]).toEqual([mode, true]);
  }
});
