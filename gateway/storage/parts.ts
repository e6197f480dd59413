import type { DataStore } from "@tus/server";

import type { StagedFile } from "./staging.ts";

/**
 * Files that arrive in parts, over hours or days. They are stored where stored files are, in a folder or in object storage, so that every
 * gateway can continue an upload that another one began.
 */
export type Parts = {
  /** The store of the tus server: acknowledged bytes are never lost. */
  dataStore: DataStore;
  /** Refuses a part that there is no room for. @throws Problem STORAGE_FULL */
  checkRoom: (bytes: number) => Promise<void>;
  /** A note beside the parts, as JSON; undefined where there is none. */
  readNote: (id: string, name: Note) => Promise<unknown>;
  writeNote: (id: string, name: Note, value: unknown) => Promise<void>;
  /** The bytes that are there from the beginning on without a gap; undefined where there are none. */
  sizeOf: (id: string) => Promise<number | undefined>;
  /** How many bytes are there without a gap, and when the last one arrived; undefined for an unknown upload. */
  stateOf: (id: string) => Promise<{ received: number; changedAt: Date } | undefined>;
  /** Small pieces of what is there, each from `start` up to `end`, which is not among them, in their order. */
  pieces: (id: string, places: readonly Place[]) => AsyncIterable<Buffer>;
  /** Every upload of which something is known and that is not finished. */
  listIds: () => Promise<string[]>;
  /** The whole file on this gateway's disk with its hash. @throws Problem STORAGE_FULL, STORAGE_AWAY */
  stage: (id: string) => Promise<StagedFile>;
  /** Removes the parts and what is known of the upload; its outcome stays. */
  remove: (id: string) => Promise<void>;
  /** Removes uploads to which nothing came for this long. @returns how many files it removed */
  removeStale: (olderThanMs: number) => Promise<number>;
};

/** A piece of an upload: its first byte, and the one behind its last. */
export type Place = { start: number; end: number };

/** `info`: what the sender announced. `outcome`: what became of the complete file. */
export type Note = "info" | "outcome";

/** A file of an upload: its parts, or a note. */
export type PartFile = { id: string; name: string; changedAt: Date };

/**
 * The files of those uploads to which nothing came for this long. The files of one upload stand one after another; they go
 * together, for the oldest of them is what its newest part belongs to.
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
