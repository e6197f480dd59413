import type { DataStore } from "@tus/server";

import type { StagedFile } from "./staging.ts";

/**
 * Files that arrive in parts, over hours or days. They are in the same place as stored files (a folder or object
 * storage), so that every gateway can continue an upload that another one began.
 */
export type Parts = {
  /** the store of the tus server, which never loses acknowledged bytes */
  dataStore: DataStore;
  /** Refuses a part for which there is not enough space. @throws Problem STORAGE_FULL */
  checkRoom: (bytes: number) => Promise<void>;
  /** A note of an upload, parsed from JSON; undefined if there is none. */
  readNote: (id: string, name: Note) => Promise<unknown>;
  writeNote: (id: string, name: Note, value: unknown) => Promise<void>;
  /** The number of bytes from the beginning up to the first gap; undefined if there are none. */
  sizeOf: (id: string) => Promise<number | undefined>;
  /** The number of bytes up to the first gap, and when the last one arrived; undefined for an unknown upload. */
  stateOf: (id: string) => Promise<{ received: number; changedAt: Date } | undefined>;
  /** Small pieces of the received bytes, each from `start` to `end` (excluded), in the given order. */
  pieces: (id: string, places: readonly Place[]) => AsyncIterable<Buffer>;
  /** The ids of all uploads that are not finished. */
  listIds: () => Promise<string[]>;
  /** The complete file on this gateway's disk, with its hash. @throws Problem STORAGE_FULL, STORAGE_AWAY */
  stage: (id: string) => Promise<StagedFile>;
  /** Removes the parts and the note `info` of an upload; the note `outcome` stays. */
  remove: (id: string) => Promise<void>;
  /** Removes uploads that have received nothing for this long. @returns how many files it removed */
  removeStale: (olderThanMs: number) => Promise<number>;
};

/** A piece of an upload: the offset of its first byte, and the offset after its last one. */
export type Place = { start: number; end: number };

/** `info`: what the sender announced. `outcome`: the receipt of the complete file. */
export type Note = "info" | "outcome";

/** A file of an upload: its parts, or a note. */
export type PartFile = { id: string; name: string; changedAt: Date };

/**
 * The files of uploads that have received nothing for this long. In `files`, those of one upload must be consecutive.
 * An upload is stale only if its newest file is that old; then all its files are removed together.
 */
export async function* staleOf(files: AsyncIterable<PartFile>, olderThanMs: number): AsyncGenerator<string> {
  let id: string | undefined;
  let names: string[] = [];
  let newest = 0;
  const stale = () => (Date.now() - newest >= olderThanMs ? names : []);
  for await (const file of files) {
    if (file.id !== id) {
      yield* stale();
      id = file.id;
      names = [];
      newest = 0;
    }
    names.push(file.name);
    newest = Math.max(newest, file.changedAt.getTime());
  }
  yield* stale();
}
