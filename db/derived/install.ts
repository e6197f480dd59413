import { createHash } from "node:crypto";

import { sql } from "kysely";

import type { Database, Handle } from "../engine/connect.ts";
import { giveWay, transact } from "../engine/transaction.ts";
import { allDerived, allTriggers } from "./all.ts";
import { planOnce, type SqlFunction } from "./derived.ts";
import { beginRevisions } from "./revision.ts";

/**
 * Installs the functions and triggers that are declared in this folder. Each has the hash of its text as its comment in
 * the database, which identifies the installed version. Objects with such a comment that are no longer declared are
 * removed.
 */

type Declared = { id: string; table: string | null; text: string; hash: string };
type Installed = { id: string; table: string | null; name: string; hash: string };

/** The comments of installed objects begin with this word. */
const mark = "derived ";
/** The hash that identifies a text: the first 16 hexadecimal digits of its SHA-256. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

const functionId = (name: string, args = "") => `function ${name}(${args})`;
const triggerId = (name: string, table: string) => `trigger ${name} on ${table}`;
const quoted = (body: string) => `$derived$\nbegin\n${body}\nend $derived$`;
const declared = (id: string, table: string | null, text: string): Declared => ({
  id,
  table,
  text,
  hash: hashOf(text),
});

const functions: Declared[] = [
  ...allDerived.flatMap(({ functions = [] }) => functions),
  ...allTriggers.map(({ name, body }): SqlFunction => ({ name, returns: "trigger", settings: planOnce, body })),
].map(({ name, args = "", returns, settings = "", body }) =>
  declared(
    functionId(name, args),
    null,
    `create or replace function ${name}(${args}) returns ${returns} language plpgsql ${settings} as ${quoted(body)}`,
  ),
);
const triggers: Declared[] = allTriggers.map(({ table, name, when, transition }) => {
  const each = transition === null ? "for each row" : `referencing ${transition} for each statement`;
  return declared(
    triggerId(name, table),
    table,
    `create or replace trigger ${name} ${when} on ${table} ${each} execute function ${name}()`,
  );
});

/** The installed objects, found by their comments. */
async function listInstalled(handle: Handle): Promise<Installed[]> {
  const { rows } = await sql<Installed>`
    select 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as id, null as table, p.proname::text as name,
      substr(d.description, ${mark.length + 1}::integer) as hash
    from pg_proc p join pg_description d on d.objoid = p.oid and d.classoid = 'pg_proc'::regclass
    where p.pronamespace = current_schema()::regnamespace and starts_with(d.description, ${mark})
    union all
    select 'trigger ' || t.tgname || ' on ' || c.relname, c.relname::text, t.tgname::text, substr(d.description, ${mark.length + 1}::integer)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_description d on d.objoid = t.oid and d.classoid = 'pg_trigger'::regclass
    where c.relnamespace = current_schema()::regnamespace and starts_with(d.description, ${mark})`.execute(handle);
  return rows;
}

async function findDifference(handle: Handle) {
  const there = await listInstalled(handle);
  const hashes = new Map(there.map(({ id, hash }) => [id, hash]));
  const isNew = ({ id, hash }: Declared) => hashes.get(id) !== hash;
  const known = new Set([...functions, ...triggers].map(({ id }) => id));
  return {
    functions: functions.filter(isNew),
    triggers: triggers.filter(isNew),
    former: there.filter(({ id }) => !known.has(id)),
  };
}

/**
 * The tables whose triggers are added, changed or removed, with the lock that PostgreSQL needs for it; in the order in
 * which savers lock, facilities first. Only removing a trigger needs the lock that blocks readers. A query reads
 * several tables, so locking several of them that way could deadlock with it.
 */
function locksFor({
  triggers,
  former,
}: Awaited<ReturnType<typeof findDifference>>): { table: string; mode: "access exclusive" | "share row exclusive" }[] {
  const tablesOf = (objects: { table: string | null }[]) => new Set(objects.flatMap(({ table }) => table ?? []));
  const losing = tablesOf(former);
  const touched = [...new Set([...tablesOf(triggers), ...losing])].toSorted(
    (a, b) => Number(b === "facility") - Number(a === "facility") || (a < b ? -1 : 1),
  );
  return touched.map((table) => ({ table, mode: losing.has(table) ? "access exclusive" : "share row exclusive" }));
}

/** What an installation would lock, in this order, and how many functions it would replace. */
export async function findTouched(db: Database): Promise<{ locks: ReturnType<typeof locksFor>; functions: number }> {
  const difference = await findDifference(db);
  return { locks: locksFor(difference), functions: difference.functions.length };
}

/** The number of an advisory lock. No other advisory lock of the product has it. */
const installLock = 20_261_001;

/**
 * Installs what differs from the declarations, in one transaction, so that each write of another transaction runs
 * either the old or the new triggers. A table is locked only if one of its triggers is added, changed or removed. A new
 * measure only changes functions.
 *
 * @returns how many functions and triggers were new, changed or removed
 */
export async function installDerived(db: Database): Promise<number> {
  const before = await findDifference(db);
  if (before.functions.length + before.triggers.length + before.former.length === 0) return 0;
  return transact(db, async (transaction) => {
    await giveWay(transaction);
    await sql`select pg_advisory_xact_lock(${installLock})`.execute(transaction);
    const difference = await findDifference(transaction);
    for (const { table, mode } of locksFor(difference))
      await sql`lock table ${sql.table(table)} in ${sql.raw(mode)} mode`.execute(transaction);
    const { functions, triggers, former } = difference;
    for (const { id, text, hash } of [...functions, ...triggers]) {
      await sql.raw(text).execute(transaction);
      await sql.raw(`comment on ${id} is '${mark}${hash}'`).execute(transaction);
    }
    for (const { id } of former.filter(({ table }) => table !== null)) await sql.raw(`drop ${id}`).execute(transaction);
    for (const { id } of former.filter(({ table }) => table === null)) await sql.raw(`drop ${id}`).execute(transaction);
    await beginRevisions.execute(transaction);
    return functions.length + triggers.length + former.length;
  });
}
