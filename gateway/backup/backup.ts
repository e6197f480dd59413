import { link, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { insertAuditEvent } from "../../db/audit.ts";
import { readSnapshot, type Snapshot } from "../../db/backup.ts";
import type { Database } from "../../db/engine/connect.ts";
import { version } from "../../package.json";
import type { Files } from "../storage/files.ts";
import { syncFolder } from "../storage/folderStorage.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { backupFormat, fileListName, type ListedFile, type Manifest, type Part, shownBytes, tablePath } from "./manifest.rules.ts";
import { forEach, listFiles, writeManifest, writePart } from "./parts.ts";

/**
 * A backup of everything, taken while the product runs. The rows are those of one moment; the files are copied after them: a
 * stored file never changes and none of a row is ever removed, so that every row finds its file in the backup.
 */

/** The backup was not made; the message says why. */
class NoBackup extends Error {
  override name = "NoBackup";
}

type Say = (line: string) => void;
const copiesAtOnce = 4;
const everyMs = 5000;

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new NoBackup(`${folder} is not empty: a backup gets a folder of its own.`);
  for (const name of ["tables", "files", "files/tdb", "files/download"]) await mkdir(join(folder, name), { mode: 0o700 });
}

async function copyRows(snapshot: Snapshot, folder: string, say: Say) {
  if (snapshot.migrations.length === 0) throw new NoBackup("The database has none of the product's tables.");
  const tables: Manifest["tables"] = [];
  for (const { name, columns } of snapshot.tables) {
    let part: Part | undefined;
    const rows = await snapshot.copyTable(name, async (content) => {
      part = await writePart(join(folder, tablePath(name)), content, { zip: true });
    });
    tables.push({ name, columns, rows, ...part! });
    say(`${name}: ${rows} rows, ${shownBytes(part!.bytes)}`);
  }
  let list: Part | undefined;
  const count = await snapshot.copyFileList(async (lines) => {
    list = await writePart(join(folder, fileListName), lines, { zip: true });
  });
  const { takenAt, server, migrations, sequences } = snapshot;
  return { takenAt, server, migrations, sequences, tables, files: { count, ...list! } };
}

/** Copies the files of the list; those that a former backup has are shared with it, because a stored file never changes. @returns the keys of files that are missing in the storage or differ from what was received */
async function copyFiles({ storage }: Files, folder: string, count: number, say: Say, former?: string): Promise<{ totalBytes: number; missing: string[] }> {
  const missing: string[] = [];
  let totalBytes = 0;
  let done = 0;
  let told = Date.now();
  const copy = async ({ key, size, sha256 }: ListedFile) => {
    const path = join(folder, key);
    const isShared = former !== undefined && (await link(join(former, key), path).then(() => true, () => false));
    const problem = isShared ? undefined : await storage.read(key).then(
      async (content) => {
        const part = await writePart(path, content, { zip: false });
        if (part.sha256 === sha256 && part.bytes === size) return undefined;
        return `has ${part.bytes} bytes with SHA-256 ${part.sha256} instead of ${size} with ${sha256}`;
      },
      (error: unknown) => {
        const { code, name } = error as { code?: string; name?: string };
        if (code === "ENOENT" || name === "NoSuchKey") return "is not in the storage";
        throw error;
      },
    );
    if (problem) {
      say(`${key} ${problem}`);
      missing.push(key);
      await rm(path, { force: true });
    } else totalBytes += size;
    done += 1;
    if (Date.now() - told < everyMs) return;
    told = Date.now();
    say(`files: ${done} of ${count}, ${shownBytes(totalBytes)}`);
  };
  await forEach(listFiles(folder), copiesAtOnce, copy);
  for (const name of ["files/tdb", "files/download", "files", "tables"]) await syncFolder(join(folder, name));
  return { totalBytes, missing: missing.toSorted() };
}

/**
 * Takes a backup into a new or empty folder; nothing is left of one that fails.
 *
 * @param allowMissing completes the backup although stored files are lost or damaged, and names them in it
 * @param former a backup on the same disk whose files are shared, by links. It must be checked afterwards: damage is shared too
 * @returns the SHA-256 of its manifest, which stands for all of it
 * @throws NoBackup and whatever the database, the storage and the disk throw
 */
export async function takeBackup(
  { db, files }: { db: Database; files: Files },
  folder: string,
  { allowMissing = false, former, say }: { allowMissing?: boolean; former?: string | undefined; say: Say },
): Promise<{ manifest: Manifest; sha256: string }> {
  await prepare(folder);
  try {
    const rows = await readSnapshot(db, (snapshot) => copyRows(snapshot, folder, say));
    const copied = await copyFiles(files, folder, rows.files.count, say, former);
    if (copied.missing.length > 0 && !allowMissing)
      throw new NoBackup(`${copied.missing.length} stored files are lost or damaged. With --allow-missing the rest is backed up.`);
    const manifest: Manifest = { format: backupFormat, product: version, ...rows, files: { ...rows.files, ...copied } };
    const sha256 = await writeManifest(folder, manifest);
    const details = JSON.stringify({ by: "command line", manifest: sha256, files: manifest.files.count });
    await insertAuditEvent(db, { action: "system.backup" satisfies AuditAction, outcome: "done", details });
    return { manifest, sha256 };
  } catch (error) {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    throw error;
  }
}
