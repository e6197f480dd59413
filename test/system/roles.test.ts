import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { connect, type Database, poolOf } from "../../db/engine/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { openFiles } from "../../gateway/storage/files.ts";
import { examine, type Finding } from "../../gateway/system/doctor.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { bodyOf, stranger } from "../support/gateway.ts";
import { startProcess } from "../support/process.ts";

/**
 * deploy/roles.sql on a database that a superuser created: what each role may do afterwards, and what the doctor
 * reports if a right is missing.
 */

const roles = ["platform_owner", "platform_gateway", "platform_reader"] as const;

let text: string;
let database: TestDatabase;
let dataDir: string;
const opened: Database[] = [];
const as = (user: (typeof roles)[number], { connection }: TestDatabase = database): Database => {
  const db = connect({ ...connection, user }, "Africa/Lusaka", () => {}, 1);
  opened.push(db);
  return db;
};
const run = (statement: string, db: Database = database.db) => poolOf(db).query(statement);
const rowsOf = async <Row>(statement: string, db: Database = database.db): Promise<Row[]> =>
  (await poolOf(db).query<Row & object>(statement)).rows;
/** PostgreSQL's error code for a refused statement, otherwise "done". */
const refusal = (db: Database, statement: string) =>
  run(statement, db).then(
    () => "done",
    ({ code }: { code?: string }) => code,
  );

beforeAll(async () => {
  [text, database, dataDir] = await Promise.all([
    readFile("deploy/roles.sql", "utf8"),
    testDatabase("demo"),
    mkdtemp(join(tmpdir(), "roles-")),
  ]);
  await run(text);
});
afterAll(async () => {
  await Promise.all(opened.map((db) => db.destroy()));
  const admin = connect({ ...database.connection, database: "postgres" }, "UTC", () => {}, 1);
  await database.drop();
  // Removes first the roles' rights that belong to no single database.
  for (const role of roles) await run(`drop owned by ${role}; drop role ${role}`, admin);
  await admin.destroy();
  await rm(dataDir, { recursive: true });
});

test("the product starts and serves as the gateway's user, which cannot change tables, triggers, functions, schemas or roles", async () => {
  const url = database.url.replace(/\/\/[^@]+@/, "//platform_gateway@");
  await openFiles(dataDir);
  const gateway = await startProcess({ DATABASE_URL: url, DATA_DIR: dataDir, DEMO: "0", LOG_LEVEL: "warn" });
  const boss = stranger(gateway.url);
  expect((await boss.call("POST", "/api/v1/auth", { login: "admin", password: "demo-password" })).status).toBe(200);
  const [{ uuid }] = (await rowsOf<{ uuid: string }>(
    "select facility_uuid as uuid from facility where implementing_partner_id is not null order by 1 limit 1",
  )) as [{ uuid: string }];
  const path = `/api/v1/facility/settings/${uuid}`;
  const old = bodyOf(await boss.get(path));
  expect((await boss.call("PATCH", path, { implementingPartnerId: null })).status).toBe(200);
  expect((await boss.call("PATCH", path, old)).body).toEqual(old);
  expect((await boss.graphql("{ systemChecks { state } }")).data).toMatchObject({ systemChecks: {} });
  expect((await boss.get("/readyz")).status).toBe(200);
  gateway.child.kill("SIGTERM");
  expect(await gateway.ended).toBe(0);

  const db = as("platform_gateway");
  for (const statement of [
    "create table own (a int)",
    "alter table facility add column own int",
    "alter table audit_event disable trigger user",
    "alter table facility drop column facility_type",
    "drop table worklist_note",
    "drop trigger audit_event_append_only on audit_event",
    "create trigger own before insert on facility for each row execute function audit_event_is_append_only()",
    "create function own() returns int language sql as 'select 1'",
    "create or replace function audit_event_is_append_only() returns trigger language plpgsql as 'begin return null; end'",
    "alter function audit_event_is_append_only() rename to own",
    "drop function audit_event_is_append_only() cascade",
    "truncate audit_event",
    "create schema own",
    "create role other",
    "copy facility to program 'cat'",
  ])
    expect([statement, await refusal(db, statement)]).toEqual([statement, "42501"]);
});

test("the gateway's user cannot migrate, and the error names the owner's command", async () => {
  // One that changes a table, and those after it, which may find nothing to change here.
  const ran = "from kysely_migration where name >= '20261130T0955-report-question-expand'";
  await run(`create table kept as select * ${ran}; delete ${ran}`);
  await expect(migrate(as("platform_gateway"))).rejects.toThrow(
    "The database must be upgraded first, and this user may not change its tables. As their owner: DATABASE_URL=postgres://platform_owner:…@… npm run migrate",
  );
  await run("insert into kysely_migration select * from kept; drop table kept");
});

test("on an empty database: the roles, then the owner's tables, then the views; the gateway gets rights to each new table", async () => {
  const fresh = await testDatabase("bare");
  await run(text, fresh.db);
  const owner = as("platform_owner", fresh);
  expect((await migrate(owner)).length).toBeGreaterThan(9);
  await run(text, fresh.db);
  expect(await migrate(as("platform_gateway", fresh))).toEqual([]);
  const findings = await examine({
    db: as("platform_gateway", fresh),
    files: await openFiles(dataDir),
    timeZone: "Africa/Lusaka",
  });
  expect(findings.filter(({ check }) => check === "rights")).toEqual([
    {
      check: "rights",
      state: "ok",
      found:
        "platform_gateway reads and writes the rows of public and changes no table: platform_owner does (npm run migrate)",
    },
  ]);
  expect(await rowsOf("select * from facility", as("platform_reader", fresh))).toEqual([]);
  await Promise.all(opened.splice(-4).map((db) => db.destroy()));
  await fresh.drop();
});

const viewNames = async (): Promise<string[]> =>
  (
    await rowsOf<{ name: string }>(
      "select relname::text as name from pg_class where relnamespace = 'reporting'::regnamespace order by 1",
    )
  ).map(({ name }) => name);

test("the reader's user can read the views and nothing else, and cannot write", async () => {
  const [reader, stubborn] = [as("platform_reader"), as("platform_reader")];
  expect(await rowsOf("show default_transaction_read_only", reader)).toEqual([{ default_transaction_read_only: "on" }]);
  await run("set default_transaction_read_only = off", stubborn);
  const names = await viewNames();
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const [own, all] = await Promise.all([
      rowsOf<{ rows: number }>(`select count(*) as rows from ${name}`, reader),
      rowsOf<{ rows: number }>(`select count(*) as rows from public.${name === "silence" ? "tdb_silence" : name}`),
    ]);
    expect([name, own]).toEqual([name, all]);
    expect(own[0]!.rows).toBeGreaterThan(0);
    expect(await refusal(stubborn, `delete from ${name}`)).toBe("42501");
  }
  const tables = await rowsOf<{ name: string }>(
    "select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  expect(tables.length).toBeGreaterThan(40);
  for (const { name } of tables)
    expect([name, await refusal(reader, `select * from public.${name} limit 1`)]).toEqual([name, "42501"]);
});

test("no view contains personal data: a person's name or address, a contact, a note, a file name", async () => {
  const personal = await rowsOf<{ value: string }>(`
    select unnest(array[user_name, primary_email, primary_phone_number, password_hash, surname]) as value from app_user where kind = 'person'
    union select unnest(array[contact_a_name, contact_a_email, contact_a_primary_phone, contact_b_name, contact_b_email, contact_b_primary_phone]) from assessment
    union select unnest(array[primary_power_notes, backup_power_notes, other_issues, closing_comments]) from assessment
    union select unnest(array[file_name, storage_key, sha256]) from tdb
    union select additional_notes from service_area_assessment`);
  const values = personal.map(({ value }) => value).filter((value) => value !== null && value !== "");
  expect(values.length).toBeGreaterThan(50);
  const held = new Set<unknown>();
  for (const name of await viewNames())
    for (const row of await rowsOf<Record<string, unknown>>(`select * from reporting.${name}`))
      for (const value of Object.values(row)) held.add(value);
  expect(held.size).toBeGreaterThan(500);
  expect(values.filter((value) => held.has(value))).toEqual([]);
});

const rightsOf = async (db: Database): Promise<Finding[]> =>
  (await examine({ db, files: await openFiles(dataDir), timeZone: "Africa/Lusaka" })).filter(
    ({ check }) => check === "rights",
  );

test("the doctor finds missing rights, and rights that the reader should not have; the printed line fixes it", async () => {
  const gateway = as("platform_gateway");
  expect((await rightsOf(gateway)).map(({ state }) => state)).toEqual(["ok"]);
  expect((await rightsOf(as("platform_owner"))).map(({ state, found }) => [state, found])).toEqual([
    ["ok", "platform_owner owns the tables of public and may add to them"],
  ]);
  const faults: [string, string][] = [
    [
      "revoke insert, delete on assessment from platform_gateway",
      "platform_gateway lacks rights to assessment: insert, delete.",
    ],
    [
      "revoke all on sequence change_sequence_seq from platform_gateway",
      "platform_gateway lacks rights to sequence change_sequence_seq: usage, select.",
    ],
    [
      "grant select on app_user to platform_reader",
      "platform_reader may read or write the tables themselves, with personal data: app_user.",
    ],
    [
      "grant select (surname) on app_user to platform_reader",
      "platform_reader may read or write the tables themselves, with personal data: app_user.",
    ],
  ];
  for (const [fault, found] of faults) {
    await run(fault);
    const [finding, ...others] = await rightsOf(gateway);
    expect([finding, others]).toMatchObject([{ state: "failed", found }, []]);
    await run(finding!.remedy!);
    expect((await rightsOf(gateway)).map(({ state }) => state)).toEqual(["ok"]);
  }
  await run("drop schema reporting cascade; create schema reporting");
  expect(await rightsOf(gateway)).toMatchObject([
    {
      state: "warning",
      found: "platform_reader has no views to read.",
      remedy: "psql -v ON_ERROR_STOP=1 -d platform -f deploy/roles.sql",
    },
  ]);
  await run(text);
  expect((await rightsOf(gateway)).map(({ state }) => state)).toEqual(["ok"]);
});
