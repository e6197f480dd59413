import type { Readable } from "node:stream";

import { Problem } from "../problem.ts";

/** The first and the last byte of a part of a file, both included. */
export type ByteRange = { start: number; end: number };

/** The storage of received files. A key is a path without leading slash, for example `files/tdb/<uuid>.tdbx`. */
export type Storage = {
  /**
   * Stores a staged file under this key. When it resolves, the file survives a crash. The staged file stays where it
   * is.
   */
  keep: (stagedPath: string, key: string) => Promise<void>;
  /** @throws an error with code ENOENT */
  read: (key: string, range?: ByteRange) => Promise<Readable>;
  remove: (key: string) => Promise<void>;
  /**
   * Checks that files can be stored now. It does not check for a full disk, which is reported to senders of files.
   * @throws the reason if not
   */
  probe: () => Promise<void>;
  /** Checks everything that files need, by writing, reading and removing one. @throws the reason if something fails */
  tryOut: () => Promise<void>;
  list: () => AsyncIterable<{ key: string; storedAt: Date }>;
};

const isFull = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The Problem for a failure of the disk or the object storage; other errors unchanged. */
export function storageProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== "string") return error;
  if (isFull.has(code))
    return new Problem("STORAGE_FULL", "The server has no room left for files. Nothing of this file was kept.", {
      cause: error,
    });
  // A failed `connect` is the database's.
  if (
    typeof syscall === "string" &&
    syscall !== "connect" &&
    /^E(ACCES|ROFS|PERM|NOENT|NOTDIR|EXIST|ISDIR|IO|MFILE|NFILE)$/.test(code)
  )
    return new Problem("STORAGE_AWAY", "The server cannot store files at the moment. Nothing of this file was kept.", {
      cause: error,
    });
  return error;
}
