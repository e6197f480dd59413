import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { findLastBackup, upsertLastBackup } from "../../db/system/doctor.ts";
import { runCommand, withDatabase } from "../system/command.ts";
import { backupReachOf, objectsOf, readSettings } from "../env.ts";
import { openFiles } from "../storage/files.ts";
import { takeBackup } from "./backup.ts";
import { NoBackup, reasonOf } from "./damaged.ts";
import { shownBytes } from "./manifest.rules.ts";
import { openPlace, openVault } from "./places.ts";
import { checkBackup } from "./restore.ts";
import { alone, runScheduledBackup } from "./scheduled.ts";
import { sealFor } from "./seal.ts";

/** `npm run backup -- …`. Exit codes: 0 done, 1 no backup made, 2 wrongly called. */

const usage = `npm run backup -- FOLDER [--allow-missing] [--check]
npm run backup -- --scheduled [--if-due]

Takes a backup of the database and of all stored files into a new or empty folder, also while the product runs; or into
object storage, s3://bucket/prefix/NAME (BACKUP_S3_ENDPOINT …, otherwise S3_ENDPOINT …), where all backups of a prefix share stored files.
Database and files are found by the settings (DATABASE_URL, DATA_DIR, S3_BUCKET …), as npm start finds them. With BACKUP_RECIPIENT, a public key
of age, the backup is encrypted: only the holder of the private key can restore it.

--allow-missing   completes the backup although stored files are lost or damaged, and names them in it
--check           reads every byte of the finished backup again, as restore does before it changes anything
--scheduled       makes a backup below BACKUP_DIR as the gateway does every night: reads it again, restores it into a scratch database, counts the
                  rows there, and removes the backups that BACKUP_KEEP no longer keeps
--if-due          does nothing where last night's backup is made`;

const say = (line: string): void => console.log(line);

async function runScheduled(onlyIfDue: boolean): Promise<number> {
  const settings = readSettings();
  const { BACKUP_DIR: address, BACKUP_KEEP: keep, BACKUP_RECIPIENT: recipient, TIME_ZONE: timeZone } = settings;
  if (address === undefined)
    throw new Error("Setting BACKUP_DIR: it names the place of scheduled backups, and is not set.");
  const dataDir = resolve(settings.DATA_DIR);
  return withDatabase(settings, async (db) => {
    const files = await openFiles(dataDir, objectsOf(settings));
    const isMade = await runScheduledBackup(
      { db, files, dataDir, timeZone, vault: openVault(address, backupReachOf(settings)), recipient, keep, say },
      { onlyIfDue },
    );
    if (!isMade) say("No backup is due here.");
    return 0;
  });
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "allow-missing": { type: "boolean" },
      check: { type: "boolean" },
      scheduled: { type: "boolean" },
      "if-due": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [folder] = positionals;
  if (values.scheduled && folder === undefined && !values["allow-missing"] && !values.check)
    return runScheduled(values["if-due"] === true);
  if (values.help || folder === undefined || values.scheduled || values["if-due"] || positionals.length > 1) {
    say(usage);
    return values.help ? 0 : 2;
  }
  const start = Date.now();
  const settings = readSettings();
  return withDatabase(settings, async (db) => {
    const files = await openFiles(resolve(settings.DATA_DIR), objectsOf(settings));
    const place = openPlace(folder, backupReachOf(settings));
    const seal = settings.BACKUP_RECIPIENT === undefined ? undefined : await sealFor(settings.BACKUP_RECIPIENT);
    const take = () => takeBackup({ db, files }, { place, seal }, { allowMissing: values["allow-missing"], say });
    const taken = await (place.isFar ? alone(db, take) : take());
    if (!taken)
      throw new NoBackup(
        "Another backup is being made, which shares stored files with this one. Try again when it has ended.",
      );
    const { manifest, sha256 } = taken;
    if (values.check) await checkBackup(place, { expected: sha256, open: seal?.open, say });
    const former = await findLastBackup(db);
    await upsertLastBackup(db, {
      ...former,
      takenAt: manifest.takenAt,
      sha256,
      place: place.shown,
      recipient: seal?.recipient,
      checkedAt: values.check ? new Date().toISOString() : former?.checkedAt,
    });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const { count, totalBytes, missing } = manifest.files;
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    say(
      `Backup of ${manifest.takenAt} in ${place.shown}${seal ? `, encrypted for ${seal.recipient}` : ""}: ${rows} rows, ${count - missing.length} files (${shownBytes(totalBytes)}), ${seconds} s`,
    );
    say(`SHA-256 of its manifest: ${sha256}`);
    return 0;
  });
}

await runCommand(run, usage, (error) => `No backup was made: ${reasonOf(error)}`);
