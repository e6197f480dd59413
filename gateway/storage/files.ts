import type { Readable } from "node:stream";

import { notFound } from "../problem.ts";
import { folderStorage } from "./folderStorage.ts";
import { type ObjectSettings, objectStorage } from "./objectStorage.ts";
import { openStaging, type Staging } from "./staging.ts";
import type { ByteRange, Storage } from "./storage.ts";

/** Files on their way in, and those that are kept. */
export type Files = { storage: Storage; staging: Staging };

/** Files below a folder, or kept in object storage where that is set up. What is on its way in is always below the folder. */
export async function openFiles(dataDir: string, objects?: ObjectSettings): Promise<Files> {
  return { storage: objects ? objectStorage(objects) : folderStorage(dataDir), staging: await openStaging(dataDir) };
}

/** The content of a kept file. @throws Problem NOT_FOUND */
export async function readKept({ storage }: Files, key: string, range?: ByteRange): Promise<Readable> {
  try {
    return await storage.read(key, range);
  } catch (error) {
    const { code, name } = error as { code?: string; name?: string };
    throw code === "ENOENT" || name === "NoSuchKey" ? notFound("file in the storage") : error;
  }
}
