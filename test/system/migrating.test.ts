import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import { expect, test, vi } from "vitest";

import { poolOf } from "../../db/engine/connect.ts";
import { noteRecounts, recountNoted } from "../../db/derived/recount.ts";
import { knownMigrations, migrate, untilFree } from "../../db/migrate.ts";
import { testDatabase } from "../support/database.ts";
import { stranger } from "../support/gateway.ts";
import { patience } from "../support/patience.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { startProcess } from "../support/process.ts";

/**
 * Upgrades while others work: a lock held by another session, a gateway that is older than its database, and what
 * people see meanwhile.
 */

const gateway = await gatewayOfFile("demo", {}, [/"route":"\/readyz".*"status":503/]);

const ready = async () => {
  // The gateway reuses its last answer for a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  return stranger(gateway.url).get("/readyz");
};
const pretend = (name: string) =>
  sql`insert into kysely_migration (name, timestamp) values (${name}, '2099-01-01T00:00:00Z')`.execute(gateway.db);
const forget = () => sql`delete from kysely_migration where name like '2099%'`.execute(gateway.db);

test("a gateway is not ready if a newer version has migrated its database, and reports why", async () => {
  await pretend("20990101T0000-something");
  const { status, body } = await ready();
  expect([status, (body as { reasons: { migrations: string } }).reasons.migrations]).toEqual([
    503,
    "the database was migrated by a newer version (20990101T0000-something): replace this gateway",
  ]);
  await expect(migrate(gateway.db)).rejects.toThrow(
    "The database was migrated by a newer version (20990101T0000-something). Start that version, or a newer one. To go back to this version, restore the backup that was made before the upgrade.",
  );
  await forget();
  expect((await ready()).status).toBe(200);
});

test("a gateway stays ready, and can be started again, if a newer version only added to its database", async () => {
  await pretend("20990101T0000-something-expand");
  expect((await ready()).status).toBe(200);
  expect(await migrate(gateway.db)).toEqual([]);
  await forget();
});

test("an upgrade gives way to a session that holds a table, reports its pid, and finishes once that session ends", async () => {
  const rows = await gateway.sql<{ name: string }>`
    select tgname::text as name from pg_trigger join pg_description on objoid = pg_trigger.oid where tgrelid = 'tdb'::regclass and description like 'derived %' limit 1`;
  const { name } = rows[0]!;
  await gateway.sql`comment on trigger ${sql.ref(name)} on tdb is null`;
  const holder = await poolOf(gateway.db).connect();
  const pid = (await holder.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
  await holder.query("begin; lock table tdb in row exclusive mode");
  const reported: number[][] = [];
  const done = migrate(gateway.db, undefined, (holders) => {
    reported.push(holders.map((one) => one.pid));
    if (reported.length === 2) void holder.query("rollback").then(() => holder.release());
  });
  await done;
  expect(reported).toEqual([expect.arrayContaining([pid]), expect.arrayContaining([pid])]);
  const after =
    await gateway.sql`select description from pg_trigger join pg_description on objoid = pg_trigger.oid where tgrelid = 'tdb'::regclass and tgname = ${name}`;
  expect(after).toHaveLength(1);
});

test("recounts are noted once no session holds a facility; until then the pid of the holder is reported", async () => {
  await gateway.sql`delete from derived where name = 'latest'`;
  const holder = await poolOf(gateway.db).connect();
  const pid = (await holder.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
  await holder.query("begin; select from facility limit 1 for update");
  const reported: number[][] = [];
  const noted = await untilFree(
    gateway.db,
    () => noteRecounts(gateway.db),
    async (holders) => {
      reported.push(holders.map((one) => one.pid));
      await holder.query("rollback");
      holder.release();
    },
  );
  expect([noted, reported]).toEqual([expect.arrayContaining(["latest"]), [expect.arrayContaining([pid])]]);
  await recountNoted(gateway.db);
});

/** The tables of this database that a session waits for, each with the requested lock. */
async function awaited(): Promise<string[]> {
  const rows = await gateway.sql<{ lock: string }>`
    select relation::regclass || ' ' || mode as lock from pg_locks
    where not granted and locktype = 'relation' and database = (select oid from pg_database where datname = current_database())`;
  return rows.map(({ lock }) => lock);
}
const untilAwaited = (lock: string) =>
  vi.waitFor(async () => expect(await awaited()).toContain(lock), { timeout: patience, interval: 20 });

test("an upgrade does not wait for a transaction on other tables that has raised a revision", async () => {
  await gateway.sql`comment on trigger boundary_after_write on boundary is null`;
  const saver = await poolOf(gateway.db).connect();
  await saver.query("begin; update revision set value = value + 1");
  const reported: object[] = [];
  await migrate(gateway.db, undefined, (holders) => {
    reported.push(holders);
    void saver.query("rollback");
  });
  expect(reported).toEqual([]);
  await saver.query("rollback");
  saver.release();
});

test("readers do not wait while triggers are added or changed", async () => {
  const triggers = ["facility", "tdb"].map((table) =>
    sql.raw(`comment on trigger ${table}_after_update on ${table} is null`),
  );
  for (const change of triggers) await change.execute(gateway.db);
  const holder = await poolOf(gateway.db).connect();
  await holder.query("begin; lock table tdb in row exclusive mode");
  const done = migrate(gateway.db);
  await untilAwaited("tdb ShareRowExclusiveLock");
  // With `nowait`, PostgreSQL grants the reader's lock at once or refuses it.
  const read = holder.query("lock table facility in access share mode nowait").then(
    () => "read",
    (error: Error) => error.message,
  );
  expect(await read).toBe("read");
  await holder.query("rollback");
  holder.release();
  await done;
});

test("a list that PostgreSQL ended because of a deadlock with an upgrade is read again", async () => {
  const uploader = await gateway.as("uploader");
  const rows = await gateway.sql<{ uuid: string }>`select facility_uuid as uuid from tdb limit 1`;
  const list = await gateway.db.transaction().execute(async (other) => {
    // This session does not check for deadlocks, so PostgreSQL ends the other one: the list.
    await sql`set local deadlock_timeout = '1h'`.execute(other);
    await sql`lock table facility in access exclusive mode`.execute(other);
    const answer = uploader.get(`/api/v1/tdb/facility/${rows[0]!.uuid}`);
    await untilAwaited("facility AccessShareLock");
    await sql`lock table tdb in access exclusive mode`.execute(other);
    return { answer };
  });
  const { status, body } = await list.answer;
  expect([status, (body as object[]).length > 0]).toEqual([200, true]);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test.each([
  ["is starting for the first time", "The tables are being created.", 0],
  ["is being upgraded", "The database is being upgraded.", knownMigrations.length - 1],
])(
  "while the tables are made, people and load balancers are told that the platform %s",
  async (what, progress, done) => {
    const database = await testDatabase("bare");
    if (done > 0) await migrate(database.db, knownMigrations.slice(0, done));
    const dataDir = await mkdtemp(join(tmpdir(), "migrating-"));
    const port = await freePort();
    const holder = await poolOf(database.db).connect();
    // Kysely's lock, as another process holds it while it migrates.
    await holder.query("select pg_advisory_lock(3853314791062309107)");
    const started = startProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir, DEMO: "0", PORT: String(port) });
    const url = `http://127.0.0.1:${port}`;
    const statusOf = (path: string, accept = "application/json") =>
      fetch(url + path, { headers: { accept } }).catch(() => undefined);
    await expect.poll(async () => (await statusOf("/readyz"))?.status).toBe(503);
    expect(await (await statusOf("/readyz"))!.json()).toEqual({
      status: "not ready",
      migrations: "failed",
      reasons: { migrations: progress },
    });
    expect((await statusOf("/healthz"))!.status).toBe(200);
    const answer = (await statusOf("/api/v1/province"))!;
    expect([
      answer.status,
      answer.headers.get("retry-after"),
      ((await answer.json()) as { detail: string }).detail,
    ]).toEqual([503, "5", `The platform ${what}. ${progress}`]);
    const page = (await statusOf("/", "text/html"))!;
    expect([page.status, (await page.text()).includes(`<h1>The platform ${what}</h1>`)]).toEqual([503, true]);
    expect(await (await statusOf("/metrics"))!.text()).toContain("platform_starting 1");
    await holder.query("select pg_advisory_unlock(3853314791062309107)");
    holder.release();
    const running = await started;
    expect(((await (await statusOf("/readyz"))!.json()) as { status: string }).status).toBe("ready");
    running.child.kill("SIGTERM");
    await running.ended;
    await database.drop();
    await rm(dataDir, { recursive: true });
  },
);
