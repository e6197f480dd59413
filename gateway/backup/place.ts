import type { Readable } from "node:stream";

import type { ListedFile } from "./manifest.rules.ts";
import type { Bytes } from "./seal.ts";

/** The place where one backup is stored. Its parts have names such as `tables/tdb.copy.gz`. */
export type Place = {
  /** the place as it is shown to operators */
  shown: string;
  /** whether it is reached over the network, so that reading every stored file each night would take too long */
  isFar: boolean;
  /** @throws NoBackup unless it is new or empty */
  prepare: () => Promise<void>;
  /** Stores a part durably, from a stream. */
  write: (name: string, content: Bytes) => Promise<void>;
  /** @throws DamagedBackup when it is missing */
  read: (name: string) => Promise<Readable>;
  /** How many bytes a part has; undefined when it is missing. */
  find: (name: string) => Promise<number | undefined>;
  /** Removes a part, if it is there. */
  remove: (name: string) => Promise<void>;
  /** The name of a stored file in the backup. */
  nameOf: (file: ListedFile, isSealed: boolean) => string;
  /**
   * Shares a stored file with an earlier backup, or uses the one that all backups share. Returns whether it exists
   * there.
   */
  share: (name: string, former?: Place) => Promise<boolean>;
  /** Writes the manifest atomically. From then on the backup is complete. */
  finish: (name: string, manifest: string) => Promise<void>;
  /** Removes the backup, except for stored files that other backups have too. */
  clear: () => Promise<void>;
};

/** The place of the scheduled backups, each under the name of its time. */
export type Vault = {
  shown: string;
  /**
   * All names in order, of backups and of anything else. `isFinished`: has a manifest; an interrupted backup has none.
   */
  list: () => Promise<{ name: string; isFinished: boolean }[]>;
  open: (name: string) => Place;
  remove: (name: string) => Promise<void>;
  /** Tries whether backups can be written, read and removed. @throws the reason if not */
  probe: () => Promise<void>;
  /** The names of the stored files that backups share, if these are outside of the backups. */
  contents?: { list: () => AsyncGenerator<string>; remove: (name: string) => Promise<void> };
};
