import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { allTriggers } from "../../db/derived/all.ts";
import { records } from "../../db/derived/feed.ts";
import { installDerived } from "../../db/derived/install.ts";
import { noteRecounts, rebuildRollups, recountNoted } from "../../db/derived/recount.ts";
import { findRevisions, revisedNouns } from "../../db/derived/revision.ts";
import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { agreeAction, changedBy, createRollout, setTarget } from "../support/mutations.ts";
import { settled } from "../support/settled.ts";
import { expectCountsHold } from "./countsHold.ts";
import { countedTables, readDerived, spoilDerived } from "./rows.ts";

/** The database has exactly the triggers that db/derived declares, and a recount corrects derived tables. */

let gateway: TestGateway;
let admin: Person;
let sample: SampleFacility;
beforeAll(async () => {
  gateway = await testGateway();
  admin = await gateway.as("admin");
  sample = await sampleFacility(gateway.db);
  // This database is a copy: the first request renumbers its feed.
  await admin.get("/api/v1/changes?limit=1");
});
afterAll(() => gateway.stop());

type Feed = { changes: { kind: string; key: string }[]; cursor: string; hasMore: boolean };
async function follow(query: string): Promise<Feed> {
  await settled(gateway.db);
  let found = bodyOf<Feed>(await admin.get(`/api/v1/changes?limit=1000&${query}`));
  const changes = [...found.changes];
  while (found.hasMore) {
    found = bodyOf<Feed>(await admin.get(`/api/v1/changes?limit=1000&since=${found.cursor}`));
    changes.push(...found.changes);
  }
  return { ...found, changes };
}

test("the database has exactly the declared triggers and the audit's", async () => {
  const { rows } = await sql<{ name: string; of: string }>`
    select tgname::text as name, tgrelid::regclass::text as of from pg_trigger where not tgisinternal`.execute(
    gateway.db,
  );
  const declared = allTriggers.map(({ name, table }) => `${name} on ${table}`);
  const audit = "audit_event_append_only on audit_event";
  expect(rows.map(({ name, of }) => `${name} on ${of}`).toSorted()).toEqual([...declared, audit].toSorted());
  expect(rows.length).toBeLessThanOrEqual(60);
});

test("installDerived restores missing triggers and functions, replaces those of another version, drops undeclared ones, and then has nothing left to do", async () => {
  const { db } = gateway;
  const definitions = async () => {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = current_schema()::regnamespace and prokind = 'f'
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`.execute(db);
    return rows.map(({ definition }) => definition);
  };
  const before = await definitions();
  expect(await installDerived(db)).toBe(0);
  await sql`drop trigger assessment_after_insert on assessment`.execute(db);
  await sql`drop function raise_revision(text) cascade`.execute(db);
  await sql`create function former() returns trigger language plpgsql as 'begin return null; end'`.execute(db);
  await sql`comment on function former() is 'derived 0'`.execute(db);
  await sql`create trigger former after insert on tdb for each statement execute function former()`.execute(db);
  await sql`comment on trigger former on tdb is 'derived 0'`.execute(db);
  // Another version of a function and of a trigger. The comment has the hash of its text, by which an installation
  // recognises a version.
  await sql`create or replace function hold_users(users uuid[]) returns void language plpgsql as 'begin end'`.execute(
    db,
  );
  await sql`comment on function hold_users(uuid[]) is 'derived 1'`.execute(db);
  await sql`create or replace trigger assessment_after_update before update on assessment for each statement execute function former()`.execute(
    db,
  );
  await sql`comment on trigger assessment_after_update on assessment is 'derived 1'`.execute(db);
  expect(await definitions()).not.toEqual(before);
  expect(await installDerived(db)).toBe(6);
  expect(await definitions()).toEqual(before);
  expect(await installDerived(db)).toBe(0);
});

test("the feed reports changes of a column that was added to a watched table", async () => {
  const { db } = gateway;
  const [file] = bodyOf(await admin.get("/api/v1/download"));
  await changedBy(setTarget(admin, { measure: "functional", year: 2027, percent: 80 }));
  expect(
    (await admin.call("PUT", `/api/v1/download/${file.uuid}/release`, { version: "99", installs: ["library"] })).status,
  ).toBe(200);
  await changedBy(createRollout(admin, { version: "99", startDay: "2030-01-01" }));
  const [facility] = bodyOf(await admin.get("/api/v1/facility"));
  await changedBy(agreeAction(admin, { facilityUuid: facility.uuid }));
  for (const [table, { key, kinds }] of Object.entries(records)) {
    const reportedKinds = Object.keys(kinds).filter((kind) => "ignored" in kinds[kind]!);
    await sql`alter table ${sql.table(table)} add column remark text`.execute(db);
    const { cursor, changes } = await follow(`kinds=${reportedKinds.join()}`);
    const value = changes[0]!.key;
    const update = () =>
      sql`update ${sql.table(table)} set remark = 'seen' where ${sql.ref(key)}::text = ${value}`.execute(db);
    await update();
    const after = await follow(`since=${cursor}`);
    expect([table, after.changes.map((change) => [change.kind, change.key])]).toEqual([
      table,
      reportedKinds.map((kind) => [kind, value]),
    ]);
    await update();
    expect([table, (await follow(`since=${after.cursor}`)).changes]).toEqual([table, []]);
    await sql`alter table ${sql.table(table)} drop column remark`.execute(db);
  }
});

test("the revision of a noun rises once per transaction that changes it, and not otherwise", async () => {
  const { db } = gateway;
  const risen = async (act: () => Promise<unknown>) => {
    const before = await findRevisions(db);
    await act();
    const after = await findRevisions(db);
    return Object.fromEntries(
      revisedNouns.filter((noun) => after[noun] !== before[noun]).map((noun) => [noun, after[noun] - before[noun]]),
    );
  };
  expect(Object.keys(await findRevisions(db)).toSorted()).toEqual(revisedNouns.toSorted());
  expect(await risen(() => admin.get("/api/v1/changes?limit=1"))).toEqual({});
  const mode = async (functionalityStatusMode: string) =>
    expect((await admin.call("POST", "/api/v1/assessment", visit(sample, { functionalityStatusMode }))).status).toBe(
      200,
    );
  await mode("EFirst");
  expect(await risen(() => mode("EFirst"))).toEqual({ assessment: 1 });
  // The present mode of the facility changes too.
  expect(await risen(() => mode("ELast"))).toEqual({ assessment: 1, facility: 1 });
  const { facilityUuid } = sample;
  expect(
    await risen(() => admin.call("PUT", "/api/v1/facilityConnectivity", { facilityUuid, present: false })),
  ).toEqual({ facility: 1 });
  expect(await risen(() => sql`update province set name = name || ' 2'`.execute(db))).toEqual({ reference: 1 });
  expect(await risen(() => sql`update province set name = 'x' where false`.execute(db))).toEqual({});

  // Transactions that are open at the same time do not wait for each other, and each is counted.
  const both = await risen(() =>
    db.transaction().execute(async (one) => {
      await sql`update tdb set library_version = '1' where tdb_uuid = (select tdb_uuid from tdb order by tdb_uuid limit 1)`.execute(
        one,
      );
      await db.transaction().execute(async (other) => {
        await sql`set local lock_timeout = '20s'`.execute(other);
        await sql`update tdb set library_version = '1' where tdb_uuid = (select tdb_uuid from tdb order by tdb_uuid desc limit 1)`.execute(
          other,
        );
      });
    }),
  );
  expect(both).toEqual({ tdb: 2 });
});

test("a recount corrects every derived table and leaves correct ones unchanged", async () => {
  const { db } = gateway;
  await rebuildRollups(db);
  const right = await readDerived(db);
  for (const name of countedTables)
    expect(right.filter((row) => row.startsWith(`${name} `)).length, name).toBeGreaterThan(0);
  await spoilDerived(db);
  expect(await readDerived(db)).not.toEqual(right);
  const left: number[] = [];
  expect(await noteRecounts(db)).toEqual(["latest", "silence", "state", "places"]);
  await Promise.all([recountNoted(db, { onProgress: (some) => left.push(some) }), recountNoted(db)]);
  expect(await readDerived(db)).toEqual(right);
  expect([left.at(-1), left.length > 1]).toEqual([0, true]);
  expect(await noteRecounts(db)).toEqual([]);
  await rebuildRollups(db);
  expect(await readDerived(db)).toEqual(right);
});

test("an assessment that is deleted while a recount reads it is not counted", async () => {
  const { db } = gateway;
  const { assessmentUuid, facilityUuid } = await db
    .selectFrom("assessmentRollup")
    .select(["assessmentUuid", "facilityUuid"])
    .orderBy("assessedAt", "desc")
    .executeTakeFirstOrThrow();
  await sql`insert into recount (name, facility_uuid) values ('latest', ${facilityUuid})`.execute(db);
  let isWanted = false;
  const removal = db.transaction().execute(async (transaction) => {
    await sql`delete from assessment where assessment_uuid = ${assessmentUuid}`.execute(transaction);
    await expect.poll(() => isWanted).toBe(true);
  });
  await expect
    .poll(
      async () =>
        (
          await sql`select from pg_locks where relation = 'assessment'::regclass and mode = 'RowExclusiveLock'`.execute(
            db,
          )
        ).rows.length,
    )
    .toBe(1);
  const left: number[] = [];
  const counting = recountNoted(db, { onProgress: (some) => left.push(some) });
  await expect
    .poll(
      async () =>
        (
          await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            db,
          )
        ).rows.length,
    )
    .toBe(1);
  // Progress is reported even if the recount waits from its beginning.
  expect(left).toEqual([1]);
  isWanted = true;
  await Promise.all([removal, counting]);
  await expectCountsHold(db);
});
