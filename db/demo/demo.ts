import { type Insertable, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import type { DB } from "../schema.ts";

/** Whether the database holds neither users nor facilities. */
export async function findIsEmpty(handle: Handle): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`
    select not exists (select from app_user) and not exists (select from facility) as empty`.execute(handle);
  return rows[0]!.empty;
}

type Row<Table extends keyof DB> = { [Column in keyof Insertable<DB[Table]>]: unknown };

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Inserts many rows with one statement, in their order. The columns are those of the first row; a missing value is
 * null. An instant may be a text without time zone; it is then in the session's zone, which is the ministry's.
 */
export async function insertRows<Table extends keyof DB>(
  handle: Handle,
  { table, rows }: { table: Table; rows: Row<Table>[] },
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!);
  const json = JSON.stringify(rows);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const types = await listColumnTypes(handle, table);
  const values = columns.map((column) => {
    const type = types.get(snake(column));
    if (!type) throw new Error(`${table} has no column ${snake(column)}`);
    return sql.raw(`"${column}" ${type}`);
  });
  await sql`
    insert into ${sql.table(table)} (${names})
    select ${sql.raw(columns.map((column) => `"${column}"`).join(", "))}
    from rows from (jsonb_to_recordset(${json}::jsonb) as (${sql.join(values)})) with ordinality
    order by ordinality`.execute(handle);
}

async function listColumnTypes(handle: Handle, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${sql.lit(snake(table))}::regclass and attnum > 0 and not attisdropped`.execute(handle);
  return new Map(rows.map(({ name, type }) => [name, type]));
}
