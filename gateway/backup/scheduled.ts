import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { countRows } from "../../db/backup/backup.ts";
import { findWrongDerived } from "../../db/derived/recount.ts";
import { findBackupFailure, findLastBackup, upsertBackupFailure, upsertLastBackup } from "../../db/system/doctor.ts";
import { connect, type Database } from "../../db/engine/connect.ts";
import { disposable, startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { sharedLocks } from "../../db/engine/lock.ts";
import type { Files } from "../storage/files.ts";
import { type Former, takeBackup } from "./backup.ts";
import { DamagedBackup, reasonOf } from "./damaged.ts";
import { isBackupDue } from "./due.ts";
import { listStored, readManifest } from "./parts.ts";
import type { Place, Vault } from "./place.ts";
import { checkBackup, restoreRows } from "./restore.ts";
import { folderOf, listToRemove, momentOf, type Retention } from "./retention.rules.ts";
import { type Opener, sealFor } from "./seal.ts";

/** Nightly backups: a backup is made and checked by a restore, and old ones are removed. */

type Say = (line: string) => void;
type Scheduled = {
  db: Database;
  files: Files;
  dataDir: string;
  timeZone: string;
  vault: Vault;
  recipient?: string | undefined;
  keep: Retention;
  say: Say;
};

/**
 * In object storage each stored file is read again once in this number of nights. New ones are read in the same night.
 */
const nightsOfReading = 28;
const isTurn = ({ sha256 }: { sha256: string }, day: number): boolean =>
  Number.parseInt(sha256.slice(0, 8), 16) % nightsOfReading === day % nightsOfReading;
const lockName = "scheduled backup";
const sampledFacilities = 20;

/** The scheduled backups, oldest first. */
async function listBackups(vault: Vault, isFinished: boolean): Promise<string[]> {
  return (await vault.list())
    .filter((each) => momentOf(each.name) !== undefined && each.isFinished === isFinished)
    .map(({ name }) => name);
}

/**
 * The name of a backup that is made now. If there is a backup of this minute already (for example of a process that was
 * killed while it checked it): a later minute.
 */
async function freeName(vault: Vault): Promise<string> {
  const taken = await listBackups(vault, true);
  for (let moment = Date.now(); ; moment += 60_000)
    if (!taken.includes(folderOf(new Date(moment)))) return folderOf(new Date(moment));
}

type Proof = { sha256: string; open?: Opener | undefined; dataDir: string; timeZone: string; say: Say };

/**
 * Reads a backup, restores its rows into a temporary database server, counts them there, and compares a sample of
 * derived figures with a recount. So the product's server needs no further rights and no space for it.
 *
 * @returns the rows that were counted
 * @throws Error that says what is wrong with the backup
 */
async function proveBackup(place: Place, { sha256, open, dataDir, timeZone, say }: Proof): Promise<number> {
  const day = Math.floor(Date.now() / 86_400_000);
  const backup = await checkBackup(place, {
    expected: sha256,
    open,
    isRead: (file) => !place.isFar || isTurn(file, day),
    say,
  });
  const { tables } = backup.manifest;
  const scratch = join(dataDir, "proof");
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o700 });
  try {
    const server = await startEmbedded(scratch, disposable);
    const db = connect(server.connection, timeZone, () => {}, 2);
    try {
      await restoreRows(db, backup, () => {});
      const counts = await countRows(
        db,
        tables.map(({ name }) => name),
      );
      const missing = tables.filter(({ name, rows }) => (counts.get(name) ?? 0) < rows);
      if (missing.length > 0)
        throw new Error(
          `The restored backup has ${counts.get(missing[0]!.name)} rows in ${missing[0]!.name} instead of ${missing[0]!.rows}.`,
        );
      const wrong = await findWrongDerived(db, { facilities: sampledFacilities });
      if (wrong.length > 0)
        throw new Error(`The restored backup has wrong figures: ${wrong.map(({ name }) => name).join(", ")}.`);
      return tables.reduce((sum, { rows }) => sum + rows, 0);
    } finally {
      await db.destroy();
      await server.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The newest backup, if it can be read: the next one shares its stored files. */
async function findFormer(vault: Vault): Promise<Former | undefined> {
  const [last] = (await listBackups(vault, true)).slice(-1);
  if (last === undefined) return undefined;
  const place = vault.open(last);
  return readManifest(place).then(
    ({ manifest }) => ({ place, manifest }),
    () => undefined,
  );
}

/**
 * Removes shared files that no backup needs. If a manifest cannot be read, none is removed, because that backup may
 * need them.
 */
async function sweep({ contents, ...vault }: Vault): Promise<number> {
  if (!contents) return 0;
  const named = new Set<string>();
  for (const { name } of (await vault.list()).filter(({ isFinished }) => isFinished)) {
    const place = vault.open(name);
    for await (const stored of listStored(place, (await readManifest(place)).manifest)) named.add(stored.name);
  }
  let removed = 0;
  for await (const name of contents.list()) {
    if (named.has(name)) continue;
    await contents.remove(name);
    removed += 1;
  }
  return removed;
}

/** Removes the backups that the rule no longer keeps. */
async function makeRoom(vault: Vault, keep: Retention, say: Say): Promise<void> {
  for (const old of listToRemove(await listBackups(vault, true), keep)) {
    await vault.remove(old);
    say(`The backup ${old} was removed: newer ones cover its time.`);
  }
  const removed = await sweep(vault).catch((error: unknown) => {
    throw new Error("Stored files that no backup names could not be removed", { cause: error });
  });
  if (removed > 0) say(`${removed} stored files were removed that no backup names.`);
}

/** Makes a backup, checks it, removes those that the rule no longer keeps, and records the outcome. @throws Error */
async function takeAndProve({ db, files, dataDir, timeZone, vault, recipient, keep, say }: Scheduled): Promise<void> {
  // Unfinished backups are from attempts that were killed.
  for (const name of await listBackups(vault, false)) await vault.remove(name);
  const name = await freeName(vault);
  const place = vault.open(name);
  const seal = recipient === undefined ? undefined : await sealFor(recipient);
  // After a failure, the files that backups share may be damaged.
  const isDoubtful = (await findBackupFailure(db))?.isDamage === true;
  const { manifest, sha256 } = await takeBackup(
    { db, files },
    { place, seal },
    { former: await findFormer(vault), isDoubtful, say },
  );
  const last = { takenAt: manifest.takenAt, sha256, place: vault.shown, recipient };
  try {
    const rows = await proveBackup(place, { sha256, open: seal?.open, dataDir, timeZone, say });
    const now = new Date().toISOString();
    await upsertLastBackup(db, { ...last, checkedAt: now, provedAt: now, provedRows: rows });
    await upsertBackupFailure(db, null);
    say(`The backup ${name} was restored into a scratch database: ${rows} rows are there.`);
  } catch (error) {
    // A backup whose restore could not be tried, for example because the disk is full, is better than none.
    if (error instanceof DamagedBackup) await vault.remove(name);
    else await upsertLastBackup(db, { ...(await findLastBackup(db)), ...last });
    throw error;
  } finally {
    await makeRoom(vault, keep, say);
  }
}

/**
 * Runs work that only one process may do at a time: shared files must not be removed while another backup starts to
 * share them.
 *
 * @returns undefined if another process holds the lock
 */
export async function alone<Result>(db: Database, act: () => Promise<Result>): Promise<Result | undefined> {
  const locks = sharedLocks(db);
  const release = await locks.tryTake(lockName);
  try {
    return release && (await act());
  } finally {
    await release?.();
    await locks.end();
  }
}

/**
 * Makes the scheduled backup. If several gateways try, only one makes it.
 *
 * @returns whether it was made here; false if another gateway makes it, or (with `onlyIfDue`) if it is not due
 * @throws Error; the reason is recorded for the doctor and /metrics
 */
export async function runScheduledBackup(
  scheduled: Scheduled,
  { onlyIfDue }: { onlyIfDue: boolean },
): Promise<boolean> {
  const { db } = scheduled;
  const isMade = await alone(db, async () => {
    if (onlyIfDue && !(await isBackupDue(db))) return false;
    try {
      await takeAndProve(scheduled);
      return true;
    } catch (error) {
      // Damage is reported until a backup succeeds.
      const isDamage = error instanceof DamagedBackup || (await findBackupFailure(db))?.isDamage === true;
      await upsertBackupFailure(db, { reason: reasonOf(error as Error), isDamage });
      throw error;
    }
  });
  return isMade ?? false;
}
