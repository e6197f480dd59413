import { type Insertable, sql } from "kysely";

import type { Handle } from "./connect.ts";
import { dayOf } from "./day.ts";
import { type Order, type Page, type PageInput, readPage } from "./page.ts";
import type { Download } from "./schema.ts";

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
    ]);
export type DownloadRow = Awaited<ReturnType<ReturnType<typeof downloads>["executeTakeFirstOrThrow"]>>;

const byName: Order = {
  columns: [
    { key: "fileType", column: "fileType", type: "text" },
    { key: "name", column: "name", type: "text" },
    { key: "uuid", column: "downloadUuid", type: "uuid" },
  ],
};

/** Files that are handed out, by kind and name. */
export function listDownloads(handle: Handle, { fileType, page }: { fileType?: string | null; page: PageInput }): Promise<Page<DownloadRow>> {
  const query = downloads(handle);
  return readPage(fileType == null ? query : query.where("fileType", "=", fileType), byName, page);
}

export function findDownload(handle: Handle, { uuid }: { uuid: string }): Promise<DownloadRow | undefined> {
  return downloads(handle).where("downloadUuid", "=", uuid).executeTakeFirst();
}

export async function insertDownload(handle: Handle, download: Insertable<Download>): Promise<void> {
  await handle.insertInto("download").values(download).execute();
}

/** Takes a file off the list; it is kept. Answers whether it was on it. */
export async function updateDownloadWithdrawn(handle: Handle, { uuid }: { uuid: string }): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable("download")
    .set({ withdrawnAt: sql`now()` })
    .where("downloadUuid", "=", uuid)
    .where("withdrawnAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
