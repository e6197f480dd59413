import { sql } from "kysely";

import type { Handle } from "../../db/engine/connect.ts";
import { readCatalogue } from "./catalogue.ts";

/**
 * Checks migrations whose name ends in `-expand`. They may only make changes that gateways of the previous version,
 * which keep running, can cope with: these must find everything that they know unchanged, and each of their inserts,
 * updates and deletes must still be accepted.
 */

/** Rows of these tables are never deleted, so a foreign key to them blocks no gateway. */
const neverDeleted = ["app_user", "province", "district", "implementing_partner", "service_area", "smartcare_version"];

type Before = { catalogue: string[]; columns: string[]; tables: string[]; files: string };

/**
 * The file that holds the rows of each table. A different file means that the table was rewritten: nobody could read or
 * write it meanwhile.
 */
async function readFiles(handle: Handle, tables: readonly string[]): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; file: string }>`
    select relname::text as name, pg_relation_filenode(oid)::text as file from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any(${tables}::text[]) order by relname`.execute(
    handle,
  );
  return Object.fromEntries(rows.map(({ name, file }) => [name, file]));
}

async function readBefore(handle: Handle): Promise<Before> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select relname::text as "table", array(select relname || '.' || attname from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
    from pg_class c where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(handle);
  const tables = rows.map(({ table }) => table);
  return {
    catalogue: await readCatalogue(handle),
    tables,
    columns: rows.flatMap(({ columns }) => columns),
    files: JSON.stringify(await readFiles(handle, tables)),
  };
}

/** New rules on existing tables that would reject something that gateways of the previous version do. */
async function listRefusals(handle: Handle, { tables, columns }: Before): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    with own as (select oid, relname::text as name, relname = any(${tables}::text[]) as is_old from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'),
      part as (
        select attrelid, attnum, attname::text as name, attnotnull and not atthasdef and attidentity = '' as is_demanded, own.name || '.' || attname = any(${columns}::text[]) as is_old
        from own join pg_attribute on attrelid = own.oid where attnum > 0 and not attisdropped),
      -- The keys and the rules of a table, whether as constraints or as indexes, with whether a column of before takes part.
      rule as (
        select conrelid as of, pg_get_constraintdef(oid) as text, conkey as columns from pg_constraint where contype in ('c', 'u', 'p', 'x', 'f')
        union all
        select indrelid, pg_get_indexdef(indexrelid), indkey::int2[] from pg_index
        where indisunique and not exists (select from pg_constraint where conindid = indexrelid))
    select 'it demands a value of ' || own.name || '.' || part.name as fault from own join part on attrelid = own.oid where own.is_old and not part.is_old and is_demanded
    union all
    select 'it puts a rule on columns of ' || own.name || ': ' || text from own join rule on rule.of = own.oid
    where own.is_old and (0 = any(rule.columns) or exists (select from part where attrelid = own.oid and attnum = any(rule.columns) and is_old))
    union all
    select 'rows of ' || parent.name || ' can no longer be deleted: ' || own.name || ' refers to them' from own join pg_constraint on conrelid = own.oid join own as parent on parent.oid = confrelid
    where contype = 'f' and parent.is_old and confdeltype in ('a', 'r') and parent.name <> all(${neverDeleted}::text[])
    union all
    select 'it puts a trigger on ' || own.name || ': ' || tgname from own join pg_trigger on tgrelid = own.oid where own.is_old and not tgisinternal`.execute(
    handle,
  );
  return rows.map(({ fault }) => fault);
}

/** The values that a check against a list allows. A longer list rejects nothing that the shorter one allowed. */
function allowedOf(line: string): { rule: string; values: string[] } | undefined {
  const [, rule, list] = /^(constraint \S+ \S+ CHECK \S+ = ANY ARRAY)\[(.*)\]$/.exec(line) ?? [];
  return rule === undefined ? undefined : { rule, values: list!.split(", ") };
}

/** The conditions of a check that all must hold. A check with fewer of them rejects nothing that the former one allowed. */
function demandsOf(line: string): { rule: string; demands: string[] } | undefined {
  const [, rule, text = ""] = /^(constraint \S+ \S+ CHECK) (.*)$/.exec(line) ?? [];
  return rule === undefined || / NOT /.test(text) ? undefined : { rule, demands: text.split(" AND ") };
}

/** An index by its name, and its table, columns and condition, without the columns that it only includes. */
function indexOf(line: string): { name: string; answers: string } | undefined {
  const [, name, rest = ""] = /^index CREATE INDEX (\S+) (ON .*)$/.exec(line) ?? [];
  return name === undefined ? undefined : { name, answers: rest.replace(/ INCLUDE .*?(?= WHERE |$)/, "") };
}

const spy = "no_change_of_rows";

/** Makes every update, delete and truncate of these tables fail, even if it affects no row. */
async function guardRows(handle: Handle, tables: readonly string[]): Promise<void> {
  await sql
    .raw(
      `create function ${spy}() returns trigger language plpgsql as $$ begin raise exception 'it changes rows of %', tg_table_name; end $$`,
    )
    .execute(handle);
  for (const table of tables.filter((name) => !name.startsWith("kysely_")))
    await sql`create trigger ${sql.ref(spy)} before update or delete or truncate on ${sql.table(table)} for each statement execute function ${sql.ref(spy)}()`.execute(
      handle,
    );
}

/**
 * Runs a migration on a database of the previous version.
 *
 * @returns what the previous version could not cope with, in words; empty if the migration may be called `-expand`
 */
export async function listFaultsOf(handle: Handle, run: () => Promise<unknown>): Promise<string[]> {
  const before = await readBefore(handle);
  const refusedBefore = new Set(await listRefusals(handle, before));
  await guardRows(handle, before.tables);
  try {
    await run();
  } catch (error) {
    return [(error as Error).message.replace(/^.*(?=it changes rows)/, "")];
  } finally {
    await sql.raw(`drop function if exists ${spy} cascade`).execute(handle);
  }
  const after = new Set(await readCatalogue(handle));
  const wider = [...after].map(allowedOf).filter((each) => each !== undefined);
  const former = new Set(before.catalogue);
  const added = [...after].filter((line) => !former.has(line));
  const lighterOf = (line: string) => {
    const own = demandsOf(line);
    return added.find((other) => {
      const { rule, demands } = demandsOf(other) ?? {};
      return own !== undefined && rule === own.rule && demands?.every((demand) => own.demands.includes(demand));
    });
  };
  const isWidened = (line: string) => {
    if (lighterOf(line) !== undefined) return true;
    const own = allowedOf(line);
    return (
      own !== undefined &&
      wider.some(({ rule, values }) => rule === own.rule && own.values.every((value) => values.includes(value)))
    );
  };
  const present = [...after].map(indexOf);
  // Another index answers what these did.
  const covered = before.catalogue
    .filter((line) => !after.has(line))
    .flatMap((line) => indexOf(line) ?? [])
    .filter(({ answers }) => present.some((each) => each?.answers === answers));
  const isCovered = (line: string) =>
    covered.some(({ name }) => indexOf(line)?.name === name || line.startsWith(`relation ${name} i `));
  const gone = before.catalogue
    .filter((line) => !after.has(line) && !isWidened(line) && !isCovered(line))
    .map((line) => `it removes or changes: ${line}`);
  if (gone.length > 0) return gone;
  // A check whose list of values only became longer, or that demands less, is no new rule.
  const lighter = before.catalogue.flatMap((line) => (after.has(line) ? [] : (lighterOf(line) ?? [])));
  const widened = before.catalogue.flatMap((line) => (after.has(line) ? [] : (allowedOf(line)?.rule ?? [])));
  const isWidenedCheck = (fault: string) =>
    lighter.some((line) => fault.replaceAll(/[()]/g, "").endsWith(line.slice(line.indexOf("CHECK")))) ||
    widened.some(
      (rule) =>
        fault.includes(` of ${rule.split(" ")[1]}: `) &&
        fault.replaceAll(/[()]/g, "").includes(rule.slice(rule.indexOf("CHECK"))),
    );
  const refusals = (await listRefusals(handle, before)).filter(
    (fault) => !refusedBefore.has(fault) && !isWidenedCheck(fault),
  );
  const isRewritten = JSON.stringify(await readFiles(handle, before.tables)) !== before.files;
  return [...refusals, ...(isRewritten ? ["it rewrites a table, which nobody can read meanwhile"] : [])];
}
