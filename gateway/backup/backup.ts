import { Readable } from "node:stream";

import { insertAuditEvent } from "../../db/audit.ts";
import { readSnapshot, type Snapshot } from "../../db/backup.ts";
import type { Database } from "../../db/engine/connect.ts";
import { version } from "../../package.json";
import type { Files } from "../storage/files.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { DamagedBackup, NoBackup } from "./damaged.ts";
import { backupFormats, fileListName, type ListedFile, type Manifest, type Part, type SealedFile, sealedListName, shownBytes, tablePath } from "./manifest.rules.ts";
import { inOrder, listFiles, listSealed, partName, readPart, weigh, writeManifest, writePart } from "./parts.ts";
import type { Place } from "./place.ts";
import type { Seal } from "./seal.ts";

/**
 * A backup of everything, taken while the product runs. The rows are those of one moment; the files are copied after them: a
 * stored file never changes and none of a row is ever removed, so that every row finds its file in the backup.
 */

type Say = (line: string) => void;
/** A backup that is being made: where it goes, and for whom it is encrypted. */
type Target = { place: Place; seal?: Seal | undefined };
/** An earlier backup, whose stored files are shared. */
export type Former = { place: Place; manifest: Manifest };
const copiesAtOnce = 4;
const everyMs = 5000;

async function copyRows(snapshot: Snapshot, { place, seal }: Target, say: Say) {
  if (snapshot.migrations.length === 0) throw new NoBackup("The database has none of the product's tables.");
  const write = (name: string, content: Readable) => writePart(place, partName(name, seal !== undefined), content, { zip: true, seal });
  const tables: Manifest["tables"] = [];
  for (const { name, columns } of snapshot.tables) {
    let part: Part | undefined;
    const rows = await snapshot.copyTable(name, async (content) => {
      ({ stored: part } = await write(tablePath(name), content));
    });
    tables.push({ name, columns, rows, ...part! });
    say(`${name}: ${rows} rows, ${shownBytes(part!.bytes)}`);
  }
  let list: Part | undefined;
  const count = await snapshot.copyFileList(async (lines) => {
    ({ stored: list } = await write(fileListName, lines));
  });
  const { takenAt, server, migrations, sequences } = snapshot;
  return { takenAt, server, migrations, sequences, tables, files: { count, ...list! } };
}

/** Pairs each file with what an earlier backup has of it. Both lists are in the order of their keys. */
async function* withFormer(files: AsyncIterable<ListedFile>, former: AsyncIterator<SealedFile> | undefined): AsyncGenerator<{ listed: ListedFile; former?: SealedFile | undefined }> {
  let next = await former?.next();
  for await (const listed of files) {
    while (next?.value && (next.value as SealedFile).key < listed.key) next = await former!.next();
    const found = next?.value as SealedFile | undefined;
    yield { listed, former: found?.key === listed.key ? found : undefined };
  }
}

/** Copies a file into the backup. @returns what lies there, or what is wrong with the file in the storage */
async function copyFile({ storage }: Files, { place, seal }: Target, { key, size, sha256 }: ListedFile): Promise<SealedFile | string> {
  const content = await storage.read(key).catch((error: { code?: string; name?: string }) => {
    if (error.code === "ENOENT" || error.name === "NoSuchKey") return undefined;
    throw error;
  });
  if (!content) return "is not in the storage";
  const name = place.nameOf({ key, size, sha256 }, seal !== undefined);
  const { came, stored } = await writePart(place, name, content, { zip: false, seal });
  if (came.sha256 !== sha256 || came.bytes !== size) {
    await place.remove(name);
    return `has ${came.bytes} bytes with SHA-256 ${came.sha256} instead of ${size} with ${sha256}`;
  }
  // Only this process can open what it has encrypted. What lies far away is not read again each night.
  if (seal || place.isFar) {
    const found = await weigh(await readPart(place, name, seal?.open));
    if (found.sha256 !== sha256) throw new DamagedBackup(`${name} is not what was written.`);
  }
  return { key, name, size: stored.bytes, sha256: stored.sha256 };
}

type Copied = { totalBytes: number; missing: string[] };

/**
 * Copies the files of the list; those that an earlier backup has are shared with it, because a stored file never changes.
 *
 * @returns a line for each file that is encrypted; `copied` collects the keys of files that are missing in the storage or differ from what was received
 */
async function* copyFiles(files: Files, target: Target, copied: Copied, count: number, say: Say, former: Former | undefined, isAnew: boolean): AsyncGenerator<string> {
  const { place, seal } = target;
  let done = 0;
  let told = Date.now();
  const copy = async ({ listed, former: sealed }: { listed: ListedFile; former?: SealedFile | undefined }) => {
    const name = sealed?.name ?? place.nameOf(listed, false);
    const isShared = !isAnew && (!seal || sealed !== undefined) && (await place.share(name, former?.place));
    const result = isShared ? (sealed ?? { ...listed, name }) : await copyFile(files, target, listed);
    return { listed, result };
  };
  const pairs = withFormer(listFiles(place, seal !== undefined, seal?.open), seal && former && listSealed(former.place));
  for await (const { listed, result } of inOrder(pairs, copiesAtOnce, copy)) {
    if (typeof result === "string") {
      say(`${listed.key} ${result}`);
      copied.missing.push(listed.key);
    } else {
      copied.totalBytes += listed.size;
      if (seal) yield `${JSON.stringify(result)}\n`;
    }
    done += 1;
    if (Date.now() - told < everyMs) continue;
    told = Date.now();
    say(`files: ${done} of ${count}, ${shownBytes(copied.totalBytes)}`);
  }
}

/**
 * Takes a backup into a new or empty place; nothing is left of one that fails.
 *
 * @param allowMissing completes the backup although stored files are lost or damaged, and names them in it
 * @param former an earlier backup whose stored files are shared, if it is encrypted for the same key or, as this one, not at all. They must be checked
 * afterwards: damage is shared too
 * @param isAnew shares nothing
 * @returns the SHA-256 of its manifest, which stands for all of it
 * @throws NoBackup and whatever the database, the storage and the place throw
 */
export async function takeBackup(
  { db, files }: { db: Database; files: Files },
  target: Target,
  { allowMissing = false, former, isAnew = false, say }: { allowMissing?: boolean; former?: Former | undefined; isAnew?: boolean; say: Say },
): Promise<{ manifest: Manifest; sha256: string }> {
  const { place, seal } = target;
  await place.prepare();
  try {
    const rows = await readSnapshot(db, (snapshot) => copyRows(snapshot, target, say));
    const copied: Copied = { totalBytes: 0, missing: [] };
    const shared = former?.manifest.sealed?.recipient === seal?.recipient ? former : undefined;
    const lines = copyFiles(files, target, copied, rows.files.count, say, shared, isAnew);
    let sealed: Manifest["sealed"];
    if (seal) {
      const { stored } = await writePart(place, sealedListName, Readable.from(lines), { zip: true });
      sealed = { recipient: seal.recipient, ...stored };
    } else for await (const _ of lines);
    if (copied.missing.length > 0 && !allowMissing)
      throw new NoBackup(`${copied.missing.length} stored files are lost or damaged. With --allow-missing the rest is backed up.`);
    const format = seal ? backupFormats.sealed : backupFormats.plain;
    const manifest: Manifest = { format, product: version, ...rows, files: { ...rows.files, ...copied, missing: copied.missing.toSorted() }, ...(sealed ? { sealed } : {}) };
    const sha256 = await writeManifest(place, manifest);
    const details = JSON.stringify({ by: "command line", manifest: sha256, files: manifest.files.count });
    await insertAuditEvent(db, { action: "system.backup" satisfies AuditAction, outcome: "done", details });
    return { manifest, sha256 };
  } catch (error) {
    await place.clear();
    throw error;
  }
}
