import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";

import type { Bucket } from "../storage/bucket.ts";
import { DamagedBackup, NoBackup } from "./damaged.ts";
import { manifestName } from "./manifest.rules.ts";
import type { Place, Vault } from "./place.ts";

/**
 * Backups in object storage, below one prefix. Each has its own objects for rows and lists, `<prefix><name>/…`. Stored
 * files are objects that all backups share, `<prefix>contents/…`. Their names are the hash of the content or, if they
 * are encrypted, random.
 */

const contents = "contents/";

function objectPlace(bucket: Bucket, root: string, name: string, shown: string): Place {
  const at = (part: string) => (part.startsWith(contents) ? `${root}${part}` : `${root}${name}/${part}`);
  return {
    shown,
    isFar: true,
    async prepare() {
      for await (const _ of bucket.list(at("")))
        throw new NoBackup(`${shown} is not empty: a backup gets a name of its own.`);
    },
    write: (part, content) => bucket.writeStream(at(part), Readable.from(content, { objectMode: false })),
    read: (part) =>
      bucket.read(at(part)).catch((error: Error) => {
        throw error.name === "NoSuchKey" ? new DamagedBackup(`${part} is missing.`) : error;
      }),
    find: (part) => bucket.find(at(part)),
    remove: (part) => bucket.remove(at(part)),
    nameOf: ({ sha256 }, isSealed) => (isSealed ? `${contents}${randomUUID()}.age` : `${contents}${sha256}`),
    share: async (part) => (await bucket.find(at(part))) !== undefined,
    finish: (part, manifest) => bucket.write(at(part), manifest),
    async clear() {
      // The manifest is removed first: without it this is no longer a complete backup, even if the removal is
      // interrupted.
      await bucket.remove(at(manifestName));
      for await (const { key } of bucket.list(at(""))) await bucket.remove(key);
    },
  };
}

/** @param root the prefix of the keys of all backups: empty, or ending in a slash */
export function objectVault(bucket: Bucket, root: string, shown: string): Vault {
  const open = (name: string) => objectPlace(bucket, root, name, `${shown}/${name}`);
  return {
    shown,
    async list() {
      const names = (await bucket.folders(root)).filter((name) => `${name}/` !== contents).toSorted();
      return Promise.all(
        names.map(async (name) => ({ name, isFinished: (await open(name).find(manifestName)) !== undefined })),
      );
    },
    open,
    remove: (name) => open(name).clear(),
    probe: () => bucket.tryOut(root),
    contents: {
      async *list() {
        for await (const { key } of bucket.list(`${root}${contents}`)) yield key.slice(root.length);
      },
      remove: (name) => bucket.remove(`${root}${name}`),
    },
  };
}
