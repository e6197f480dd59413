import { mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import {
  findBackupFailure,
  findLastBackup,
  findLastDue,
  upsertBackupFailure,
  upsertLastBackup,
} from "../../db/system/doctor.ts";
import { connect, type Database } from "../../db/engine/connect.ts";
import { isBackupDue } from "../../gateway/backup/due.ts";
import { folderVault } from "../../gateway/backup/folderPlace.ts";
import { momentOf } from "../../gateway/backup/retention.rules.ts";
import { runScheduledBackup } from "../../gateway/backup/scheduled.ts";
import { openFiles } from "../../gateway/storage/files.ts";
import { examine } from "../../gateway/system/doctor.ts";
import { stranger, testGateway, type TestGateway } from "../support/gateway.ts";
import { startProcess } from "../support/process.ts";
import { keepFiles } from "./command.ts";

/** Scheduled backups: made once, proved by a restore, kept by rule; and what happens when one cannot be restored. */

const timeZone = "Africa/Lusaka";
let gateway: TestGateway;
let folder: string;
let others: Database[];

beforeAll(async () => {
  [gateway, folder] = await Promise.all([testGateway(), mkdtemp(join(tmpdir(), "scheduled-"))]);
  await keepFiles(gateway, 30);
  others = [1, 2].map(() => connect(gateway.database.connection, timeZone, () => {}, 2));
});
afterAll(async () => {
  await Promise.all(others.map((db) => db.destroy()));
  await gateway?.stop();
  await rm(folder, { recursive: true });
});

const make = async (db: Database = others[0]!, { onlyIfDue = false } = {}) =>
  runScheduledBackup(
    {
      db,
      files: await openFiles(gateway.dataDir),
      dataDir: gateway.dataDir,
      timeZone,
      vault: folderVault(folder),
      keep: { days: 2, weeks: 0, months: 0 },
      say: () => {},
    },
    { onlyIfDue },
  );
const made = async () => (await readdir(folder)).filter((name) => momentOf(name)).toSorted();
/** Renames the newest backup, as if it had been made at that time. */
const age = async (name: string) => rename(join(folder, (await made()).at(-1)!), join(folder, name));
const findingOf = async () =>
  (await examine({ db: gateway.db, files: await openFiles(gateway.dataDir), timeZone: "Africa/Lusaka" })).filter(
    ({ check }) => check === "backup",
  );
const metric = async (url: string, name: string) =>
  new RegExp(`^${name} (.+)$`, "m").exec((await stranger(url).get("/metrics")).text)?.[1];

test("a gateway with a folder for backups makes the first one, proves it and reports it", async () => {
  const { child, url, ended } = await startProcess({
    DATABASE_URL: gateway.database.url,
    DATA_DIR: gateway.dataDir,
    BACKUP_DIR: folder,
    DEMO: "0",
  });
  await expect.poll(async () => (await findLastBackup(gateway.db))?.provedAt).toBeTruthy();
  child.kill("SIGTERM");
  await ended;
  expect(url).toMatch(/^http/);
  expect(await made()).toHaveLength(1);
  expect(await readdir(gateway.dataDir)).not.toContain("proof");
  const { provedRows, takenAt } = (await findLastBackup(gateway.db))!;
  const [{ rows }] = (await gateway.sql<{ rows: number }>`select count(*) as rows from assessment`) as [
    { rows: number },
  ];
  expect(provedRows).toBeGreaterThan(rows);
  expect(await findingOf()).toMatchObject([
    {
      state: "ok",
      found: expect.stringMatching(
        new RegExp(
          `\\(${takenAt}\\), one was read back on .*, and one was restored on .*: ${provedRows} rows; it lies in ${folder}, not encrypted$`,
        ),
      ) as string,
    },
  ]);
  expect(await metric(gateway.url, "platform_backup_proved_rows")).toBe(String(provedRows));
  expect(await metric(gateway.url, "platform_backup_failed")).toBe("0");
  expect(await isBackupDue(gateway.db)).toBe(false);
});

test("a backup is due once a night, and again an hour after a failure", async () => {
  const [last, due] = [(await findLastBackup(gateway.db))!, await findLastDue(gateway.db)];
  expect(Date.now() - due.getTime()).toBeLessThan(24 * 3_600_000);
  expect(new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(due)).toBe("02:00");
  await upsertLastBackup(gateway.db, { ...last, provedAt: new Date(due.getTime() - 1000).toISOString() });
  expect(await isBackupDue(gateway.db)).toBe(true);
  await upsertBackupFailure(gateway.db, { reason: "a trial", isDamage: false });
  expect(await isBackupDue(gateway.db)).toBe(false);
  await gateway.sql`update setting set value = jsonb_set(value::jsonb, '{at}', to_jsonb(now() - interval '61 minutes'))::text where name = 'backup_failure'`;
  expect(await isBackupDue(gateway.db)).toBe(true);
  await upsertBackupFailure(gateway.db, null);
  await upsertLastBackup(gateway.db, { ...last, provedAt: new Date(due.getTime() + 1000).toISOString() });
  expect(await isBackupDue(gateway.db)).toBe(false);
});

test("only one of several concurrent starts makes the backup; files are shared with the one before, and old backups are removed by the rule", async () => {
  await age("2026-01-03T0000");
  await rename(join(folder, "2026-01-03T0000"), join(folder, "2026-01-02T0000"));
  const kept = join(folder, "before-the-upgrade");
  await writeFile(kept, "");
  await gateway.sql`delete from setting where name = 'last_backup'`;
  expect((await Promise.all(others.map((db) => make(db, { onlyIfDue: true })))).toSorted()).toEqual([false, true]);
  const [first, second] = (await made()) as [string, string];
  const names = await readdir(join(folder, second, "files/tdb"));
  expect(names.length).toBeGreaterThan(0);
  const inodes = await Promise.all(
    [first, second].map(async (name) => (await stat(join(folder, name, "files/tdb", names[0]!))).ino),
  );
  expect(inodes[0]).toBe(inodes[1]);
  await age("2026-01-03T0000");
  expect(await make()).toBe(true);
  // Two days are kept, and files that something else has put there.
  expect(await made()).toEqual(["2026-01-03T0000", expect.stringMatching(/^20\d\d-/)]);
  expect(await stat(kept)).toBeTruthy();
  // A second backup in the same minute, as after a kill, gets a later name, and the rule removes the one before.
  const [, last] = (await made()) as [string, string];
  expect(await make()).toBe(true);
  const [, next] = (await made()) as [string, string];
  expect(next > last).toBe(true);
  await age("2026-01-04T0000");
});

test("a damaged file that backups share is found; nothing is left of the failed backup, and the next one copies the file again", async () => {
  const before = await made();
  const files = join(folder, before.at(-1)!, "files/tdb");
  const [damaged] = await readdir(files);
  // The file is a link that the storage of this test shares: only the backup's file is replaced.
  await rm(join(files, damaged!));
  await writeFile(join(files, damaged!), "damaged");
  await expect(make()).rejects.toThrow(/^files\/tdb\/.* has 7 bytes instead of \d+\.$/);
  expect(await made()).toEqual(before);
  expect((await findBackupFailure(gateway.db))!.reason).toMatch(/has 7 bytes instead of/);
  expect(await findingOf()).toMatchObject([
    {
      state: "failed",
      found: expect.stringMatching(/^The scheduled backup of .* failed: files\/tdb\/.* has 7 bytes/) as string,
      remedy: "npm run backup -- --scheduled",
    },
  ]);
  expect(await make()).toBe(true);
  expect(await findBackupFailure(gateway.db)).toBeUndefined();
  expect((await stat(join(folder, (await made()).at(-1)!, "files/tdb", damaged!))).size).toBeGreaterThan(7);
  await age("2026-01-05T0000");
});

test("a backup whose figures do not match its rows is not proved; it is kept, and the failure is reported", async () => {
  const proved = (await findLastBackup(gateway.db))!;
  await gateway.sql`update assessment_rollup set staff_trained = staff_trained + 1`;
  await expect(make()).rejects.toThrow(/^The restored backup has wrong figures: .*latest/);
  await gateway.sql`update assessment_rollup set staff_trained = staff_trained - 1`;
  expect(await made()).toEqual(["2026-01-05T0000", expect.stringMatching(/^20\d\d-/)]);
  const last = (await findLastBackup(gateway.db))!;
  expect(last.takenAt > proved.takenAt).toBe(true);
  expect(last.provedAt).toBe(proved.provedAt);
  expect((await findBackupFailure(gateway.db))!.reason).toMatch(/^The restored backup has wrong figures/);
  expect(await readdir(gateway.dataDir)).not.toContain("proof");
  const alone = await testGateway("empty");
  await upsertBackupFailure(alone.db, { reason: "a trial", isDamage: false });
  expect(await metric(alone.url, "platform_backup_failed")).toBe("1");
  await alone.stop();
  await upsertBackupFailure(gateway.db, null);
});
