import { insertAuditEvent } from "../../db/audit/audit.ts";
import { CannotFill, loadTables, pour, readFilling } from "../../db/backup/backup.ts";
import type { Database } from "../../db/engine/connect.ts";
import { knownMigrations, migrate } from "../../db/migrate.ts";
import type { Files } from "../storage/files.ts";
import { removeStaged } from "../storage/staging.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { DamagedBackup } from "./damaged.ts";
import {
  fileListName,
  type ListedFile,
  type Manifest,
  type Part,
  sealedListName,
  shownBytes,
  tablePath,
} from "./manifest.rules.ts";
import {
  forEach,
  listContents,
  listFiles,
  listStored,
  partName,
  readManifest,
  readPart,
  readZipped,
  weigh,
} from "./parts.ts";
import type { Place } from "./place.ts";
import type { Opener } from "./seal.ts";

/**
 * Restores a backup into an empty system. It checks every part of the backup, then the system, and changes something
 * only after that. Files are copied before rows, so that no row lacks its file. All rows are inserted in one
 * transaction, so an interrupted restore can be repeated.
 */

type Say = (line: string) => void;
type System = { db: Database; files: Files };
const filesAtOnce = 4;

function compare(name: string, found: Part, wanted: Part): void {
  if (found.bytes !== wanted.bytes)
    throw new DamagedBackup(`${name} has ${found.bytes} bytes instead of ${wanted.bytes}.`);
  if (found.sha256 !== wanted.sha256)
    throw new DamagedBackup(`${name} was changed: its SHA-256 is ${found.sha256} instead of ${wanted.sha256}.`);
}

const check = async (place: Place, name: string, wanted: Part): Promise<void> =>
  compare(name, await weigh(await place.read(name)), wanted);

/** A checked backup: its place and, if it is encrypted, what decrypts it. */
type CheckedBackup = { place: Place; open?: Opener | undefined; manifest: Manifest; sha256: string };

/**
 * Reads and checks every byte of a backup. With a private key it also checks that the lists can be decrypted. Encrypted
 * parts are compared with the hashes of the encrypted bytes.
 *
 * @param expected the manifest's SHA-256, if the operator has noted it
 * @param isRead which stored files are read (all by default); of the others only the size is compared
 * @throws DamagedBackup
 */
export async function checkBackup(
  place: Place,
  {
    expected,
    open,
    isRead = () => true,
    say,
  }: { expected?: string | undefined; open?: Opener | undefined; isRead?: (file: ListedFile) => boolean; say: Say },
): Promise<CheckedBackup> {
  const { manifest, sha256 } = await readManifest(place);
  if (expected !== undefined && expected !== sha256)
    throw new DamagedBackup(`The manifest's SHA-256 is ${sha256} instead of ${expected}.`);
  const isSealed = manifest.sealed !== undefined;
  for (const table of manifest.tables) await check(place, partName(tablePath(table.name), isSealed), table);
  await check(place, partName(fileListName, isSealed), manifest.files);
  if (manifest.sealed) await check(place, sealedListName, manifest.sealed);
  let count = 0;
  await forEach(listStored(place, manifest), filesAtOnce, async ({ name, size, sha256: hash }) => {
    count += 1;
    if (isRead({ key: name, size, sha256: hash })) return check(place, name, { bytes: size, sha256: hash });
    const found = await place.find(name);
    if (found !== size)
      throw new DamagedBackup(
        found === undefined ? `${name} is missing.` : `${name} has ${found} bytes instead of ${size}.`,
      );
  });
  const wanted = manifest.files.count - manifest.files.missing.length;
  if (count !== wanted)
    throw new DamagedBackup(`${isSealed ? sealedListName : fileListName} names ${count} files instead of ${wanted}.`);
  if (isSealed && open) for await (const _ of listContents(place, manifest, open));
  const seal = manifest.sealed ? `, encrypted for ${manifest.sealed.recipient}` : "";
  say(
    `The backup of ${manifest.takenAt} is whole: ${manifest.tables.length} tables, ${manifest.files.count} files (${shownBytes(manifest.files.totalBytes)})${seal}.`,
  );
  return { place, open: manifest.sealed && open, manifest, sha256 };
}

/** @throws CannotFill if the system has anything that is not in the backup */
async function checkEmpty({ db, files }: System, { place, open, manifest }: CheckedBackup): Promise<void> {
  const { migrations } = manifest;
  const present = await readFilling(db);
  if (present.filled.length > 0)
    throw new CannotFill(`The database is not empty: there are rows in ${present.filled.join(", ")}.`);
  const unknown = migrations.filter((name) => !knownMigrations.includes(name));
  if (unknown.length > 0)
    throw new CannotFill(`The backup is of a newer version of the product (${unknown.join(", ")}).`);
  const later = present.migrations.filter((name) => !migrations.includes(name));
  if (later.length > 0)
    throw new CannotFill(`The database is newer than the backup (${later.join(", ")}): give it an empty database.`);
  const foreign = new Set<string>();
  for await (const { key } of files.storage.list()) foreign.add(key);
  if (foreign.size === 0) return;
  // Files of an earlier attempt at this restore are copied again.
  for await (const { key } of listFiles(place, manifest.sealed !== undefined, open)) foreign.delete(key);
  const [key] = foreign;
  if (key !== undefined) throw new CannotFill(`The file storage is not empty: ${key} is in it.`);
}

async function restoreFile(
  { storage, staging }: Files,
  { place, open }: CheckedBackup,
  { name, key, size, sha256 }: ListedFile & { name: string },
): Promise<void> {
  const staged = await staging.receive(await readPart(place, name, open), () => {});
  try {
    compare(key, { bytes: staged.size, sha256: staged.sha256 }, { bytes: size, sha256 });
    await storage.remove(key);
    await storage.keep(staged.path, key);
  } finally {
    await removeStaged(staged);
  }
}

/** Fills an empty database with all rows of a backup, or with none, and runs newer migrations. @throws CannotFill */
export async function restoreRows(db: Database, { place, open, manifest }: CheckedBackup, say: Say): Promise<void> {
  await migrate(db, manifest.migrations);
  await loadTables(db, manifest, async (name, into) => {
    await pour(await readZipped(place, partName(tablePath(name), manifest.sealed !== undefined), open), into);
    say(`${name}: ${manifest.tables.find((table) => table.name === name)!.rows} rows`);
  });
  const later = await migrate(db);
  if (later.length > 0) say(`Migrated from the backup's version: ${later.join(", ")}`);
}

/**
 * Restores a checked backup into a system without rows and files, and runs newer migrations.
 *
 * @throws CannotFill (nothing was changed), and whatever the database, the storage and the disk throw
 */
export async function restoreBackup(system: System, backup: CheckedBackup, say: Say): Promise<void> {
  const { db, files } = system;
  const { place, open, manifest, sha256 } = backup;
  if (manifest.sealed && !open)
    throw new CannotFill(
      `The backup is encrypted for ${manifest.sealed.recipient}: name the file of its private key with --identity.`,
    );
  await checkEmpty(system, backup);

  let restored = 0;
  let reportedAt = Date.now();
  await forEach(listContents(place, manifest, open), filesAtOnce, async (listed) => {
    await restoreFile(files, backup, listed);
    restored += 1;
    if (Date.now() - reportedAt < 5000) return;
    reportedAt = Date.now();
    say(`files: ${restored} of ${manifest.files.count}`);
  });
  say(`files: ${restored} of ${manifest.files.count} are back`);

  await restoreRows(db, backup, say);
  const details = JSON.stringify({ by: "command line", manifest: sha256, takenAt: manifest.takenAt });
  await insertAuditEvent(db, { action: "system.restore" satisfies AuditAction, outcome: "done", details });
}
