import { createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";

import { insertAuditEvent } from "../../db/audit.ts";
import { CannotFill, loadTables, pour, readFilling } from "../../db/backup.ts";
import type { Database } from "../../db/engine/connect.ts";
import { knownMigrations, knownNames, migrate } from "../../db/migrate.ts";
import type { Files } from "../storage/files.ts";
import { removeStaged } from "../storage/staging.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { fileListName, type ListedFile, type Manifest, type Part, shownBytes, tablePath } from "./manifest.rules.ts";
import { DamagedBackup, forEach, listFiles, readManifest, readZipped, weigh } from "./parts.ts";

/**
 * Restores a backup into an empty system. It checks every part of the backup, then the system, and only then changes anything. Files are
 * copied before rows, so that no row lacks its file. All rows come in one transaction, so an interrupted restore can be repeated.
 */

type Say = (line: string) => void;
type System = { db: Database; files: Files };
const filesAtOnce = 4;

function compare(name: string, found: Part, wanted: Part): void {
  if (found.bytes !== wanted.bytes) throw new DamagedBackup(`${name} has ${found.bytes} bytes instead of ${wanted.bytes}.`);
  if (found.sha256 !== wanted.sha256) throw new DamagedBackup(`${name} was changed: its SHA-256 is ${found.sha256} instead of ${wanted.sha256}.`);
}

async function check(folder: string, name: string, wanted: Part): Promise<void> {
  const found = await weigh(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new DamagedBackup(`${name} is missing.`) : error;
  });
  compare(name, found, wanted);
}

export type CheckedBackup = { manifest: Manifest; sha256: string };

/**
 * Reads and checks every byte of a backup.
 *
 * @param expected the manifest's SHA-256 where the operator has noted it
 * @throws DamagedBackup
 */
export async function checkBackup(folder: string, { expected, say }: { expected?: string; say: Say }): Promise<CheckedBackup> {
  const { manifest, sha256 } = await readManifest(folder);
  if (expected !== undefined && expected !== sha256) throw new DamagedBackup(`The manifest's SHA-256 is ${sha256} instead of ${expected}.`);
  for (const table of manifest.tables) await check(folder, tablePath(table.name), table);
  await check(folder, fileListName, manifest.files);
  const missing = new Set(manifest.files.missing);
  let count = 0;
  await forEach(listFiles(folder), filesAtOnce, async ({ key, size, sha256: hash }) => {
    count += 1;
    if (!missing.has(key)) await check(folder, key, { bytes: size, sha256: hash });
  });
  if (count !== manifest.files.count) throw new DamagedBackup(`${fileListName} names ${count} files instead of ${manifest.files.count}.`);
  say(`The backup of ${manifest.takenAt} is whole: ${manifest.tables.length} tables, ${count} files (${shownBytes(manifest.files.totalBytes)}).`);
  return { manifest, sha256 };
}

/**
 * The migrations of a backup, by the names of this version.
 *
 * @throws CannotFill if the backup is too old
 */
function migrationsOf({ migrations }: Manifest): string[] {
  const names = knownNames(migrations);
  if (names) return names;
  throw new CannotFill(`The backup is too old for this version (${migrations.at(-1)}): restore it with its own version, upgrade, and back up again.`);
}

/** @throws CannotFill when the system holds anything that the backup does not */
async function checkEmpty({ db, files }: System, folder: string, manifest: Manifest): Promise<void> {
  const migrations = migrationsOf(manifest);
  const present = await readFilling(db);
  if (present.filled.length > 0) throw new CannotFill(`The database is not empty: there are rows in ${present.filled.join(", ")}.`);
  const unknown = migrations.filter((name) => !knownMigrations.includes(name));
  if (unknown.length > 0) throw new CannotFill(`The backup is of a newer version of the product (${unknown.join(", ")}).`);
  const later = present.migrations.filter((name) => !migrations.includes(name));
  if (later.length > 0) throw new CannotFill(`The database is newer than the backup (${later.join(", ")}): give it an empty database.`);
  for await (const { key } of files.storage.list()) {
    // Files of an earlier attempt at this restore are copied again.
    const known = await access(join(folder, key)).then(() => true, () => false);
    if (!known) throw new CannotFill(`The file storage is not empty: ${key} is in it.`);
  }
}

async function restoreFile({ storage, staging }: Files, folder: string, { key, size, sha256 }: ListedFile): Promise<void> {
  const staged = await staging.receive(createReadStream(join(folder, key), { highWaterMark: 1024 * 1024 }), () => {});
  try {
    compare(key, { bytes: staged.size, sha256: staged.sha256 }, { bytes: size, sha256 });
    await storage.remove(key);
    await storage.keep(staged.path, key);
  } finally {
    await removeStaged(staged);
  }
}

/** Fills an empty database with the rows of a backup, all or none, and runs newer migrations. @throws CannotFill */
export async function restoreRows(db: Database, folder: string, manifest: Manifest, say: Say): Promise<void> {
  await migrate(db, migrationsOf(manifest));
  await loadTables(
    db,
    manifest,
    async (name, into) => {
      await pour(readZipped(join(folder, tablePath(name))), into);
      say(`${name}: ${manifest.tables.find((table) => table.name === name)!.rows} rows`);
    },
  );
  const later = await migrate(db);
  if (later.length > 0) say(`Migrated from the backup's version: ${later.join(", ")}`);
}

/**
 * Restores a checked backup into a system without rows and files, and runs newer migrations.
 *
 * @throws CannotFill (nothing was changed), and whatever the database, the storage and the disk throw
 */
export async function restoreBackup(system: System, folder: string, { manifest, sha256 }: CheckedBackup, say: Say): Promise<void> {
  const { db, files } = system;
  await checkEmpty(system, folder, manifest);

  const missing = new Set(manifest.files.missing);
  let restored = 0;
  let told = Date.now();
  await forEach(listFiles(folder), filesAtOnce, async (listed) => {
    if (missing.has(listed.key)) return;
    await restoreFile(files, folder, listed);
    restored += 1;
    if (Date.now() - told < 5000) return;
    told = Date.now();
    say(`files: ${restored} of ${manifest.files.count}`);
  });
  say(`files: ${restored} of ${manifest.files.count} are back`);

  await restoreRows(db, folder, manifest, say);
  const details = JSON.stringify({ by: "command line", manifest: sha256, takenAt: manifest.takenAt });
  await insertAuditEvent(db, { action: "system.restore" satisfies AuditAction, outcome: "done", details });
}
