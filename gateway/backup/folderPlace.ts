import { createWriteStream } from "node:fs";
import { link, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

import { makeFolder } from "../../db/engine/folder.ts";
import { probeFolder, syncFolder } from "../storage/folderStorage.ts";
import { DamagedBackup, NoBackup } from "./damaged.ts";
import { manifestName } from "./manifest.rules.ts";
import type { Place, Vault } from "./place.ts";

/**
 * Backups in folders. A stored file that several backups share is one file on the disk with several names (hard links).
 */

const folders = ["tables", "files", "files/tdb", "files/download"];
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The place of a backup in a folder. */
export function folderPlace(folder: string): Place {
  const at = (name: string) => join(folder, name);
  return {
    shown: folder,
    isFar: false,
    async prepare() {
      await makeFolder(folder, 0o700);
      if ((await readdir(folder)).length > 0)
        throw new NoBackup(`${folder} is not empty: a backup gets a folder of its own.`);
      for (const name of folders) await mkdir(at(name), { mode: 0o700 });
    },
    // Readable by its owner only, and synced to the disk.
    write: (name, content) => pipeline(content, createWriteStream(at(name), { flags: "wx", mode: 0o600, flush: true })),
    async read(name) {
      const file = await open(at(name), "r").catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? new DamagedBackup(`${name} is missing.`) : error;
      });
      return file.createReadStream({ highWaterMark: 1024 * 1024 });
    },
    find: (name) =>
      stat(at(name)).then(
        ({ size }) => size,
        () => undefined,
      ),
    remove: (name) => rm(at(name), { force: true }),
    nameOf: ({ key }, isSealed) => (isSealed ? `${key}.age` : key),
    share: async (name, former) =>
      former !== undefined &&
      link(join(former.shown, name), at(name)).then(
        () => true,
        () => false,
      ),
    async finish(name, manifest) {
      for (const each of folders.toReversed()) await syncFolder(at(each));
      await writeFile(at(`${name}.part`), manifest, { mode: 0o600, flush: true });
      await rename(at(`${name}.part`), at(name));
      await syncFolder(folder);
    },
    async clear() {
      for (const name of await readdir(folder)) await rm(at(name), { recursive: true, force: true });
    },
  };
}

/** The place of scheduled backups: each is a folder within this one. */
export function folderVault(folder: string): Vault {
  return {
    shown: folder,
    async list() {
      await makeFolder(folder, 0o700);
      const names = (await readdir(folder)).toSorted();
      return Promise.all(
        names.map(async (name) => ({ name, isFinished: await isThere(join(folder, name, manifestName)) })),
      );
    },
    open: (name) => folderPlace(join(folder, name)),
    remove: (name) => rm(join(folder, name), { recursive: true }),
    async probe() {
      await makeFolder(folder, 0o700);
      await probeFolder(folder);
    },
  };
}
