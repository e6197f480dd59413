import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

import { findFeedName } from "../../db/change/change.ts";
import { connect, type Database } from "../../db/engine/connect.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { migrate } from "../../db/migrate.ts";

/** Point-in-time recovery, by docs/operations.md, of a server without pg_basebackup: the embedded one. */

let scratch: string;
let server: EmbeddedDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "platform-moment-"));
  await mkdir(join(scratch, "archive"), { mode: 0o777 });
});
afterAll(async () => {
  await db?.destroy();
  await server?.stop();
  await rm(scratch, { recursive: true, force: true });
});

async function start(settings: Record<string, string>): Promise<void> {
  server = await startEmbedded(join(scratch, "data"), settings);
  db = connect(server.connection, "Africa/Lusaka", () => {});
}
async function stop(): Promise<void> {
  await db.destroy();
  await server.stop();
}

const save = (names: string[]) => sql`insert into province (name) select unnest(${names}::text[])`.execute(db);
const saved = async () =>
  (await sql<{ name: string }>`select name from province order by province_id`.execute(db)).rows.map(
    ({ name }) => name,
  );
const one = async <Row>(text: string) => (await sql.raw<Row>(text).execute(db)).rows[0]!;

/**
 * Copies the folder of the running server so that it can be restored. `pg_backup_stop` returns the content of
 * `backup_label`.
 */
async function copyBase(to: string): Promise<void> {
  const client = new pg.Client(server.connection);
  await client.connect();
  await client.query("select pg_backup_start('base', fast => true)");
  const skip = /\/(postmaster\.(pid|opts)|pg_wal\/[0-9A-F]{24}|pg_replslot\/.*)$/;
  await cp(join(scratch, "data", "postgres"), to, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !skip.test(path),
  });
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
  await writeFile(join(to, "backup_label"), rows[0]!.labelfile);
  await client.end();
}

test("the base backup and the archive restore every commit up to a chosen moment, and none after it", async () => {
  const archive = join(scratch, "archive");
  await start({
    wal_level: "replica",
    archive_mode: "on",
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f && sync ${archive}/%f`,
    archive_timeout: "300",
  });
  await migrate(db);
  await save(["before the base"]);
  const feed = await findFeedName(db);
  const base = join(scratch, "base");
  await copyBase(base);
  for (let count = 0; count < 50; count += 1) await save([`wanted ${count}`]);
  const wanted = await saved();
  const { moment } = await one<{ moment: string }>("select clock_timestamp()::text as moment");
  // Recovery distinguishes commits by their time.
  await setTimeout(50);
  await save(["by mistake"]);
  await sql`delete from province where name like 'wanted 1%'`.execute(db);
  const { segment } = await one<{ segment: string }>("select pg_walfile_name(pg_switch_wal()) as segment");
  await expect
    .poll(
      async () =>
        (await one<{ last: string }>("select last_archived_wal as last from pg_stat_archiver")).last >= segment,
    )
    .toBe(true);
  await stop();

  await rename(join(scratch, "data", "postgres"), join(scratch, "lost"));
  await rename(base, join(scratch, "data", "postgres"));
  await writeFile(join(scratch, "data", "postgres", "recovery.signal"), "");
  await start({
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moment,
    recovery_target_action: "promote",
  });
  await expect
    .poll(async () => (await one<{ recovers: boolean }>("select pg_is_in_recovery() as recovers")).recovers)
    .toBe(false);
  expect(await saved()).toEqual(wanted);
  expect(await findFeedName(db)).not.toBe(feed);
  await save(["afterwards"]);
  await stop();

  await start({});
  expect(await saved()).toEqual([...wanted, "afterwards"]);
  expect(await migrate(db)).toEqual([]);
});
