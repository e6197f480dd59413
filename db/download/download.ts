import { type Insertable, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";
import { dayOf, type Days, onDays } from "../list/day.ts";
import { instant, type Order, type Page, type PageInput, readPage, type Sort, sortOf } from "../list/page.ts";
import type { Channel, DownloadPart } from "./release.rules.ts";
import type { Download } from "../schema.ts";

const downloads = (handle: Handle) =>
  handle
    .selectFrom("download")
    .where("withdrawnAt", "is", null)
    .select([
      "downloadId as id",
      "downloadUuid as uuid",
      dayOf("uploadedAt").as("uploadDate"),
      "name",
      "description",
      "fileName",
      "fileSize as size",
      "fileType",
      "sha256",
      "databaseKey",
      "storageKey",
      "userUuid",
      "version",
      sql<DownloadPart[]>`installs`.as("installs"),
      "appliesFrom",
      "appliesTo",
      sql<Channel>`channel`.as("channel"),
      sql<string | null>`required_since`.as("requiredSince"),
      instant("uploadedAt").as("uploadedAt"),
    ]);
export type DownloadRow = Awaited<ReturnType<ReturnType<typeof downloads>["executeTakeFirstOrThrow"]>>;

const name = { key: "name", column: "name", type: "text" } as const;
const sortKeys = {
  fileType: [{ key: "fileType", column: "fileType", type: "text" }, name],
  name: [name],
  uploaded: [{ key: "uploadedAt", column: "uploadedAt", type: "timestamptz" }],
  size: [{ key: "size", column: "fileSize", type: "bigint" }],
} satisfies Record<string, Order["columns"]>;
export type DownloadSort = Sort<keyof typeof sortKeys>;

export type DownloadFilter = Days & { fileType?: string | null; search?: string | null };

/** Files to download, by default by kind and name. A search text must be part of the name or description. */
export function listDownloads(
  handle: Handle,
  { fileType, search, sort, page, ...days }: DownloadFilter & { sort?: DownloadSort | null; page: PageInput },
): Promise<Page<DownloadRow>> {
  let query = downloads(handle).where(onDays("uploadedAt", days));
  if (fileType != null) query = query.where("fileType", "=", fileType);
  if (search)
    query = query.where(sql<boolean>`search_key(name || ' ' || description) like '%' || search_key(${search}) || '%'`);
  const { by, descending } = sortOf(sort ?? "fileType");
  const columns = [...sortKeys[by], { key: "uuid", column: "downloadUuid", type: "uuid" } as const];
  return readPage(query, { columns, descending }, page);
}

/** Several files at once, in no order; unknown and withdrawn ones are left out. */
export function listDownloadsByUuid(handle: Handle, { uuids }: { uuids: readonly string[] }): Promise<DownloadRow[]> {
  return downloads(handle).where("downloadUuid", "=", anyOf(uuids, "uuid")).execute();
}

export function findDownload(handle: Handle, { uuid }: { uuid: string }): Promise<DownloadRow | undefined> {
  return downloads(handle).where("downloadUuid", "=", uuid).executeTakeFirst();
}

export async function insertDownload(handle: Handle, download: Insertable<Download>): Promise<void> {
  await handle.insertInto("download").values(download).execute();
}

/** Files with a version that are not withdrawn, by name: all files that can be a step of an update path. */
export function listReleasedDownloads(handle: Handle): Promise<DownloadRow[]> {
  return downloads(handle).where("version", "is not", null).orderBy("name").orderBy("downloadUuid").execute();
}

type ReleaseToSet = {
  version: string | null;
  installs: readonly DownloadPart[];
  appliesFrom: string | null;
  appliesTo: string | null;
  channel: Channel;
  requiredSince: string | null;
};

/** Finds a file on the list and locks it until the transaction ends. */
export function lockDownload(handle: Handle, { uuid }: { uuid: string }): Promise<DownloadRow | undefined> {
  return downloads(handle).where("downloadUuid", "=", uuid).forUpdate().executeTakeFirst();
}

/** Sets what a file installs and requires, and whom it is for. */
export async function updateDownloadRelease(
  handle: Handle,
  { uuid, installs, ...release }: ReleaseToSet & { uuid: string },
): Promise<void> {
  await handle
    .updateTable("download")
    .set({ ...release, installs: [...installs] })
    .where("downloadUuid", "=", uuid)
    .execute();
}

/** Withdraws a file from the list; the file stays stored. Returns whether it was on the list. */
export async function updateDownloadWithdrawn(handle: Handle, { uuid }: { uuid: string }): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable("download")
    .set({ withdrawnAt: sql`now()` })
    .where("downloadUuid", "=", uuid)
    .where("withdrawnAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
