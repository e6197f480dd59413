import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/** The files of imports that are not applied yet, how they were read, and the choices remembered for their sources. */

const pieceBytes = 256 * 1024;

/** Stores the file of an import in pieces. */
export async function insertPieces(
  handle: Handle,
  { importUuid, bytes }: { importUuid: string; bytes: Buffer },
): Promise<void> {
  for (let number = 0; number * pieceBytes < bytes.length; number += 1) {
    const content = bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes);
    await handle.insertInto("registryImportPiece").values({ importUuid, number, content }).execute();
  }
}

/** The file of an import; undefined if it is no longer stored. */
export async function findContent(handle: Handle, { importUuid }: { importUuid: string }): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = await handle
      .selectFrom("registryImportPiece")
      .select("content")
      .where("importUuid", "=", importUuid)
      .where("number", "=", pieces.length)
      .executeTakeFirst();
    if (!piece) return pieces.length > 0 ? Buffer.concat(pieces) : undefined;
    pieces.push(piece.content);
  }
}

export async function deletePieces(handle: Handle, { importUuid }: { importUuid: string }): Promise<void> {
  await handle.deleteFrom("registryImportPiece").where("importUuid", "=", importUuid).execute();
}

/** What was read of an import, and what was chosen about its reading. */
export async function findReading(
  handle: Handle,
  { importUuid }: { importUuid: string },
): Promise<{ reading: unknown; choice: unknown } | undefined> {
  const { rows } = await sql<{ reading: unknown; choice: unknown }>`
    select reading, choice from registry_import where import_uuid = ${importUuid}`.execute(handle);
  return rows[0];
}

/** Stores how an import was read. A review of an earlier reading is deleted. */
export async function updateReading(
  handle: Handle,
  {
    importUuid,
    reading,
    choice,
    rows,
    ignored,
  }: { importUuid: string; reading: object; choice: object; rows: number; ignored: readonly string[] },
): Promise<void> {
  await handle.deleteFrom("registryImportRow").where("importUuid", "=", importUuid).execute();
  await handle
    .updateTable("registryImport")
    .set({
      reading: JSON.stringify(reading),
      choice: JSON.stringify(choice),
      rows,
      ignored: JSON.stringify(ignored),
      isReviewed: false,
    })
    .where("importUuid", "=", importUuid)
    .execute();
}

/** Notes that the rows of an import are reviewed. */
export async function updateReviewed(handle: Handle, { importUuid }: { importUuid: string }): Promise<void> {
  await handle.updateTable("registryImport").set({ isReviewed: true }).where("importUuid", "=", importUuid).execute();
}

/** Deletes an import with its file and rows. */
export async function deleteImport(handle: Handle, { importUuid }: { importUuid: string }): Promise<void> {
  await handle.deleteFrom("registryImport").where("importUuid", "=", importUuid).execute();
}

/** The choices that were remembered last for a list with these headings. */
export async function findSource(
  handle: Handle,
  { headings }: { headings: string },
): Promise<{ name: string; choice: unknown } | undefined> {
  const { rows } = await sql<{ name: string; choice: unknown }>`
    select name, choice from registry_list_source
    where md5(headings) = md5(${headings}) and headings = ${headings} order by used_at desc limit 1`.execute(handle);
  return rows[0];
}

/** Remembers the choices of a source. */
export async function upsertSource(
  handle: Handle,
  { name, headings, choice }: { name: string; headings: string; choice: object },
): Promise<void> {
  const values = { headings, choice: JSON.stringify(choice), usedAt: sql<string>`now()` };
  await handle
    .insertInto("registryListSource")
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
    .execute();
}
