import { type RawBuilder, sql } from "kysely";

import type { Database } from "../../db/engine/connect.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";

/**
 * Made-up assessments and TDBs, the same each time except for today's date. Each facility is visited in even steps with
 * some jitter: the first 50,000 visits are in the last 15 months, once a month; all others are spread over ten years.
 * So each size has the facilities in each recent period, and a larger one only adds history behind the same charts.
 */

const sparseMonths = 15;
const months = 120;
const sparse = 50_000;

/** A number from 0 up to `below`, always the same for the same parts. */
const pick = (below: number, ...parts: (string | RawBuilder<unknown>)[]) =>
  sql`(hashtextextended(concat_ws(':', ${sql.join(parts.map((part) => (typeof part === "string" ? sql.lit(part) : part)))}), 0) & 1073741823) % ${sql.lit(below)}`;

/** Uuids in the form of version 7: they begin with the time, as those that the clients make. */
const uuidAt = (at: RawBuilder<unknown>, what: RawBuilder<unknown>) => sql`(
  lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${what}), 1, 3) || 'a' || substr(md5(${what}), 4, 15))::uuid`;

const facilities = sql`(select facility_uuid, (row_number() over (order by facility_name, facility_uuid) - 1)::int as place from facility) as f`;
const places = sql`(select count(*) from facility)`;
const authors = sql`(select user_uuid, (row_number() over (order by user_name) - 1)::int as author from app_user) as u`;

/** Rows number `from` to `to`, given to the facilities in turn, at moments of the last `span` months. */
const dealt = (from: number, to: number, span: number, what: string) => sql`
  select *, clock.today - ((visit + jitter) * step) as at
  from (
    select n, f.facility_uuid, f.place, (n - ${sql.lit(from)}) / ${places} as visit,
      (make_interval(months => ${sql.lit(span)}) / ceil(${sql.lit(to - from)}::numeric / ${places})::int) as step,
      (${pick(1000, what, sql`n`)}) / 1000.0 as jitter
    from generate_series(${sql.lit(from)}::bigint, ${sql.lit(to - 1)}::bigint) as n join ${facilities} on f.place = n % ${places}
  ) as dealt cross join (select date_trunc('minute', now()) as today) as clock`;

const yes = (what: string, percent: number) => sql`(${pick(100, what, sql`n`)}) < ${sql.lit(percent)}`;

async function addAssessments(db: Database, from: number, to: number, span: number): Promise<void> {
  await sql`
    insert into assessment (assessment_uuid, facility_uuid, user_uuid, assessed_at, primary_power, primary_power_working,
      backup_power, backup_power_working, smart_care_functional, library_version_consistent, library_version, database_version,
      functionality_status_mode, date_of_last_upgrade, number_of_staff_trained_in_smart_care, closing_comments, contact_a_name, contact_a_role,
      received_at, updated_at)
    select ${uuidAt(sql`at`, sql`'assessment ' || n`)}, facility_uuid, u.user_uuid, at,
      ${yes("primary", 80)}, ${yes("primary", 70)}, ${yes("backup", 55)}, ${yes("backup", 40)}, ${yes("functional", 75)}, ${yes("consistent", 90)},
      (array['4.10.2', '4.12.0', '4.13.1', '5.0.0', null])[1 + ${pick(5, "version", sql`n`)}], '12.0',
      (array['EFirst', 'EFirst', 'ELast', 'ELast', 'EFast', 'Partial', 'NotDeployed', 'NotOperational'])[1 + ${pick(8, "mode", sql`n`)}],
      (at - interval '60 days')::date, ${pick(9, "staff", sql`n`)}, 'Visited as planned.', 'Mwila Kapwelo', 'Data clerk', at, at
    from (${dealt(from, to, span, "assessment")}) as visits join ${authors} on u.author = n % 20
    order by at, n`.execute(db);
  await sql`
    insert into service_area_assessment (assessment_uuid, service_area_id, library_version, smart_care_functional)
    select ${uuidAt(sql`at`, sql`'assessment ' || n`)}, area.first + n % 10, '4.13.1', n % 4 > 0
    from (${dealt(from, to, span, "assessment")}) as visits cross join (select min(service_area_id) as first from service_area) as area
    order by at, n`.execute(db);
  await recordCreated(
    db,
    "assessment",
    sql`
    select ${uuidAt(sql`at`, sql`'assessment ' || n`)}::text as key from (${dealt(from, to, span, "assessment")}) as visits`,
  );
}

/** The audit of the saves of the last three years. */
const addAudit = (db: Database) =>
  sql`
    insert into audit_event (occurred_at, action, outcome, user_uuid, login, facility_uuid, subject_type, subject_id, address)
    select assessed_at, 'assessment.create', 'done', user_uuid, user_name, facility_uuid, 'assessment', assessment_uuid::text, '10.0.0.1'
    from assessment join app_user using (user_uuid)
    where assessed_at > now() - interval '3 years' order by assessed_at`.execute(db);

async function addTdbs(db: Database, count: number): Promise<void> {
  const uuid = uuidAt(sql`at`, sql`'tdb ' || n`);
  await sql`
    insert into tdb (tdb_uuid, facility_uuid, user_uuid, uploaded_at, delta, tdb_created_at, total_patients, library_version,
      database_version, file_name, file_size, sha256, storage_key)
    select ${uuid}, facility_uuid, u.user_uuid, at, visit % 8 > 0 and visit < steps - 1, at - interval '3 hours',
      200 + place % 900 + 6 * (steps - visit)::int, '4.13.1', '12.0', 'export-' || n || '.tdbx', 100000 + ${pick(90_000_000, "size", sql`n`)},
      encode(sha256(('tdb ' || n)::bytea), 'hex'), 'tdb/' || ${uuid}
    from (select *, max(visit) over (partition by place) + 1 as steps from (${dealt(0, count, months, "tdb")}) as visits) as visits
    join ${authors} on u.author = n % 20
    order by at, n`.execute(db);
  await sql`
    insert into tdb_computer (tdb_uuid, cpu_cores, os64_bit, computers)
    select ${uuid}, cores, place % 4 > 0 or cores > 2, 1 + (place + cores) % 4
    from (${dealt(0, count, months, "tdb")}) as visits cross join lateral (select 2 as cores union all select 4 where place % 3 > 0) as computers
    order by at, n`.execute(db);
  await recordCreated(db, "tdb", sql`select ${uuid}::text as key from (${dealt(0, count, months, "tdb")}) as visits`);
}

/** Writes what the triggers would have written into the feed of changes. */
const recordCreated = (db: Database, kind: string, keys: RawBuilder<unknown>) =>
  sql`
    insert into change (kind, key, created_in, withdrawn)
    select ${kind}, key, pg_current_xact_id(), false from (${keys}) as made order by key`.execute(db);

/**
 * Drops the indexes of these tables that no constraint needs, does the work without triggers and checks of keys, and
 * builds the same indexes again. This takes a tenth of the time.
 */
async function withoutIndexes(db: Database, tables: string[], work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any(${tables}::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`.execute(
    db,
  );
  for (const { name } of rows) await sql`drop index ${sql.raw(name)}`.execute(db);
  await sql`set session_replication_role = replica`.execute(db);
  await sql`begin`.execute(db);
  await work();
  await sql`commit`.execute(db);
  await sql`set session_replication_role = origin`.execute(db);
  for (const { definition } of rows) await sql.raw(definition).execute(db);
}

/**
 * Lets the history grow from one number of assessments to another; TDBs are added with the first. The product computes
 * the derived rows.
 */
export async function grow(
  db: Database,
  { from, to, tdbs }: { from: number; to: number; tdbs: number },
): Promise<void> {
  await db.connection().execute(async (connection) => {
    const session = connection as Database;
    await sql`set statement_timeout = 0`.execute(session);
    await sql`set work_mem = '256MB'`.execute(session);
    await sql`set maintenance_work_mem = '512MB'`.execute(session);
    await sql`set synchronous_commit = off`.execute(session);
    // One transaction, because all moments are relative to its `now()`.
    await withoutIndexes(
      session,
      ["assessment", "service_area_assessment", "tdb", "tdb_computer", "change", "audit_event"],
      async () => {
        if (from === 0) await addTdbs(session, tdbs);
        if (from < sparse) await addAssessments(session, from, Math.min(to, sparse), sparseMonths);
        if (to > sparse) await addAssessments(session, Math.max(from, sparse), to, months);
        await sql`truncate audit_event`.execute(session);
        await addAudit(session);
      },
    );
  });
  await rebuildRollups(db);
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`vacuum (analyze)`.execute(connection);
    await sql`checkpoint`.execute(connection);
  });
}
