import { userInfo } from "node:os";
import { resolve } from "node:path";

import type { Database } from "../../db/engine/connect.ts";
import { openDatabase } from "../../db/open.ts";
import { openDataFolder } from "./dataFolder.ts";

/** Functions that the commands of operators (`*.command.ts`) share. */

/**
 * Runs a command and sets the exit code: the returned one; 2 if its arguments were wrong, with the usage on stderr; 1
 * if it failed, with the failure on stderr.
 */
export async function runCommand(
  run: () => Promise<number>,
  usage: string,
  words: (error: Error) => string = ({ message }) => message,
): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const isWronglyCalled = (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
    console.error(words(error as Error));
    if (isWronglyCalled) console.log(usage);
    process.exitCode = isWronglyCalled ? 2 : 1;
  }
}

/** Who runs the command, as the operating system knows them: at most 256 characters. */
export function operator(): string {
  try {
    return userInfo().username.slice(0, 256);
  } catch {
    return "unknown";
  }
}

/**
 * Opens the database of the settings for one act. `upToDate`: migrates it first.
 *
 * @throws errors of opening it and of the act
 */
export async function withDatabase<Result>(
  settings: Parameters<typeof openDatabase>[0],
  act: (db: Database) => Promise<Result>,
  { upToDate = false } = {},
): Promise<Result> {
  if (!settings.DATABASE_URL) await openDataFolder(resolve(settings.DATA_DIR));
  const { db, close } = await openDatabase(settings, (error) => console.error(error.message), { upToDate });
  try {
    return await act(db);
  } finally {
    await close();
  }
}
