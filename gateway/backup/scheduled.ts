import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { countRows } from "../../db/backup.ts";
import { findWrongDerived } from "../../db/derived/recount.ts";
import { findBackupFailure, findLastBackup, upsertBackupFailure, upsertLastBackup } from "../../db/doctor.ts";
import { connect, type Database } from "../../db/engine/connect.ts";
import { startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { sharedLocks } from "../../db/engine/lock.ts";
import type { Files } from "../storage/files.ts";
import { type Former, takeBackup } from "./backup.ts";
import { DamagedBackup } from "./damaged.ts";
import { isBackupDue } from "./due.ts";
import { readManifest } from "./parts.ts";
import type { Place, Vault } from "./place.ts";
import { checkBackup, restoreRows } from "./restore.ts";
import { folderOf, listToRemove, momentOf, type Retention } from "./retention.rules.ts";
import { type Opener, sealFor } from "./seal.ts";

/** Backups that are taken every night, prove themselves, and make room for later ones. */

type Say = (line: string) => void;
export type Scheduled = { db: Database; files: Files; dataDir: string; timeZone: string; vault: Vault; recipient?: string | undefined; keep: Retention; say: Say };

const lockName = "scheduled backup";
const sampledFacilities = 20;

/** The scheduled backups, oldest first. */
async function listBackups(vault: Vault, isFinished: boolean): Promise<string[]> {
  return (await vault.list()).filter((each) => momentOf(each.name) !== undefined && each.isFinished === isFinished).map(({ name }) => name);
}

type Proof = { sha256: string; open?: Opener | undefined; dataDir: string; timeZone: string; say: Say };

/**
 * Reads every byte of a backup, restores its rows into a database server of its own, which is made for it and removed, counts them there, and
 * compares a sample of derived figures with a recount. The product's server needs no further right or room for it.
 *
 * @returns the rows that were counted
 * @throws Error that says what is wrong with the backup
 */
async function proveBackup(place: Place, { sha256, open, dataDir, timeZone, say }: Proof): Promise<number> {
  const backup = await checkBackup(place, { expected: sha256, open, say });
  const { tables } = backup.manifest;
  const scratch = join(dataDir, "proof");
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o700 });
  try {
    const server = await startEmbedded(scratch);
    const db = connect(server.connection, timeZone, () => {}, 2);
    try {
      await restoreRows(db, backup, () => {});
      const counts = await countRows(db, tables.map(({ name }) => name));
      const missing = tables.filter(({ name, rows }) => (counts.get(name) ?? 0) < rows);
      if (missing.length > 0) throw new Error(`The restored backup has ${counts.get(missing[0]!.name)} rows in ${missing[0]!.name} instead of ${missing[0]!.rows}.`);
      const wrong = await findWrongDerived(db, { facilities: sampledFacilities });
      if (wrong.length > 0) throw new Error(`The restored backup has wrong figures: ${wrong.map(({ name }) => name).join(", ")}.`);
      return tables.reduce((sum, { rows }) => sum + rows, 0);
    } finally {
      await db.destroy();
      await server.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The newest backup that can be read, to share its stored files. After a failure every file is copied anew: the former backup may be what is damaged. */
async function findFormer(db: Database, vault: Vault): Promise<Former | undefined> {
  const [last] = (await listBackups(vault, true)).slice(-1);
  if (last === undefined || (await findBackupFailure(db))) return undefined;
  const place = vault.open(last);
  return readManifest(place).then(({ manifest }) => ({ place, manifest }), () => undefined);
}

/** Takes a backup, proves it and removes those that the rule no longer keeps; records how it went. @throws Error */
async function takeAndProve({ db, files, dataDir, timeZone, vault, recipient, keep, say }: Scheduled): Promise<void> {
  // What a killed attempt left.
  for (const name of await listBackups(vault, false)) await vault.remove(name);
  const name = folderOf(new Date());
  if ((await listBackups(vault, true)).includes(name)) throw new Error(`${join(vault.shown, name)} was made in this minute.`);
  const place = vault.open(name);
  const seal = recipient === undefined ? undefined : await sealFor(recipient);
  const { manifest, sha256 } = await takeBackup({ db, files }, { place, seal }, { former: await findFormer(db, vault), say });
  const last = { takenAt: manifest.takenAt, sha256, place: vault.shown, recipient };
  try {
    const rows = await proveBackup(place, { sha256, open: seal?.open, dataDir, timeZone, say });
    const now = new Date().toISOString();
    await upsertLastBackup(db, { ...last, checkedAt: now, provedAt: now, provedRows: rows });
    await upsertBackupFailure(db, null);
    say(`The backup ${name} was restored into a scratch database: ${rows} rows are there.`);
  } catch (error) {
    // One that could not be restored, such as for want of room, is better than none.
    if (error instanceof DamagedBackup) await vault.remove(name);
    else await upsertLastBackup(db, { ...(await findLastBackup(db)), ...last });
    throw error;
  } finally {
    for (const old of listToRemove(await listBackups(vault, true), keep)) {
      await vault.remove(old);
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
