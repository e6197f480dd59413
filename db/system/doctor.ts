import { sql } from "kysely";

import type { Database, Handle } from "../engine/connect.ts";

/** Facts about the database server and the database, for the checks of an installation. */

/** The extensions that the product uses. */
const neededExtensions = ["pg_trgm", "unaccent", "fuzzystrmatch"] as const;

type ServerFacts = {
  version: string;
  versionNumber: number;
  encoding: string;
  database: string;
  user: string;
  schema: string;
  mayCreate: boolean;
  /** The product's tables. */
  tables: number;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  maxConnections: number;
  usedConnections: number;
  isStandby: boolean;
  bytes: number;
  /** milliseconds since 1970 */
  now: number;
};

/** Reads the facts; see `ServerFacts`. */
export async function findServerFacts(handle: Handle): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
      current_setting('server_encoding') as encoding, current_database()::text as database, current_user::text as "user",
      current_schema()::text as schema, has_schema_privilege(current_schema(), 'create') as may_create,
      (select count(*) from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r') as tables,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max_connections,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as used_connections,
      pg_is_in_recovery() as is_standby, pg_database_size(current_database()) as bytes,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(handle);
  return rows[0]!;
}

/**
 * The time zone of a session, its user and database, and the present instant: in milliseconds since 1970 (`now`), and
 * in that zone as text, "25 Nov 2026 12:16" (`local`).
 */
export async function findZone(
  handle: Handle,
): Promise<{ timeZone: string; now: number; local: string; user: string; database: string }> {
  const { rows } = await sql<Awaited<ReturnType<typeof findZone>>>`
    select current_setting('TimeZone') as time_zone, (extract(epoch from now()) * 1000)::float8 as now, to_char(now(), 'DD Mon YYYY HH24:MI') as local,
      current_user::text as "user", current_database()::text as database`.execute(handle);
  return rows[0]!;
}

/**
 * The needed extensions: whether the server has their files (available), and whether they were created in this database
 * (installed).
 */
export async function listExtensions(
  handle: Handle,
): Promise<{ name: string; isInstalled: boolean; isAvailable: boolean }[]> {
  const { rows } = await sql<{ name: string; isInstalled: boolean; isAvailable: boolean }>`
    select needed.name, exists (select from pg_extension where extname = needed.name) as is_installed,
      exists (select from pg_available_extensions available where available.name = needed.name) as is_available
    from unnest(${[...neededExtensions]}::text[]) as needed (name) order by 1`.execute(handle);
  return rows;
}

/** Tables of the product whose owner's rights the present user does not have, so that it cannot migrate them. */
export async function listForeignTables(handle: Handle): Promise<{ name: string; owner: string }[]> {
  const { rows } = await sql<{ name: string; owner: string }>`
    select relname::text as name, pg_get_userbyid(relowner)::text as owner from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and not pg_has_role(relowner, 'usage') order by 1`.execute(
    handle,
  );
  return rows;
}

/**
 * Tables and sequences of the product on which the present user lacks rights; `lacking` lists the rights as a GRANT
 * statement does.
 */
export async function listLackingRights(handle: Handle): Promise<{ name: string; lacking: string }[]> {
  const { rows } = await sql<{ name: string; lacking: string }>`
    select case relkind when 'S' then 'sequence ' else '' end || quote_ident(relname) as name, string_agg(wanted, ', ') as lacking
    from pg_class, unnest(case relkind when 'S' then array['usage', 'select'] else array['select', 'insert', 'update', 'delete'] end) as wanted
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S')
      and not case relkind when 'S' then has_sequence_privilege(oid, wanted) else has_table_privilege(oid, wanted) end
    group by relkind, relname order by 1`.execute(handle);
  return rows;
}

/**
 * What the reader role of deploy/roles.sql may read: how many views, and which tables of the product, which it should
 * not read. Null if the role was not set up.
 */
export async function findReader(handle: Handle): Promise<{ views: number; tables: string[] } | null> {
  const { rows } = await sql<{ views: number; tables: string[] }>`
    select (select count(*) from pg_class where relnamespace = schema.oid and relkind = 'v' and has_table_privilege(reader.oid, pg_class.oid, 'select')) as views,
      array(select relname::text from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and has_any_column_privilege(reader.oid, pg_class.oid, 'select, insert, update') order by 1) as tables
    from pg_roles as reader, pg_namespace as schema where rolname = 'platform_reader' and nspname = 'reporting'`.execute(
    handle,
  );
  return rows[0] ?? null;
}

/**
 * Transactions of this database that have been open for at least `minutes`, and the processes that block each. They
 * delay the feed of changes and the removal of dead rows.
 */
export async function listLongTransactions(handle: Handle, { minutes }: { minutes: number }) {
  const { rows } = await sql<{
    pid: number;
    user: string | null;
    state: string | null;
    minutes: number;
    application: string | null;
    blockedBy: number[];
  }>`
    select pid, pg_blocking_pids(pid) as blocked_by, usename::text as "user", state, floor(extract(epoch from now() - xact_start) / 60)::int as minutes, application_name as application
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and xact_start < now() - make_interval(mins => ${minutes}) order by xact_start limit 20`.execute(handle);
  return rows;
}

/**
 * The names of transactions that were prepared for a two-phase commit and never ended, at most 20. The product makes
 * none.
 */
export async function listPreparedTransactions(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{
    gid: string;
  }>`select gid from pg_prepared_xacts where database = current_database() order by prepared limit 20`.execute(handle);
  return rows.map(({ gid }) => gid);
}

/** How far a standby is behind its primary, in seconds; null if the server is no standby. */
export async function findStandbyLag(standby: Handle): Promise<number | null> {
  const { rows } = await sql<{ lag: number | null }>`
    select case when not pg_is_in_recovery() then null
      when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
      else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)::float8 end as lag`.execute(
    standby,
  );
  return rows[0]!.lag;
}

const lastBackupSetting = "last_backup";

/**
 * The last completed backup: where it is, for which recipient it is encrypted, when a backup was last read back, and
 * when the rows of one were last restored and counted.
 */
type LastBackup = {
  takenAt: string;
  sha256: string;
  place?: string | undefined;
  recipient?: string | undefined;
  checkedAt?: string | undefined;
  provedAt?: string | undefined;
  provedRows?: number | undefined;
};

/** Records a completed backup. */
export async function upsertLastBackup(db: Database, backup: LastBackup): Promise<void> {
  await db
    .insertInto("setting")
    .values({ name: lastBackupSetting, value: JSON.stringify(backup) })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: JSON.stringify(backup) }))
    .execute();
}

export async function findLastBackup(handle: Handle): Promise<LastBackup | undefined> {
  const row = await handle
    .selectFrom("setting")
    .select("value")
    .where("name", "=", lastBackupSetting)
    .executeTakeFirst();
  return row && (JSON.parse(row.value) as LastBackup);
}

const backupFailureSetting = "backup_failure";

/** Why the last scheduled backup failed; undefined when it did not. */
export async function findBackupFailure(
  handle: Handle,
): Promise<{ at: string; reason: string; isDamage?: boolean } | undefined> {
  const row = await handle
    .selectFrom("setting")
    .select("value")
    .where("name", "=", backupFailureSetting)
    .executeTakeFirst();
  return row && (JSON.parse(row.value) as { at: string; reason: string });
}

/**
 * Records that a scheduled backup failed now, why, and whether a part of it was damaged; or (null) that one succeeded.
 */
export async function upsertBackupFailure(
  db: Database,
  failure: { reason: string; isDamage: boolean } | null,
): Promise<void> {
  await db.deleteFrom("setting").where("name", "=", backupFailureSetting).execute();
  if (failure !== null)
    await db
      .insertInto("setting")
      .values({ name: backupFailureSetting, value: JSON.stringify({ at: new Date().toISOString(), ...failure }) })
      .execute();
}

/** The hour, in the ministry's zone, at which a scheduled backup is due. */
const nightHour = 2;

/** When the last scheduled backup was due. */
export async function findLastDue(handle: Handle): Promise<Date> {
  const { rows } = await sql<{
    due: Date;
  }>`select date_trunc('day', now() - make_interval(hours => ${nightHour})) + make_interval(hours => ${nightHour}) as due`.execute(
    handle,
  );
  return rows[0]!.due;
}
