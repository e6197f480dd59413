import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { makeFolder } from "../../db/engine/folder.ts";
import type { Storage } from "./storage.ts";

/** Syncs a folder, so that new and removed names in it survive a crash. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Checks that files can be created in a folder. @throws the reason if not */
export async function probeFolder(path: string): Promise<void> {
  const probe = join(path, `probe-${randomUUID()}`);
  await (await open(probe, "wx")).close();
  await rm(probe);
}

/**
 * Lets only the service use a file or folder. If that belongs to somebody else (a mounted disk), its mode stays as it
 * is.
 */
export async function makePrivate(path: string, mode: 0o600 | 0o700): Promise<void> {
  await chmod(path, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EPERM" && error.code !== "EROFS") throw error;
  });
}

/** Creates a folder of files if necessary. It is made private also if it was created before this rule. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path);
  await makePrivate(path, 0o700);
}

/** Makes a hard link, or a copy if the file system has no hard links. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    // If the name exists, only an earlier attempt of the same upload can have left it.
    await rm(to, { force: true });
    await link(from, to);
  } catch (error) {
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|EXDEV|EMLINK|ENOSYS)$/.test((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
    const copy = `${to}.part`;
    try {
      await copyFile(from, copy);
      const file = await open(copy, "r+");
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(copy, to);
    } catch (failure) {
      await rm(copy, { force: true });
      throw failure;
    }
  }
}

/** The folders of stored files; each is created with its first file. */
export const storedFolders = ["files/tdb", "files/download"];

/**
 * Storage in a folder: the key of a file is its path. Staged files are on the same disk, and are synced before they are
 * stored.
 */
export function folderStorage(root: string): Storage {
  const made = new Set<string>();
  return {
    async keep(stagedPath, key) {
      const path = join(root, key);
      const folder = dirname(path);
      if (!made.has(folder)) {
        await makePrivateFolder(folder);
        await syncFolder(dirname(folder));
        made.add(folder);
      }
      await linkOrCopy(stagedPath, path);
      // A file that arrived at an earlier version may be readable by others.
      await makePrivate(path, 0o600);
      await syncFolder(folder);
    },
    async read(key, range) {
      const file = await open(join(root, key), "r");
      return file.createReadStream({ ...range, highWaterMark: 256 * 1024 });
    },
    async remove(key) {
      await rm(join(root, key), { force: true });
    },
    probe: () => probeFolder(join(root, "files")),
    async tryOut() {
      for (const folder of storedFolders.filter((each) => existsSync(join(root, each))))
        await probeFolder(join(root, folder));
    },
    async *list() {
      for (const folder of storedFolders) {
        for (const name of await readdir(join(root, folder)).catch(() => [])) {
          const key = `${folder}/${name}`;
          // The change time is that of the rename; the bytes may be older.
          const found = await stat(join(root, key)).catch(() => undefined);
          if (found?.isFile()) yield { key, storedAt: found.ctime };
        }
      }
    },
  };
}
