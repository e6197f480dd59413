import { getNamedType, type GraphQLField, isLeafType, isObjectType, isRequiredArgument } from "graphql";
import { beforeAll, expect, test } from "vitest";

import { schema } from "../../gateway/schema.ts";
import { placeQuestions } from "../bench/placeQuestions.ts";
import { readSamples } from "../bench/samples.ts";
import type { Nodes, Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * The number of SQL statements of a query does not grow with its rows: counted on the wire, for few parents and for
 * many.
 */

let admin: Person;

const gateway = await gatewayOfFile();
beforeAll(async () => {
  // Fifty partners with facilities and people, assessments and TDBs of fifty people at hundreds of facilities.
  await gateway.sql`
    insert into implementing_partner (name) select 'Many ' || lpad(n::text, 2, '0') from generate_series(1, 50) n`;
  await gateway.sql`
    insert into app_user (user_uuid, user_name, first_name, surname, gender, primary_email, primary_phone_number,
      implementing_partner_id, password_hash, password_temporary)
    select gen_random_uuid(), 'many' || n, 'Many', 'Person', 'U', 'many' || n || '@example.org', '0000000', implementing_partner_id, 'none', false
    from generate_series(1, 2) n0, lateral (
      select implementing_partner_id, row_number() over () * 2 + n0 as n from implementing_partner where name like 'Many%') p`;
  await gateway.sql`
    with ranked as (select facility_uuid, row_number() over (order by facility_uuid) as n from facility),
      partners as (select implementing_partner_id, row_number() over (order by name) as n from implementing_partner where name like 'Many%')
    update facility set implementing_partner_id = partners.implementing_partner_id
    from ranked join partners on ranked.n % 60 = partners.n where facility.facility_uuid = ranked.facility_uuid`;
  await gateway.sql`
    with ranked as (select assessment_uuid, row_number() over (order by assessment_uuid) as n from assessment),
      people as (select user_uuid, row_number() over (order by user_name) as n from app_user)
    update assessment set user_uuid = people.user_uuid
    from ranked join people on ranked.n % 100 = people.n where assessment.assessment_uuid = ranked.assessment_uuid`;
  await gateway.sql`
    insert into audit_event (action, outcome, user_uuid)
    select 'test.many', 'done', user_uuid from app_user order by user_name limit 60`;
  admin = await gateway.as("admin");
});

const page = `totalCount pageInfo { hasNextPage hasPreviousPage }`;
const range = `start: "2020-01-01", end: "2030-01-01"`;
const year = new Date().getUTCFullYear();

/** Queries by what their parents are; `$n` is the number of parents. */
const queries: Record<string, string> = {
  "districts of provinces, further down to assessments": `query ($n: Int) { provinces(first: $n) { nodes { name districts(first: 2) { ${page} nodes { name
    facilities(first: 2) { ${page} nodes { facilityName assessments(first: 1) { ${page} nodes { userName } } } } } } } } }`,
  "facilities of districts, searched and sorted": `query ($n: Int) { districts(first: $n) { nodes { name province { name }
    facilities(first: 3, search: "health", sort: HMIS_CODE_DESC) { ${page} nodes { facilityName } } } } }`,
  "facilities of districts, searched": `query ($n: Int) { districts(first: $n) { nodes { facilities(first: 3, search: "heelth") { ${page} nodes { facilityName } } } } }`,
  "districts with their TDBs and assessments": `query ($n: Int) { districts(first: $n) { nodes { tdbs(first: 2, after: null) { ${page} nodes { facility { facilityName } user { surname } } }
    assessments(last: 2) { ${page} nodes { facility { facilityName } serviceAreaAssessments { serviceArea { serviceArea } } revisions { version } } } } } }`,
  "facilities with all that belongs to them": `query ($n: Int) { facilities(first: $n) { nodes { facilityName district { name } implementingPartner { implementingPartner } serviceAreas { serviceArea }
    assessments(first: 2) { ${page} nodes { userName } } tdbs(first: 2) { ${page} nodes { sha256 } } latestAssessment { assessmentDate } } } }`,
  "facilities with an earlier state": `query ($n: Int) { facilities(first: $n) { nodes { a: latestAssessment(period: { relative: LAST_QUARTER }) { backupPower }
    b: latestAssessment(period: { year: ${year} }) { backupPower facility { latestAssessment { userName } } } } } }`,
  "partners with facilities, people, TDBs and assessments": `query ($n: Int) { implementingPartners(first: $n, search: "many") { nodes { implementingPartner
    facilities(first: 2) { ${page} nodes { facilityName } } users(first: 2) { ${page} nodes { userName implementingPartner { implementingPartner } } }
    tdbs(first: 1) { ${page} nodes { uuid } } assessments(first: 1) { ${page} nodes { assessmentUuid } } } } }`,
  "people with their assessments and TDBs": `query ($n: Int) { users(first: $n) { nodes { userName implementingPartner { facilities(first: 1) { ${page} } }
    assessments(first: 2) { ${page} nodes { facility { facilityName } } } tdbs(first: 2) { ${page} nodes { facility { facilityName } } } } } }`,
  "assessments with their facilities' other assessments": `query ($n: Int) { assessments(first: $n) { nodes { facility { facilityName district { name
    facilities(first: 1) { totalCount } } assessments(first: 2) { ${page} nodes { userName } } } serviceAreaAssessments { libraryVersion } } } }`,
  "TDBs with facility, places and sender": `query ($n: Int) { tdbs(first: $n) { nodes { facility { facilityName serviceAreas { serviceArea } tdbs(last: 1) { ${page} nodes { uuid } } }
    district { facilities(first: 1) { totalCount } } implementingPartner { facilities(first: 1) { totalCount } } user { userName tdbs(first: 1) { totalCount } } } } }`,
  "service areas of facilities, and their facilities": `query ($n: Int) { facilities(first: $n) { nodes { serviceAreas { serviceArea facilities(first: 1) { ${page} nodes { facilityName } } } } } }`,
  "the charts of districts": `query ($n: Int) { districts(first: $n) { nodes { functionalityComparison(year: ${year}) { sumTrainedStaff }
    deploymentMode(year: ${year}, view: QUARTERLY) { efirst } libraryVersion(year: ${year}) { value } cpuCore(year: ${year}) { value } osX64(year: ${year}) { value }
    summarySheet { pastWeek } tdbHistory(level: DISTRICT, ${range}) { tdbCount } tdbHistoryFacilities(${range}) { facilityName facility { facilityName } } } } }`,
  "the charts of partners": `query ($n: Int) { implementingPartners(first: $n, search: "many") { nodes { functionalityComparison(year: ${year}, provinceId: 1) { sumTrainedStaff }
    libraryVersion(year: ${year}) { value } tdbHistory(level: PROVINCE, ${range}) { tdbCount } tdbHistoryFacilities(${range}) { facilityName } } } }`,
  "the audit with its people": `query ($n: Int) { auditEvents(first: $n, action: "test.many") { nodes { action user { userName } } } }`,
};

async function askCounted(
  person: Person,
  query: string,
  variables: object,
): Promise<{ data: unknown; statements: string[] }> {
  let data: unknown;
  const statements = await statementsOf(async () => {
    const answer = await person.graphql(query, variables);
    expect(answer.errors).toBeUndefined();
    ({ data } = answer);
  });
  return { data, statements };
}
const rowsOf = (data: unknown): number => Object.values(data as Record<string, Nodes<unknown>>)[0]!.nodes.length;

test.each(Object.entries(queries))("%s: as many statements for 50 parents as for 2", async (name, query) => {
  const few = await askCounted(admin, query, { n: 2 });
  const many = await askCounted(admin, query, { n: 50 });
  expect(rowsOf(few.data)).toBe(2);
  expect(rowsOf(many.data)).toBeGreaterThan(name.startsWith("districts of provinces") ? 8 : 40);
  expect(many.statements.map((text) => text.slice(0, 200))).toHaveLength(few.statements.length);
});

/** Values for required arguments, by name. */
const needed: Record<string, string> = {
  year: String(year),
  start: `"2020-01-01"`,
  end: `"2030-01-01"`,
  level: "DISTRICT",
};

/** Selects a field: of a connection its count, page info and nodes, of an object its type name. */
function selectionOf({ name, type, args }: GraphQLField<unknown, unknown>): string {
  const given = args.filter(isRequiredArgument).map((argument) => {
    if (!needed[argument.name]) throw new Error(`${name}: a value for ${argument.name} is needed here`);
    return `${argument.name}: ${needed[argument.name]}`;
  });
  const named = getNamedType(type);
  const isConnection = named.name.endsWith("Connection");
  const list = [...given, ...(isConnection ? ["last: 2"] : [])].join(", ");
  const call = list ? `${name}(${list})` : name;
  if (isLeafType(named)) return call;
  return `${call} { ${isConnection ? `${page} nodes { __typename }` : "__typename"} }`;
}

test.each([
  ["Province", "provinces("],
  ["District", "districts("],
  ["Facility", "facilities("],
  ["ImplementingPartner", `implementingPartners(search: "many", `],
  ["User", "users("],
  ["Assessment", "assessments("],
  ["Tdb", "tdbs("],
  ["Download", "downloads("],
  ["AuditEvent", `auditEvents(action: "test.many", `],
  ["LedgerEntry", `ledger(range: "LAST_2_YEARS", `],
])("every field of %s takes as many statements for 30 rows as for 2", async (name, list) => {
  const type = schema.getType(name);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  expect(fields.length).toBeGreaterThan(3);
  const count = async (selections: string[], n: number) =>
    (await askCounted(admin, `{ ${list}first: ${n}) { nodes { ${selections.join(" ")} } } }`, {})).statements.length;
  const growing: string[] = [];
  const selections = fields.map(selectionOf);
  if ((await count(selections, 2)) !== (await count(selections, 30)))
    for (const each of selections) if ((await count([each], 2)) !== (await count([each], 30))) growing.push(each);
  expect(growing).toEqual([]);
});

test("nodes by global id take as many statements for many ids as for 2", async () => {
  type Ids = { id: string }[];
  const found = await admin.graphql<
    Record<string, Ids | { nodes: Ids }>
  >(`{ provinces(first: 10) { nodes { id } } districts(first: 20) { nodes { id } } implementingPartners(first: 20) { nodes { id } }
    facilities(first: 20) { nodes { id } } assessments(first: 20) { nodes { id } } tdbs(first: 20) { nodes { id } } users(first: 20) { nodes { id } }
    downloads(first: 20) { nodes { id } } serviceAreas { id } }`);
  const lists = Object.values(found.data).map((list) => ("nodes" in list ? list.nodes : list).map(({ id }) => id));
  for (const ids of lists) {
    expect(ids.length).toBeGreaterThan(2);
    const ask = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }`;
    const few = await askCounted(admin, ask, { ids: ids.slice(0, 2) });
    const many = await askCounted(admin, ask, { ids });
    expect((many.data as { nodes: Ids }).nodes.map(({ id }) => id)).toEqual(ids);
    expect(many.statements).toHaveLength(few.statements.length);
  }
});

test("the parts of a facility's page and a search are read with one statement besides the session's; the state of listed facilities takes one more, that of one facility with its days, its problems and its district's outline five", async () => {
  const signedIn = (await askCounted(admin, "{ __typename }", {})).statements.length;
  const samples = await readSamples(gateway.database.connection);
  // For an empty list, another statement would check whether the facility exists.
  const rows = await gateway.sql<{ uuid: string }>`
    select facility_uuid as uuid from tdb_rollup join assessment_rollup using (facility_uuid) limit 1`;
  const counts: Record<string, number> = {};
  for (const { product, floor } of placeQuestions.flatMap(({ operations }) =>
    operations({ ...samples, facilityUuids: [rows[0]!.uuid] }).slice(0, 3),
  )) {
    const statements = await statementsOf(async () => {
      expect(
        (
          await admin.call(product.method, product.path, product.body, {
            ...product.headers,
            "content-type": "application/json",
          })
        ).status,
      ).toBe(200);
    });
    counts[floor.name] = statements.length - signedIn;
  }
  expect(counts).toEqual({
    facilityList: 2,
    "facilityPage.details": 6,
    "facilityPage.assessments": 1,
    "facilityPage.tdbs": 1,
    search: 1,
  });
});

test("an aggregate query and a query about lost backup power are one statement each, and one more for the empty groups of places and partners", async () => {
  const ask = async (query: string) => (await askCounted(admin, `{ ${query} }`, {})).statements.length;
  const signedIn = await ask("__typename");
  const lost = `filter: { latestAssessment: { mode: [EFirst], smartCareFunctional: true, backupPowerWorking: false }
    earlierAssessment: { period: { relative: LAST_QUARTER }, backupPowerWorking: true } }`;
  for (const [query, statements] of [
    [
      `facilityGroups(by: [PROVINCE, DISTRICT, IMPLEMENTING_PARTNER, MODE, LIBRARY_VERSION, MONTH], minimumSize: 1) { facilities province { name } district { name } }`,
      1,
    ],
    [
      `facilityGroups(by: [IMPLEMENTING_PARTNER], ${lost}) { facilities implementingPartner { implementingPartner } }`,
      2,
    ],
    [`assessmentGroups(by: [DISTRICT, QUARTER]) { assessments facilities }`, 2],
    [`tdbGroups(by: [LIBRARY_VERSION, YEAR]) { tdbCount totalPatients }`, 1],
    [
      `facilities(${lost}, sort: IMPLEMENTING_PARTNER_ASC) { nodes { facilityName implementingPartner { implementingPartner } } }`,
      1,
    ],
  ] as const)
    expect((await ask(query)) - signedIn, query).toBe(statements);
});

test("a list below many parents equals the list that each parent has alone", async () => {
  const { data } = await admin.graphql(`{ districts(first: 30) { nodes { districtId
    facilities(first: 3, offset: 1, search: "clinic") { totalCount nodes { facilityUuid } pageInfo { hasNextPage hasPreviousPage endCursor } }
    tdbs(last: 2) { totalCount nodes { uuid } pageInfo { hasNextPage hasPreviousPage startCursor } }
    functionalityComparison(year: ${year}) { calMonth sumTrainedStaff efirst } tdbHistoryFacilities(${range}) { facilityId totalPatients } } } }`);
  for (const { districtId, ...lists } of data.districts.nodes) {
    const alone =
      await admin.graphql(`{ facilities(districtId: ${districtId}, first: 3, offset: 1, search: "clinic") { totalCount nodes { facilityUuid } pageInfo { hasNextPage hasPreviousPage endCursor } }
      tdbs(districtId: ${districtId}, last: 2) { totalCount nodes { uuid } pageInfo { hasNextPage hasPreviousPage startCursor } }
      functionalityComparison(districtId: ${districtId}, year: ${year}) { calMonth sumTrainedStaff efirst }
      tdbHistoryFacilities(districtId: ${districtId}, ${range}) { facilityId totalPatients } }`);
    expect(lists).toEqual(alone.data);
  }
});

test("a person who may see one partner's users gets those, and an error for each other partner, without more statements", async () => {
  const manager = await gateway.as("manager");
  const ask = `query ($n: Int) { implementingPartners(first: $n, active: null, descending: true) { nodes { implementingPartner users(first: 5) { nodes { userName } } } } }`;
  const ofFew = await statementsOf(async () => {
    expect((await manager.graphql(ask, { n: 10 })).errors).toHaveLength(9);
  });
  let nodes: { implementingPartner: string; users: Nodes<object> | null }[] = [];
  const ofMany = await statementsOf(async () => {
    const { data, errors } = await manager.graphql<{ implementingPartners: Nodes<(typeof nodes)[number]> }>(ask, {
      n: 50,
    });
    expect(errors).toHaveLength(49);
    ({ nodes } = data.implementingPartners);
  });
  const seen = nodes.filter(({ users }) => users !== null);
  expect(seen.map(({ implementingPartner }) => implementingPartner)).toEqual(["Partner A"]);
  expect(seen[0]!.users!.nodes.length).toBeGreaterThan(3);
  expect(ofMany).toHaveLength(ofFew.length);
});
