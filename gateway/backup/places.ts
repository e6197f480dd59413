import { resolve } from "node:path";

import type { ObjectSettings } from "../storage/bucket.ts";
import { openBucket } from "../storage/bucket.ts";
import { folderPlace, folderVault } from "./folderPlace.ts";
import { objectVault } from "./objectPlace.ts";
import type { Place, Vault } from "./place.ts";
import { bucketOf } from "./place.rules.ts";

/** Opens the places of backups by their addresses: a folder, or `s3://bucket/prefix`. */

/** The settings for object storage with backups, without the bucket, which is part of the address. */
type Reach = Omit<ObjectSettings, "bucket">;

/** The place of scheduled backups. */
export function openVault(address: string, reach: Reach): Vault {
  const found = bucketOf(address);
  if (!found) return folderVault(resolve(address));
  const { bucket, prefix } = found;
  const shown = `s3://${[bucket, ...(prefix ? [prefix] : [])].join("/")}`;
  return objectVault(openBucket({ ...reach, bucket }), prefix ? `${prefix}/` : "", shown);
}

/**
 * The place of one backup. In object storage the last part of the address is the name; the part before it is shared
 * with other backups.
 */
export function openPlace(address: string, reach: Reach): Place {
  const found = bucketOf(address);
  if (!found) return folderPlace(resolve(address));
  const parts = found.prefix.split("/");
  const name = parts.pop()!;
  if (name === "" || name === "contents")
    throw new Error(`${address} has no name for the backup: it is written s3://bucket/prefix/name.`);
  return openVault(["s3:/", found.bucket, ...parts].join("/"), reach).open(name);
}
