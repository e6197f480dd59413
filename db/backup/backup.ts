import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { PoolClient } from "pg";
import { from, to } from "pg-copy-streams";

import { type Database, poolOf } from "../engine/connect.ts";

/**
 * Copies whole tables out of the database and into it, with PostgreSQL's COPY. The tables are listed from PostgreSQL's
 * catalogue.
 */

type TableShape = { name: string; columns: string[] };
/** `last` is null while nothing has been numbered. */
type Sequence = { name: string; last: string | null };

/**
 * Tables that a backup leaves out, because their rows mean nothing in another database: sessions, the counts of rate
 * limits, positions in this server's write-ahead log, and the feed of changes and the revisions, which hold transaction
 * numbers of this database and are rebuilt.
 */
const leftOut = ["session", "sign_in_limit", "token_limit", "last_write", "change", "revision"];
/** Tables whose rows the product writes at its first start. A restore replaces them. */
const ownNotes = new Set(["setting", "derived"]);

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const listOf = (names: string[]): string => names.map(quoted).join(", ");

const shapes = `
  select c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select a.attname::text from pg_index i cross join unnest(i.indkey::int[]) with ordinality as k (attnum, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
    array(select f.relname::text from pg_constraint r join pg_class f on f.oid = r.confrelid
      where r.conrelid = c.oid and r.contype = 'f' and r.confrelid <> c.oid) as needs
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not like 'kysely\\_%' and c.relname <> all($1)
  order by c.relname`;

type Table = TableShape & { key: string[]; needs: string[] };

/** The tables of a backup, each after the tables that it refers to. */
async function readTables(client: PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table>(shapes, [leftOut]);
  const ordered: Table[] = [];
  for (let left = rows; left.length > 0;) {
    const free = left.filter(({ needs }) => !left.some(({ name }) => needs.includes(name)));
    // Tables that refer to each other in a circle have no order: their constraints must be deferrable.
    const next = free.length > 0 ? free : left;
    ordered.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return ordered;
}

/** Runs work on one connection, in one transaction of the given kind, without a time limit. */
async function inTransaction<Result>(
  db: Database,
  mode: string,
  act: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await poolOf(db).connect();
  let broken: Error | undefined;
  try {
    await client.query(`begin ${mode}`);
    await client.query(
      "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC'; set local datestyle = 'ISO'",
    );
    const result = await act(client);
    await client.query("commit");
    return result;
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    // A connection that failed is not used again. Closing it rolls its transaction back.
    client.release(broken);
  }
}

export type Snapshot = {
  takenAt: string;
  server: string;
  migrations: string[];
  sequences: Sequence[];
  tables: TableShape[];
  /**
   * Passes all rows of a table to `take`, in the order of its key, in the format of COPY. Returns the number of rows.
   */
  copyTable: (name: string, take: (rows: Readable) => Promise<void>) => Promise<number>;
  /** A line of JSON for each stored file: key, size and sha256; in the order of the keys' bytes. */
  copyFileList: (take: (lines: Readable) => Promise<void>) => Promise<number>;
};

// As JSON, so that a database can be saved before it is upgraded: older versions have no such column.
const isThere = "where to_jsonb(kept) ->> 'content_removed_at' is null";
const fileList = `
  select json_build_object('key', storage_key, 'size', file_size, 'sha256', sha256)::text
  from (select storage_key, file_size, sha256 from tdb as kept ${isThere} union all select storage_key, file_size, sha256 from download as kept ${isThere}) as files order by storage_key collate "C"`;

/** Reads the database in one snapshot: what others write meanwhile is not seen. There is no time limit. */
export function readSnapshot<Result>(db: Database, act: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
  return inTransaction(db, "isolation level repeatable read, read only", async (client) => {
    const tables = await readTables(client);
    const copy = async (query: string, take: (rows: Readable) => Promise<void>) => {
      const rows = client.query(to(`copy (${query}) to stdout`));
      await take(rows);
      return rows.rowCount;
    };
    const about = await client.query<{ takenAt: string; server: string }>(
      `select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "takenAt", current_setting('server_version') as server`,
    );
    return act({
      ...about.rows[0]!,
      migrations: await readMigrations(client),
      sequences: await readSequences(client),
      tables: tables.map(({ name, columns }) => ({ name, columns })),
      copyTable: (name, take) => {
        const { columns, key } = tables.find((table) => table.name === name)!;
        return copy(
          `select ${listOf(columns)} from ${quoted(name)}${key.length > 0 ? ` order by ${listOf(key)}` : ""}`,
          take,
        );
      },
      copyFileList: (take) => copy(fileList, take),
    });
  });
}

async function readMigrations(client: PoolClient): Promise<string[]> {
  const there = await client.query<{ there: boolean }>("select to_regclass('kysely_migration') is not null as there");
  if (!there.rows[0]!.there) return [];
  const { rows } = await client.query<{ name: string }>("select name from kysely_migration order by name");
  return rows.map(({ name }) => name);
}

async function readSequences(client: PoolClient): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select s.sequencename as name, s.last_value::text as last from pg_sequences s
     where s.schemaname = current_schema() and not exists (
       select from pg_depend d join pg_class t on t.oid = d.refobjid
       where d.objid = format('%I.%I', s.schemaname, s.sequencename)::regclass and t.relname = any($1))
     order by s.sequencename`,
    [leftOut],
  );
  return rows;
}

/** The names of the migrations that ran in a database, and the names of its tables that hold rows. */
export function readFilling(db: Database): Promise<{ migrations: string[]; filled: string[] }> {
  return inTransaction(db, "read only", async (client) => ({
    migrations: await readMigrations(client),
    filled: await readFilled(client, await readTables(client)),
  }));
}

async function readFilled(client: PoolClient, tables: Table[]): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of tables.filter((table) => !ownNotes.has(table.name))) {
    const { rows } = await client.query<{ filled: boolean }>(`select exists (select from ${quoted(name)}) as filled`);
    if (rows[0]!.filled) filled.push(name);
  }
  return filled;
}

/** The database cannot take the rows. The message says what to do. */
export class CannotFill extends Error {
  override name = "CannotFill";
}

const text = (value: unknown): string => JSON.stringify(value);

/**
 * Fills an empty database in one transaction, all rows or none; nobody else can use the tables meanwhile. `rowsOf`
 * writes a table's rows, in the format of `copyTable`, to the given stream.
 *
 * @throws CannotFill if there are rows already, the tables have other columns, or another number of rows arrives
 */
export function loadTables(
  db: Database,
  { tables, sequences }: { tables: (TableShape & { rows: number })[]; sequences: Sequence[] },
  rowsOf: (name: string, into: Writable) => Promise<void>,
): Promise<void> {
  return inTransaction(db, "", async (client) => {
    const present = await readTables(client);
    await client.query(`lock table ${listOf(present.map(({ name }) => name))} in access exclusive mode`);
    const filled = await readFilled(client, present);
    if (filled.length > 0) throw new CannotFill(`The database is not empty: there are rows in ${filled.join(", ")}.`);
    const shapeOf = (each: TableShape[]) =>
      text(each.map(({ name, columns }) => ({ name, columns })).toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    if (shapeOf(present) !== shapeOf(tables))
      throw new CannotFill("The database has other tables or columns than the backup.");
    await client.query("set constraints all deferred");
    for (const { name } of present) {
      await client.query(`alter table ${quoted(name)} disable trigger user`);
      if (ownNotes.has(name)) await client.query(`delete from ${quoted(name)}`);
    }
    for (const { name } of present) {
      const { columns, rows } = tables.find((table) => table.name === name)!;
      const into = client.query(from(`copy ${quoted(name)} (${listOf(columns)}) from stdin`));
      await rowsOf(name, into);
      if (into.rowCount !== rows) throw new CannotFill(`${name} got ${into.rowCount} rows instead of ${rows}.`);
    }
    for (const { name, last } of sequences)
      if (last !== null) await client.query("select setval(quote_ident($1)::regclass, $2)", [name, last]);
    await client.query("set constraints all immediate");
    for (const { name } of present) await client.query(`alter table ${quoted(name)} enable trigger user`);
  });
}

/** Streams rows into a table's COPY, and waits until all are written. */
export const pour = (rows: Readable, into: Writable): Promise<void> => pipeline(rows, into);

/** Counts the rows of these tables. */
export function countRows(db: Database, tables: readonly string[]): Promise<Map<string, number>> {
  return inTransaction(db, "read only", async (client) => {
    const counts = new Map<string, number>();
    for (const name of tables) {
      const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${quoted(name)}`);
      counts.set(name, Number(rows[0]!.rows));
    }
    return counts;
  });
}
