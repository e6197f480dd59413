import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, open, readdir, rm, stat, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

import { Problem } from "../problem.ts";
import { makePrivate, makePrivateFolder, probeFolder, storedFolders } from "./folderStorage.ts";
import { storageProblem } from "./storage.ts";

/** A file that has arrived completely and is on the disk, but is not yet in the storage. */
export type StagedFile = { path: string; size: number; sha256: string };

/** The folders where files arrive. */
export type Staging = {
  /** the folder for files that arrive in one request */
  incoming: string;
  /** the folder for files that arrive in parts, over hours or days */
  resumable: string;
  /** Writes a file to the disk as it arrives and syncs it. Nothing is left if it does not arrive completely. */
  receive: (content: Readable, onBytes: (count: number) => void) => Promise<StagedFile>;
  /** Checks that files can be received now. @throws the reason if not */
  probe: () => Promise<void>;
  /** The free bytes on the disk. */
  left: () => Promise<number>;
  /** Refuses a file for which there is not enough space. @throws Problem STORAGE_FULL */
  checkRoom: (bytes: number) => Promise<void>;
};

/** The space that must stay free for the database and everything else on the same disk. */
const spareBytes = 256 * 1024 * 1024;

/** The problem for a file that did not arrive completely. */
export const notWhole = (): Problem =>
  new Problem("MALFORMED", "The file did not arrive whole: the connection broke off, or the form is damaged.");

async function writeAll(file: FileHandle, pieces: Buffer[]): Promise<void> {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  // On a nearly full disk only a part may be written. Writing the rest then throws the error.
  let { bytesWritten: written } = await file.writev(pieces);
  if (written === bytes) return;
  for (const whole = Buffer.concat(pieces); written < bytes;)
    written += (await file.write(whole, written, bytes - written)).bytesWritten;
}

/** How much is written at a time: writing each piece from the network (64 kB at most) takes longer than hashing it. */
const batchBytes = 1024 * 1024;
const batchPieces = 1000;
/**
 * The free space is checked each time when a growing file has passed this many bytes, because not every file announces
 * its size.
 */
export const lookBytes = 32 * 1024 * 1024;
/**
 * A large file is synced to the disk each time when this many bytes have arrived, so that little is left to sync after
 * its last byte. Each sync delays the writes: with a quarter of this size a file takes twice as long.
 */
const syncBytes = 128 * 1024 * 1024;

/** Whether a file of `size` bytes passes a multiple of `step` bytes when it grows by `more`. */
export const passes = (size: number, more: number, step: number): boolean =>
  Math.floor((size + more) / step) > Math.floor(size / step);

/**
 * Writes, counts, hashes and syncs a stream. One batch is written while the next one arrives and is hashed, so that
 * little is left to do after the last byte. `look` checks the free space; it stops the writing by throwing.
 */
async function write(
  path: string,
  content: Readable,
  onBytes: (count: number) => void,
  look: () => Promise<void>,
): Promise<StagedFile> {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  let size = 0;
  let batch = { pieces: [] as Buffer[], bytes: 0 };
  let writing: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  const flush = async () => {
    const { pieces } = batch;
    batch = { pieces: [], bytes: 0 };
    await writing;
    writing = writeAll(file, pieces);
    // A failure is thrown when it is awaited, which may be later.
    writing.catch(() => {});
    for (const piece of pieces) hash.update(piece);
  };
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      onBytes(chunk.length);
      const isTimeToLook = passes(size, chunk.length, lookBytes);
      const isTimeToSync = passes(size, chunk.length, syncBytes);
      size += chunk.length;
      batch.pieces.push(chunk);
      batch.bytes += chunk.length;
      if (batch.bytes >= batchBytes || batch.pieces.length >= batchPieces) await flush();
      if (isTimeToLook) await look();
      if (!isTimeToSync) continue;
      await syncing;
      syncing = file.datasync();
      syncing.catch(() => {});
    }
    if (batch.bytes > 0) await flush();
    await writing;
    await syncing;
    await file.sync();
    return { path, size, sha256: hash.digest("hex") };
  } finally {
    await Promise.allSettled([writing, syncing]);
    await file.close();
  }
}

/** Syncs a file that is on the disk already, and computes its size and hash. */
export async function stageExisting(path: string): Promise<StagedFile> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return { path, size: (await stat(path)).size, sha256: hash.digest("hex") };
}

/** Paths of files that are arriving or have arrived at this gateway and are not yet in the storage. */
const inHand = new Set<string>();
const markMs = 5 * 60 * 1000;

/** Marks these files as in use, so that other gateways do not remove them as left by a killed one. */
setInterval(() => {
  const now = new Date();
  for (const path of inHand) void utimes(path, now, now).catch(() => {});
}, markMs).unref();

/** Removes a staged file, if it still exists. */
export async function removeStaged({ path }: StagedFile): Promise<void> {
  inHand.delete(path);
  await rm(path, { force: true });
}

/** Opens a file for reading parts of it. */
export async function withSource<Result>(
  path: string,
  use: (source: { size: number; read: (offset: number, length: number) => Promise<Uint8Array> }) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const read = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    return await use({ size, read });
  } finally {
    await file.close();
  }
}

/** Removes files of a folder that nobody has written to for this long. */
export async function removeStale(folder: string, olderThanMs: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found || Date.now() - found.mtimeMs < olderThanMs) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

/** Creates the folders in the data folder, if necessary. What they hold is readable by the service alone. */
export async function openStaging(dataDir: string): Promise<Staging> {
  const incoming = join(dataDir, "files", "incoming");
  const resumable = join(dataDir, "files", "resumable");
  for (const folder of [join(dataDir, "files"), incoming, resumable]) await makePrivateFolder(folder);
  for (const folder of storedFolders.map((each) => join(dataDir, each)))
    if (existsSync(folder)) await makePrivate(folder, 0o700);
  const left = async () => {
    const { bavail, bsize } = await statfs(incoming).catch((error: unknown) => {
      throw storageProblem(error);
    });
    return bavail * bsize;
  };
  const checkRoom = async (bytes: number) => {
    if ((await left()) - spareBytes < bytes)
      throw new Problem(
        "STORAGE_FULL",
        "The server has not enough room for files of this size. Please tell the ministry, and try again later.",
      );
  };
  return {
    incoming,
    resumable,
    left,
    checkRoom,
    async receive(content, onBytes) {
      const path = join(incoming, `${randomUUID()}.part`);
      inHand.add(path);
      try {
        return await write(path, content, onBytes, () => checkRoom(0));
      } catch (error) {
        inHand.delete(path);
        // If this fails too, the folder is the cause, which the first error shows.
        await rm(path, { force: true }).catch(() => {});
        const problem = storageProblem(error);
        if (problem instanceof Problem || (error as NodeJS.ErrnoException).syscall) throw problem;
        throw notWhole();
      }
    },
    probe: () => probeFolder(incoming),
  };
}
