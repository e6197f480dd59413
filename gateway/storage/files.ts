import type { Readable } from "node:stream";

import { notFound } from "../problem.ts";
import { type ObjectSettings, openBucket } from "./bucket.ts";
import { folderParts } from "./folderParts.ts";
import { folderStorage } from "./folderStorage.ts";
import { objectParts } from "./objectParts.ts";
import { objectStorage } from "./objectStorage.ts";
import type { Parts } from "./parts.ts";
import { openStaging, type Staging } from "./staging.ts";
import type { ByteRange, Storage } from "./storage.ts";

/** Incoming files, whole or in parts, and stored files. */
export type Files = { storage: Storage; staging: Staging; parts: Parts };

/**
 * Opens the storage: in a folder, or in object storage if it is configured. A file that arrives in one request is
 * staged in the folder in both cases.
 */
export async function openFiles(dataDir: string, objects?: ObjectSettings): Promise<Files> {
  const staging = await openStaging(dataDir);
  if (!objects) return { storage: folderStorage(dataDir), staging, parts: folderParts(staging) };
  const bucket = openBucket(objects);
  return { storage: objectStorage(bucket), staging, parts: objectParts(bucket, staging) };
}

/** The content of a stored file. @throws Problem NOT_FOUND */
export async function readKept({ storage }: Files, key: string, range?: ByteRange): Promise<Readable> {
  try {
    return await storage.read(key, range);
  } catch (error) {
    const { code, name } = error as { code?: string; name?: string };
    throw code === "ENOENT" || name === "NoSuchKey" ? notFound("file in the storage") : error;
  }
}
