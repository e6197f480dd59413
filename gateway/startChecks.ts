import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import type { Handle } from "../db/engine/connect.ts";
import { findZone } from "../db/system/doctor.ts";
import { countStoredFiles } from "../db/system/storage.ts";
import { CannotStart } from "./system/dataFolder.ts";

/** Checks at the start, before anything is created or loaded. Each failure is one line. */

type Address = { PORT: number; HOST: string };

/** A CannotStart for a failure to listen; any other failure unchanged. */
export function listenProblem(error: unknown, { PORT, HOST }: Address): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new CannotStart(
        `Setting PORT: ${PORT} on ${HOST} is in use by another program. End that one, or set another PORT.`,
      );
    case "EACCES":
      return new CannotStart(`Setting PORT: this user may not listen on ${PORT}. Set another PORT, 1024 or above.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new CannotStart(`Setting HOST: this machine has no address ${HOST}.`);
    default:
      return error;
  }
}

/** Checks that the product can listen on the address of the settings. @throws CannotStart */
export async function checkAddress({ PORT, HOST }: Address): Promise<void> {
  const trial = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      trial.once("error", reject);
      trial.listen(PORT, HOST, resolve);
    });
  } catch (error) {
    throw listenProblem(error, { PORT, HOST });
  }
  await new Promise((resolve) => trial.close(resolve));
}

type DatabaseSettings = { DATABASE_URL?: string | undefined; TIME_ZONE: string };

/** Checks that the database can be queried, in the time zone of the settings. @throws CannotStart */
export async function checkDatabase(handle: Handle, { DATABASE_URL, TIME_ZONE }: DatabaseSettings): Promise<void> {
  try {
    await findZone(handle);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    // Node knows more names of time zones than PostgreSQL, such as CAT.
    if (code === "22023" && message.includes("TimeZone"))
      throw new CannotStart(`Setting TIME_ZONE: PostgreSQL has no time zone ${TIME_ZONE}.`);
    if (DATABASE_URL === undefined) throw error;
    // A failure to reach each of several addresses of a host has no message.
    throw new CannotStart(`Setting DATABASE_URL: the database cannot be used (${message || code}).`);
  }
}

/** Checks that the folder of stored files exists if the database refers to stored files. @throws CannotStart */
export async function checkFilesFolder(handle: Handle, dataDir: string): Promise<void> {
  const folder = join(dataDir, "files");
  if (existsSync(folder)) return;
  const files = await countStoredFiles(handle);
  if (files === 0) return;
  throw new CannotStart(
    `Setting DATA_DIR: there is no folder ${folder}, and the database names ${files} files in it. Set the right DATA_DIR or mount its disk; to go on without these files, make the folder.`,
  );
}
