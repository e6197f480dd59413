import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { instant, type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import type { FindingKind, FindingState, FindingTrend, ListForm } from "./reconciliation.rules.ts";

/** Comparisons of the registry with other lists, and what they found. */

/** A value that differs: in the registry (`ours`) and in the other list (`theirs`), as texts. */
export type Difference = { field: string; ours: string | null; theirs: string | null };
type FindingWarning = { column: string; message: string };
/** What was found, before it is compared with the previous comparison. */
export type Found = {
  kind: FindingKind;
  /** identifies the finding: the same in later comparisons */
  key: string;
  facilityUuid: string | null;
  theirId: string | null;
  facilityName: string;
  place: string;
  score: number | null;
  reason: string;
  warnings: FindingWarning[];
  differences: Difference[];
  /** the values of the other list's row, as an import reads them */
  theirRow: object | null;
};
type Worked = { state: FindingState; note: string | null; decidedAt: string | null; decidedBy: string | null };
export type NewFinding = Found & Worked & { trend: FindingTrend };
export type FormerFinding = Found & Worked & { number: number };

/** Makes other comparisons with this source wait until the transaction ends. */
export async function lockSource(handle: Handle, { source }: { source: string }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('reconciliation ' || lower(${source})))`.execute(handle);
}

type NewReconciliation = {
  reconciliationUuid: string;
  source: string;
  fileName: string;
  form: ListForm;
  rows: number;
  equal: number;
  here: number;
  compared: string[];
  notes: string[];
  previousUuid: string | null;
  userUuid: string | null;
  operator: string | null;
};

/** Adds a comparison with what it found. */
export async function insertReconciliation(
  handle: Handle,
  { findings, ...values }: NewReconciliation & { findings: NewFinding[] },
): Promise<void> {
  await handle
    .insertInto("reconciliation")
    .values({ ...values, compared: JSON.stringify(values.compared), notes: JSON.stringify(values.notes) })
    .execute();
  for (let from = 0; from < findings.length; from += 2000)
    await sql`
      insert into reconciliation_finding (reconciliation_uuid, number, kind, trend, state, note, decided_at, decided_by, key, facility_uuid, their_id, facility_name, place, score, reason, warnings, differences, their_row)
      select ${values.reconciliationUuid}::uuid, ${from}::integer + place_in_list, kind, trend, state, note, "decidedAt", (select user_uuid from app_user where user_uuid = "decidedBy"),
        key, "facilityUuid", "theirId", "facilityName", place, score, reason, warnings, differences, "theirRow"
      from rows from (jsonb_to_recordset(${JSON.stringify(findings.slice(from, from + 2000))}::jsonb) as (kind text, trend text, state text, note text, "decidedAt" timestamptz, "decidedBy" uuid,
        key text, "facilityUuid" text, "theirId" text, "facilityName" text, place text, score double precision, reason text, warnings jsonb, differences jsonb, "theirRow" jsonb))
        with ordinality as given (kind, trend, state, note, "decidedAt", "decidedBy", key, "facilityUuid", "theirId", "facilityName", place, score, reason, warnings, differences, "theirRow", place_in_list)`.execute(
      handle,
    );
}

/** The newest comparison with a source. */
export const findNewestOfSource = (handle: Handle, { source }: { source: string }) =>
  handle
    .selectFrom("reconciliation")
    .select(["reconciliationUuid", "source"])
    .where(sql`lower(source)`, "=", source.toLowerCase())
    .orderBy("createdAt", "desc")
    .orderBy("reconciliationUuid", "desc")
    .limit(1)
    .executeTakeFirst();

/** What a comparison found, without the findings of earlier comparisons that were gone. */
export async function listFormerFindings(
  handle: Handle,
  { reconciliationUuid }: { reconciliationUuid: string },
): Promise<FormerFinding[]> {
  const { rows } = await sql<FormerFinding>`
    select number, kind, key, facility_uuid, their_id, facility_name, place, score, reason, warnings, differences, null as their_row, state, note,
      decided_at::text as decided_at, decided_by
    from reconciliation_finding where reconciliation_uuid = ${reconciliationUuid} and trend <> 'gone' order by number`.execute(
    handle,
  );
  return rows;
}

const reconciliations = (handle: Handle) =>
  handle
    .selectFrom("reconciliation")
    .leftJoin("appUser", "appUser.userUuid", "reconciliation.userUuid")
    .select([
      "reconciliationUuid as uuid",
      "source",
      "fileName",
      sql<ListForm>`form`.as("form"),
      ...(["rows", "equal", "here", "previousUuid"] as const),
      sql<string[]>`compared`.as("compared"),
      sql<string[]>`notes`.as("notes"),
      instant("reconciliation.createdAt").as("createdAt"),
      sql<string>`reconciliation.created_at::date`.as("createdDate"),
      sql<string>`to_char(reconciliation.created_at, 'HH24:MI')`.as("createdTime"),
      sql<string | null>`coalesce(app_user.user_name, operator)`.as("userName"),
      sql<number>`(select count(*)::integer from reconciliation_finding own where own.reconciliation_uuid = reconciliation.reconciliation_uuid and trend <> 'gone')`.as(
        "found",
      ),
      sql<number>`(select count(*)::integer from reconciliation_finding own where own.reconciliation_uuid = reconciliation.reconciliation_uuid and trend <> 'gone' and state = 'open')`.as(
        "open",
      ),
      sql<boolean>`not exists (select from reconciliation later where lower(later.source) = lower(reconciliation.source)
        and (later.created_at, later.reconciliation_uuid) > (reconciliation.created_at, reconciliation.reconciliation_uuid))`.as(
        "isNewest",
      ),
    ]);
export type ReconciliationRow = Awaited<ReturnType<ReturnType<typeof reconciliations>["executeTakeFirstOrThrow"]>>;

const newestFirst: Order = {
  columns: [
    { key: "createdAt", column: "reconciliation.createdAt", type: "timestamptz" },
    { key: "uuid", column: "reconciliation.reconciliationUuid", type: "uuid" },
  ],
  descending: true,
};

/** Comparisons, the newest first. */
export const listReconciliations = (handle: Handle, { page }: { page: PageInput }): Promise<Page<ReconciliationRow>> =>
  readPage(reconciliations(handle), newestFirst, page);

export const findReconciliation = (
  handle: Handle,
  { reconciliationUuid }: { reconciliationUuid: string },
): Promise<ReconciliationRow | undefined> =>
  reconciliations(handle).where("reconciliationUuid", "=", reconciliationUuid).executeTakeFirst();

/** Locks a comparison until the transaction ends. */
export const lockReconciliation = (handle: Handle, { reconciliationUuid }: { reconciliationUuid: string }) =>
  handle
    .selectFrom("reconciliation")
    .select("source")
    .where("reconciliationUuid", "=", reconciliationUuid)
    .forNoKeyUpdate()
    .executeTakeFirst();

/**
 * The number of findings of a kind, in total, by state and by trend. Those that are gone are only counted in `gone`.
 */
export type FindingCount = {
  kind: FindingKind;
  found: number;
  open: number;
  done: number;
  ignored: number;
  new: number;
  changed: number;
  still: number;
  gone: number;
};

/** The counts of each kind of findings that the comparison has. */
export async function listFindingCounts(
  handle: Handle,
  { reconciliationUuid }: { reconciliationUuid: string },
): Promise<FindingCount[]> {
  const { rows } = await sql<FindingCount>`
    select kind, count(*) filter (where trend <> 'gone')::integer as found, count(*) filter (where trend <> 'gone' and state = 'open')::integer as open,
      count(*) filter (where trend <> 'gone' and state = 'done')::integer as done, count(*) filter (where trend <> 'gone' and state = 'ignored')::integer as ignored,
      count(*) filter (where trend = 'new')::integer as new, count(*) filter (where trend = 'changed')::integer as changed,
      count(*) filter (where trend = 'still')::integer as still, count(*) filter (where trend = 'gone')::integer as gone
    from reconciliation_finding where reconciliation_uuid = ${reconciliationUuid} group by kind`.execute(handle);
  return rows;
}

/** In how many findings each field differs, the highest number first. */
export async function listFieldCounts(
  handle: Handle,
  { reconciliationUuid }: { reconciliationUuid: string },
): Promise<{ field: string; found: number }[]> {
  const { rows } = await sql<{ field: string; found: number }>`
    select one ->> 'field' as field, count(*)::integer as found from reconciliation_finding, jsonb_array_elements(differences) as one
    where reconciliation_uuid = ${reconciliationUuid} and trend <> 'gone' and kind = 'differs' group by 1 order by 2 desc, 1`.execute(
    handle,
  );
  return rows;
}

export type FindingFilter = {
  kind?: FindingKind | null | undefined;
  trend?: FindingTrend | null | undefined;
  state?: FindingState | null | undefined;
  field?: string | null | undefined;
};

const findings = (handle: Handle) =>
  handle
    .selectFrom("reconciliationFinding")
    .leftJoin("appUser", "appUser.userUuid", "reconciliationFinding.decidedBy")
    .select([
      "number",
      sql<FindingKind>`reconciliation_finding.kind`.as("kind"),
      sql<FindingTrend>`trend`.as("trend"),
      sql<FindingState>`state`.as("state"),
      ...(["note", "facilityUuid", "theirId", "facilityName", "place", "score", "reason"] as const),
      sql<FindingWarning[]>`warnings`.as("warnings"),
      sql<Difference[]>`differences`.as("differences"),
      sql<string | null>`decided_at::date`.as("decidedDate"),
      "appUser.userName as decidedBy",
    ]);
export type FindingRow = Awaited<ReturnType<ReturnType<typeof findings>["executeTakeFirstOrThrow"]>>;

/** The findings of a comparison. Those that are gone are left out unless the trend `gone` is asked for. */
export function listFindings(
  handle: Handle,
  {
    reconciliationUuid,
    kind,
    trend,
    state,
    field,
    page,
  }: FindingFilter & { reconciliationUuid: string; page: PageInput },
): Promise<Page<FindingRow>> {
  let query = findings(handle)
    .where("reconciliationUuid", "=", reconciliationUuid)
    .where("trend", trend == null ? "!=" : "=", trend ?? "gone");
  if (kind != null) query = query.where("reconciliationFinding.kind", "=", kind);
  if (state != null) query = query.where("state", "=", state);
  if (field != null) query = query.where(sql<boolean>`differences @> ${JSON.stringify([{ field }])}::jsonb`);
  return readPage(query, { columns: [{ key: "number", column: "number", type: "integer" }] }, page);
}

/** Chooses findings: those with these numbers, all of a kind, or all; never those that are gone. */
export type Choice = { numbers?: readonly number[] | null | undefined; kind?: FindingKind | null | undefined };

/** Writes the decision about findings. Without `note` the notes stay. Returns the number of findings. */
export async function updateFindings(
  handle: Handle,
  {
    reconciliationUuid,
    numbers,
    kind,
    state,
    note,
    userUuid,
  }: Choice & { reconciliationUuid: string; state: FindingState; note?: string | null | undefined; userUuid: string },
): Promise<number> {
  let query = handle
    .updateTable("reconciliationFinding")
    .set({ state, decidedAt: sql`now()`, decidedBy: userUuid, ...(note === undefined ? {} : { note }) })
    .where("reconciliationUuid", "=", reconciliationUuid)
    .where("trend", "!=", "gone");
  if (numbers != null) query = query.where("number", "=", sql<number>`any(${[...numbers]}::integer[])`);
  if (kind != null) query = query.where("kind", "=", kind);
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Which of these numbers are not findings of the comparison, or are findings that are gone. */
export async function listNumberFaults(
  handle: Handle,
  { reconciliationUuid, numbers }: { reconciliationUuid: string; numbers: readonly number[] },
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select asked.number from unnest(${[...numbers]}::integer[]) as asked (number) where not exists (
      select from reconciliation_finding own where own.reconciliation_uuid = ${reconciliationUuid} and own.number = asked.number and trend <> 'gone') order by 1 limit 100`.execute(
    handle,
  );
  return rows.map(({ number }) => number);
}

/** The other list's rows of open findings, in the order of the findings. */
export async function listTheirRows<Row>(
  handle: Handle,
  { reconciliationUuid, numbers, kind }: Choice & { reconciliationUuid: string },
): Promise<Row[]> {
  let query = handle
    .selectFrom("reconciliationFinding")
    .select(sql<Row>`their_row`.as("row"))
    .where("reconciliationUuid", "=", reconciliationUuid)
    .where("trend", "!=", "gone")
    .where("state", "=", "open")
    .where(sql<boolean>`their_row is not null`);
  if (numbers != null) query = query.where("number", "=", sql<number>`any(${[...numbers]}::integer[])`);
  if (kind != null) query = query.where("kind", "=", kind);
  return (await query.orderBy("number").execute()).map(({ row }) => row as Row);
}

/** The closed facilities: the day of closing by uuid. */
export async function listClosedFacilities(handle: Handle): Promise<Map<string, string>> {
  const { rows } = await sql<{
    facilityUuid: string;
    closedOn: string;
  }>`select facility_uuid, closed_on from facility where closed_on is not null`.execute(handle);
  return new Map(rows.map(({ facilityUuid, closedOn }) => [facilityUuid, closedOn]));
}
