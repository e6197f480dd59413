import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Example, readExample } from "../../client/explorer/examples.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";
import { findToday } from "../../db/system/system.ts";
import { examples as curlExamples, examplesText } from "../../gateway/rest/description/examples.ts";
import { insertLostBackupPower } from "../dash/dash-data.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/**
 * The guides: each of the analysts' questions has the same answer as plain SQL over assessments and TDBs, and each
 * command runs.
 */

let gateway: TestGateway;
let examples: Example[];
let guide: string;
let today: string;
let folder: string;

beforeAll(async () => {
  gateway = await testGateway();
  today = await findToday(gateway.db);
  await insertLostBackupPower(gateway.db);
  await rebuildRollups(gateway.db);
  const path = "client/explorer/examples";
  const names = await readdir(path);
  examples = await Promise.all(
    names.map(async (name) => readExample(name, await readFile(join(path, name), "utf8"), today)),
  );
  guide = await readFile("docs/guides/ask.md", "utf8");
  folder = await mkdtemp(join(tmpdir(), "platform-guides-"));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

// oxlint-disable-next-line typescript/no-explicit-any -- each answer has its own shape; the entries of `twins` show which fields are read
type Data = Record<string, any>;
type Twin = { rows: (data: Data) => unknown[]; sql: (variables: Data) => RawBuilder<unknown> };

const partnerOf = (row: Data): string | null => row["implementingPartner"]?.implementingPartner ?? null;
const local = sql`(assessed_at at time zone 'Africa/Lusaka')`;
/** The start of an assessment's quarter. The fiscal year starts with the calendar's fourth quarter. */
const quarter = sql`date_trunc('quarter', ${local})`;
const thisQuarter = sql`date_trunc('quarter', now() at time zone 'Africa/Lusaka')`;
const inMode = (mode: string) => sql`count(*) filter (where functionality_status_mode = ${mode})::int`;
const having = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})::int`;
const yearBegins = (year: unknown) => sql`make_date(${year}::int - 1, 10, 1)`;
const ever = sql`null::text`;
/** The latest assessment of each facility in each group of assessments. */
const latest = (group: RawBuilder<unknown>, where: RawBuilder<unknown> = sql`true`) => sql`(
  select distinct on (facility_uuid, ${group}) *, ${group} as slot from assessment where ${where}
  order by facility_uuid, ${group}, assessed_at desc, assessment_uuid desc) as visit`;

const twins: Record<string, Twin> = {
  LostBackupPower: {
    rows: ({ facilities }) =>
      facilities.nodes.map((row: Data) => [partnerOf(row), row.facilityName, row.hmisCode, row.district.name]),
    sql: ({ province }) => sql`
      select partner.name, facility_name, hmis_code, district.name
      from facility join province using (province_id) join district using (district_id)
      left join implementing_partner as partner using (implementing_partner_id)
      join ${latest(ever)} using (facility_uuid)
      where province.name = ${province} and visit.functionality_status_mode = 'EFirst' and visit.smart_care_functional
        and visit.backup_power_working is not true
        and (select past.backup_power_working from assessment as past
          where past.facility_uuid = facility.facility_uuid
            and past.assessed_at at time zone 'Africa/Lusaka' < ${thisQuarter}
          order by past.assessed_at desc limit 1)`,
  },
  ModesByProvince: {
    rows: ({ facilityGroups }) =>
      facilityGroups.map((row: Data) => [
        row.province.name,
        row.facilities,
        row.efirst,
        row.efast,
        row.elast,
        row.partial,
        row.notDeployed,
        row.notOperational,
      ]),
    sql: () => sql`
      select province.name, count(*)::int, ${sql.join(["EFirst", "EFast", "ELast", "Partial", "NotDeployed", "NotOperational"].map((mode) => having(sql`visit.functionality_status_mode = ${mode}`)))}
      from facility join province using (province_id) left join ${latest(ever)} using (facility_uuid) where facility.closed_on is null group by 1`,
  },
  DeploymentOverTheYear: {
    rows: ({ deploymentMode }) => deploymentMode.map((row: Data) => [row.calMonth, row.efirst, row.efast, row.elast]),
    sql: ({ year }) => sql`
      select extract(month from month)::int, ${sql.join(["EFirst", "EFast", "ELast"].map(inMode))}
      from generate_series(${yearBegins(year)}, ${yearBegins(year)} + interval '11 months', interval '1 month') as month
      left join ${latest(sql`date_trunc('month', ${local})`)} on slot = month group by 1`,
  },
  PowerByQuarter: {
    rows: ({ functionalityComparison }) =>
      functionalityComparison.map((row: Data) => [
        row.quarter,
        row.sumSmartCareFunctional,
        row.sumPrimaryPower,
        row.sumPrimaryPowerWorking,
        row.sumBackupPower,
        row.sumBackupPowerWorking,
      ]),
    sql: ({ year }) => sql`
      select (extract(quarter from begins)::int % 4) + 1, ${sql.join(["smart_care_functional", "primary_power", "primary_power_working", "backup_power", "backup_power_working"].map((name) => having(sql.ref(name))))}
      from generate_series(${yearBegins(year)}, ${yearBegins(year)} + interval '11 months', interval '3 months') as begins
      left join ${latest(quarter)} on slot = begins group by 1`,
  },
  NotFunctionalLately: {
    rows: ({ assessments }) =>
      assessments.nodes.map((row: Data) => [
        row.assessmentDate,
        row.facility.facilityName,
        row.functionalityStatusMode,
        row.otherIssues,
        row.userName,
      ]),
    sql: ({ since }) => sql`
      select ${local}::date::text, facility_name, assessment.functionality_status_mode, other_issues, user_name
      from assessment join facility using (facility_uuid) join app_user using (user_uuid)
      where smart_care_functional = false and ${local}::date >= ${since}::date order by assessed_at desc limit 100`,
  },
  VersionsInUse: {
    rows: ({ libraryVersion }) => libraryVersion.map((row: Data) => [row.version, row.facilities]),
    sql: ({ year }) => sql`
      select library_version, count(*)::int from ${latest(ever, sql`${local} >= ${yearBegins(year)} and ${local} < ${yearBegins(year)} + interval '1 year'`)}
      where library_version is not null group by 1`,
  },
  StaffTrained: {
    rows: ({ facilityGroups }) =>
      facilityGroups
        .filter(({ facilities }: Data) => facilities > 0)
        .map((row: Data) => [partnerOf(row), row.quarter, row.facilities, row.sumTrainedStaff]),
    sql: () => sql`
      with this_year as (select date_trunc('year', now() at time zone 'Africa/Lusaka' + interval '3 months') - interval '3 months' as begins)
      select partner.name, (extract(quarter from slot)::int % 4) + 1, count(*)::int, sum(number_of_staff_trained_in_smart_care)::int
      from ${latest(quarter)} join facility using (facility_uuid) left join implementing_partner as partner using (implementing_partner_id), this_year
      where slot >= begins - interval '1 year' and slot < begins group by 1, 2`,
  },
  TdbsByDistrict: {
    rows: ({ tdbHistory }) =>
      tdbHistory.map((row: Data) => [row.district, row.facilitiesThatSent, row.tdbCount, row.totalPatients]),
    sql: ({ start, end }) => sql`
      with received as (
        select tdb.*, facility.district_id from tdb join facility using (facility_uuid)
        where (uploaded_at at time zone 'Africa/Lusaka')::date between ${start}::date and ${end}::date)
      select district.name, (select count(distinct facility_uuid)::int from received where received.district_id = district.district_id),
        (select count(*)::int from received where received.district_id = district.district_id),
        (select coalesce(sum(total_patients), 0)::int from (
          select distinct on (facility_uuid) total_patients from received where received.district_id = district.district_id
          order by facility_uuid, tdb_created_at desc, uploaded_at desc) as last)
      from district`,
  },
  SilentSites: {
    rows: ({ silentSiteCounts }) =>
      silentSiteCounts.map((row: Data) => [row.partner, row.expected, row.overdue, row.neverSent]),
    sql: () => sql`
      select coalesce(partner.name, 'No implementing partner'), ${having(sql`deployed or made is not null`)},
        ${having(sql`current_date - made > 30 or (made is null and deployed)`)}, ${having(sql`made is null and deployed`)}
      from (
        select implementing_partner_id, functionality_status_mode in ('EFirst', 'EFast', 'ELast', 'Partial') is true as deployed,
          (select (tdb_created_at at time zone 'Africa/Lusaka')::date from tdb where tdb.facility_uuid = facility.facility_uuid
            order by tdb_created_at desc, uploaded_at desc limit 1) as made
        from facility where closed_on is null) as site left join implementing_partner as partner using (implementing_partner_id) group by 1`,
  },
  PartnersAtWork: {
    rows: ({ implementingPartners }) =>
      implementingPartners.nodes.map((row: Data) => [
        row.implementingPartner,
        row.facilities.totalCount,
        row.efirst.totalCount,
        row.visits.totalCount,
      ]),
    sql: ({ start }) => sql`
      select name, count(facility_uuid)::int, ${inMode("EFirst")},
        (select count(*)::int from assessment join facility as visited using (facility_uuid)
          where visited.implementing_partner_id = partner.implementing_partner_id and ${local}::date >= ${start}::date)
      from implementing_partner as partner left join facility using (implementing_partner_id) where active group by partner.implementing_partner_id, name`,
  },
};

const operationOf = (query: string) => /^query (\w+)/m.exec(query)![1]!;
const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();

test("the guide contains ten of the explorer's questions, word for word", () => {
  const blocks = [...guide.matchAll(/^### \d+\. (.+)\n\n```graphql\n([^]*?)```/gm)].map(
    ([, title, query]) => `# ${title}\n${query}`,
  );
  expect(blocks.map((text) => operationOf(text))).toEqual(Object.keys(twins));
  for (const text of blocks) expect(examples.map(({ query }) => query)).toContain(text);
});

test.each(Object.keys(twins))("%s: the answer equals that of plain SQL", async (name) => {
  const { query, variables } = examples.find((example) => operationOf(example.query) === name)!;
  const { data, errors } = await (await gateway.as("admin")).graphql(query, variables);
  expect(errors).toBeUndefined();
  const answered = twins[name]!.rows(data as Data) as unknown[][];
  const columns = answered[0]!.map((_, index) => sql.ref(`column${index}`));
  const { rows } =
    await sql<Data>`select * from (${twins[name]!.sql(variables)}) as answer (${sql.join(columns)})`.execute(
      gateway.db,
    );
  expect(inOrder(answered)).toEqual(inOrder(rows.map((row) => Object.values(row))));
});

test("each example that test/rest/curl.test.ts runs is in one of the guides, word for word", async () => {
  const pages = await Promise.all(["pull", "follow", "send"].map((name) => readFile(`docs/guides/${name}.md`, "utf8")));
  const sections = examplesText.split(/\n\n(?=### )/);
  expect(sections).toHaveLength(curlExamples.length);
  for (const section of sections)
    expect(
      pages.filter((page) => page.includes(`${section}\n`)),
      section,
    ).toHaveLength(1);
});

test("the analysts' command runs as written", async () => {
  const [, command] = /## A query from a program\n\n```sh\n([^]*?)```/.exec(guide)!;
  const person = await gateway.as("viewer");
  const { body } = await person.call("POST", "/api/v1/token", {
    name: "Guide",
    privileges: ["viewAssessments"],
    expiryDate: today,
  });
  const token = (body as { token?: string }).token;
  expect(token, JSON.stringify(body)).toBeDefined();
  await promisify(execFile)("sh", ["-euc", command!], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ADDRESS: gateway.url, TOKEN: token },
  });
  const csv = await readFile(join(folder, "provinces.csv"), "utf8");
  expect(csv.split("\r\n")[0]).toBe("\uFEFFprovince.name,facilities,efirst");
  expect(csv.trim().split("\r\n")).toHaveLength(11);
});
