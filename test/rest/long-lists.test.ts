import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { bodyOf, type Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Complete lists that are too long to be built in memory: they are streamed. */

const most = 5_000_000;
let admin: Person;
const gateway = await gatewayOfFile("demo");
beforeAll(async () => {
  // 20,000 more TDBs, each with at least 300 bytes in the list.
  await gateway.sql`
    insert into tdb (tdb_uuid, facility_uuid, user_uuid, uploaded_at, delta, tdb_created_at, total_patients, file_name, file_size, sha256, storage_key)
    select gen_random_uuid(), facility_uuid, user_uuid, uploaded_at + turn * interval '1 second', delta, tdb_created_at, total_patients, 'a.tdbx', file_size, md5(turn::text) || md5('a' || turn), 'files/tdb/' || turn
    from (select * from tdb order by tdb_uuid limit 1) as one cross join generate_series(1, 20000) as turn`;
  admin = await gateway.as("admin");
});

const all = "/api/v1/tdb/meta/list/all/2000-01-01/2999-12-31";

test("a list of more than 5 MB is streamed with all its rows, in the order of its pages", async () => {
  const complete = await admin.get(all);
  expect([complete.status, complete.headers.get("content-length"), complete.headers.get("etag")]).toEqual([
    200,
    null,
    null,
  ]);
  expect(complete.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(complete.text.length).toBeGreaterThan(most);
  const rows = await gateway.sql<{ uuid: string }>`
    select tdb_uuid::text as uuid from tdb order by uploaded_at desc, tdb_uuid desc`;
  expect(bodyOf<{ uuid: string }[]>(complete).map(({ uuid }) => uuid)).toEqual(rows.map(({ uuid }) => uuid));
  const page = await admin.get(`${all}?limit=20`);
  expect(bodyOf<object[]>(complete).slice(0, 20)).toEqual(page.body);
});

test("a short list has an ETag and the same rows as its page", async () => {
  const [first] = bodyOf<{ facilityUuid: string; uploadDate: string }[]>(await admin.get(`${all}?limit=1`));
  const other = await sql<{ uuid: string }>`
    select facility_uuid as uuid from tdb where facility_uuid <> ${first!.facilityUuid} limit 1`.execute(gateway.db);
  const path = `/api/v1/tdb/facility/${other.rows[0]!.uuid}`;
  const { headers, body } = await admin.get(path);
  expect(headers.get("etag")).toMatch(/^W\/"/);
  expect((await admin.get(path, { "if-none-match": headers.get("etag")! })).status).toBe(304);
  expect(body).toEqual((await admin.get(`${path}?limit=1000`)).body);
});

test("a search with 20,000 results is streamed too, in the order of its pages", async () => {
  await gateway.sql`
    insert into facility (facility_uuid, facility_name, district_id, province_id)
    select md5(turn::text), 'Streamed Rural Health Centre Number ' || turn, district_id, province_id
    from (select district_id, province_id from facility order by facility_uuid limit 1) as one cross join generate_series(1, 20000) as turn`;
  const path = "/api/v1/facility/search/args/streamed";
  const found = await admin.get(path);
  expect([found.status, found.headers.get("content-length"), found.text.length > most]).toEqual([200, null, true]);
  const rows = bodyOf<{ uuid: string }[]>(found);
  expect([rows.length, new Set(rows.map(({ uuid }) => uuid)).size]).toEqual([20_000, 20_000]);
  expect(rows.slice(0, 20)).toEqual((await admin.get(`${path}?limit=20`)).body);
});

test("HEAD of a long list has no body", async () => {
  const { status, text } = await admin.call("HEAD", all);
  expect([status, text]).toEqual([200, ""]);
});
