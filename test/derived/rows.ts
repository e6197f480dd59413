import { type RawBuilder, sql } from "kysely";

import { allDerived } from "../../db/derived/all.ts";
import type { Handle } from "../../db/engine/connect.ts";

/**
 * The rows of all derived tables that can be recounted. The declarations name the tables, so that a new one is compared
 * automatically.
 */

const tables = allDerived.filter(({ recount }) => recount).flatMap((derived) => Object.entries(derived.tables));
export const countedTables: string[] = tables.map(([name]) => name);

/** The rows of a table as text. The stripes of a figure are summed, and sums of zero are left out. */
function rowsOf([table, { keys }]: (typeof tables)[number], columns: string[]): RawBuilder<unknown> {
  if (!keys.includes("stripe")) return sql`select ${table} || ' ' || r::text as row from ${sql.table(table)} r`;
  const key = keys.filter((name) => name !== "stripe");
  const sums = columns.filter((name) => !keys.includes(name)).map((name) => sql`sum(${sql.ref(name)})`);
  return sql`
    select ${table} || ' ' || (${sql.join([...key.map((name) => sql.ref(name)), ...sums])})::text as row from ${sql.table(table)}
    group by ${sql.join(key.map((name) => sql.ref(name)))} having ${sql.join(
      sums.map((sum) => sql`${sum} <> 0`),
      sql` or `,
    )}`;
}

export async function readDerived(handle: Handle): Promise<string[]> {
  const all: string[] = [];
  for (const each of tables) {
    const { rows: columns } = await sql<{ name: string }>`
      select attname::text as name from pg_attribute where attrelid = ${each[0]}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(
      handle,
    );
    const { rows } = await sql<{ row: string }>`${rowsOf(
      each,
      columns.map(({ name }) => name),
    )}`.execute(handle);
    all.push(...rows.map(({ row }) => row));
  }
  return all.toSorted();
}

/**
 * Spoils every derived table, without its triggers: half of the rows are removed, and no record is left of how the
 * others were counted.
 */
export async function spoilDerived(handle: Handle): Promise<void> {
  for (const name of countedTables) {
    await sql`alter table ${sql.table(name)} disable trigger user`.execute(handle);
    await sql`delete from ${sql.table(name)} where ctid = any(array(select ctid from ${sql.table(name)} offset 0 limit (select count(*) / 2 from ${sql.table(name)})))`.execute(
      handle,
    );
    await sql`alter table ${sql.table(name)} enable trigger user`.execute(handle);
  }
  await sql`delete from derived`.execute(handle);
}
