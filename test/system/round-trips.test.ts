import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { listAssessments } from "../../db/assessment.ts";
import { connect, type Database } from "../../db/engine/connect.ts";
import { withNext } from "../../db/engine/prepared.ts";
import { sendTogether } from "../../db/engine/together.ts";
import { transact } from "../../db/engine/transaction.ts";
import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { type Answer, bodyOf, type Person, stranger, testGateway, type TestGateway } from "../support/gateway.ts";
import { statementsOf } from "../support/statements.ts";

/** Statements that do not need each other's answers are sent together. The tests count the round trips, and let statements in the middle fail. */

describe("a save", () => {
  let gateway: TestGateway;
  let admin: Person;
  let sample: SampleFacility;
  beforeAll(async () => {
    gateway = await testGateway("demo", {}, [/a fault/, /"path":"\/(api\/v1\/assessment|graphql)".*"status":50[0347]/]);
    admin = await gateway.as("admin");
    sample = await sampleFacility(gateway.db);
  });
  afterAll(() => gateway.stop());

  const create = (more = {}) => admin.call("POST", "/api/v1/assessment", visit(sample, more));
  const stored = async () => (await sql<{ count: number }>`select count(*) from assessment`.execute(gateway.db)).rows[0]!.count;
  /** Makes each save fail at its last statement. */
  const refuse = async (errcode: string) => {
    await sql.raw(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused' using errcode = '${errcode}'; end $$`).execute(gateway.db);
    await sql`create trigger refuse before insert on audit_event execute function refuse()`.execute(gateway.db);
  };
  const trips = async (call: () => Promise<Answer>): Promise<number> => {
    // Each connection prepares a statement when it is sent for the second time.
    for (let index = 0; index < 30; index += 1) expect((await call()).status).toBe(200);
    const sent = await statementsOf(async () => expect((await call()).status).toBe(200));
    return sent.length;
  };

  test("takes few round trips besides the session check", async () => {
    const { assessmentUuid } = bodyOf(await create());
    let version = 1;
    const { facilityUuid, serviceAreas } = await sampleFacility(gateway.db, 1);
    const signIn = () => stranger(gateway.url).call("POST", "/api/v1/auth", { login: "admin", password: "demo-password" });
    const session = await trips(() => admin.get("/api/v1/auth"));
    const extraTrips = async (call: () => Promise<Answer>) => (await trips(call)) - session;
    expect({
      create: await extraTrips(() => create()),
      update: await extraTrips(() => admin.call("PATCH", "/api/v1/assessment", { assessmentUuid, version, closingComments: `Seen ${(version += 1)}` })),
      settings: await extraTrips(() => admin.call("PATCH", `/api/v1/facility/settings/${facilityUuid}`, { serviceAreas: serviceAreas.slice(0, (version += 1) % 2) })),
      connectivity: await extraTrips(() => admin.call("PUT", "/api/v1/facilityConnectivity", { facilityUuid, present: false })),
    }).toEqual({ create: 2, update: 3, settings: 4, connectivity: 2 });
    // Most of them count wrong passwords.
    expect(await trips(signIn)).toBe(13);
  });

  test.each([
    ["disk_full", 507],
    ["query_canceled", 504],
    ["admin_shutdown", 503],
    ["numeric_value_out_of_range", 422],
    ["raise_exception", 500],
    ["deadlock_detected", 503],
    ["serialization_failure", 503],
  ])("whose last statement fails with %s is answered with %i and stores nothing; the next save is stored", async (errcode, status) => {
    const before = await stored();
    await refuse(errcode);
    expect((await create()).status).toBe(status);
    expect(await stored()).toBe(before);
    await sql`drop function refuse cascade`.execute(gateway.db);
    expect((await create()).status).toBe(200);
    expect(await stored()).toBe(before + 1);
  });

  test("that conflicts at every attempt is answered by REST and GraphQL: nothing was done, and it may be sent again", async () => {
    const before = await stored();
    await refuse("deadlock_detected");
    const rest = await create();
    const graphql = await admin.call("POST", "/graphql", {
      query: "mutation($input: CreateAssessmentInput!) { createAssessment(input: $input) { errors { path message } } }",
      variables: { input: visit(sample) },
    });
    await sql`drop function refuse cascade`.execute(gateway.db);
    const words = "Others were changing the same records at this moment. Nothing of this was done: please try again.";
    expect([rest.status, rest.headers.get("retry-after"), rest.body]).toEqual([503, "1", {
      type: "urn:problem:unavailable", title: "Not available now", status: 503, detail: words, instance: `urn:request:${rest.headers.get("x-request-id")}`,
    }]);
    expect([graphql.status, graphql.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(bodyOf(graphql).errors).toMatchObject([{ message: words, extensions: { code: "UNAVAILABLE", retryAfterSeconds: 1, instance: `urn:request:${graphql.headers.get("x-request-id")}` } }]);
    expect(await stored()).toBe(before);
  });

  test("whose last statement meets a deadlock is run again, and stored once", async () => {
    await sql`create sequence tries`.execute(gateway.db);
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin if nextval('tries') < 3 then raise exception 'deadlock' using errcode = 'deadlock_detected'; end if; return null; end $$`.execute(gateway.db);
    await sql`create trigger refuse before insert on audit_event execute function refuse()`.execute(gateway.db);
    const answer = await create({ closingComments: "Once only" });
    await sql`drop function refuse cascade`.execute(gateway.db);
    expect(answer.status).toBe(200);
    const { rows } = await sql<{ tries: number; stored: number }>`
      select (select last_value from tries) as tries, (select count(*) from assessment where closing_comments = 'Once only') as stored`.execute(gateway.db);
    expect(rows).toEqual([{ tries: 3, stored: 1 }]);
  });
});

test("a list with a date range is planned for each call, a list without one is prepared", async () => {
  const database = await testDatabase("demo");
  const db = connect(database.connection, "Africa/Lusaka", () => {}, 1);
  const page = { first: 20, after: null };
  for (let turn = 0; turn < 3; turn += 1) {
    await listAssessments(db, { page, start: "2020-01-01", end: `2026-0${turn + 1}-28` });
    await listAssessments(db, { page, mode: "EFirst" });
  }
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements where statement like '%from "assessment"%'`.execute(db);
  await db.destroy();
  await database.drop();
  expect(rows.map(({ statement }) => statement.includes("functionality_status_mode\" = $"))).toEqual([true]);
});

describe("statements sent together", () => {
  let database: TestDatabase;
  /** with a single connection */
  let db: Database;
  beforeAll(async () => {
    database = await testDatabase("bare");
    db = connect(database.connection, "UTC", () => {}, 1);
    await sql`create table note (text text)`.execute(db);
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });

  // The table `note` belongs to this test, so the schema does not know it.
  const notes = async () => (await db.withTables<{ note: { text: string } }>().selectFrom("note").select("text").orderBy("text").execute()).map(({ text }) => text);
  const insert = (text: string) => sql`insert into note values (${text})`;
  const plain = async (work: (bare: pg.Client) => Promise<void>) => {
    const bare = new pg.Client(database.connection);
    await bare.connect();
    try {
      await work(bare);
    } finally {
      await bare.end();
    }
  };
  const query = (text: string, values: unknown[] = [], name?: string) => ({ text, values, rowMode: "array" as const, ...(name ? { name } : {}) });

  test("are answered in order; after one that fails none is run, even without a transaction", async () => {
    await plain(async (bare) => {
      const answers = await sendTogether(bare, [query("select 1 union all select 2"), query("insert into note values ($1)", ["first"]), query("select count(*)::int from note")]);
      expect(answers.map(({ command, rows }) => [command, rows])).toEqual([["SELECT", [[1], [2]]], ["INSERT", []], ["SELECT", [[1]]]]);
      await expect(sendTogether(bare, [query("begin isolation level wrong"), query("insert into note values ($1)", ["second"])])).rejects.toMatchObject({ code: "42601" });
      await expect(sendTogether(bare, [query("select 1 / $1::int", [0]), query("insert into note values ($1)", ["third"])])).rejects.toMatchObject({ code: "22012" });
      await expect(sendTogether(bare, [query("insert into note values ($1)", [{ toPostgres: () => { throw new Error("no value"); } }]), query("insert into note values ('fourth')")])).rejects.toThrow("no value");
      expect((await bare.query("select text from note")).rows).toEqual([{ text: "first" }]);
    });
  });

  test("a statement that was skipped is prepared when it is sent again", async () => {
    await plain(async (bare) => {
      const count = query("select count(*)::int from note", [], "count");
      await expect(sendTogether(bare, [query("select 1 / $1::int", [0], "divide"), count])).rejects.toMatchObject({ code: "22012" });
      expect((await sendTogether(bare, [query("select 1 / $1::int", [1], "divide"), count, count])).map(({ rows }) => rows)).toEqual([[[1]], [[1]], [[1]]]);
    });
  });

  test("statements whose answer is not needed are visible to the next one, and are committed with the transaction or not at all", async () => {
    await sql`delete from note`.execute(db);
    await transact(db, async (transaction) => {
      for (const text of ["a", "b"]) await withNext(transaction, insert(text));
      expect((await sql<{ count: number }>`select count(*) from note`.execute(transaction)).rows).toEqual([{ count: 2 }]);
      await withNext(transaction, insert("c"));
    });
    expect(await notes()).toEqual(["a", "b", "c"]);
    await expect(transact(db, async (transaction) => {
      await withNext(transaction, insert("d"));
      throw new Error("refused");
    })).rejects.toThrow("refused");
    await expect(transact(db, (transaction) => withNext(transaction, sql`select 1 / ${0}::int`))).rejects.toMatchObject({ code: "22012" });
    expect(await notes()).toEqual(["a", "b", "c"]);
    await withNext(db, insert("e"));
    await transact(db, async (transaction) => {
      for (let index = 0; index < 200; index += 1) await withNext(transaction, insert(`f${index}`));
    });
    expect(await notes()).toHaveLength(204);
  });

  test("a transaction without statements sends nothing; one with a failed statement is rejected even if the failure was ignored", async () => {
    await sql`delete from note`.execute(db);
    expect(await statementsOf(async () => expect(await transact(db, async () => "nothing")).toBe("nothing"))).toEqual([]);
    await expect(transact(db, async (transaction) => {
      await insert("g").execute(transaction);
      await sql`select 1 / ${0}::int`.execute(transaction).catch(() => {});
    })).rejects.toThrow("rolled back");
    expect(await notes()).toEqual([]);
  });
});
