import type { Readable } from "node:stream";

import { Problem } from "../problem.ts";

/** The first and the last byte of a part of a file, both included. */
export type ByteRange = { start: number; end: number };

/** Where received files are kept. A key is a path without leading slash, for example `files/tdb/<uuid>.tdbx`. */
export type Storage = {
  /** Keeps a staged file under this key: once it resolves, no crash loses it. The staged file stays where it is. */
  keep: (stagedPath: string, key: string) => Promise<void>;
  /** @throws an error with code ENOENT */
  read: (key: string, range?: ByteRange) => Promise<Readable>;
  remove: (key: string) => Promise<void>;
  /** Whether files can be kept now; a full disk is another matter, told to those who send files. @throws what stands in the way */
  probe: () => Promise<void>;
  /** Writes, reads and removes something: all that files need. @throws what stands in the way */
  tryOut: () => Promise<void>;
  list: () => AsyncIterable<{ key: string; storedAt: Date }>;
};

const isFull = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** What a failure of the disk or the object storage means to the caller. */
export function storageProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== "string") return error;
  if (isFull.has(code)) return new Problem("STORAGE_FULL", "The server has no room left for files. Nothing of this file was kept.", { cause: error });
  if (typeof syscall === "string" && /^E(ACCES|ROFS|PERM|NOENT|NOTDIR|EXIST|ISDIR|IO|MFILE|NFILE)$/.test(code))
    return new Problem("STORAGE_AWAY", "The server cannot store files at the moment. Nothing of this file was kept.", { cause: error });
  return error;
}
