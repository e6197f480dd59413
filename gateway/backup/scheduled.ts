import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { countRows } from "../../db/backup.ts";
import { findWrongDerived } from "../../db/derived/recount.ts";
import { findBackupFailure, findLastBackup, findLastDue, upsertBackupFailure, upsertLastBackup } from "../../db/doctor.ts";
import { connect, type Database } from "../../db/engine/connect.ts";
import { startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { sharedLocks } from "../../db/engine/lock.ts";
import type { Files } from "../storage/files.ts";
import { takeBackup } from "./backup.ts";
import { manifestName } from "./manifest.rules.ts";
import { DamagedBackup } from "./parts.ts";
import { checkBackup, restoreRows } from "./restore.ts";
import { folderOf, listToRemove, momentOf, type Retention } from "./retention.rules.ts";

/** Backups that are taken every night, prove themselves, and make room for later ones. */

type Say = (line: string) => void;
export type Scheduled = { db: Database; files: Files; dataDir: string; timeZone: string; folder: string; keep: Retention; say: Say };

/** After a failure it is tried again, not at once. */
const againMs = 60 * 60 * 1000;
const lockName = "scheduled backup";
const sampledFacilities = 20;

/** Whether the last night's backup is still to be made. */
export async function isBackupDue(db: Database): Promise<boolean> {
  const [due, last, failure] = [await findLastDue(db), await findLastBackup(db), await findBackupFailure(db)];
  if (failure && Date.now() - Date.parse(failure.at) < againMs) return false;
  return !last?.provedAt || Date.parse(last.provedAt) < due.getTime();
}

/** The finished scheduled backups of a folder, oldest first. */
async function listBackups(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => momentOf(name) !== undefined).toSorted();
  const finished = await Promise.all(names.map((name) => stat(join(folder, name, manifestName)).then(() => true, () => false)));
  return names.filter((_, at) => finished[at]);
}

/**
 * Reads every byte of a backup, restores its rows into a database server of its own, which is made for it and removed, counts them there, and
 * compares a sample of derived figures with a recount. The product's server needs no further right or room for it.
 *
 * @returns the rows that were counted
 * @throws Error that says what is wrong with the backup
 */
async function proveBackup(folder: string, { sha256, dataDir, timeZone, say }: { sha256?: string; dataDir: string; timeZone: string; say: Say }): Promise<number> {
  const { manifest } = await checkBackup(folder, { ...(sha256 === undefined ? {} : { expected: sha256 }), say });
  const scratch = join(dataDir, "proof");
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o700 });
  try {
    const server = await startEmbedded(scratch);
    const db = connect(server.connection, timeZone, () => {}, 2);
    try {
      await restoreRows(db, folder, manifest, () => {});
      const counts = await countRows(db, manifest.tables.map(({ name }) => name));
      const missing = manifest.tables.filter(({ name, rows }) => (counts.get(name) ?? 0) < rows);
      if (missing.length > 0) throw new Error(`The restored backup has ${counts.get(missing[0]!.name)} rows in ${missing[0]!.name} instead of ${missing[0]!.rows}.`);
      const wrong = await findWrongDerived(db, { facilities: sampledFacilities });
      if (wrong.length > 0) throw new Error(`The restored backup has wrong figures: ${wrong.map(({ name }) => name).join(", ")}.`);
      return manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
    } finally {
      await db.destroy();
      await server.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Takes a backup, proves it and removes those that the rule no longer keeps; records how it went. @throws Error */
async function takeAndProve({ db, files, dataDir, timeZone, folder, keep, say }: Scheduled): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const finished = await listBackups(folder);
  // What a killed attempt left.
  for (const name of await readdir(folder)) if (momentOf(name) && !finished.includes(name)) await rm(join(folder, name), { recursive: true });
  const name = folderOf(new Date());
  if (finished.includes(name)) throw new Error(`${join(folder, name)} was made in this minute.`);
  // After a failure every file is copied anew: the former backup may be what is damaged.
  const former = (await findBackupFailure(db)) ? undefined : finished.at(-1);
  const path = join(folder, name);
  const { manifest, sha256 } = await takeBackup({ db, files }, path, { former: former && join(folder, former), say });
  const { takenAt } = manifest;
  try {
    const rows = await proveBackup(path, { sha256, dataDir, timeZone, say });
    const now = new Date().toISOString();
    await upsertLastBackup(db, { takenAt, sha256, checkedAt: now, provedAt: now, provedRows: rows });
    await upsertBackupFailure(db, null);
    say(`The backup ${name} was restored into a scratch database: ${rows} rows are there.`);
  } catch (error) {
    // One that could not be restored, such as for want of room, is better than none.
    if (error instanceof DamagedBackup) await rm(path, { recursive: true });
    else await upsertLastBackup(db, { ...(await findLastBackup(db)), takenAt, sha256 });
    throw error;
  } finally {
    for (const old of listToRemove(await listBackups(folder), keep)) {
      await rm(join(folder, old), { recursive: true });
      say(`The backup ${old} was removed: newer ones cover its time.`);
    }
  }
}

/**
 * Makes the scheduled backup, once, whatever the number of gateways that begin it.
 *
 * @returns whether it was made here; not where another gateway makes it, or it is not due (and `onlyIfDue`)
 * @throws Error; the reason is recorded for the doctor and /metrics
 */
export async function runScheduledBackup(scheduled: Scheduled, { onlyIfDue }: { onlyIfDue: boolean }): Promise<boolean> {
  const { db } = scheduled;
  const locks = sharedLocks(db);
  const release = await locks.tryTake(lockName);
  try {
    if (!release || (onlyIfDue && !(await isBackupDue(db)))) return false;
    await takeAndProve(scheduled);
    return true;
  } catch (error) {
    await upsertBackupFailure(db, (error as Error).message);
    throw error;
  } finally {
    await release?.();
    await locks.end();
  }
}
