import { type Kysely, sql } from "kysely";

/**
 * What everything derived needs (db/derived): how rows were counted, what waits to be counted anew, and the revision of
 * each noun. Functions and triggers of earlier migrations are marked, so that the next start replaces them by the
 * declared ones in one transaction. The roll-up of silent sites keeps the day on which the next TDB is due, in place of
 * the day on which the latest one was made.
 */
const formerFunctions = [
  "record_changes",
  "hold_places",
  "hold_facilities",
  "hold_users",
  "renew_changes",
  "take_stripe",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table derived (
      name text primary key,
      counted_by text not null,
      noted_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table recount (
      name text not null references derived on delete cascade,
      facility_uuid text collate "C" references facility on delete cascade on update cascade,
      province_id integer references province on delete cascade,
      check (num_nonnulls(facility_uuid, province_id) = 1),
      unique nulls not distinct (name, facility_uuid, province_id)
    )`.execute(db);
  await sql`create index recount_of_facility on recount (facility_uuid)`.execute(db);
  await sql`create index recount_of_province on recount (province_id)`.execute(db);
  await sql`
    create table revision (
      noun text not null,
      stripe smallint not null,
      value bigint not null,
      primary key (noun, stripe)
    ) with (fillfactor = 50)`.execute(db);

  await sql`alter table tdb_silence add column due_day date`.execute(db);
  await sql`update tdb_silence set due_day = made_day + 30 where made_day is not null`.execute(db);
  await sql`alter table tdb_silence drop column made_day`.execute(db);
  await sql`alter table place_count_rollup drop constraint place_count_rollup_kind_check`.execute(db);
  await sql`update place_count_rollup set kind = 'due', period_start = period_start + 30 where kind = 'lastTdb'`.execute(
    db,
  );
  await sql`
    alter table place_count_rollup add constraint place_count_rollup_kind_check
      check (kind in ('libraryVersion', 'cpuCores', 'os64Bit', 'assessments', 'sites', 'due', 'irregularTdb'))`.execute(
    db,
  );
  for (const table of ["place_answer_rollup", "place_count_rollup"])
    await sql`alter table ${sql.table(table)} alter column stripe drop default`.execute(db);
  await sql`insert into setting (name, value) values ('tdb_rhythm_days', '30') on conflict (name) do nothing`.execute(
    db,
  );
  await sql`delete from setting where name = 'rollup_time_zone'`.execute(db);

  await sql`
    do $$
    declare former record;
    begin
      for former in
        select tgname as name, tgrelid::regclass as of from pg_trigger join pg_proc f on f.oid = tgfoid
        where not tgisinternal and f.proname <> 'audit_event_is_append_only' loop
        execute format('comment on trigger %I on %s is %L', former.name, former.of, 'derived formerly');
      end loop;
      for former in
        select oid::regprocedure as name from pg_proc
        where pronamespace = current_schema()::regnamespace
          and (prorettype = 'trigger'::regtype and proname <> 'audit_event_is_append_only' or proname in (${sql.join(formerFunctions.map((name) => sql.lit(name)))})) loop
        execute format('comment on function %s is %L', former.name, 'derived formerly');
      end loop;
    end $$`.execute(db);
}
