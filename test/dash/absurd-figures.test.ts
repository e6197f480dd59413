import { beforeAll, expect, test } from "vitest";

import { fiscalYearOf } from "../../gateway/calendar/fiscal.rules.ts";
import { bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Figures that no facility has, as a database of an earlier version may hold them: every chart and group still answers.
 */

const most = 2_147_483_647;
let year: number;

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  // The latest visit and the latest TDB of each facility, and their roll-ups, changed behind the rules.
  await gateway.sql`update assessment set number_of_staff_trained_in_smart_care = ${most} where assessment_uuid in (
    select distinct on (facility_uuid) assessment_uuid from assessment order by facility_uuid, assessed_at desc, assessment_uuid desc)`;
  await gateway.sql`update tdb set total_patients = ${most} where tdb_uuid in (
    select distinct on (facility_uuid) tdb_uuid from tdb order by facility_uuid, tdb_created_at desc, uploaded_at desc)`;
  await gateway.sql`update assessment_rollup set staff_trained = ${most}`;
  await gateway.sql`update tdb_rollup set total_patients = ${most}`;
  year = fiscalYearOf(bodyOf<{ today: string }>(await admin.get("/api/v1/system")).today);
});

test("charts, groups and histories answer with sums beyond 32 bits, by GraphQL and REST", async () => {
  const { data, errors } = await admin.graphql<{
    functionalityComparison: { assessed: number; sumTrainedStaff: number }[];
    tdbHistory: { totalPatients: number | null }[];
    facilityGroups: { sumTrainedStaff: number }[];
    tdbGroups: { totalPatients: number | null }[];
  }>(
    `query ($year: Int!, $start: Date!, $end: Date!) {
      functionalityComparison(year: $year, quarter: -1) { assessed sumTrainedStaff }
      tdbHistory(level: PROVINCE, start: $start, end: $end) { totalPatients }
      facilityGroups(by: [PROVINCE], against: { asOf: $start }) { sumTrainedStaff change { sumTrainedStaff } }
      tdbGroups(by: [PROVINCE], start: $start, end: $end) { totalPatients }
    }`,
    { year, start: `${year - 1}-01-01`, end: `${year}-12-31` },
  );
  expect(errors).toBeUndefined();
  for (const row of data.functionalityComparison) expect(row.sumTrainedStaff).toBe(row.assessed * most);
  expect(Math.max(...data.functionalityComparison.map((row) => row.sumTrainedStaff))).toBeGreaterThan(most);
  expect(Math.max(...data.tdbHistory.map((row) => row.totalPatients ?? 0))).toBeGreaterThan(most);
  expect(Math.max(...data.facilityGroups.map((row) => row.sumTrainedStaff))).toBeGreaterThan(most);
  expect(Math.max(...data.tdbGroups.map((row) => row.totalPatients ?? 0))).toBeGreaterThan(most);

  const rows = await admin.get(`/api/v1/dash/functionalityComparison/${year}/-1/-1`);
  expect([
    rows.status,
    Math.max(...bodyOf<{ sumTrainedStaff: number }[]>(rows).map((row) => row.sumTrainedStaff)) > most,
  ]).toEqual([200, true]);
  const history = await admin.get(`/api/v1/dash/tdbHistory/province/${year - 1}-01-01/${year}-12-31`);
  expect([
    history.status,
    Math.max(...bodyOf<{ totalPatients: number }[]>(history).map((row) => row.totalPatients)) > most,
  ]).toEqual([200, true]);
  for (const path of ["tdb/meta/list/all/csv/2024-01-01/2027-01-01"])
    expect([path, (await admin.get(`/api/v1/${path}`)).status]).toEqual([path, 200]);
});

test("a visit with more than 10,000 staff is refused, with the field's name, by REST and GraphQL", async () => {
  const { facilityUuid } = await gateway.db
    .selectFrom("facility")
    .select("facilityUuid")
    .limit(1)
    .executeTakeFirstOrThrow();
  const visit = {
    facilityUuid,
    functionalityStatusMode: "ELast",
    dateOfLastUpgrade: "2026-01-31",
    numberOfStaffTrainedInSmartCare: 977_123_456,
  };
  const refused = [{ path: "numberOfStaffTrainedInSmartCare", message: "must be at most 10,000" }];
  const answer = await admin.call("POST", "/api/v1/assessment", visit);
  expect([answer.status, bodyOf<{ errors: unknown }>(answer).errors]).toEqual([422, refused]);
  const { data } = await admin.graphql<{ createAssessment: { errors: unknown } }>(
    "mutation ($input: CreateAssessmentInput!) { createAssessment(input: $input) { errors { path message } } }",
    { input: visit },
  );
  expect(data.createAssessment.errors).toEqual(refused);
});
