import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

import { listLongTransactions } from "../../db/system/doctor.ts";
import { connect, poolOf } from "../../db/engine/connect.ts";
import { openFiles } from "../../gateway/storage/files.ts";
import { examine, type Finding } from "../../gateway/system/doctor.ts";
import { Refusal, startObjectStore } from "../storage/objectStore.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";

/** The doctor: a test causes each fault, the doctor finds it, and the line that the doctor prints fixes it. */

let gateway: TestGateway;
let dataDir: string;

beforeAll(async () => {
  [gateway, dataDir] = await Promise.all([testGateway(), mkdtemp(join(tmpdir(), "doctor-"))]);
});
afterAll(async () => {
  await gateway?.stop();
  await rm(dataDir, { recursive: true });
});

const runDoctor = async (): Promise<Finding[]> =>
  examine({ db: gateway.db, files: await openFiles(dataDir), timeZone: "Africa/Lusaka" });
const findingsOf = (findings: Finding[], name: string) => findings.filter(({ check }) => check === name);

test("a sound installation has no faults but the missing backup and the unsafe settings of the tests' server", async () => {
  const findings = await runDoctor();
  expect(
    findings.filter(({ state }) => state !== "ok").map(({ check, found }) => `${check}: ${found.split(" is off")[0]!}`),
  ).toEqual([
    ...["fsync", "full_page_writes", "synchronous_commit"].map((name) => `database: ${name}`),
    "backup: No backup was made from this database.",
  ]);
  expect([...new Set(findings.map(({ check }) => check))]).toEqual([
    "database",
    "rights",
    "extensions",
    "schema",
    "clock",
    "time zone",
    "transactions",
    "connections",
    "room",
    "storage",
    "backup",
    "derived",
  ]);
  expect(findingsOf(findings, "time zone")[0]!.found).toMatch(
    /^it is \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d in Africa\/Lusaka, here and in the database$/,
  );
});

test("a missing extension is found, and the printed line restores it", async () => {
  await gateway.sql`drop extension fuzzystrmatch`;
  const [found] = findingsOf(await runDoctor(), "extensions");
  expect(found).toMatchObject({ state: "failed", found: "The extension fuzzystrmatch is not in this database." });
  await sql.raw(found!.remedy!).execute(gateway.db);
  expect(findingsOf(await runDoctor(), "extensions")).toMatchObject([{ state: "ok" }]);
});

test("wrong figures are found by a sample, and the check does not change them", async () => {
  await gateway.sql`update assessment_rollup set staff_trained = staff_trained + 1`;
  const wrong = async () =>
    findingsOf(await runDoctor(), "derived").map(({ state, found }) => [state, found.split('"')[1]]);
  expect(await wrong()).toContainEqual(["failed", "latest"]);
  expect(await wrong()).toContainEqual(["failed", "latest"]);
  await gateway.sql`update assessment_rollup set staff_trained = staff_trained - 1`;
  expect(await wrong()).toEqual([["ok", undefined]]);
});

test("sessions in another time zone than TIME_ZONE are found, and the printed line fixes it", async () => {
  const { connection } = gateway.database;
  // As behind a connection pooler that drops the settings that a session requests at its start.
  const dropped = connect(connection, "UTC", () => {});
  const [found] = findingsOf(
    await examine({ db: dropped, files: await openFiles(dataDir), timeZone: "Africa/Lusaka" }),
    "time zone",
  );
  expect(found).toMatchObject({
    state: "failed",
    found: expect.stringMatching(/^Sessions have the time zone UTC in place of Africa\/Lusaka \(TIME_ZONE\)/) as string,
  });
  await sql.raw(found!.remedy!.split("  --")[0]!).execute(dropped);
  await dropped.destroy();
  const pooled = new pg.Client(connection);
  await pooled.connect();
  expect((await pooled.query("show timezone")).rows).toEqual([{ TimeZone: "Africa/Lusaka" }]);
  await pooled.end();
});

test("a bucket that answers, but whose key may not write, is found", async () => {
  let mayWrite = true;
  const store = await startObjectStore(({ method }) => {
    if (method === "PUT" && !mayWrite) throw new Refusal(403, "AccessDenied");
  });
  const files = await openFiles(dataDir, store.settings);
  const storage = async () =>
    findingsOf(await examine({ db: gateway.db, files, timeZone: "Africa/Lusaka" }), "storage");
  expect(await storage()).toMatchObject([{ state: "ok", found: "files can be written, read and removed" }]);
  mayWrite = false;
  expect(await storage()).toMatchObject([
    { state: "failed", remedy: expect.stringContaining("S3_ACCESS_KEY_ID") as string },
  ]);
  await store.stop();
});

test("a folder that its user cannot write is found, with the line that fixes it", async () => {
  // A file in place of a folder: the tests may run as root, who may write to any folder.
  await writeFile(join(dataDir, "files", "tdb"), "");
  const [found] = findingsOf(await runDoctor(), "storage");
  expect([found!.state, found!.remedy]).toEqual([
    "failed",
    expect.stringContaining(`chown -R ${userInfo().username} ${join(dataDir, "files")}`),
  ]);
  await rm(join(dataDir, "files", "tdb"));
});

test("a forgotten transaction is found, and the printed line ends it", async () => {
  const client = new pg.Client(gateway.database.connection);
  await client.connect();
  const ended = new Promise((resolve) => client.on("error", () => {}).once("end", resolve));
  await client.query("begin");
  const { pid } = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!;
  // For the doctor's session the transaction began six minutes earlier, so that the test need not wait.
  const later = connect(gateway.database.connection, "Africa/Lusaka", () => {}, 1);
  await gateway.sql`
    create view pg_stat_activity as select pid, usename, state, datname, application_name, backend_type,
      xact_start - case pid when ${sql.lit(pid)} then interval '6 minutes' else interval '0' end as xact_start
    from pg_catalog.pg_stat_activity`;
  await sql`set search_path = public, pg_catalog`.execute(later);
  const transactions = async () =>
    findingsOf(
      await examine({ db: later, files: await openFiles(dataDir), timeZone: "Africa/Lusaka" }),
      "transactions",
    );
  const [found, ...others] = await transactions();
  expect([found, others]).toMatchObject([
    {
      state: "warning",
      found: expect.stringMatching(
        new RegExp(`process ${pid}, idle in transaction\\) has been open for \\d+ minutes\\.`),
      ) as string,
    },
    [],
  ]);
  await sql.raw(found!.remedy!).execute(gateway.db);
  await ended;
  // The server needs a moment to remove the ended session.
  await expect.poll(transactions).toMatchObject([{ state: "ok" }]);
  await later.destroy();
  await gateway.sql`drop view public.pg_stat_activity`;
});

test("of two transactions, the one that blocks the other is reported", async () => {
  const [holder, waiter] = [await poolOf(gateway.db).connect(), await poolOf(gateway.db).connect()];
  const { pid } = (await holder.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!;
  await holder.query("begin; select from facility limit 1 for update");
  await waiter.query("begin");
  const waits = waiter.query("select from facility for update");
  await expect
    .poll(async () => (await listLongTransactions(gateway.db, { minutes: 0 })).map(({ blockedBy }) => blockedBy))
    .toEqual([[], [pid]]);
  await holder.query("rollback");
  await waits;
  await waiter.query("rollback");
  holder.release();
  waiter.release();
});

test("a database that does not answer ends the checks with one finding", async () => {
  const db = connect("postgres://nobody@127.0.0.1:1/none", "Africa/Lusaka", () => {});
  const findings = await examine({ db, files: await openFiles(dataDir), timeZone: "Africa/Lusaka" });
  await db.destroy();
  expect(findings).toEqual([
    {
      check: "database",
      state: "failed",
      found: expect.stringMatching(/^This could not be checked: .*ECONNREFUSED/) as string,
    },
  ]);
});

test("REST and GraphQL report the same checks to an administrator", async () => {
  const admin = await gateway.as("admin");
  const rest = bodyOf(await admin.get("/api/v1/system/checks"));
  const { data } = await admin.graphql("{ systemChecks { state findings { check state found remedy } } }");
  expect(rest.state).toBe("failed");
  expect(data.systemChecks.state).toBe("FAILED");
  expect(data.systemChecks.findings.map(({ check }: Finding) => check)).toEqual(
    rest.findings.map(({ check }: Finding) => check),
  );
  expect((await (await gateway.as("manager")).get("/api/v1/system/checks")).status).toBe(403);
});
