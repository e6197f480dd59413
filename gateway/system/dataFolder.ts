import { accessSync, constants } from "node:fs";

import { makeFolder } from "../../db/engine/folder.ts";

/** The product cannot start; the message says what to change. */
export class CannotStart extends Error {
  override name = "CannotStart";
}

/** Creates the data folder if it does not exist, and checks that it can be read and written. @throws CannotStart */
export async function openDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reasons: Record<string, string> = {
      EEXIST: "is not a folder",
      ENOTDIR: "does not lie in a folder",
      ENOENT: "cannot be made: its file system allows no folders there",
      EACCES: "cannot be read and written by this user",
      EPERM: "cannot be read and written by this user",
      EROFS: "lies on a disk that cannot be written",
      ENOSPC: "cannot be made: the disk is full",
    };
    const { code = "", message, path = dataDir } = error as NodeJS.ErrnoException;
    throw new CannotStart(`Setting DATA_DIR: ${path} ${reasons[code] ?? `cannot be used (${message})`}.`);
  }
}
