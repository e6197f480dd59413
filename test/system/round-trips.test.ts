import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { listAssessments } from "../../db/assessment/assessment.ts";
import { connect } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import { passwordTurns } from "../../gateway/auth/turns.ts";
import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { testDatabase } from "../support/database.ts";
import { type Answer, bodyOf, type Person, stranger, testGateway, type TestGateway } from "../support/gateway.ts";
import { statementsOf } from "../support/statements.ts";

/** The round trips of a save, and saves of which a statement fails. */

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
  const stored = async () => (await gateway.sql<{ count: number }>`select count(*) from assessment`)[0]!.count;
  /** Makes each save fail at its last statement. */
  const refuse = async (errcode: string) => {
    await sql
      .raw(
        `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused' using errcode = '${errcode}'; end $$`,
      )
      .execute(gateway.db);
    await gateway.sql`create trigger refuse before insert on audit_event execute function refuse()`;
  };
  const trips = async (call: () => Promise<Answer>): Promise<number> => {
    // Each connection prepares a statement when it is sent for the second time.
    for (let index = 0; index < 30; index += 1) expect((await call()).status).toBe(200);
    // While the turn of the last password is not over, a sign-in looks up who is known.
    await expect.poll(passwordTurns.isBusy).toBe(false);
    const sent = await statementsOf(async () => expect((await call()).status).toBe(200));
    return sent.length;
  };

  test("takes few round trips besides the session check", async () => {
    const { assessmentUuid } = bodyOf(await create());
    let version = 1;
    const { facilityUuid, serviceAreas } = await sampleFacility(gateway.db, 1);
    const signIn = () =>
      stranger(gateway.url).call("POST", "/api/v1/auth", { login: "admin", password: "demo-password" });
    const session = await trips(() => admin.get("/api/v1/auth"));
    const extraTrips = async (call: () => Promise<Answer>) => (await trips(call)) - session;
    expect({
      create: await extraTrips(() => create()),
      update: await extraTrips(() =>
        admin.call("PATCH", "/api/v1/assessment", {
          assessmentUuid,
          version,
          closingComments: `Seen ${(version += 1)}`,
        }),
      ),
      settings: await extraTrips(() =>
        admin.call("PATCH", `/api/v1/facility/settings/${facilityUuid}`, {
          serviceAreas: serviceAreas.slice(0, (version += 1) % 2),
        }),
      ),
      connectivity: await extraTrips(() =>
        admin.call("PUT", "/api/v1/facilityConnectivity", {
          facilityUuid,
          present: true,
          details: `Mast ${(version += 1)}`,
        }),
      ),
    }).toEqual({ create: 8, update: 12, settings: 10, connectivity: 6 });
    // Most of them count wrong passwords.
    expect(await trips(signIn)).toBe(17);
  });

  test.each([
    ["disk_full", 507],
    ["query_canceled", 504],
    ["admin_shutdown", 503],
    ["numeric_value_out_of_range", 422],
    ["raise_exception", 500],
    ["deadlock_detected", 503],
    ["serialization_failure", 503],
  ])(
    "whose last statement fails with %s is answered with %i and stores nothing; the next save is stored",
    async (errcode, status) => {
      const before = await stored();
      await refuse(errcode);
      expect((await create()).status).toBe(status);
      expect(await stored()).toBe(before);
      await gateway.sql`drop function refuse cascade`;
      expect((await create()).status).toBe(200);
      expect(await stored()).toBe(before + 1);
    },
  );

  test("that conflicts at every attempt is answered by REST and GraphQL: nothing was done, and it may be sent again", async () => {
    const before = await stored();
    await refuse("deadlock_detected");
    const rest = await create();
    const graphql = await admin.call("POST", "/graphql", {
      query: "mutation($input: CreateAssessmentInput!) { createAssessment(input: $input) { errors { path message } } }",
      variables: { input: visit(sample) },
    });
    await gateway.sql`drop function refuse cascade`;
    const words = "Others were changing the same records at this moment. Nothing of this was done: please try again.";
    expect([rest.status, rest.headers.get("retry-after"), rest.body]).toEqual([
      503,
      "1",
      {
        type: "urn:problem:unavailable",
        title: "Not available now",
        status: 503,
        detail: words,
        instance: `urn:request:${rest.headers.get("x-request-id")}`,
      },
    ]);
    expect([graphql.status, graphql.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(bodyOf(graphql).errors).toMatchObject([
      {
        message: words,
        extensions: {
          code: "UNAVAILABLE",
          retryAfterSeconds: 1,
          instance: `urn:request:${graphql.headers.get("x-request-id")}`,
        },
      },
    ]);
    expect(await stored()).toBe(before);
  });

  test("whose last statement meets a deadlock is run again, and stored once", async () => {
    await gateway.sql`create sequence tries`;
    await gateway.sql`create function refuse() returns trigger language plpgsql as $$
      begin if nextval('tries') < 3 then raise exception 'deadlock' using errcode = 'deadlock_detected'; end if; return null; end $$`;
    await gateway.sql`create trigger refuse before insert on audit_event execute function refuse()`;
    const answer = await create({ closingComments: "Once only" });
    await gateway.sql`drop function refuse cascade`;
    expect(answer.status).toBe(200);
    const rows = await gateway.sql<{ tries: number; stored: number }>`
      select (select last_value from tries) as tries, (select count(*) from assessment where closing_comments = 'Once only') as stored`;
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
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements where statement like '%from "assessment"%'`.execute(db);
  await db.destroy();
  await database.drop();
  expect(rows.map(({ statement }) => statement.includes('functionality_status_mode" = $'))).toEqual([true]);
});

test("a transaction with a failed statement is rejected even if the failure was ignored", async () => {
  const database = await testDatabase("bare");
  const db = connect(database.connection, "UTC", () => {}, 1);
  await sql`create table note (text text)`.execute(db);
  await expect(
    transact(db, async (transaction) => {
      await sql`insert into note values ('lost')`.execute(transaction);
      await sql`select 1 / ${0}::int`.execute(transaction).catch(() => {});
    }),
  ).rejects.toThrow("rolled back");
  expect((await sql`select text from note`.execute(db)).rows).toEqual([]);
  await db.destroy();
  await database.drop();
});
