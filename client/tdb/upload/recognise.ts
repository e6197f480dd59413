import { endOf } from "../../../gateway/tdb/sending.rules.ts";
import type { UnfinishedUpload, UploadHashes } from "../../../gateway/tdb/tdb.rules.ts";
import type { Bytes, Call } from "./calls.ts";
import { refuse } from "./failures.ts";

/** Which unfinished upload a file belongs to: told by its size and by hashes of its bytes, whatever its name and wherever it lies. */

export const uploadsPath = "/api/v1/tdb/resumable";
export const pathOf = ({ uuid }: Pick<UnfinishedUpload, "uuid">): string => `${uploadsPath}/${uuid}`;

/** A file to be sent. */
export type Source = { name: string; size: number; read: (start: number, end: number) => Promise<Bytes> };

/** A page that did not come over a safe connection has no hashes: nothing can be recognised there. */
const canHash = (): boolean => "subtle" in crypto;

async function hashOf(source: Source, { start, end }: { start: number; end: number }): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await source.read(start, end)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The hash of a file's end, by which another device will know it; undefined where none can be made. */
export async function endHashOf(source: Source): Promise<string | undefined> {
  return canHash() ? hashOf(source, endOf(source.size)) : undefined;
}

/** The caller's unfinished uploads; with a size, those of this size and what was taken in lately. @throws as `refuse`, Unreachable */
export async function askUnfinished(call: Call, signal?: AbortSignal, size?: number): Promise<UnfinishedUpload[]> {
  const answer = await call("GET", size === undefined ? uploadsPath : `${uploadsPath}?size=${size}`, { signal });
  // A gateway of an earlier version does not know the question.
  if (answer.status === 422 && size !== undefined) return askUnfinished(call, signal);
  if (answer.status !== 200) refuse(answer);
  return JSON.parse(answer.body) as UnfinishedUpload[];
}

/** Whether this is the file of an unfinished upload. @throws as `refuse`, Unreachable */
export async function isFileOf(call: Call, source: Source, upload: UnfinishedUpload, signal?: AbortSignal): Promise<boolean> {
  if (upload.size !== source.size || !canHash()) return false;
  const answer = await call("GET", `${pathOf(upload)}/hashes`, { signal });
  if (answer.status === 404) return false;
  if (answer.status !== 200) refuse(answer);
  const { hashes } = JSON.parse(answer.body) as UploadHashes;
  for (const { start, end, sha256 } of hashes) if ((await hashOf(source, { start, end })) !== sha256) return false;
  return true;
}

/** The unfinished upload of this file of which most is here. @throws as `refuse`, Unreachable */
export async function findUploadOf(call: Call, source: Source, uploads: UnfinishedUpload[], signal?: AbortSignal): Promise<UnfinishedUpload | undefined> {
  for (const upload of uploads.toSorted((a, b) => b.received - a.received)) if (await isFileOf(call, source, upload, signal)) return upload;
  return undefined;
}
