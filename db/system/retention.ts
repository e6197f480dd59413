import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { Database, Handle } from "../engine/connect.ts";
import { isCounted } from "../list/counted.ts";

/**
 * What the retention rules remove: contents of stored files (their rows and hashes stay), receipts of TDBs, and old
 * events of the audit log.
 */

/**
 * How long things are kept; for ever if a rule is missing. `…Days`: days after the receipt of a TDB, the withdrawal of
 * a download or the time of an event. `tdbDeltas`: a TDB's content is removed after this many later deltas of its
 * facility. If both rules for TDBs are set, the one that is met first counts.
 */
export type RetentionRules = Partial<
  Record<"tdbDays" | "tdbDeltas" | "receiptDays" | "downloadDays" | "auditDays", number | undefined>
>;

/** Counts of what is due for removal now, and (`held…`) of what is only kept by a legal hold. */
type Due = Record<
  | "tdbs"
  | "tdbBytes"
  | "heldTdbs"
  | "receipts"
  | "heldReceipts"
  | "downloads"
  | "downloadBytes"
  | "auditEvents"
  | "heldAuditEvents",
  number
>;

const isOver = (time: string, days: number) => sql<SqlBool>`${sql.ref(time)} < now() - make_interval(days => ${days})`;

/**
 * Whether a legal hold applies to a facility. A hold on a merged facility applies to the facility that it was merged
 * into.
 */
const isHeld = (facilityUuid: string) => sql<SqlBool>`exists (
  select from legal_hold where legal_hold.facility_uuid = ${sql.ref(facilityUuid)}
    or legal_hold.facility_uuid in (select merged.facility_uuid from facility_merge as merged where merged.into_uuid = ${sql.ref(facilityUuid)}))`;

/** Whether a later full TDB of the facility exists. Then this TDB is not needed to rebuild the facility's data. */
const isSuperseded = sql<SqlBool>`exists (
  select from tdb as whole where whole.facility_uuid = tdb.facility_uuid and not whole.delta and ${isCounted("whole")}
    and (whole.tdb_created_at, whole.uploaded_at, whole.tdb_uuid) > (tdb.tdb_created_at, tdb.uploaded_at, tdb.tdb_uuid))`;

/**
 * Whether the facility has made at least this many deltas after the TDB. The delta to compare with is looked up once
 * for each facility.
 */
const isOutrun = (deltas: number) => sql<SqlBool>`exists (
  select from facility as site cross join lateral (
    select tdb_created_at, uploaded_at, tdb_uuid from tdb as later where later.facility_uuid = site.facility_uuid and later.delta and ${isCounted("later")}
    order by tdb_created_at desc, uploaded_at desc, tdb_uuid desc offset ${deltas - 1} limit 1) as last
  where site.facility_uuid = tdb.facility_uuid and (last.tdb_created_at, last.uploaded_at, last.tdb_uuid) > (tdb.tdb_created_at, tdb.uploaded_at, tdb.tdb_uuid))`;

const never = sql<SqlBool>`false`;
const oldTdbs = ({ tdbDays, tdbDeltas }: RetentionRules): RawBuilder<SqlBool> => {
  const byDays = tdbDays === undefined ? never : isOver("tdb.uploadedAt", tdbDays);
  const byDeltas = tdbDeltas === undefined ? never : isOutrun(tdbDeltas);
  return sql`content_removed_at is null and (${byDays} or ${byDeltas}) and ${isSuperseded}`;
};
const oldReceipts = ({ receiptDays }: RetentionRules): RawBuilder<SqlBool> =>
  receiptDays === undefined ? never : sql`receipt_removed_at is null and ${isOver("tdb.uploadedAt", receiptDays)}`;
const oldDownloads = ({ downloadDays }: RetentionRules): RawBuilder<SqlBool> =>
  downloadDays === undefined
    ? never
    : sql`content_removed_at is null and ${isOver("download.withdrawnAt", downloadDays)}`;
const oldEvents = ({ auditDays }: RetentionRules): RawBuilder<SqlBool> =>
  auditDays === undefined ? never : isOver("auditEvent.occurredAt", auditDays);

/** Counts what is due, and changes nothing. */
export async function countDue(handle: Handle, rules: RetentionRules): Promise<Due> {
  const { rows } = await sql<Due>`
    select * from
      (select count(*) filter (where not held) as tdbs, coalesce(sum(file_size) filter (where not held), 0)::bigint as tdb_bytes, count(*) filter (where held) as held_tdbs
        from (select file_size, ${isHeld("tdb.facilityUuid")} as held from tdb where ${oldTdbs(rules)}) as found) as tdbs,
      (select count(*) filter (where not held) as receipts, count(*) filter (where held) as held_receipts
        from (select ${isHeld("tdb.facilityUuid")} as held from tdb where ${oldReceipts(rules)}) as found) as receipts,
      (select count(*) as downloads, coalesce(sum(file_size), 0)::bigint as download_bytes from download where ${oldDownloads(rules)}) as downloads,
      (select count(*) filter (where not held) as audit_events, count(*) filter (where held) as held_audit_events
        from (select ${isHeld("auditEvent.facilityUuid")} as held from audit_event where ${oldEvents(rules)}) as found) as events`.execute(
    handle,
  );
  return rows[0]!;
}

type Freed = { storageKey: string; fileSize: number };

/**
 * Marks the contents of at most `limit` TDBs as removed, the oldest first. Returns their files, which the caller
 * deletes after the commit.
 */
export async function updateOldTdbs(handle: Handle, rules: RetentionRules, limit: number): Promise<Freed[]> {
  const { rows } = await sql<Freed>`
    update tdb set content_removed_at = now() where tdb_uuid in (
      select tdb_uuid from tdb where ${oldTdbs(rules)} and not ${isHeld("tdb.facilityUuid")} order by uploaded_at limit ${limit} for update skip locked)
    returning storage_key, file_size`.execute(handle);
  return rows;
}

/**
 * Removes at most `limit` receipts of TDBs, the oldest first: the sent file name is replaced, and the receipt is no
 * longer shown.
 *
 * @returns how many
 */
export async function updateOldReceipts(handle: Handle, rules: RetentionRules, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update tdb set receipt_removed_at = now(), file_name = tdb_uuid || '.tdbx' where tdb_uuid in (
      select tdb_uuid from tdb where ${oldReceipts(rules)} and not ${isHeld("tdb.facilityUuid")} order by uploaded_at limit ${limit} for update skip locked)`.execute(
    handle,
  );
  return Number(numAffectedRows ?? 0);
}

/**
 * Marks the contents of at most `limit` withdrawn downloads as removed, the oldest first. Returns their files, which
 * the caller deletes after the commit.
 */
export async function updateOldDownloads(handle: Handle, rules: RetentionRules, limit: number): Promise<Freed[]> {
  const { rows } = await sql<Freed>`
    update download set content_removed_at = now() where download_uuid in (
      select download_uuid from download where ${oldDownloads(rules)} order by withdrawn_at limit ${limit} for update skip locked)
    returning storage_key, file_size`.execute(handle);
  return rows;
}

/** Whether the database user owns the audit log. Nobody else can delete its events. */
export async function findOwnsAudit(handle: Handle): Promise<boolean> {
  const { rows } = await sql<{
    owns: boolean;
  }>`select pg_has_role(current_user, relowner, 'usage') as owns from pg_class where oid = 'audit_event'::regclass`.execute(
    handle,
  );
  return rows[0]!.owns;
}

/**
 * Deletes at most `limit` events of the audit log, the oldest first; only its owner may. Writers of events wait
 * meanwhile.
 *
 * @returns how many
 */
export function deleteOldAuditEvents(db: Database, rules: RetentionRules, limit: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = '2s'`.execute(transaction);
    await sql`alter table audit_event disable trigger audit_event_append_only`.execute(transaction);
    const { numAffectedRows } = await sql`
      delete from audit_event where audit_event_id in (
        select audit_event_id from audit_event where ${oldEvents(rules)} and not ${isHeld("auditEvent.facilityUuid")} order by occurred_at, audit_event_id limit ${limit})`.execute(
      transaction,
    );
    await sql`alter table audit_event enable trigger audit_event_append_only`.execute(transaction);
    return Number(numAffectedRows ?? 0);
  });
}

type LegalHold = { facilityUuid: string; reason: string; since: Date };

/** The facilities under a legal hold. */
export const listLegalHolds = (handle: Handle): Promise<LegalHold[]> =>
  handle.selectFrom("legalHold").select(["facilityUuid", "reason", "since"]).orderBy("facilityUuid").execute();

/** Puts a facility under a legal hold, or replaces the reason of its hold. */
export async function upsertLegalHold(handle: Handle, hold: { facilityUuid: string; reason: string }): Promise<void> {
  await handle
    .insertInto("legalHold")
    .values(hold)
    .onConflict((on) => on.column("facilityUuid").doUpdateSet({ reason: hold.reason }))
    .execute();
}

/** Ends a legal hold. @returns whether there was one */
export async function deleteLegalHold(handle: Handle, { facilityUuid }: { facilityUuid: string }): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom("legalHold")
    .where("facilityUuid", "=", facilityUuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
