import { sql } from "kysely";

import type { Handle } from "../../db/engine/connect.ts";

/**
 * The schema of a database as sorted lines: two databases with the same lines have the same schema. Names of not-null
 * constraints are left out, and so are parentheses, because PostgreSQL sets them differently in an expression that was
 * dumped and restored.
 */
export async function readCatalogue(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with own as (select oid, relname::text as name, relkind, relpersistence, reloptions from pg_class where relnamespace = current_schema()::regnamespace)
    select 'extension ' || extname as line from pg_extension
    union all
    select concat_ws(' ', 'relation', name, relkind, relpersistence, reloptions) from own
    union all
    select concat_ws(' ', 'column', name, row_number() over (partition by name order by attnum), attname, format_type(atttypid, atttypmod), collname,
      case when attnotnull then 'not null' end, 'identity', attidentity, 'generated', attgenerated, pg_get_expr(adbin, adrelid))
    from own join pg_attribute on attrelid = own.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum left join pg_collation c on c.oid = attcollation
    where relkind = 'r' and attnum > 0 and not attisdropped
    union all
    select concat_ws(' ', 'constraint', name, conname, pg_get_constraintdef(c.oid)) from own join pg_constraint c on conrelid = own.oid where contype <> 'n'
    union all
    select 'index ' || pg_get_indexdef(oid) from own where relkind = 'i'
    union all
    select concat_ws(' ', 'function', pg_get_functiondef(p.oid), obj_description(p.oid, 'pg_proc')) from pg_proc p
    where pronamespace = current_schema()::regnamespace and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    union all
    select concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), tgenabled, obj_description(t.oid, 'pg_trigger')) from own join pg_trigger t on tgrelid = own.oid where not tgisinternal`.execute(
    handle,
  );
  return rows.map(({ line }) => line.replaceAll(/[()]/g, "")).toSorted();
}
