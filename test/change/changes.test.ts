import { randomUUID } from "node:crypto";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { connect } from "../../db/engine/connect.ts";
import { updateFacilityUuids } from "../../db/facility/load.ts";
import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { type Answer, bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { patience } from "../support/patience.ts";
import { settled } from "../support/settled.ts";

type Change = { kind: string; action: string; key: string; changedAt: string; record: Record<string, unknown> | null };
type Changes = { kinds: string[]; changes: Change[]; cursor: string; hasMore: boolean };

let gateway: TestGateway;
let admin: Person;
let sample: SampleFacility;

beforeAll(async () => {
  gateway = await testGateway();
  admin = await gateway.as("admin");
  let tdbs: string[] = [];
  for (let skip = 0; tdbs.length === 0; skip += 1) {
    sample = await sampleFacility(gateway.db, skip);
    tdbs = await tdbsOf(sample.facilityUuid);
  }
  // This database is a copy: the first request renumbers its feed, in a transaction of its own.
  await admin.get("/api/v1/changes?limit=1");
});
afterAll(() => gateway.stop());

const ask = async (query: string, person = admin): Promise<Changes> => {
  const answer = await person.get(`/api/v1/changes${query}`);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return bodyOf<Changes>(answer);
};
/** All changes since a cursor, and the new cursor. */
async function follow(since: string | null, person = admin, more = ""): Promise<Changes> {
  await settled(gateway.db);
  const all: Change[] = [];
  for (let from = since; ;) {
    const answer = await ask(`?limit=1000${more}${from === null ? "" : `&since=${from}`}`, person);
    all.push(...answer.changes);
    if (!answer.hasMore) return { ...answer, changes: all };
    from = answer.cursor;
  }
}
const now = async () => (await follow(null)).cursor;
const count = async (table: "facility" | "assessment" | "tdb") =>
  (await gateway.sql<{ count: number }>`select count(*) from ${sql.table(table)}`)[0]!.count;
const named = (changes: Change[]) => changes.map(({ kind, action, key }) => `${action} ${kind} ${key}`).toSorted();
const tdbsOf = async (facilityUuid: string) =>
  bodyOf<{ uuid: string }[]>(await admin.get(`/api/v1/tdb/facility/${facilityUuid}`)).map(({ uuid }) => uuid);

test("the first sync returns every record once, in the shape of its own REST call", async () => {
  const { changes, kinds, hasMore } = await follow(null);
  expect([kinds, hasMore]).toEqual([
    ["facility", "facilitySettings", "facilityConnectivity", "assessment", "tdb"],
    false,
  ]);
  const [facilities, assessments, tdbs] = await Promise.all([count("facility"), count("assessment"), count("tdb")]);
  expect(changes.length).toBe(3 * facilities + assessments + tdbs);
  expect(new Set(changes.map(({ kind, key }) => `${kind} ${key}`)).size).toBe(changes.length);
  expect(changes.every(({ action }) => action === "created")).toBe(true);
  const of = (kind: string, key?: string) =>
    changes.find((change) => change.kind === kind && (!key || change.key === key))!;
  const assessment = of("assessment");
  const cases: [Change, string][] = [
    [of("facility", sample.facilityUuid), `/api/v1/facilityMetadata/${sample.facilityUuid}`],
    [of("facilitySettings", sample.facilityUuid), `/api/v1/facility/settings/${sample.facilityUuid}`],
    [of("facilityConnectivity", sample.facilityUuid), `/api/v1/facilityConnectivity/${sample.facilityUuid}`],
    [assessment, `/api/v1/assessment/${assessment.key}`],
  ];
  for (const [{ record }, path] of cases) expect(record, path).toEqual((await admin.get(path)).body);
  const { record } = of("tdb");
  const listed = bodyOf<{ uuid: string }[]>(
    await admin.get(`/api/v1/tdb/facility/${record!["facilityUuid"] as string}`),
  );
  expect(listed).toContainEqual(record);
});

test("the Link header leads to the next page, and an unchanged answer returns 304", async () => {
  const first = await admin.get("/api/v1/changes?limit=7&kinds=facility,assessment");
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
  const { cursor, changes } = bodyOf<Changes>(first);
  expect(new URL(next, "http://x").searchParams.get("since")).toBe(cursor);
  expect(changes).toHaveLength(7);
  const second = bodyOf<Changes>(await admin.get(next));
  expect(second.changes.map(({ key }) => key)).not.toContain(changes.at(-1)!.key);
  const again = await admin.get("/api/v1/changes?limit=7&kinds=facility,assessment", {
    "if-none-match": first.headers.get("etag")!,
  });
  expect(again.status).toBe(304);
});

test("a change is reported once, with all records that show it", async () => {
  const cursor = await now();
  const { facilityUuid } = sample;
  const { implementingPartnerId: old } = bodyOf<{ implementingPartnerId: number }>(
    await admin.get(`/api/v1/facility/settings/${facilityUuid}`),
  );
  const partners = bodyOf<{ implementingPartnerId: number }[]>(
    await admin.get("/api/v1/implementingPartner/active/true"),
  );
  const implementingPartnerId = partners.find(
    (partner) => partner.implementingPartnerId !== old,
  )!.implementingPartnerId;
  await admin.call("PATCH", `/api/v1/facility/settings/${facilityUuid}`, { implementingPartnerId });
  const feed = await follow(cursor);
  const tdbs = await tdbsOf(facilityUuid);
  expect(tdbs.length).toBeGreaterThan(0);
  expect(named(feed.changes)).toEqual(
    [
      `changed facility ${facilityUuid}`,
      `changed facilitySettings ${facilityUuid}`,
      ...tdbs.map((uuid) => `changed tdb ${uuid}`),
    ].toSorted(),
  );
  for (const { record } of feed.changes) expect(JSON.stringify(record)).toContain("implementingPartner");
  expect((await ask(`?since=${feed.cursor}`)).changes).toEqual([]);
  // Setting the same value again changes nothing.
  await admin.call("PATCH", `/api/v1/facility/settings/${facilityUuid}`, { implementingPartnerId });
  expect((await ask(`?since=${feed.cursor}`)).changes).toEqual([]);
});

test("an assessment that was created and edited since the cursor is reported as created, later as changed, then as withdrawn", async () => {
  const cursor = await now();
  const made = bodyOf<{ assessmentUuid: string; version: number }>(
    await admin.call("POST", "/api/v1/assessment", visit(sample)),
  );
  const edit = (version: number) =>
    admin.call("PATCH", "/api/v1/assessment", {
      assessmentUuid: made.assessmentUuid,
      version,
      closingComments: `Edit ${version}`,
    });
  await edit(1);
  const first = await follow(cursor);
  expect(named(first.changes)).toEqual([`created assessment ${made.assessmentUuid}`]);
  expect(first.changes[0]!.record).toMatchObject({ version: 2, closingComments: "Edit 1" });
  await edit(2);
  const second = await follow(first.cursor);
  expect(named(second.changes)).toEqual([`changed assessment ${made.assessmentUuid}`]);
  await gateway.sql`delete from assessment where assessment_uuid = ${made.assessmentUuid}`;
  const third = await follow(second.cursor);
  expect(third.changes).toMatchObject([
    { kind: "assessment", action: "withdrawn", key: made.assessmentUuid, record: null },
  ]);
});

test("changed names that other records contain, and a facility's new UUID, are reported too", async () => {
  const { facilityUuid } = sample;
  const tdbs = await tdbsOf(facilityUuid);
  const { districtId } = bodyOf<{ districtId: number }>(await admin.get(`/api/v1/facilityMetadata/${facilityUuid}`));
  const renamed = async (statement: ReturnType<typeof sql>, expected: string[]) => {
    const cursor = await now();
    await statement.execute(gateway.db);
    const { changes } = await follow(cursor);
    expect(named(changes)).toEqual(expect.arrayContaining(expected));
    return changes;
  };
  await renamed(sql`update district set name = name || ' East' where district_id = ${districtId}`, [
    `changed facility ${facilityUuid}`,
    ...tdbs.map((uuid) => `changed tdb ${uuid}`),
  ]);
  const changes = await renamed(sql`update app_user set first_name = 'Renamed' where user_name = 'uploader'`, []);
  expect(changes.length).toBeGreaterThan(0);
  expect(new Set(changes.map(({ record }) => record!["userFirstName"]))).toEqual(new Set(["Renamed"]));
  expect(await renamed(sql`update app_user set last_login_at = now()`, [])).toEqual([]);

  const rows = await gateway.sql<{ uuid: string }>`
    select facility_uuid as uuid from facility where facility_uuid not in (select facility_uuid from tdb) limit 1`;
  const from = rows[0]!.uuid;
  const cursor = await now();
  await updateFacilityUuids(gateway.db, { changes: [{ from, to: "another-uuid" }] });
  const reported = named((await follow(cursor)).changes).filter((line) => !line.includes("assessment"));
  const kinds = ["facility", "facilityConnectivity", "facilitySettings"];
  expect(reported).toEqual([
    ...kinds.map((kind) => `created ${kind} another-uuid`),
    ...kinds.map((kind) => `withdrawn ${kind} ${from}`),
  ]);
});

test("a change that is committed late is reported late, not skipped, and holds back later changes", async () => {
  const cursor = await now();
  const [first, second] = [await sampleFacility(gateway.db, 2), await sampleFacility(gateway.db, 3)];
  const other = connect(gateway.database.connection, "UTC", () => {}, 1);
  let commit = () => {};
  let late: Promise<void> = Promise.resolve();
  await new Promise<void>((written) => {
    late = other.transaction().execute(async (transaction) => {
      await sql`update facility set connectivity_present = true, connectivity_details = 'late'
        where facility_uuid = ${first.facilityUuid}`.execute(transaction);
      await new Promise<void>((resolve) => {
        commit = resolve;
        written();
      });
    });
  });
  const saved = await admin.call("PUT", "/api/v1/facilityConnectivity", {
    facilityUuid: second.facilityUuid,
    present: true,
    details: "early",
  });
  expect(saved.status).toBe(200);
  const meanwhile = await ask(`?since=${cursor}`);
  expect(meanwhile.changes).toEqual([]);
  commit();
  await late;
  await other.destroy();
  const feed = await follow(meanwhile.cursor);
  expect(feed.changes.map(({ key, record }) => [key, record!["details"]])).toEqual([
    [first.facilityUuid, "late"],
    [second.facilityUuid, "early"],
  ]);
});

test("a record that was added while a name in it was changed is reported with the new name", async () => {
  const cursor = await now();
  const rows = await gateway.sql<{ userUuid: string }>`select user_uuid from app_user where user_name = 'assessor'`;
  const { userUuid } = rows[0]!;
  const other = connect(gateway.database.connection, "UTC", () => {}, 3);
  const [adding, renaming] = await Promise.all([
    other.startTransaction().execute(),
    other.startTransaction().execute(),
  ]);
  await sql`
    insert into tdb (tdb_uuid, facility_uuid, user_uuid, delta, tdb_created_at, total_patients, file_name, file_size, sha256, storage_key)
    values (${randomUUID()}, ${sample.facilityUuid}, ${userUuid}, false, now(), 5, 'x.tdbx', 9, ${"f".repeat(64)}, 'key')`.execute(
    adding,
  );
  // Waits for the other transaction, which locks the name.
  const rename = sql`update app_user set first_name = 'Later' where user_uuid = ${userUuid}`.execute(renaming);
  await vi.waitFor(
    async () => {
      const waiting = await sql<{ count: number }>`select count(*) from pg_locks where not granted and pid in (
      select pid from pg_stat_activity where datname = current_database())`.execute(gateway.db);
      expect(waiting.rows[0]!.count).toBe(1);
    },
    { timeout: patience },
  );
  await adding.commit().execute();
  await rename;
  const early = await ask(`?since=${cursor}`);
  await renaming.commit().execute();
  await other.destroy();
  const late = await follow(early.cursor);
  expect(late.changes.at(-1)).toMatchObject({ kind: "tdb", record: { userFirstName: "Later", totalPatients: 5 } });
});

test("repeated changes of a record do not make the feed grow", async () => {
  const rows = async () => (await gateway.sql<{ count: number }>`select count(*) from change`)[0]!.count;
  const before = await rows();
  for (let turn = 0; turn < 30; turn += 1)
    await gateway.sql`update facility set facility_name = facility_name || '.' where facility_uuid = ${sample.facilityUuid}`;
  expect(await rows()).toBe(before);
});

test("a person who may not read a kind does not get it, and gets 403 when requesting it", async () => {
  const facilities = ["facility", "facilitySettings", "facilityConnectivity"];
  const cases: [string, string[]][] = [
    ["plain", facilities],
    ["manager", facilities],
    ["viewer", [...facilities, "assessment"]],
    ["assessor", [...facilities, "assessment"]],
    ["uploader", [...facilities, "tdb"]],
  ];
  for (const [login, kinds] of cases) {
    const person = await gateway.as(login);
    const feed = await follow(null, person);
    expect([login, feed.kinds, [...new Set(feed.changes.map(({ kind }) => kind))].toSorted()]).toEqual([
      login,
      kinds,
      kinds.toSorted(),
    ]);
    for (const kind of ["assessment", "tdb"].filter((one) => !kinds.includes(one)))
      expect((await person.get(`/api/v1/changes?kinds=facility,${kind}`)).status).toBe(403);
    expect((await follow(null, person, "&kinds=facility")).kinds).toEqual(["facility"]);
  }
  // A cursor of more kinds than a person may read continues with those that the person may read.
  const plain = await gateway.as("plain");
  expect((await ask(`?since=${await now()}`, plain)).kinds).toEqual(facilities);
});

test("a cursor that is forged, of other kinds or of another database is refused, saying what to do", async () => {
  const problem = ({ status, body }: Answer) => [status, (body as { detail: string }).detail] as const;
  const cursor = await now();
  const values = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
  const forged = (...changed: [number, unknown][]) => {
    const copy = [...values];
    for (const [index, value] of changed) copy[index] = value;
    return Buffer.from(JSON.stringify(copy)).toString("base64url");
  };
  for (const since of [
    "nonsense",
    "",
    "%00",
    `${cursor}A`,
    forged([1, "-1"]),
    forged([1, 5]),
    forged([3, "x"]),
    forged([4, ["nobody"]]),
  ]) {
    const [status, detail] = problem(await admin.get(`/api/v1/changes?since=${since}`));
    expect([since, status, detail]).toEqual([since, 422, expect.stringContaining("since")]);
  }
  const [, detail] = problem(await admin.get("/api/v1/changes?since=nonsense"));
  expect(detail).toContain("Begin again without `since`");
  for (const since of [forged([0, "AAAAAAAAAAAA"]), forged([1, "99999999999"])]) {
    const answer = problem(await admin.get(`/api/v1/changes?since=${since}`));
    expect(answer).toEqual([410, expect.stringContaining("Begin again without `since`")]);
  }
  const narrow = (await follow(null, admin, "&kinds=facility")).cursor;
  expect(problem(await admin.get(`/api/v1/changes?since=${narrow}&kinds=facility,tdb`))).toEqual([
    422,
    expect.stringContaining("not one of tdb"),
  ]);
  for (const query of ["?limit=0", "?limit=1001", "?kinds=", "?kinds=nobody", "?kinds=tdb,tdb", "?until=x"])
    expect([query, (await admin.get(`/api/v1/changes${query}`)).status]).toEqual([query, 422]);
  expect((await fetch(`${gateway.url}/api/v1/changes`)).status).toBe(401);
});

test("a database that was restored from a copy begins its feed again", async () => {
  const cursor = await now();
  await gateway.sql`update setting set value = 'another cluster|' || split_part(value, '|', 2) where name = 'change_feed'`;
  expect((await admin.get(`/api/v1/changes?since=${cursor}`)).status).toBe(410);
  const { changes } = await follow(null);
  expect(changes.length).toBe(3 * (await count("facility")) + (await count("assessment")) + (await count("tdb")));
  expect(changes.every(({ record }) => record !== null)).toBe(true);
});

test("GraphQL returns the same as REST", async () => {
  const { data } = await admin.graphql(`query ($since: String) {
    changes(since: $since, limit: 50, kinds: [FACILITY_SETTINGS, ASSESSMENT, TDB]) { kinds cursor hasMore changes { kind action key changedAt node {
      __typename ... on Facility { facilityUuid serviceAreas { serviceAreaId } } ... on Assessment { assessmentUuid version } ... on Tdb { uuid totalPatients } } } } }`);
  const rest = await ask("?limit=50&kinds=facilitySettings,assessment,tdb");
  expect(data.changes.cursor).toBe(rest.cursor);
  expect(data.changes.changes.map(({ key, changedAt }: Change) => [key, changedAt])).toEqual(
    rest.changes.map(({ key, changedAt }) => [key, changedAt]),
  );
  for (const [index, { kind, node }] of data.changes.changes.entries()) {
    const { record } = rest.changes[index]!;
    if (kind === "FACILITY_SETTINGS")
      expect(node.serviceAreas.map(({ serviceAreaId }: { serviceAreaId: number }) => serviceAreaId)).toEqual(
        record!["serviceAreas"],
      );
    else
      expect(record).toMatchObject(
        kind === "TDB" ? { uuid: node.uuid } : { assessmentUuid: node.assessmentUuid, version: node.version },
      );
  }
  const plain = await gateway.as("plain");
  expect((await plain.graphql("{ changes(kinds: [TDB]) { cursor } }")).errors![0].extensions.code).toBe("FORBIDDEN");
  expect(
    (await plain.graphql(`{ changes(since: "nonsense") { cursor } }`)).errors![0].extensions.errors?.[0].path,
  ).toBe("since");
  expect((await plain.graphql("{ changes(limit: 101) { cursor } }")).errors![0].extensions.errors?.[0].path).toBe(
    "limit",
  );
});
