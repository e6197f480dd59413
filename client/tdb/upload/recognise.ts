import { endOf } from "../../../gateway/tdb/sending.rules.ts";
import type { UnfinishedUpload, UploadHashes } from "../../../gateway/tdb/tdb.rules.ts";
import type { Bytes, Call } from "./calls.ts";
import { refuse, Unreadable } from "./failures.ts";

/**
 * Which unfinished upload a file belongs to: by its size and hashes of its bytes, independent of its name and folder.
 */

export const uploadsPath = "/api/v1/tdb/resumable";
export const pathOf = ({ uuid }: Pick<UnfinishedUpload, "uuid">): string => `${uploadsPath}/${uuid}`;

/** A file to be sent. */
export type Source = { name: string; size: number; read: (start: number, end: number) => Promise<Bytes> };

/** A file that was chosen in this window, as an upload reads it. */
export const sourceOf = (file: File): Source => ({
  name: file.name,
  size: file.size,
  read: async (start, end) => {
    try {
      return new Uint8Array(await file.slice(start, end).arrayBuffer());
    } catch {
      throw new Unreadable("The file cannot be read any more: it was moved, changed or removed. Choose it again.");
    }
  },
});

/** Without a secure connection the browser offers no hashes: then no file is recognised. */
const canHash = (): boolean => "subtle" in crypto;

async function hashOf(source: Source, { start, end }: { start: number; end: number }): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await source.read(start, end)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The hash of a file's end, by which another device recognises it. Undefined if the browser offers no hashes. */
export async function endHashOf(source: Source): Promise<string | undefined> {
  return canHash() ? hashOf(source, endOf(source.size)) : undefined;
}

/**
 * The caller's unfinished uploads. With a size: those of this size, and recently received files.
 *
 * @throws as `refuse`, Unreachable
 */
export async function askUnfinished(call: Call, signal?: AbortSignal, size?: number): Promise<UnfinishedUpload[]> {
  const answer = await call("GET", size === undefined ? uploadsPath : `${uploadsPath}?size=${size}`, { signal });
  // An older gateway does not know this call.
  if (answer.status === 422 && size !== undefined) return askUnfinished(call, signal);
  if (answer.status !== 200) refuse(answer);
  return JSON.parse(answer.body) as UnfinishedUpload[];
}

/** Whether this is the file of an unfinished upload. @throws as `refuse`, Unreachable */
export async function isFileOf(
  call: Call,
  source: Source,
  upload: UnfinishedUpload,
  signal?: AbortSignal,
): Promise<boolean> {
  if (upload.size !== source.size || !canHash()) return false;
  const answer = await call("GET", `${pathOf(upload)}/hashes`, { signal });
  if (answer.status === 404) return false;
  if (answer.status !== 200) refuse(answer);
  const { hashes } = JSON.parse(answer.body) as UploadHashes;
  for (const { start, end, sha256 } of hashes) if ((await hashOf(source, { start, end })) !== sha256) return false;
  return true;
}

/** The unfinished upload of this file with the most bytes at the server. @throws as `refuse`, Unreachable */
export async function findUploadOf(
  call: Call,
  source: Source,
  uploads: UnfinishedUpload[],
  signal?: AbortSignal,
): Promise<UnfinishedUpload | undefined> {
  for (const upload of uploads.toSorted((a, b) => b.received - a.received))
    if (await isFileOf(call, source, upload, signal)) return upload;
  return undefined;
}
