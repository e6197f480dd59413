import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

import { listLongTransactions } from "../../db/doctor.ts";
import { connect, poolOf } from "../../db/engine/connect.ts";
import { openFiles } from "../../gateway/storage/files.ts";
import { examine, type Finding } from "../../gateway/system/doctor.ts";
import { Refusal, startObjectStore } from "../storage/objectStore.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";

/** The doctor: each fault is brought about, found, and mended by the very line that the doctor prints. */

let gateway: TestGateway;
let dataDir: string;

beforeAll(async () => {
  [gateway, dataDir] = await Promise.all([testGateway(), mkdtemp(join(tmpdir(), "doctor-"))]);
});
afterAll(async () => {
  await gateway?.stop();
  await rm(dataDir, { recursive: true });
});

const look = async (): Promise<Finding[]> => examine({ db: gateway.db, files: await openFiles(dataDir), timeZone: "Africa/Lusaka" });
const of = (findings: Finding[], name: string) => findings.filter(({ check }) => check === name);

test("an installation in order is told so, but for the backup that nobody made and the tests' hasty server", async () => {
  const findings = await look();
  expect(findings.filter(({ state }) => state !== "ok").map(({ check, found }) => `${check}: ${found.split(" is off")[0]!}`)).toEqual([
    ...["fsync", "full_page_writes", "synchronous_commit"].map((name) => `database: ${name}`),
    "backup: No backup was made from this database.",
  ]);
  expect([...new Set(findings.map(({ check }) => check))]).toEqual(["database", "rights", "extensions", "schema", "clock", "time zone", "transactions", "connections", "room", "storage", "backup", "derived"]);
});

test("a lacking extension is put back by the line that is printed", async () => {
  await sql`drop extension fuzzystrmatch`.execute(gateway.db);
  const [found] = of(await look(), "extensions");
  expect(found).toMatchObject({ state: "failed", found: "The extension fuzzystrmatch is not in this database." });
  await sql.raw(found!.remedy!).execute(gateway.db);
  expect(of(await look(), "extensions")).toMatchObject([{ state: "ok" }]);
});

test("wrong figures are found by a sample, and not mended by looking", async () => {
  await sql`update assessment_rollup set staff_trained = staff_trained + 1`.execute(gateway.db);
  const wrong = async () => of(await look(), "derived").map(({ state, found }) => [state, found.split('"')[1]]);
  expect(await wrong()).toContainEqual(["failed", "latest"]);
  expect(await wrong()).toContainEqual(["failed", "latest"]);
  await sql`update assessment_rollup set staff_trained = staff_trained - 1`.execute(gateway.db);
  expect(await wrong()).toEqual([["ok", undefined]]);
});

test("sessions in another time zone than the ministry's are found, and mended by the line that is printed", async () => {
  const { connection } = gateway.database;
  // As behind a pooler that drops what a session asks for at its start.
  const dropped = connect(connection, "UTC", () => {});
  const [found] = of(await examine({ db: dropped, files: await openFiles(dataDir), timeZone: "Africa/Lusaka" }), "time zone");
  expect(found).toMatchObject({ state: "failed", found: expect.stringMatching(/^Sessions have the time zone UTC in place of Africa\/Lusaka \(TIME_ZONE\)/) as string });
  await sql.raw(found!.remedy!.split("  --")[0]!).execute(dropped);
  await dropped.destroy();
  const pooled = new pg.Client(connection);
  await pooled.connect();
  expect((await pooled.query("show timezone")).rows).toEqual([{ TimeZone: "Africa/Lusaka" }]);
  await pooled.end();
});

test("a bucket that answers, and whose key may not write, is found", async () => {
  let mayWrite = true;
  const store = await startObjectStore(({ method }) => {
    if (method === "PUT" && !mayWrite) throw new Refusal(403, "AccessDenied");
  });
  const files = await openFiles(dataDir, store.settings);
  const storage = async () => of(await examine({ db: gateway.db, files, timeZone: "Africa/Lusaka" }), "storage");
  expect(await storage()).toMatchObject([{ state: "ok", found: "files can be written, read and removed" }]);
  mayWrite = false;
  expect(await storage()).toMatchObject([{ state: "failed", remedy: expect.stringContaining("S3_ACCESS_KEY_ID") as string }]);
  await store.stop();
});

test("a folder that its user cannot write is found, with the line that gives it back", async () => {
  // A file where a folder should be: the tests' user may be root, who may write anywhere else.
  await writeFile(join(dataDir, "files", "tdb"), "");
  const [found] = of(await look(), "storage");
  expect([found!.state, found!.remedy]).toEqual(["failed", expect.stringContaining(`chown -R ${userInfo().username} ${join(dataDir, "files")}`)]);
  await rm(join(dataDir, "files", "tdb"));
});

test("a transaction that was forgotten is found, and ended by the line that is printed", async () => {
  const client = await poolOf(gateway.db).connect();
  const ended = new Promise((resolve) => client.once("error", resolve));
  await client.query("set idle_in_transaction_session_timeout = 0; begin; select 1");
  // With a limit of no minutes, so that nobody has to wait for five.
  const found = await listLongTransactions(gateway.db, { minutes: 0 });
  expect(found).toMatchObject([{ state: "idle in transaction", minutes: 0, blockedBy: [] }]);
  await sql.raw(`select pg_terminate_backend(${found[0]!.pid})`).execute(gateway.db);
  await ended;
  client.release(true);
  // The server needs a moment to clear away what was ended.
  await expect.poll(() => listLongTransactions(gateway.db, { minutes: 0 })).toEqual([]);
});

test("of two transactions, of which one waits for the other, it is told which", async () => {
  const [holder, waiter] = [await poolOf(gateway.db).connect(), await poolOf(gateway.db).connect()];
  const { pid } = (await holder.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!;
  await holder.query("begin; select from facility limit 1 for update");
  await waiter.query("begin");
  const waits = waiter.query("select from facility for update");
  await expect.poll(async () => (await listLongTransactions(gateway.db, { minutes: 0 })).map(({ blockedBy }) => blockedBy)).toEqual([[], [pid]]);
  await holder.query("rollback");
  await waits;
  await waiter.query("rollback");
  holder.release();
  waiter.release();
});

test("a database that does not answer ends the checks with one line", async () => {
  const db = connect("postgres://nobody@127.0.0.1:1/none", "Africa/Lusaka", () => {});
  const findings = await examine({ db, files: await openFiles(dataDir), timeZone: "Africa/Lusaka" });
  await db.destroy();
  expect(findings).toEqual([{ check: "database", state: "failed", found: expect.stringMatching(/^This could not be checked: .*ECONNREFUSED/) as string }]);
});

test("both faces tell an administrator the same", async () => {
  const admin = await gateway.as("admin");
  const rest = bodyOf(await admin.get("/api/v1/system/checks"));
  const { data } = await admin.graphql("{ systemChecks { state findings { check state found remedy } } }");
  expect(rest.state).toBe("failed");
  expect(data.systemChecks.state).toBe("FAILED");
  expect(data.systemChecks.findings.map(({ check }: Finding) => check)).toEqual(rest.findings.map(({ check }: Finding) => check));
  expect((await (await gateway.as("manager")).get("/api/v1/system/checks")).status).toBe(403);
});
