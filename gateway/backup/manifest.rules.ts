import { z } from "zod";

/** The description of a backup, in its file `manifest.json`. */

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
/** A name that cannot be a path out of the backup's folder. */
const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);
const part = { bytes: count, sha256: hash };

/** The second format is for encrypted backups, so that versions that cannot decrypt them refuse them. */
export const backupFormats = { plain: "smartcare-backup/1", sealed: "smartcare-backup/2" } as const;

export const manifestRules = z.strictObject({
  format: z.enum(Object.values(backupFormats)),
  takenAt: z.iso.datetime(),
  product: z.string(),
  server: z.string(),
  migrations: z.array(z.string()).min(1),
  sequences: z.array(z.strictObject({ name, last: z.string().regex(/^\d+$/).nullable() })),
  tables: z.array(z.strictObject({ name, columns: z.array(name).min(1), rows: count, ...part })),
  /** the list of stored files, a line of JSON for each, with their number and bytes */
  files: z.strictObject({ count, totalBytes: count, missing: z.array(z.string()), ...part }),
  /** the public key for which it is encrypted, and the list of its encrypted files, which is not encrypted itself */
  sealed: z.strictObject({ recipient: z.string(), ...part }).optional(),
});
export type Manifest = z.infer<typeof manifestRules>;
export type Part = { bytes: number; sha256: string };

/** A line of the list of stored files. */
export const listedFileRules = z.strictObject({
  key: z.string().regex(/^files\/(tdb|download)\/[A-Za-z0-9._-]{1,200}$/),
  size: count,
  sha256: hash,
});
export type ListedFile = z.infer<typeof listedFileRules>;

/** A line of the list of encrypted files: the name in the backup, and the size and hash of the encrypted bytes. */
export const sealedFileRules = z.strictObject({
  key: listedFileRules.shape.key,
  name: z.string().regex(/^(files\/(tdb|download)\/[A-Za-z0-9._-]{1,210}|contents\/[0-9a-f-]{36})\.age$/),
  size: count,
  sha256: hash,
});
export type SealedFile = z.infer<typeof sealedFileRules>;

export const manifestName = "manifest.json";
export const fileListName = "files.ndjson.gz";
export const sealedListName = "sealed.ndjson.gz";
/** The name of the part with a table's rows, without the ending of encrypted parts. */
export const tablePath = (table: string): string => `tables/${table}.copy.gz`;

/** A size as text with a unit. */
export function shownBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
