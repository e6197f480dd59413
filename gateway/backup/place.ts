import type { Readable } from "node:stream";

import type { ListedFile } from "./manifest.rules.ts";
import type { Bytes } from "./seal.ts";

/** Where one backup lies: its parts, under names such as `tables/tdb.copy.gz`, as they are stored. */
export type Place = {
  /** For a person. */
  shown: string;
  /** Whether reading every stored file again each night would cost too much: they come over a line. */
  isFar: boolean;
  /** @throws NoBackup unless it is new or empty */
  prepare: () => Promise<void>;
  /** Stores a part for good, as it comes. */
  write: (name: string, content: Bytes) => Promise<void>;
  /** @throws DamagedBackup when it is missing */
  read: (name: string) => Promise<Readable>;
  /** How many bytes a part has; undefined when it is missing. */
  find: (name: string) => Promise<number | undefined>;
  /** Removes a part, if it is there. */
  remove: (name: string) => Promise<void>;
  /** The name under which a stored file goes into the backup. */
  nameOf: (file: ListedFile, isSealed: boolean) => string;
  /** Takes a stored file over from an earlier backup, or from what backups share. Returns whether it was there. */
  share: (name: string, former?: Place) => Promise<boolean>;
  /** Writes the manifest, in one piece: from then on the backup is complete. */
  finish: (name: string, manifest: string) => Promise<void>;
  /** Removes the backup, but for stored files that others have too. */
  clear: () => Promise<void>;
};

/** Where scheduled backups lie, each under the name of its moment. */
export type Vault = {
  shown: string;
  /** All names, of backups and of anything else, in order; a backup that was broken off is not finished. */
  list: () => Promise<{ name: string; isFinished: boolean }[]>;
  open: (name: string) => Place;
  remove: (name: string) => Promise<void>;
  /** Whether backups can be written, read and removed. @throws what stands in the way */
  probe: () => Promise<void>;
  /** The names of stored files that backups share, where these lie outside of them. */
  contents?: { list: () => AsyncGenerator<string>; remove: (name: string) => Promise<void> };
};
