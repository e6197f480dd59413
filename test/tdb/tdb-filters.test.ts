import { type RawBuilder, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";

import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Filters and orders of lists of transport databases: the same rows by REST, by GraphQL and in the CSV file, compared
 * with a plain query.
 */

let days: { start: string; end: string };
let place: { provinceId: number; districtId: number; implementingPartnerId: number };
const gateway = await gatewayOfFile();
const uploader = await gateway.as("uploader");
beforeAll(async () => {
  const rows = await gateway.sql<{ start: string; end: string }>`
    select min(uploaded_at)::date as start, max(uploaded_at)::date as "end" from tdb`;
  days = rows[0]!;
  // Two versions among the rest, and a sender whose name has characters of a search pattern.
  await gateway.sql`update tdb set library_version = case when file_size % 3 = 0 then '4.6.0' when file_size % 3 = 1 then '4.5.1' end`;
  await gateway.sql`update app_user set surname = 'O''Mwansa_50%' where user_uuid = (select user_uuid from tdb order by uploaded_at desc limit 1)`;
  const found = await sql<
    typeof place
  >`select province_id, district_id, implementing_partner_id from tdb join facility using (facility_uuid)
    where implementing_partner_id is not null order by uploaded_at desc limit 1`.execute(gateway.db);
  place = found.rows[0]!;
});

const document = `query ($start: Date, $end: Date, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $delta: Boolean, $createdStart: Date, $createdEnd: Date
  $libraryVersion: String, $sender: String, $overdue: Boolean, $modes: [PresentMode!], $sort: TdbSort) {
  tdbs(start: $start, end: $end, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId, delta: $delta, createdStart: $createdStart
    createdEnd: $createdEnd, libraryVersion: $libraryVersion, sender: $sender, overdue: $overdue, modes: $modes, sort: $sort, first: 100) { totalCount nodes { uuid } } }`;

async function expected(
  where: RawBuilder<unknown>,
  order = sql`tdb.uploaded_at desc, tdb.tdb_uuid desc`,
): Promise<string[]> {
  const rows = await gateway.sql<{ uuid: string }>`
    select tdb.tdb_uuid as uuid from tdb join facility using (facility_uuid) join app_user using (user_uuid)
    where ${where} order by ${order}`;
  return rows.map(({ uuid }) => uuid);
}

/** The rows of a list by REST, by GraphQL and in the CSV file. */
async function rowsOf(query: Record<string, string>, variables: object) {
  const search = new URLSearchParams(query).toString();
  const rest = await uploader.get(`/api/v1/tdb/meta/list/all/${days.start}/${days.end}?${search}`);
  const graph = (await uploader.graphql(document, { ...days, ...variables })).data.tdbs as {
    totalCount: number;
    nodes: { uuid: string }[];
  };
  const csv = await uploader.get(`/api/v1/tdb/meta/list/all/csv/${days.start}/${days.end}?${search}`);
  const lines = csv.text.trimEnd().split("\r\n").slice(1);
  return {
    rest: bodyOf<{ uuid: string }[]>(rest).map(({ uuid }) => uuid),
    graph: graph.nodes.map(({ uuid }) => uuid),
    total: graph.totalCount,
    csv: lines.map((line) => line.split(",").at(-4)),
  };
}

async function check(
  query: Record<string, string>,
  variables: object,
  where: RawBuilder<unknown>,
  order?: RawBuilder<unknown>,
) {
  const uuids = await expected(where, order);
  const { rest, graph, total, csv } = await rowsOf(query, variables);
  expect(rest).toEqual(uuids);
  expect(csv).toEqual(uuids);
  expect(graph).toEqual(uuids.slice(0, 100));
  expect(total).toBe(uuids.length);
  return uuids;
}

const cases: [string, Record<string, string>, object, RawBuilder<unknown>][] = [
  ["deltas", { delta: "yes" }, { delta: true }, sql`delta`],
  ["full TDBs", { delta: "no" }, { delta: false }, sql`not delta`],
  ["a version", { libraryVersion: " 4.6.0 " }, { libraryVersion: "4.6.0" }, sql`tdb.library_version = '4.6.0'`],
  [
    "a sender, by a part of the name with pattern characters",
    { sender: "o'mwansa_50%" },
    { sender: "O'MWANSA_50%" },
    sql`surname = 'O''Mwansa_50%'`,
  ],
  [
    "days of creation, as a relative range",
    { createdStart: "LAST_90_DAYS", createdEnd: "LAST_90_DAYS" },
    { createdStart: "LAST_90_DAYS", createdEnd: "LAST_90_DAYS" },
    sql`tdb_created_at >= current_date - 89 and tdb_created_at < current_date + 1`,
  ],
  [
    "modes",
    { modes: "EFirst,Partial" },
    { modes: ["EFirst", "Partial"] },
    sql`functionality_status_mode in ('EFirst', 'Partial')`,
  ],
  [
    "facilities without a mode",
    { modes: "none,ELast" },
    { modes: ["none", "ELast"] },
    sql`(functionality_status_mode is null or functionality_status_mode = 'ELast')`,
  ],
];
describe.each(cases)("the filter for %s", (_name, query, variables, where) => {
  test("returns the same rows by REST, by GraphQL and in the CSV file", async () => {
    expect((await check(query, variables, where)).length).toBeGreaterThan(0);
  });
});

test("the filter `overdue` separates TDBs of overdue facilities from TDBs of facilities in time; both are expected to send", async () => {
  const overdue = await rowsOf({ overdue: "yes" }, { overdue: true });
  const inTime = await rowsOf({ overdue: "no" }, { overdue: false });
  for (const { rest, graph, csv, total } of [overdue, inTime]) {
    expect(csv).toEqual(rest);
    expect(graph).toEqual(rest.slice(0, 100));
    expect(total).toBe(rest.length);
    expect(total).toBeGreaterThan(0);
  }
  expect(overdue.rest.filter((uuid) => inTime.rest.includes(uuid))).toEqual([]);
  // Without `limit` a REST list is complete.
  const sites = bodyOf<{ facilityUuid: string; overdue: boolean }[]>(
    await uploader.get("/api/v1/tdb/silent?show=expected"),
  );
  const isOverdue = new Map(sites.map((site) => [site.facilityUuid, site.overdue]));
  const rows = await gateway.sql<{ uuid: string; facilityUuid: string }>`
    select tdb_uuid as uuid, facility_uuid from tdb order by uploaded_at desc, tdb_uuid desc`;
  const uuidsOf = (wanted: boolean) =>
    rows.filter(({ facilityUuid }) => isOverdue.get(facilityUuid) === wanted).map(({ uuid }) => uuid);
  expect(overdue.rest).toEqual(uuidsOf(true));
  expect(inTime.rest).toEqual(uuidsOf(false));
});

test("filters for place, partner and delta apply together", async () => {
  const { provinceId, districtId, implementingPartnerId } = place;
  const where = sql`province_id = ${provinceId} and district_id = ${districtId} and facility.implementing_partner_id = ${implementingPartnerId} and not delta`;
  const uuids = await check(
    {
      provinceId: String(provinceId),
      districtId: String(districtId),
      implementingPartnerId: String(implementingPartnerId),
      delta: "no",
    },
    { ...place, delta: false },
    where,
  );
  expect(uuids.length).toBeGreaterThan(0);
});

test.each<[string, string, RawBuilder<unknown>]>([
  ["-size", "SIZE_DESC", sql`file_size desc, tdb.tdb_uuid desc`],
  ["created", "CREATED_ASC", sql`tdb_created_at, tdb.tdb_uuid`],
  ["facility", "FACILITY_ASC", sql`facility_name, facility_uuid, uploaded_at, tdb.tdb_uuid`],
])("lists are sorted by %s, and so is the CSV file", async (sort, word, order) => {
  expect(
    (await check({ sort, delta: "no" }, { sort: word, delta: false }, sql`not delta`, order)).length,
  ).toBeGreaterThan(0);
});

test("a filter that matches nothing returns an empty list", async () => {
  expect(await check({ sender: "nobody of this name" }, { sender: "nobody of this name" }, sql`false`)).toEqual([]);
  expect(await check({ libraryVersion: "99.9" }, { libraryVersion: "99.9" }, sql`false`)).toEqual([]);
});

test("the lists of a facility, a partner and a person accept the same filters, and the path takes precedence", async () => {
  const rows = await gateway.sql<{ facilityUuid: string; userUuid: string }>`
    select facility_uuid, user_uuid from tdb where delta order by uploaded_at desc limit 1`;
  const { facilityUuid, userUuid } = rows[0]!;
  const uuidsOf = async (path: string) =>
    bodyOf<{ uuid: string }[]>(await uploader.get(`/api/v1/tdb/${path}`)).map(({ uuid }) => uuid);
  expect(await uuidsOf(`facility/${facilityUuid}?delta=yes`)).toEqual(
    await expected(sql`tdb.facility_uuid = ${facilityUuid} and delta`),
  );
  expect(await uuidsOf(`ip/${place.implementingPartnerId}?delta=no&sort=uploaded`)).toEqual(
    (await expected(sql`facility.implementing_partner_id = ${place.implementingPartnerId} and not delta`)).toReversed(),
  );
  expect(await uuidsOf(`list/user/${userUuid}/start/${days.start}/end/${days.end}?libraryVersion=4.5.1`)).toEqual(
    await expected(sql`tdb.user_uuid = ${userUuid} and tdb.library_version = '4.5.1'`),
  );
  // The path takes precedence.
  expect(await uuidsOf(`ip/${place.implementingPartnerId}?implementingPartnerId=1`)).toEqual(
    await expected(sql`facility.implementing_partner_id = ${place.implementingPartnerId}`),
  );
});

test.each([
  ["delta=maybe", "delta"],
  ["modes=", "modes"],
  ["modes=Best", "modes"],
  ["createdStart=2027-02-29", "createdStart"],
  ["createdStart=2027-02-02&createdEnd=2027-02-01", "createdEnd"],
  ["libraryVersion=%20", "libraryVersion"],
  ["sort=colour", "sort"],
  ["colour=red", "colour"],
])("?%s returns 422 with the wrong field", async (query, field) => {
  for (const file of ["", "csv/", "ndjson/"]) {
    const answer = await uploader.get(`/api/v1/tdb/meta/list/all/${file}${days.start}/${days.end}?${query}`);
    expect([file, answer.status]).toEqual([file, 422]);
    expect(errorsOf(answer).map(({ path }) => path)).toContain(field);
  }
});
