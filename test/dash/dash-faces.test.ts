import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { bodyOf, type Person, stranger, testGateway, type TestGateway } from "../support/gateway.ts";

/**
 * The dashboards, TDBs and assessments over HTTP: REST and GraphQL return the same, and only to people with the right.
 */

let gateway: TestGateway;
let plain: Person;
let uploader: Person;
let viewer: Person;
let province: { provinceId: number; name: string };
let district: { districtId: number; name: string };
let partnerId: number;
let facilityUuid: string;
let year: number;
let today: string;

beforeAll(async () => {
  gateway = await testGateway();
  [plain, uploader, viewer] = await Promise.all([gateway.as("plain"), gateway.as("uploader"), gateway.as("viewer")]);
  const { rows } = await sql<{
    facilityUuid: string;
    districtId: number;
    provinceId: number;
    partnerId: number;
    today: string;
  }>`
    select facility_uuid, district_id, province_id, implementing_partner_id as partner_id, current_date::text as today
    from facility join assessment using (facility_uuid) join tdb using (facility_uuid)
    where implementing_partner_id is not null order by assessed_at desc limit 1
  `.execute(gateway.db);
  const found = rows[0]!;
  ({ facilityUuid, partnerId, today } = found);
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
afterAll(() => gateway.stop());

const rowFields = `year quarter calMonth state facilities assessed partial notDeployed notOperational sumTrainedStaff sumSmartCareFunctional sumPrimaryPower sumPrimaryPowerWorking
  sumBackupPower sumBackupPowerWorking
  notRecordedSmartCareFunctional notRecordedPrimaryPower notRecordedPrimaryPowerWorking notRecordedBackupPower notRecordedBackupPowerWorking
  efirst efast elast`;

const levels = () => [
  { tail: (q: number) => `/${year}/${q}/-1`, parent: null, args: "" },
  { tail: (q: number) => `/${year}/${q}/${partnerId}`, parent: null, args: `, implementingPartnerId: ${partnerId}` },
  {
    tail: (q: number) => `/province/${province.provinceId}/${year}/${q}/${partnerId}`,
    parent: `province(provinceId: ${province.provinceId})`,
    args: `, implementingPartnerId: ${partnerId}`,
  },
  {
    tail: (q: number) => `/district/${district.districtId}/${year}/${q}/-1`,
    parent: `district(districtId: ${district.districtId})`,
    args: ", implementingPartnerId: -1",
  },
  {
    tail: (q: number) => `/ip/${partnerId}/${year}/${q}`,
    parent: `implementingPartner(implementingPartnerId: ${partnerId})`,
    args: "",
  },
];

test("every chart at every level is the same by REST and by GraphQL", async () => {
  let counted = 0;
  for (const { tail, parent, args } of levels()) {
    for (const quarter of [-1, 1]) {
      const fields = ["functionalityComparison", "deploymentMode"].flatMap((name) => [
        `${name}(year: ${year}, quarter: ${quarter}${args}) { ${rowFields} }`,
        `${name}Quarterly: ${name}(year: ${year}, quarter: ${quarter}, view: QUARTERLY${args}) { ${rowFields} }`,
      ]);
      for (const name of ["libraryVersion", "cpuCore", "osX64"])
        fields.push(`${name}(year: ${year}, quarter: ${quarter}${args}) { param value of }`);
      const { data, errors } = await uploader.graphql(
        `{ ${parent ?? "scope: __typename"} ${parent ? `{ ${fields.join(" ")} }` : fields.join(" ")} }`,
      );
      expect(errors).toBeUndefined();
      const charts = parent ? data[parent.split("(")[0]!] : data;
      for (const [key, rows] of Object.entries(charts as Record<string, unknown[]>)) {
        if (key === "scope") continue;
        const [name, quarterly] = key.split("Quarterly");
        const { status, body } = await uploader.get(
          `/api/v1/dash/${name}${tail(quarter)}${quarterly === undefined ? "" : "?view=quarterly"}`,
        );
        expect([status, body], `${name}${tail(quarter)}`).toEqual([200, rows]);
        counted += rows.length;
      }
      expect(charts.functionalityComparison).toHaveLength(quarter === -1 ? 12 : 3);
      expect(charts.functionalityComparison[0]).toMatchObject({ quarter: 1, calMonth: 10 });
      expect(charts.deploymentModeQuarterly).toHaveLength(quarter === -1 ? 4 : 1);
      expect(charts.deploymentModeQuarterly[0]).toMatchObject({ quarter: 1, calMonth: null });
    }
  }
  expect(counted).toBeGreaterThan(5 * 2 * 20);
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

test("TDB History is the same by REST and by GraphQL; its rows per facility need the right to read TDBs", async () => {
  const range = `start: "2000-01-01", end: "${today}"`;
  const scope = { province: `provinceId: ${province.provinceId}`, district: `districtId: ${district.districtId}` };
  const query = `{
    all: tdbHistory(level: PROVINCE, ${range}) { hxId name components of tdbCount totalPatients }
    here: tdbHistory(level: DISTRICT, ${range}, ${scope.province}, implementingPartnerId: ${partnerId}) { hxId name components of tdbCount totalPatients }
    tdbHistoryFacilities(${range}, ${scope.province}) { facilityId districtName facilityName dateUploaded totalPatients }
    district(districtId: ${district.districtId}) {
      tdbHistoryFacilities(${range}) { facilityId districtName facilityName dateUploaded totalPatients } }
  }`;
  const { data, errors } = await uploader.graphql(query);
  expect(errors).toBeUndefined();
  const at = `2000-01-01/${today}`;
  expect((await uploader.get(`/api/v1/dash/tdbHistory/province/${at}`)).body).toEqual(data.all);
  const narrow = `provinceId=${province.provinceId}&implementingPartnerId=${partnerId}`;
  expect((await uploader.get(`/api/v1/dash/tdbHistory/district/${at}?${narrow}`)).body).toEqual(data.here);
  expect((await uploader.get(`/api/v1/tdb/province/${province.provinceId}/${at}`)).body).toEqual(
    data.tdbHistoryFacilities,
  );
  expect((await uploader.get(`/api/v1/tdb/district/${district.districtId}/${at}`)).body).toEqual(
    data.district.tdbHistoryFacilities,
  );
  expect(data.tdbHistoryFacilities.map((row: { facilityId: string }) => row.facilityId)).toContain(facilityUuid);
  const own = data.all.find(({ hxId }: { hxId: number }) => hxId === province.provinceId);
  expect(own.components).toBe(data.tdbHistoryFacilities.length);

  const without = await plain.graphql(query);
  expect(without.data.tdbHistoryFacilities).toBeNull();
  expect(without.data.all).toEqual(
    data.all.map(({ hxId, name, ...counts }: { hxId: number; name: string; of: number; tdbCount: number }) =>
      counts.tdbCount === 0
        ? expect.objectContaining({ hxId, name })
        : { hxId, name, components: null, of: counts.of, tdbCount: null, totalPatients: null },
    ),
  );
  expect(without.errors!.map(({ extensions }) => extensions.code)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
});

test("TDB records and past assessments are the same by REST and GraphQL; TDB records come newest first, in pages linked by the Link header", async () => {
  const fields = `uuid facilityUuid facility { facilityName } district { name } province { name } uploadDate uploadTime deltaTdb
    tdbCreationDate totalPatients fileSize userFirstName userSurname sha256 libraryVersion setAside { at reason userName } held implementingPartner { implementingPartner }`;
  const query = `query ($facilityUuid: String!) { facility(facilityUuid: $facilityUuid) {
    tdbs(first: 100) { totalCount nodes { ${fields} } }
    assessments(first: 100) { totalCount nodes { assessmentUuid facilityUuid assessmentDate assessmentTime assessedAt receivedAt userName setAside { at reason userName } held } } } }`;
  const at = encodeURIComponent(facilityUuid);

  const { data } = await uploader.graphql(query, { facilityUuid });
  const { nodes, totalCount } = data.facility.tdbs;
  const records = (nodes as Record<string, Record<string, string> | null>[]).map((node) => ({
    ...node,
    facility: node.facility!.facilityName,
    district: node.district!.name,
    province: node.province!.name,
    implementingPartner: node.implementingPartner?.implementingPartner ?? null,
  })) as Record<string, unknown>[];
  expect((await uploader.get(`/api/v1/tdb/facility/${at}`)).body).toEqual(records);
  expect(totalCount).toBe(records.length);
  const times = records.map(({ uploadDate, uploadTime }) => `${String(uploadDate)} ${String(uploadTime)}`);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(data.facility.assessments).toBeNull();

  const allRecords = bodyOf<{ uuid: string; implementingPartner: string }[]>(
    await uploader.get(`/api/v1/tdb/ip/${partnerId}`),
  );
  expect(new Set(allRecords.map(({ implementingPartner }) => implementingPartner)).size).toBe(1);
  const paged = [];
  let path: string | undefined = `/api/v1/tdb/ip/${partnerId}?limit=${Math.ceil(allRecords.length / 3)}`;
  for (let page = 0; path && page < 10; page += 1) {
    const { body, headers } = await uploader.get(path);
    paged.push(...(body as typeof allRecords));
    path = /^<(.*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
  }
  expect(paged).toEqual(allRecords);

  const seen = await viewer.graphql(query, { facilityUuid });
  expect(seen.data.facility.tdbs).toBeNull();
  expect(seen.errors![0].extensions.code).toBe("FORBIDDEN");
  type Visit = { assessmentUuid: string };
  const past = (seen.data.facility.assessments.nodes as Visit[]).map(({ assessmentUuid: uuid, ...rest }) => ({
    uuid,
    ...rest,
  }));
  expect((await viewer.get(`/api/v1/assessment/list/facility/${at}`)).body).toEqual(past);
  expect(past.length).toBeGreaterThan(0);
});

test("an assessment has every field of its record and is a node, for people who may view assessments", async () => {
  const one = `id assessmentUuid facilityUuid userUuid userName assessmentDate assessmentTime primaryPower primaryPowerWorking primaryPowerNotes
    backupPower backupPowerWorking backupPowerNotes smartCareFunctional libraryVersionConsistent libraryVersion databaseVersion
    functionalityStatusMode dateOfLastUpgrade numberOfStaffTrainedInSmartCare latitude longitude otherIssues closingComments
    contactAName contactARole contactAPrimaryPhone contactASecondaryPhone contactAEmail
    contactBName contactBRole contactBPrimaryPhone contactBSecondaryPhone contactBEmail version facility { facilityName district { name } }
    serviceAreaAssessments { serviceAreaId serviceArea { serviceArea } libraryVersion databaseVersion smartCareFunctional additionalNotes }`;
  const { data, errors } = await viewer.graphql(
    `{ assessments(provinceId: ${province.provinceId}, first: 5) { nodes { ${one} } } }`,
  );
  expect(errors).toBeUndefined();
  const [first] = data.assessments.nodes;
  const again = await viewer.graphql(`query ($id: ID!) { node(id: $id) { ... on Assessment { ${one} } } }`, {
    id: first.id,
  });
  expect(again.data.node).toEqual(first);
  const denied = await plain.graphql(`query ($id: ID!) { node(id: $id) { __typename } }`, { id: first.id });
  expect(denied.data.node).toBeNull();
  expect(denied.errors![0].extensions.code).toBe("FORBIDDEN");
  for (const type of ["Assessment", "Tdb"]) {
    for (const key of ["nothing", "00000000-0000-7000-8000-00000000ffff"]) {
      const id = Buffer.from(`${type}:${key}`).toString("base64");
      const missing = await (type === "Tdb" ? uploader : viewer).graphql(`query ($id: ID!) { node(id: $id) { id } }`, {
        id,
      });
      expect([missing.data, missing.errors]).toEqual([{ node: null }, undefined]);
    }
  }
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
