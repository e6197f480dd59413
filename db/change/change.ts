import { randomBytes } from "node:crypto";

import { sql } from "kysely";

import type { Database, Handle } from "../engine/connect.ts";
import { unlimited } from "../engine/prepared.ts";

/**
 * Reads the feed of changes, which triggers write (db/derived/feed.ts). A reader sees a change once no transaction that
 * began before it is still open. So the order of the rows is final, and a change that is committed late is not missed.
 */

const changeKinds = [
  "facility",
  "facilitySettings",
  "facilityConnectivity",
  "assessment",
  "tdb",
  "province",
  "district",
  "implementingPartner",
  "user",
  "download",
  "target",
  "release",
  "rollout",
  "action",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/**
 * A position in the feed, after one change and before the next: the number of the transaction and that of the row, both
 * as PostgreSQL writes them.
 */
export type FeedPosition = { transaction: string; sequence: string };

export type ChangeRow = FeedPosition & {
  kind: ChangeKind;
  key: string;
  action: "created" | "changed" | "withdrawn";
  /** an instant in UTC */
  changedAt: string;
};

/**
 * A text that changes when the data is in another database (a copy, a restore), after a failover, and when the time
 * zone of dates changes.
 */
const identity = sql<string>`concat_ws(' ',
  (select system_identifier from pg_control_system()), (select oid from pg_database where datname = current_database()),
  'change'::regclass::oid, left(pg_walfile_name(pg_current_wal_lsn()), 8), current_setting('TimeZone'))`;

const settingName = "change_feed";
/** The number of an advisory lock. No other advisory lock of the product has it. */
const renewalLock = 20_261_002;

/**
 * The name of the feed's present numbering. Positions are valid under this name only. If the database finds that it is
 * not the one that wrote the feed (it is a copy, or was restored), the name is renewed and the feed begins again with
 * all records.
 */
export async function findFeedName(handle: Handle): Promise<string> {
  return (await nameInForce(handle)) ?? renewFeed(handle as Database);
}

async function nameInForce(handle: Handle): Promise<string | undefined> {
  const { rows } = await sql<{ identity: string; value: string | null }>`
    select ${identity} as identity, (select value from setting where name = ${settingName}) as value`.execute(handle);
  const [known, name] = rows[0]!.value?.split("|") ?? [];
  return known === rows[0]!.identity ? name : undefined;
}

function renewFeed(database: Database): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    await sql.raw(unlimited).execute(transaction);
    await sql`select pg_advisory_xact_lock(${renewalLock})`.execute(transaction);
    const found = await nameInForce(transaction);
    if (found) return found;
    const name = randomBytes(9).toString("base64url");
    await sql`select renew_changes()`.execute(transaction);
    await sql`
      insert into setting (name, value) values (${settingName}, ${identity} || ${`|${name}`}::text)
      on conflict (name) do update set value = excluded.value`.execute(transaction);
    return name;
  });
}

/** Whether this position is later than anything in the database. That happens after an earlier copy was restored. */
export async function findIsAhead(handle: Handle, { transaction }: FeedPosition): Promise<boolean> {
  const { rows } = await sql<{ ahead: boolean }>`
    select ${transaction}::text::xid8 >= pg_snapshot_xmin(pg_current_snapshot()) as ahead`.execute(handle);
  return rows[0]!.ahead;
}

/** The last change of each of these kinds that a reader can see by now, the newest first. */
export async function listLastPositions(
  handle: Handle,
  { kinds }: { kinds: readonly ChangeKind[] },
): Promise<(FeedPosition & { kind: ChangeKind })[]> {
  const { rows } = await sql<FeedPosition & { kind: ChangeKind }>`
    select wanted.kind, found.changed_in::text as transaction, found.sequence::text as sequence
    from unnest(${[...kinds]}::text[]) as wanted (kind)
    cross join lateral (
      select changed_in, sequence from change
      where change.kind = wanted.kind and changed_in < pg_snapshot_xmin(pg_current_snapshot())
      order by changed_in desc, sequence desc limit 1) as found
    order by found.changed_in desc, found.sequence desc`.execute(handle);
  return rows;
}

/** The last change of any of these kinds, if any. */
export async function findLastPosition(
  handle: Handle,
  { kinds }: { kinds: readonly ChangeKind[] },
): Promise<FeedPosition | undefined> {
  const [last] = await listLastPositions(handle, { kinds });
  return last && { transaction: last.transaction, sequence: last.sequence };
}

/**
 * Changes of these kinds after a position, in order: at most `limit`, and one more if there are more. A record that was
 * created in a transaction after `known` (null: the reader knows no record) counts as created, also if it was changed
 * since.
 */
export async function listChanges(
  handle: Handle,
  {
    kinds,
    after,
    known,
    limit,
  }: { kinds: readonly ChangeKind[]; after: FeedPosition; known: string | null; limit: number },
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select found.kind, found.key, found.changed_in::text as transaction, found.sequence::text as sequence,
      case when found.withdrawn then 'withdrawn'
        when found.created_in > coalesce(${known}::text, '0')::xid8 then 'created' else 'changed' end as action,
      to_char(found.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as changed_at
    from unnest(${[...kinds]}::text[]) as wanted (kind)
    cross join lateral (
      select * from change
      where change.kind = wanted.kind and changed_in < pg_snapshot_xmin(pg_current_snapshot())
        and (changed_in, sequence) > (${after.transaction}::text::xid8, ${after.sequence}::text::bigint)
      order by changed_in, sequence limit ${limit + 1}) as found
    order by found.changed_in, found.sequence limit ${limit + 1}`.execute(handle);
  return rows;
}
