import { z } from "zod";

/** Addresses of places for backups. */

const pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9!_.*'()-]+)*)\/?$/;

/** The bucket and the prefix of an address in object storage; undefined for a folder. */
export function bucketOf(address: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, path = ""] = pattern.exec(address) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: path.slice(1) };
}

/** A folder, or `s3://bucket/prefix`. */
export const placeRule = z
  .string()
  .min(1)
  .refine(
    (address) => !/^[a-z0-9+]+:\/\//i.test(address) || bucketOf(address) !== undefined,
    "must be a folder, or an address such as s3://bucket/prefix",
  );
