import { Readable } from "node:stream";

import { insertAuditEvent } from "../../db/audit/audit.ts";
import { readSnapshot, type Snapshot } from "../../db/backup/backup.ts";
import type { Database } from "../../db/engine/connect.ts";
import { version } from "../../package.json";
import type { Files } from "../storage/files.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { DamagedBackup, NoBackup } from "./damaged.ts";
import {
  backupFormats,
  fileListName,
  type ListedFile,
  type Manifest,
  type Part,
  type SealedFile,
  sealedListName,
  shownBytes,
  tablePath,
} from "./manifest.rules.ts";
import {
  asReceived,
  inOrder,
  listFiles,
  listSealed,
  NotAsReceived,
  partName,
  readPart,
  weigh,
  writeManifest,
  writePart,
} from "./parts.ts";
import type { Place } from "./place.ts";
import type { Seal } from "./seal.ts";

/**
 * A backup of everything, made while the product runs. The rows are read in one snapshot. The files are copied after
 * them. Every row has its file in the backup, because a stored file never changes and is not removed while a row needs
 * it.
 */

type Say = (line: string) => void;
/** A backup that is being made: its place, and the key for which it is encrypted. */
type Target = { place: Place; seal?: Seal | undefined };
/** An earlier backup, whose stored files the new one shares. */
export type Former = { place: Place; manifest: Manifest };
const copiesAtOnce = 4;
const everyMs = 5000;

async function copyRows(snapshot: Snapshot, { place, seal }: Target, say: Say) {
  if (snapshot.migrations.length === 0) throw new NoBackup("The database has none of the product's tables.");
  const write = (name: string, content: Readable) =>
    writePart(place, partName(name, seal !== undefined), content, { zip: true, seal });
  const tables: Manifest["tables"] = [];
  for (const { name, columns } of snapshot.tables) {
    let part: Part | undefined;
    const rows = await snapshot.copyTable(name, async (content) => {
      part = await write(tablePath(name), content);
    });
    tables.push({ name, columns, rows, ...part! });
    say(`${name}: ${rows} rows, ${shownBytes(part!.bytes)}`);
  }
  let list: Part | undefined;
  const count = await snapshot.copyFileList(async (lines) => {
    list = await write(fileListName, lines);
  });
  const { takenAt, server, migrations, sequences } = snapshot;
  return { takenAt, server, migrations, sequences, tables, files: { count, ...list! } };
}

/** Pairs each file with its entry in an earlier backup, if there is one. Both lists are sorted by key. */
async function* withFormer(
  files: AsyncIterable<ListedFile>,
  former: AsyncIterator<SealedFile> | undefined,
): AsyncGenerator<{ listed: ListedFile; former?: SealedFile | undefined }> {
  // If the earlier list is damaged, nothing more is shared.
  const next = async () => (await former?.next().catch(() => undefined))?.value as SealedFile | undefined;
  let found = await next();
  for await (const listed of files) {
    while (found && found.key < listed.key) found = await next();
    yield { listed, former: found?.key === listed.key ? found : undefined };
  }
}

/** Copies a file into the backup. @returns what was written, or what is wrong with the file in the storage */
async function copyFile({ storage }: Files, { place, seal }: Target, listed: ListedFile): Promise<SealedFile | string> {
  const { key, sha256 } = listed;
  const content = await storage.read(key).catch((error: { code?: string; name?: string }) => {
    if (error.code === "ENOENT" || error.name === "NoSuchKey") return undefined;
    throw error;
  });
  if (!content) return "is not in the storage";
  const name = place.nameOf(listed, seal !== undefined);
  try {
    const { bytes, sha256: stored } = await writePart(
      place,
      name,
      Readable.from(asReceived(content, listed), { objectMode: false }),
      { zip: false, seal },
    );
    // Check it now: only this process can decrypt what it has just encrypted, and files in object storage are not read
    // again each night.
    if (seal || place.isFar) {
      const found = await weigh(await readPart(place, name, seal?.open));
      if (found.sha256 !== sha256) throw new DamagedBackup(`${name} is not what was written.`);
    }
    return { key, name, size: bytes, sha256: stored };
  } catch (error) {
    if (!(error instanceof NotAsReceived)) throw error;
    await place.remove(name);
    return error.message;
  }
}

/**
 * Shares a file with earlier backups.
 *
 * @param isDoubtful reads the file first, and shares it only if it is undamaged
 * @returns whether it is shared now
 */
async function shareFile(
  place: Place,
  { name, sha256 }: { name: string; sha256: string },
  former: Former | undefined,
  isDoubtful: boolean,
): Promise<boolean> {
  if (!(await place.share(name, former?.place))) return false;
  if (!isDoubtful || (await weigh(await place.read(name))).sha256 === sha256) return true;
  await place.remove(name);
  return false;
}

type Copied = { totalBytes: number; missing: string[] };

/**
 * Copies the files of the list. Those that an earlier backup has are shared with it, because a stored file never
 * changes.
 *
 * @returns a line for each file that is encrypted; `copied` collects the keys of files that are missing in the storage
 *   or differ from what was received
 */
async function* copyFiles(
  files: Files,
  target: Target,
  copied: Copied,
  count: number,
  say: Say,
  former: Former | undefined,
  isDoubtful: boolean,
): AsyncGenerator<string> {
  const { place, seal } = target;
  let done = 0;
  let reportedAt = Date.now();
  const copy = async ({ listed, former: sealed }: { listed: ListedFile; former?: SealedFile | undefined }) => {
    const shared = seal ? sealed : { ...listed, name: place.nameOf(listed, false) };
    const isShared = shared !== undefined && (await shareFile(place, shared, former, isDoubtful));
    return { listed, result: isShared ? shared : await copyFile(files, target, listed) };
  };
  const pairs = withFormer(
    listFiles(place, seal !== undefined, seal?.open),
    seal && former && listSealed(former.place),
  );
  for await (const { listed, result } of inOrder(pairs, copiesAtOnce, copy)) {
    if (typeof result === "string") {
      say(`${listed.key} ${result}`);
      copied.missing.push(listed.key);
    } else {
      copied.totalBytes += listed.size;
      if (seal) yield `${JSON.stringify(result)}\n`;
    }
    done += 1;
    if (Date.now() - reportedAt < everyMs) continue;
    reportedAt = Date.now();
    say(`files: ${done} of ${count}, ${shownBytes(copied.totalBytes)}`);
  }
}

/**
 * Makes a backup in a new or empty place. If it fails, nothing is left of it.
 *
 * @param allowMissing completes the backup even if stored files are lost or damaged, and lists these in it
 * @param former an earlier backup whose stored files are shared, if both are encrypted for the same key, or neither is.
 *   Check them afterwards, because damage is shared too
 * @param isDoubtful reads each file before it is shared, and copies it again if it is damaged
 * @returns the SHA-256 of its manifest, which identifies the whole backup
 * @throws NoBackup and whatever the database, the storage and the place throw
 */
export async function takeBackup(
  { db, files }: { db: Database; files: Files },
  target: Target,
  {
    allowMissing = false,
    former,
    isDoubtful = false,
    say,
  }: { allowMissing?: boolean; former?: Former | undefined; isDoubtful?: boolean; say: Say },
): Promise<{ manifest: Manifest; sha256: string }> {
  const { place, seal } = target;
  await place.prepare();
  try {
    const rows = await readSnapshot(db, (snapshot) => copyRows(snapshot, target, say));
    const copied: Copied = { totalBytes: 0, missing: [] };
    const shared = former?.manifest.sealed?.recipient === seal?.recipient ? former : undefined;
    const lines = copyFiles(files, target, copied, rows.files.count, say, shared, isDoubtful);
    let sealed: Manifest["sealed"];
    if (seal) {
      const stored = await writePart(place, sealedListName, Readable.from(lines), { zip: true });
      sealed = { recipient: seal.recipient, ...stored };
    } else for await (const _ of lines);
    if (copied.missing.length > 0 && !allowMissing)
      throw new NoBackup(
        `${copied.missing.length} stored files are lost or damaged. With --allow-missing the rest is backed up.`,
      );
    const format = seal ? backupFormats.sealed : backupFormats.plain;
    const manifest: Manifest = {
      format,
      product: version,
      ...rows,
      files: { ...rows.files, ...copied, missing: copied.missing.toSorted() },
      ...(sealed ? { sealed } : {}),
    };
    const sha256 = await writeManifest(place, manifest);
    const details = JSON.stringify({ by: "command line", manifest: sha256, files: manifest.files.count });
    await insertAuditEvent(db, { action: "system.backup" satisfies AuditAction, outcome: "done", details });
    return { manifest, sha256 };
  } catch (error) {
    await place.clear();
    throw error;
  }
}
