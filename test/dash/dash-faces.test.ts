import { beforeAll, expect, test } from "vitest";

import { bodyOf, stranger } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * The dashboards, TDBs and assessments over HTTP: REST and GraphQL return the same, and only to people with the right.
 */

let province: { provinceId: number; name: string };
let district: { districtId: number; name: string };
let partnerId: number;
let year: number;
let today: string;

const gateway = await gatewayOfFile();
const [plain, uploader, viewer] = await Promise.all([
  gateway.as("plain"),
  gateway.as("uploader"),
  gateway.as("viewer"),
]);
beforeAll(async () => {
  const rows = await gateway.sql<{ districtId: number; provinceId: number; partnerId: number; today: string }>`
    select district_id, province_id, implementing_partner_id as partner_id, current_date::text as today
    from facility join assessment using (facility_uuid) join tdb using (facility_uuid)
    where implementing_partner_id is not null order by assessed_at desc limit 1
  `;
  const found = rows[0]!;
  ({ partnerId, today } = found);
  year = Number(today.slice(0, 4)) + (Number(today.slice(5, 7)) >= 10 ? 1 : 0);
  province = await gateway.db
    .selectFrom("province")
    .selectAll()
    .where("provinceId", "=", found.provinceId)
    .executeTakeFirstOrThrow();
  district = await gateway.db
    .selectFrom("district")
    .selectAll()
    .where("districtId", "=", found.districtId)
    .executeTakeFirstOrThrow();
});

test("the summary sheet is one flat object in REST and a list of rows in GraphQL", async () => {
  const { data } = await plain.graphql(
    "{ summarySheet { province { name } name pastWeek pastMonth pastQuarter facilities } facilityGroups(by: [PROVINCE]) { of } }",
  );
  const rows = data.summarySheet as {
    province: { name: string } | null;
    name: string;
    pastWeek: number;
    pastMonth: number;
    pastQuarter: number;
    facilities: number;
  }[];
  const sites = data.facilityGroups.map(({ of }: { of: number }) => of);
  expect(rows.slice(0, -1).map(({ facilities }) => facilities)).toEqual(sites);
  const total = sites.reduce((sum: number, of: number) => sum + of, 0);
  expect(rows.at(-1)).toMatchObject({ province: null, name: "Total", facilities: total });
  expect(rows[0]!.province!.name).toBe(rows[0]!.name);
  const { body } = await plain.get("/api/v1/dash/summarySheet");
  const expected = rows.flatMap(({ name, pastWeek, pastMonth, pastQuarter }) => {
    const key = name.replaceAll(/[ -]/g, "");
    return [
      [`pastWeek${key}`, pastWeek],
      [`pastMonth${key}`, pastMonth],
      [`pastQuarter${key}`, pastQuarter],
    ];
  });
  expect(body).toEqual(Object.fromEntries(expected));
  const here = await plain.get(`/api/v1/dash/summarySheet/province/${province.provinceId}`);
  const key = province.name.replaceAll(/[ -]/g, "");
  const sheet = bodyOf<Record<string, number>>(here);
  expect(sheet.pastQuarterTotal).toBe(sheet[`pastQuarter${key}`]);
  expect(sheet.pastQuarterTotal).toBe((body as typeof sheet)[`pastQuarter${key}`]);
  for (const path of [`district/${district.districtId}`, `ip/${partnerId}`])
    expect((await plain.get(`/api/v1/dash/summarySheet/${path}`)).status).toBe(200);
});

const errorPaths = (body: unknown) => (body as { errors?: { path: string }[] }).errors?.map(({ path }) => path);

test("wrong values return 422 naming the parameter, unknown places return 404, and rights are checked before both", async () => {
  const rejected: [string, string][] = [
    [`/dash/functionalityComparison/1999/-1/-1`, "year"],
    [`/dash/functionalityComparison/${Number(today.slice(0, 4)) + 2}/-1/-1`, "year"],
    [`/dash/deploymentMode/x/-1/-1`, "year"],
    [`/dash/cpuCore/${year}/5/-1`, "quarter"],
    [`/dash/osX64/ip/${partnerId}/${year}/0`, "quarter"],
    [`/dash/deploymentMode/${year}/-1/-1?view=weekly`, "view"],
    [`/dash/deploymentMode/${year}/-1/-1?colour=red`, "colour"],
    [`/dash/deploymentMode/${year}/-1/-1?years=0`, "years"],
    [`/dash/functionalityComparison/${year}/-1/-1?view=yearly&years=10`, "years"],
    [`/dash/libraryVersion/province/one/${year}/-1/-1`, "provinceId"],
    [`/dash/summarySheet?view=monthly`, "view"],
    [`/dash/tdbHistory/province/2026-02-30/2026-03-01`, "start"],
    [`/dash/tdbHistory/district/2026-02-01/2026-01-31`, "end"],
    [`/dash/tdbHistory/district/2026-02-01/infinity`, "end"],
    [`/tdb/province/${province.provinceId}/2026-02-01/2026-01-31`, "end"],
    [`/tdb/ip/${partnerId}?limit=0`, "limit"],
  ];
  for (const [path, name] of rejected) {
    const { status, body } = await uploader.get(`/api/v1${path}`);
    expect([path, status, [...new Set(errorPaths(body))]]).toEqual([path, 422, [name]]);
  }
  const missing = [
    `/dash/functionalityComparison/province/99999/${year}/-1/-1`,
    `/dash/cpuCore/district/99999/${year}/-1/-1`,
    `/dash/libraryVersion/${year}/-1/99999`,
    `/dash/osX64/ip/99999/${year}/-1`,
    `/dash/summarySheet/province/99999`,
    `/dash/summarySheet/ip/99999`,
    `/dash/tdbHistory/province/2026-01-01/2026-01-02?districtId=99999`,
    `/tdb/province/99999/2026-01-01/2026-01-02`,
    `/tdb/district/99999/2026-01-01/2026-01-02`,
    `/tdb/ip/99999`,
    `/tdb/facility/nowhere`,
  ];
  for (const path of missing) expect([path, (await uploader.get(`/api/v1${path}`)).status]).toEqual([path, 404]);
  expect((await viewer.get("/api/v1/assessment/list/facility/nowhere")).status).toBe(404);

  const guarded = [...missing.filter((path) => path.startsWith("/tdb")), "/assessment/list/facility/nowhere"];
  for (const path of guarded) expect([path, (await plain.get(`/api/v1${path}`)).status]).toEqual([path, 403]);
  for (const path of [...rejected.map(([each]) => each), ...missing, ...guarded])
    expect([path, (await stranger(gateway.url).get(`/api/v1${path}`)).status]).toEqual([path, 401]);

  const wrong = await plain.graphql(
    "{ cpuCore(year: 1999) { param } osX64(year: 2026, quarter: 7) { param } summarySheet(provinceId: 99999) { name } }",
  );
  expect(wrong.data).toEqual({ cpuCore: null, osX64: null, summarySheet: null });
  expect(
    wrong.errors!.map(({ path, extensions }) => [path[0], extensions.code, extensions.errors?.[0].path]).toSorted(),
  ).toEqual([
    ["cpuCore", "INVALID", "year"],
    ["osX64", "INVALID", "quarter"],
    ["summarySheet", "NOT_FOUND", undefined],
  ]);
});
