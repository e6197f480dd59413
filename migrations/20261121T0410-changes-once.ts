import { type Kysely, sql } from "kysely";

/**
 * The feed of changes for less: what a transaction has told of an entity it does not tell again (a new assessment and then its
 * service areas), and the feed's own statements are planned once for a connection. PostgreSQL would plan them at every call:
 * with the keys at hand it expects fewer rows than in general.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function record_changes(what text, kinds text[], keys text[]) returns void language plpgsql as $$
    begin
      if keys is null then return; end if;
      if what = 'changed' then
        keys := array(
          select asked.key from unnest(keys) as asked (key) where exists (
            select from unnest(kinds) as of (kind) where not exists (
              select from change as told
              where told.kind = of.kind and told.key = asked.key and told.changed_in = pg_current_xact_id() and not told.withdrawn)));
        if keys = '{}' then return; end if;
      end if;
      with replaced as (
        delete from change where ctid = any(array(
          select ctid from change where kind = any(kinds) and key = any(keys) for update skip locked))
      )
      insert into change (kind, key, created_in, withdrawn)
      select touched.kind, touched.key, coalesce(
          case when what <> 'created' then
            (select max(created_in) from change as earlier where earlier.kind = touched.kind and earlier.key = touched.key) end,
          pg_current_xact_id()), what = 'withdrawn'
      from (select kind, key from unnest(kinds) as kind cross join unnest(keys) as key) as touched;
    end $$`.execute(db);
  for (const name of ["record_changes(text, text[], text[])", "hold_places(text[])", "hold_facilities(text[])", "hold_users(uuid[])"])
    await sql`alter function ${sql.raw(name)} set plan_cache_mode = force_generic_plan`.execute(db);
}
