import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { Problem } from "../problem.ts";
import { lookBytes, passes, type Staging } from "./staging.ts";
import { storageProblem } from "./storage.ts";

/**
 * A temporary file that is sent once. Its name is removed while it is open, so that nothing of it remains, even if the
 * process is killed.
 */
type Spool = {
  /** Empties the file and writes the pieces into it. @throws Problem STORAGE_FULL, STORAGE_AWAY */
  write: (pieces: AsyncIterable<Buffer>) => Promise<void>;
  /** The file's bytes. After reading them the file is closed and gone. */
  read: () => Readable;
  size: () => number;
  close: () => Promise<void>;
};

/**
 * Buffers of sockets and files are outside V8's heap, so V8 collects used ones only after about 30 MB. Here a minor
 * collection (about a millisecond) is requested after each 4 MB.
 */
const collectBytes = 4 * 1024 * 1024;
let collect: ((options: { type: "minor" }) => void) | undefined;
function collectUsedUp(): void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as NonNullable<typeof collect>;
  }
  collect({ type: "minor" });
}

const problemOfSpool = (error: unknown): unknown => {
  const problem = storageProblem(error);
  if (!(problem instanceof Problem)) return error;
  const message =
    problem.code === "STORAGE_FULL"
      ? "The server has no room left to make this file."
      : "The server cannot make files at the moment.";
  return new Problem(problem.code, message, { cause: error });
};

/** @throws Problem STORAGE_FULL, STORAGE_AWAY */
export async function openSpool({ incoming, checkRoom }: Staging): Promise<Spool> {
  const path = join(incoming, `${randomUUID()}.spool`);
  try {
    await checkRoom(0);
    const file = await open(path, "wx+", 0o600);
    let size = 0;
    await rm(path).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    return {
      async write(pieces) {
        size = 0;
        await file.truncate();
        for await (const piece of pieces) {
          try {
            if (passes(size, piece.length, lookBytes)) await checkRoom(0);
            if (passes(size, piece.length, collectBytes)) collectUsedUp();
            for (let written = 0; written < piece.length;) {
              const { bytesWritten } = await file.write(piece, written, piece.length - written, size);
              written += bytesWritten;
              size += bytesWritten;
            }
          } catch (error) {
            throw problemOfSpool(error);
          }
        }
      },
      read() {
        let sent = 0;
        const bytes = file.createReadStream({ start: 0, highWaterMark: 64 * 1024 });
        bytes.on("data", ({ length }) => {
          if (passes(sent, length, collectBytes)) collectUsedUp();
          sent += length;
        });
        return bytes.pause();
      },
      size: () => size,
      close: () => file.close(),
    };
  } catch (error) {
    throw problemOfSpool(error);
  }
}
