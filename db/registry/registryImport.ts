import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { instant, type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import type { LoadedFacility } from "../facility/load.ts";
import type { ImportDecision, ImportKind, ImportStatus } from "./registryImport.rules.ts";

/** Imports of lists of facilities, and their rows. */

export type Change = { field: string; present: string | null; proposed: string | null };
export type RowWarning = { column: string; message: string };
export type NewRow = {
  line: number;
  kind: ImportKind;
  acceptable: boolean;
  facilityName: string;
  place: string;
  facilityUuid: string | null;
  score: number | null;
  reason: string;
  warnings: RowWarning[];
  changes: Change[];
  /** the values to write, by column name in camel case */
  written: Partial<LoadedFacility>;
  identifiers: { system: string; value: string; isUnique: boolean }[];
  reviewedVersion: number | null;
};

/** Inserts an import without its rows. */
export async function insertImport(
  handle: Handle,
  values: {
    importUuid: string;
    fileName: string;
    ignored: readonly string[];
    userUuid: string | null;
    operator?: string | null;
    rows: number;
  },
): Promise<void> {
  await handle
    .insertInto("registryImport")
    .values({ ...values, ignored: JSON.stringify(values.ignored) })
    .execute();
}

/** Inserts the rows of an import, which are read in parts. */
export async function insertImportRows(
  handle: Handle,
  { importUuid, parts }: { importUuid: string; parts: Iterable<readonly NewRow[]> | AsyncIterable<readonly NewRow[]> },
): Promise<void> {
  for await (const rows of parts) {
    // As a buffer: the driver would keep long strings in memory until the next full garbage collection, several hundred
    // megabytes for a long list.
    const content = Buffer.from(JSON.stringify(rows));
    await sql`
      insert into registry_import_row (import_uuid, line, kind, acceptable, facility_name, place, facility_uuid, score, reason, warned, warnings, changes, written, identifiers, reviewed_version)
      select ${importUuid}::uuid, line, kind, acceptable, "facilityName", place, "facilityUuid", score, reason, jsonb_array_length(warnings) > 0, warnings, changes, written, identifiers, "reviewedVersion"
      from jsonb_to_recordset(${content}::text::jsonb) as given (line integer, kind text, acceptable boolean, "facilityName" text, place text,
        "facilityUuid" text, score double precision, reason text, warnings jsonb, changes jsonb, written jsonb, identifiers jsonb, "reviewedVersion" integer)`.execute(
      handle,
    );
  }
}

const status = sql<ImportStatus>`case when registry_import.is_reviewed then registry_import.status else 'read' end`;
const imports = (handle: Handle) =>
  handle
    .selectFrom("registryImport")
    .leftJoin("appUser", "appUser.userUuid", "registryImport.userUuid")
    .select([
      "importUuid as uuid",
      "fileName",
      status.as("status"),
      "rows",
      sql<string[]>`ignored`.as("ignored"),
      instant("registryImport.createdAt").as("createdAt"),
      sql<string | null>`coalesce(app_user.user_name, operator)`.as("userName"),
      sql<string>`registry_import.created_at::date`.as("createdDate"),
      sql<string>`to_char(registry_import.created_at, 'HH24:MI')`.as("createdTime"),
      sql<string | null>`applied_at::date`.as("appliedDate"),
      sql<
        string | null
      >`coalesce((select user_name from app_user who where who.user_uuid = applied_by), case when applied_at is not null then operator end)`.as(
        "appliedBy",
      ),
      sql<string | null>`reverted_at::date`.as("revertedDate"),
      sql<string | null>`(select user_name from app_user who where who.user_uuid = reverted_by)`.as("revertedBy"),
    ]);
export type ImportRow = Awaited<ReturnType<ReturnType<typeof imports>["executeTakeFirstOrThrow"]>>;

const newestFirst: Order = {
  columns: [
    { key: "createdAt", column: "registryImport.createdAt", type: "timestamptz" },
    { key: "uuid", column: "registryImport.importUuid", type: "uuid" },
  ],
  descending: true,
};

/** Imports, the newest first. */
export const listImports = (handle: Handle, { page }: { page: PageInput }): Promise<Page<ImportRow>> =>
  readPage(imports(handle), newestFirst, page);

export const findImport = (handle: Handle, { importUuid }: { importUuid: string }): Promise<ImportRow | undefined> =>
  imports(handle).where("importUuid", "=", importUuid).executeTakeFirst();

/** Locks an import until the transaction ends. Returns its status. */
export const lockImport = (handle: Handle, { importUuid }: { importUuid: string }) =>
  handle
    .selectFrom("registryImport")
    .select(status.as("status"))
    .where("importUuid", "=", importUuid)
    .forNoKeyUpdate()
    .executeTakeFirst();

export type KindCount = {
  kind: ImportKind;
  rows: number;
  undecided: number;
  accepted: number;
  rejected: number;
  warned: number;
  acceptable: number;
};

/** How many rows of each kind an import has, by decision. */
export async function listKindCounts(handle: Handle, { importUuid }: { importUuid: string }): Promise<KindCount[]> {
  const { rows } = await sql<KindCount>`
    select kind, count(*)::integer as rows, count(*) filter (where decision = 'undecided')::integer as undecided,
      count(*) filter (where decision = 'accepted')::integer as accepted, count(*) filter (where decision = 'rejected')::integer as rejected,
      count(*) filter (where warned)::integer as warned, count(*) filter (where acceptable)::integer as acceptable
    from registry_import_row where import_uuid = ${importUuid} group by kind`.execute(handle);
  return rows;
}

const importRows = (handle: Handle) =>
  handle
    .selectFrom("registryImportRow")
    .select([
      "line",
      sql<ImportKind>`kind`.as("kind"),
      sql<ImportDecision>`decision`.as("decision"),
      ...(["acceptable", "facilityName", "place", "facilityUuid", "score", "reason"] as const),
      sql<RowWarning[]>`warnings`.as("warnings"),
      sql<Change[]>`changes`.as("changes"),
    ]);
export type ReviewRow = Awaited<ReturnType<ReturnType<typeof importRows>["executeTakeFirstOrThrow"]>>;
export type RowFilter = {
  kind?: ImportKind | null | undefined;
  decision?: ImportDecision | null | undefined;
  warned?: boolean | null | undefined;
};

/** Rows of an import in the order of the file. */
export function listImportRows(
  handle: Handle,
  { importUuid, kind, decision, warned, page }: RowFilter & { importUuid: string; page: PageInput },
): Promise<Page<ReviewRow>> {
  let query = importRows(handle).where("importUuid", "=", importUuid);
  if (kind != null) query = query.where("kind", "=", kind);
  if (decision != null) query = query.where("decision", "=", decision);
  if (warned != null) query = query.where("warned", "=", warned);
  return readPage(query, { columns: [{ key: "line", column: "line", type: "integer" }] }, page);
}

/**
 * Writes a decision about rows: these lines, all of a kind, all with a warning, or all. Rows that cannot be accepted
 * are never accepted, and rows that change an identifier only by their lines, unless `withIdentifierChanges`. Returns
 * the number of rows.
 */
export async function updateDecisions(
  handle: Handle,
  {
    importUuid,
    kind,
    lines,
    warned,
    decision,
    withIdentifierChanges = false,
  }: {
    importUuid: string;
    withIdentifierChanges?: boolean;
    kind?: ImportKind | null | undefined;
    lines?: readonly number[] | null | undefined;
    warned?: true | null | undefined;
    decision: ImportDecision;
  },
): Promise<number> {
  let query = handle.updateTable("registryImportRow").set({ decision }).where("importUuid", "=", importUuid);
  if (kind != null) query = query.where("kind", "=", kind);
  if (lines != null) query = query.where("line", "=", sql<number>`any(${[...lines]}::integer[])`);
  if (warned) query = query.where("warned", "=", true);
  if (decision === "accepted") query = query.where("acceptable", "=", true).where("kind", "!=", "same");
  if (decision === "accepted" && lines == null && !withIdentifierChanges)
    query = query.where("kind", "!=", "identifierChange");
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Which of these lines the import does not have (`reason` null), or cannot accept. */
export async function listLineFaults(
  handle: Handle,
  { importUuid, lines }: { importUuid: string; lines: readonly number[] },
): Promise<{ line: number; reason: string | null }[]> {
  const { rows } = await sql<{ line: number; reason: string | null }>`
    select asked.line, row.reason from unnest(${[...lines]}::integer[]) as asked (line)
    left join registry_import_row row on row.import_uuid = ${importUuid} and row.line = asked.line
    where row.line is null or not row.acceptable order by asked.line limit 100`.execute(handle);
  return rows;
}
