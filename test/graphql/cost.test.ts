import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { getNamedType, isInterfaceType, isListType, getNullableType, isObjectType } from "graphql";
import { type CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Replica } from "../../db/engine/replica/replica.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";
import { databaseThrough } from "../../db/engine/through.ts";
import { schema } from "../../gateway/schema.ts";
import { bodyOf, type Person, type TestGateway, testGateway } from "../support/gateway.ts";
import { saveQuery } from "../support/mutations.ts";

/**
 * The declared cost of a query matches what it takes: the rows that PostgreSQL reads and sorts for it (`explain
 * analyze`), and the values of the answer. Rows are the same on every machine; times are not.
 */

/** The same large grouping of all visits, so many times. */
const groupings = (count: number, name: string) =>
  `{ ${Array.from({ length: count }, (_, n) => `${name}${n}: assessmentGroups(by: [DISTRICT, MODE, LIBRARY_VERSION], minimumSize: 1) { assessments }`).join(" ")} }`;

let clientDir: string;
let country: TestGateway;
let gateway: TestGateway;
let admin: Person;
/** Rows that the statements have scanned and sorted since the last reset. */
let work = { scanned: 0, sorted: 0 };

type Plan = {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Plan[];
};

function add(plan: Plan): void {
  const loops = plan["Actual Loops"];
  const rows =
    (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0)) *
    loops;
  // Looking a row up in an index takes about as long as reading one, whether it is found or not.
  if (plan["Node Type"] === "Index Only Scan" && loops === 1) work.scanned += rows / 30;
  else if (/Scan/.test(plan["Node Type"]) && !/CTE|Subquery|Function|Values|WorkTable/.test(plan["Node Type"]))
    work.scanned += Math.max(rows, loops > 1 ? loops : 0);
  if (plan["Node Type"].endsWith("Sort")) work.sorted += plan["Actual Rows"] * loops;
  for (const below of plan.Plans ?? []) add(below);
}

beforeAll(async () => {
  country = await testGateway();
  // A longer history: nine copies of the made-up visits, each 90 hours earlier than the one before.
  await country.db.connection().execute(async (session) => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_name = 'assessment' and is_generated = 'NEVER'`.execute(
      session,
    );
    const values = rows.map(({ name }) =>
      name === "assessment_uuid"
        ? sql`gen_random_uuid()`
        : name === "assessed_at"
          ? sql`assessed_at - (n || ' hours')::interval * 90`
          : name === "library_version"
            ? sql`'2.' || (n % 5)`
            : sql.ref(name),
    );
    await sql`set session_replication_role = replica`.execute(session);
    await sql`insert into assessment (${sql.join(rows.map(({ name }) => sql.ref(name)))}) select ${sql.join(values)} from assessment, generate_series(1, 9) n`.execute(
      session,
    );
    await sql`set session_replication_role = default`.execute(session);
  });
  await rebuildRollups(country.db);
  // Vacuumed as well: dead rows would also be read, and their number varies.
  await sql`vacuum analyze`.execute(country.db);
  const bare = country.db.withoutPlugins();
  const reads = databaseThrough(async <Row>(query: CompiledQuery) => {
    if (/^\s*(select|with)/i.test(query.sql)) {
      const { rows } = await bare.transaction().execute(async (session) => {
        // The demonstration's tables are so small that PostgreSQL may not use an index; a country's are not.
        await sql`set local enable_seqscan = off`.execute(session);
        return session.executeQuery<{ "QUERY PLAN": [{ Plan: Plan }] }>({
          ...query,
          sql: `explain (analyze, format json) ${query.sql}`,
        });
      });
      add(Object.values(rows[0]!)[0]![0].Plan);
    }
    return bare.executeQuery<Row>(query);
  }, country.db);
  // Reads go to a replica: this one records the query plans.
  const replica: Replica = {
    reads,
    hasReached: async () => true,
    state: () => ({ fault: null, lagSeconds: 0, requests: { replica: 0, primary: 0 }, failures: 0 }),
    close: async () => {},
  };
  clientDir = await mkdtemp(join(tmpdir(), "platform-client-"));
  for (const folder of [".vite", "assets"]) await mkdir(join(clientDir, folder));
  await writeFile(
    join(clientDir, ".vite", "documents.json"),
    JSON.stringify({ ten: groupings(10, "screen"), many: groupings(90, "screen") }),
  );
  gateway = await testGateway("empty", { db: country.db, replica, clientDir });
  admin = await gateway.as("admin");
});
afterAll(async () => {
  await gateway.stop();
  await country.stop();
  await rm(clientDir, { recursive: true, force: true });
});

const rows = "assessments facilities efirst";
const states = "facilities assessed efirst efast";
const shapes: string[] = [
  ...[
    "",
    "PROVINCE",
    "DISTRICT",
    "IMPLEMENTING_PARTNER",
    "MODE",
    "LIBRARY_VERSION",
    "YEAR",
    "QUARTER",
    "MONTH",
    "PROVINCE, YEAR",
    "DISTRICT, MODE",
    "MODE, LIBRARY_VERSION",
  ].map((by) => `assessmentGroups(by: [${by}]) { ${rows} }`),
  ...[
    'start: "2026-01-01"',
    'start: "2025-12-01", end: "2026-05-31"',
    "provinceId: 1",
    "implementingPartnerId: 1",
    "smartCareFunctional: true",
    'start: "2024-01-01", end: "2024-12-31"',
  ].map((args) => `assessmentGroups(by: [MODE], ${args}) { ${rows} }`),
  ...["", "PROVINCE", "DISTRICT", "IMPLEMENTING_PARTNER", "MODE"].map(
    (by) => `facilityGroups(by: [${by}]) { ${states} }`,
  ),
  ...["MONTH", "QUARTER", "YEAR", "PROVINCE, MONTH", "IMPLEMENTING_PARTNER, QUARTER"].map(
    (by) => `facilityGroups(by: [${by}]) { ${states} }`,
  ),
  "facilityGroups(by: [PROVINCE], period: { year: 2026 }) { facilities of }",
  "facilityGroups(by: [DISTRICT, QUARTER], period: { year: 2011 }) { facilities }",
  'assessmentGroups(by: [PROVINCE, IMPLEMENTING_PARTNER], start: "2026-01-05", end: "2026-01-09") { assessments of }',
  "facilityGroups(by: [DISTRICT, IMPLEMENTING_PARTNER, MODE], minimumSize: 1) { facilities }",
  "facilityGroups(by: [PROVINCE], filter: { latestAssessment: { mode: [EFirst] } }) { facilities }",
  ...["", "PROVINCE", "MONTH"].map((by) => `tdbGroups(by: [${by}]) { tdbCount facilities }`),
  "facilities(first: 5, filter: { latestAssessment: { mode: [EFirst] } }) { totalCount }",
  "facilities(first: 5, filter: { latestAssessment: { smartCareFunctional: true }, earlierAssessment: { smartCareFunctional: false } }) { totalCount }",
  'facilities(first: 5, filter: { latestAssessment: { asOf: "2026-03-31", smartCareFunctional: true } }) { totalCount }',
  'facilities(first: 5, filter: { change: { from: "2025-12-31", to: "2026-06-30", lost: [BACKUP_POWER_WORKING] } }) { totalCount }',
  ...["", "PROVINCE", "MODE"].map((by) => `facilityGroups(by: [${by}], asOf: "2026-05-17") { ${states} }`),
  ...["PROVINCE", "DISTRICT"].map(
    (by) =>
      `assessmentGroups(by: [${by}]) { assessments daysBetweenVisits { median known } staffTrained { mean p90 } }`,
  ),
  ...["PROVINCE", "IMPLEMENTING_PARTNER"].map(
    (by) => `facilityGroups(by: [${by}]) { facilities staffTrained { sum median } daysSinceLastVisit { max } }`,
  ),
  "tdbGroups(by: [PROVINCE]) { tdbCount daysBetweenTdbs { median } }",
  'facilityGroups(by: [PROVINCE], asOf: "2026-06-30", against: { asOf: "2026-03-31" }) { facilities change { efirst } }',
  'silentSites(first: 5, asOf: "2026-05-17") { totalCount }',
  'silentSiteCounts(level: DISTRICT, asOf: "2026-10-31") { facilities overdue }',
  ...['range: "LAST_90_DAYS"', 'range: "LAST_90_DAYS", kinds: [WORKS]', 'range: "LAST_30_DAYS", provinceId: 1'].map(
    (args) => `ledger(first: 5, ${args}) { totalCount }`,
  ),
  'ledgerCounts(range: "LAST_12_MONTHS") { count }',
  "facilities(first: 100) { nodes { id facilityUuid facilityName hmisCode facilityOwner facilityType latitude longitude district { name } province { name } } }",
  "assessments(first: 100) { nodes { id assessmentDate assessmentTime userName functionalityStatusMode libraryVersion closingComments otherIssues } }",
  "districts(first: 100) { nodes { id name districtId province { id name provinceId } } }",
  ...["functionalityComparison", "deploymentMode"].map(
    (name) => `${name}(year: 2026) { quarter calMonth sumTrainedStaff efirst efast elast }`,
  ),
  'tdbHistoryFacilities(start: "2025-12-05", end: "2026-11-11") { facilityId facilityName dateUploaded totalPatients }',
];

/** The number of values in an answer, objects included. */
const valuesOf = (value: unknown): number =>
  Array.isArray(value)
    ? value.reduce((sum: number, each) => sum + valuesOf(each), 0)
    : value !== null && typeof value === "object"
      ? 1 + Object.values(value).reduce((sum: number, each) => sum + valuesOf(each), 0)
      : 1;

test(`the declared cost of ${shapes.length} kinds of queries is within a factor of 3 of what they take`, async () => {
  expect(shapes.length).toBeGreaterThanOrEqual(40);
  const measured: { ratio: number; [name: string]: unknown }[] = [];
  for (const shape of shapes) {
    work = { scanned: 0, sorted: 0 };
    const { body } = await admin.call("POST", "/graphql", { query: `{ ${shape} }` });
    const { data, errors, extensions } = body as {
      data: object;
      errors?: object[];
      extensions: { cost: { cost: number } };
    };
    expect([shape, errors]).toEqual([shape, undefined]);
    const values = valuesOf(data);
    const taken = 0.3 * work.scanned + 0.3 * work.sorted + values + 10;
    const ratio = extensions.cost.cost / taken;
    measured.push({
      shape,
      declared: extensions.cost.cost,
      taken: Math.round(taken),
      values,
      ...work,
      ratio: Math.round(ratio * 100) / 100,
    });
  }
  const outside = measured.filter(({ ratio }) => ratio > 3 || ratio < 1 / 3);
  expect(outside).toEqual([]);
});

test("each root field is measured above, declared like a measured one, or reads little more than it returns", () => {
  /** Fields that are neither a record nor a page of records, but read little more than they return. */
  const plain = new Set([
    ...[
      "assessmentTemplate",
      "auditActions",
      "changes",
      "connectivityProviders",
      "connectivityTypes",
      "districtBoundaries",
      "facilityMergePreview",
      "facilityMerges",
      "identifierSystems",
    ],
    ...[
      "provinceBoundaries",
      "registryImport",
      "registryPlaces",
      "registryReconciliation",
      "serviceAreas",
      "siteList",
      "smartCareAssessmentVersions",
      "setUp",
      "system",
      "systemChecks",
    ],
    ...["tdbPreview", "unfinishedUploads", "updates", "viewer"],
  ]);
  /** Fields whose cost is declared like that of a measured field. */
  const alike: Record<string, string> = {
    ...{
      libraryVersion: "deploymentMode",
      cpuCore: "deploymentMode",
      osX64: "deploymentMode",
      attainment: "deploymentMode",
      summarySheet: "facilityGroups",
      tdbHistory: "tdbHistoryFacilities",
    },
    ...{
      situation: "facilityGroups",
      reportFigures: "facilityGroups",
      fleet: "facilityGroups",
      fleetSites: "facilityGroups",
      rollout: "facilityGroups",
      worklist: "facilityGroups",
      tdbs: "assessments",
      actions: "assessments",
      tdbCount: "assessments",
    },
  };
  const hasShape = (name: string) => shapes.some((shape) => new RegExp(`^${name}\\b`).test(shape));
  expect(Object.values(alike).filter((name) => !hasShape(name))).toEqual([]);
  const unmeasured = Object.values(schema.getQueryType()!.getFields()).filter(({ name, type, extensions }) => {
    if (hasShape(name) || plain.has(name) || name in alike) return false;
    const named = getNamedType(type);
    const isRecord =
      isInterfaceType(named) ||
      (isObjectType(named) && named.getInterfaces().length > 0 && !isListType(getNullableType(type)));
    return "reads" in extensions || !(isRecord || named.name.endsWith("Connection"));
  });
  expect(unmeasured.map(({ name }) => name)).toEqual([]);
});

test("ten groupings of all visits in one query are refused, with the rows they read and advice, and not saved; a smaller one is answered", async () => {
  const ten = groupings(10, "a");
  const { errors } = await admin.graphql(ten);
  expect(errors![0].message).toMatch(
    /^This query costs up to \d{3},\d{3}, for it reads some \d{3},\d{3} rows; the limit is 100,000\. Ask for fewer groups and dashboards in one query, a shorter period/,
  );
  const saved = await saveQuery(admin, { name: "Too costly", query: ten });
  expect(saved).toEqual({
    changed: null,
    errors: [{ path: "query", message: expect.stringContaining("the limit is 100,000") }],
  });
  const smaller = "assessmentGroups(by: [DISTRICT, MODE, LIBRARY_VERSION], minimumSize: 1) { assessments }";
  expect((await admin.graphql(`{ ${smaller} }`)).data.assessmentGroups.length).toBeGreaterThan(100);
});

test("our own screens may ask for ten times as much, by hash or by text, and no more", async () => {
  const costOf = async (asked: { query: string } | { documentId: string }) => {
    const answer = await admin.call("POST", "/graphql", asked);
    const { errors, extensions } = bodyOf<{ errors?: { message: string }[]; extensions?: { cost: { cost: number } } }>(
      answer,
    );
    return errors?.[0]!.message ?? extensions!.cost.cost;
  };
  expect(await costOf({ query: groupings(10, "other") })).toContain("the limit is 100,000");
  expect(await costOf({ query: groupings(10, "screen") })).toBeGreaterThan(100_000);
  expect(await costOf({ documentId: "ten" })).toBeGreaterThan(100_000);
  expect(await costOf({ documentId: "many" })).toContain("the limit is 1,000,000");
});
