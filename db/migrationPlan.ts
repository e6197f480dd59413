import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type Migration,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";

import type { Handle } from "./engine/connect.ts";

/**
 * What migrations would do. Their statements are recorded instead of being run, and recognized by their first words.
 * Nothing is locked or changed. `test/system/migrate.test.ts` compares the planned locks with those that PostgreSQL
 * takes.
 */

/** The locks of tables, as PostgreSQL names them, from the weakest to the strongest. */
const locks = [
  "AccessShareLock",
  "RowShareLock",
  "RowExclusiveLock",
  "ShareLock",
  "ShareRowExclusiveLock",
  "AccessExclusiveLock",
] as const;
type Lock = (typeof locks)[number];

/** Rows per second on a small server. Estimates are rough: the upgrade may take half or twice as long. */
const speeds = { scan: 6_000_000, index: 900_000, searchIndex: 40_000, write: 60_000 };

type Work = {
  on: string;
  speed: keyof typeof speeds;
  /** the condition of a partial index: all rows are read, these are indexed */ where?: string;
};
type Step = { statement: string; locks: [table: string, lock: Lock][]; work: Work[] };
type PlannedMigration = { name: string; steps: (Step & { rows: number; seconds: number })[] };

/** The statements of a migration, in order. */
async function listStatements(migration: Migration): Promise<string[]> {
  const texts: string[] = [];
  class Recorder extends DummyDriver {
    override acquireConnection() {
      const executeQuery = ({ sql: text }: CompiledQuery) => (texts.push(text), Promise.resolve({ rows: [] }));
      return Promise.resolve({
        executeQuery,
        streamQuery: () => {
          throw new Error("A migration streams nothing.");
        },
      });
    }
  }
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Recorder(),
      createIntrospector: (any) => new PostgresIntrospector(any),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  await migration.up(db);
  return texts.flatMap(separate);
}

/** Splits a text into statements. Semicolons in quotes or in the body of a function do not end a statement. */
function separate(text: string): string[] {
  const parts = text.match(/(?:\$(\w*)\$[^]*?\$\1\$|'(?:[^']|'')*'|--[^\n]*|[^;])+/g) ?? [];
  return parts
    .map((part) =>
      part
        .replaceAll(/--[^\n]*/g, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter(Boolean);
}

const addsIndex = /^create index if not exists "?(\w+)"? on /i;

/**
 * The indexes of a migration that only has `create index if not exists` statements; none for any other migration.
 * concurrentIndexes.ts builds them without blocking writers.
 */
export async function listIndexesOf(migration: Migration): Promise<{ name: string; statement: string }[]> {
  const indexes = (await listStatements(migration)).map((statement) => ({
    name: addsIndex.exec(statement)?.[1],
    statement,
  }));
  return indexes.every((index): index is { name: string; statement: string } => index.name !== undefined)
    ? indexes
    : [];
}

const plain = (name: string): string => name.replaceAll('"', "").replace(/^\w+\./, "");
const every = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => plain(name!));

const volatile =
  /default [^,]*(gen_random_uuid|clock_timestamp|random|nextval)\(|generated always as \(|alter column \S+ (set data )?type|add column \S+ (big|small)?serial/i;

/** The work of an `alter table` action: the rows that it reads, indexes or writes. */
function workOfChange(table: string, change: string): Work[] {
  if (volatile.test(change)) return [{ on: table, speed: "write" }];
  if (/add (constraint \S+ )?(unique|primary key)/i.test(change)) return [{ on: table, speed: "index" }];
  return /set not null|add (constraint \S+ )?(check|foreign key)/i.test(change) && !/not valid/i.test(change)
    ? [{ on: table, speed: "scan" }]
    : [];
}

type Key = { name: string; columns: string[]; parent: string };
type Known = {
  /** the table of an index */ ownerOf: (index: string) => string[];
  /** the foreign keys of a table */ keysOf: (table: string) => Key[];
};
type Kind = { begins: RegExp; step: (match: RegExpExecArray, text: string, known: Known) => Omit<Step, "statement"> };
const nothing = { locks: [], work: [] };
/** Dropping a foreign key drops triggers of the table that it refers to, which locks that table too. */
const lockOfParent = ({ parent }: Key): [string, Lock] => [parent, "AccessExclusiveLock"];

const kinds: Kind[] = [
  {
    begins: /^create (?:unlogged )?table (?:if not exists )?(\S+)/i,
    step: (_, text) => ({
      locks: every(text, /\breferences (\S+?)\b/gi).map((parent) => [parent, "ShareRowExclusiveLock"]),
      work: [],
    }),
  },
  {
    begins: /^create (?:unique )?index .*? on (\S+)( using gin)?/i,
    step: ([, table, search], text) => ({
      locks: [[plain(table!), "ShareLock"]],
      work: [
        {
          on: plain(table!),
          speed: search ? "searchIndex" : "index",
          ...(/\bwhere /i.test(text) ? { where: text.replace(/^.*?\bwhere /i, "") } : {}),
        },
      ],
    }),
  },
  {
    begins: /^alter table (?:if exists )?(?:only )?(\S+) (.*)/i,
    step: ([, name, change], text, { keysOf }) => {
      const table = plain(name!);
      const isOnlyKey = /^add (constraint \S+ )?foreign key\b/i.test(change!) && !/, (add|drop|alter) /i.test(change!);
      const parents = every(text, /\breferences (\S+?)\b/gi).filter((parent) => parent !== table);
      const gone = every(text, /\bdrop (?:constraint|column) (?:if exists )?([^\s,]+)/gi);
      const released = keysOf(table).filter(
        (key) => gone.includes(key.name) || key.columns.some((column) => gone.includes(column)),
      );
      return {
        locks: [
          [table, isOnlyKey ? "ShareRowExclusiveLock" : "AccessExclusiveLock"],
          ...parents.map((parent) => [parent, "ShareRowExclusiveLock"] as [string, Lock]),
          ...released.map(lockOfParent),
        ],
        work: workOfChange(table, change!),
      };
    },
  },
  {
    begins: /^drop index (?:if exists )?(.+)/i,
    step: ([, names], _, { ownerOf }) => ({
      locks: names!
        .split(",")
        .flatMap((name) => ownerOf(plain(name.trim())))
        .map((table) => [table, "AccessExclusiveLock"]),
      work: [],
    }),
  },
  {
    begins: /^drop table (?:if exists )?(.+)/i,
    step: ([, names], _, { keysOf }) => {
      const tables = names!
        .replace(/ cascade$/i, "")
        .split(",")
        .map((name) => plain(name.trim()));
      return {
        locks: tables.flatMap((table) => [
          [table, "AccessExclusiveLock"] as [string, Lock],
          ...keysOf(table).map(lockOfParent),
        ]),
        work: [],
      };
    },
  },
  {
    begins: /^truncate (?:table )?(.+)/i,
    step: ([, names]) => ({
      locks: names!.split(",").map((name) => [plain(name.trim()), "AccessExclusiveLock"]),
      work: [],
    }),
  },
  {
    begins: /^create (?:or replace )?trigger .*? on (\S+)/i,
    step: ([, table]) => ({ locks: [[plain(table!), "ShareRowExclusiveLock"]], work: [] }),
  },
  {
    begins: /^drop trigger .*? on (\S+)/i,
    step: ([, table]) => ({ locks: [[plain(table!), "AccessExclusiveLock"]], work: [] }),
  },
  {
    begins: /^insert into (\S+)/i,
    step: ([, table], text) => ({
      locks: [[plain(table!), "RowExclusiveLock"]],
      work: every(text.replaceAll(/exists \(.*?\)/gi, ""), /\b(?:from|join) (\w+)/gi).map((on) => ({
        on,
        speed: "write",
      })),
    }),
  },
  {
    begins: /^(?:update|delete from) (?:only )?(\S+)/i,
    step: ([, table]) => ({
      locks: [[plain(table!), "RowExclusiveLock"]],
      work: [{ on: plain(table!), speed: "write" }],
    }),
  },
  {
    begins:
      /^(create (or replace )?(function|extension|type|schema|sequence)|drop (function|type|view)|comment on|set|select|do) /i,
    step: () => nothing,
  },
];

/**
 * The estimated number of rows of each table (PostgreSQL's running count or its last estimate), its indexes and its
 * foreign keys.
 */
async function findSizes(handle: Handle) {
  const { rows } = await sql<{ name: string; rows: number; indexes: string[]; keys: Key[] }>`
    select c.relname::text as name, greatest(c.reltuples, s.n_live_tup, 0)::float8 as rows,
      array(select indexrelid::regclass::text from pg_index where indrelid = c.oid) as indexes,
      (select coalesce(json_agg(json_build_object('name', conname, 'parent', confrelid::regclass::text,
        'columns', (select json_agg(attname) from pg_attribute where attrelid = conrelid and attnum = any(conkey)))), '[]') from pg_constraint where conrelid = c.oid and contype = 'f') as keys
    from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`.execute(handle);
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}

/** PostgreSQL's error code for an unknown column: an earlier migration of the plan may add it. */
const unknownColumn = "42703";

/**
 * How many rows of a table PostgreSQL expects to meet a condition.
 *
 * @returns `rows` (all) if the condition names an unknown column
 */
async function countExpected(
  handle: Handle,
  { on, where, rows }: { on: string; where: string; rows: number },
): Promise<number> {
  try {
    const { rows: plans } = await sql<{
      "QUERY PLAN": [{ Plan: { "Plan Rows": number } }];
    }>`explain (format json) select from ${sql.table(on)} where ${sql.raw(where)}`.execute(handle);
    return Math.min(rows, Object.values(plans[0]!)[0]![0].Plan["Plan Rows"]);
  } catch (error) {
    if ((error as { code?: string }).code !== unknownColumn) throw error;
    return rows;
  }
}

/**
 * What these migrations would lock, read and write in this database, statement by statement. Tables that they create
 * are left out, as nobody else uses them yet.
 */
export async function listPlannedMigrations(
  handle: Handle,
  migrations: readonly { name: string; migration: Migration }[],
): Promise<PlannedMigration[]> {
  const sizes = await findSizes(handle);
  const ownerOf = (index: string) =>
    [...sizes].filter(([, { indexes }]) => indexes.some((each) => plain(each) === index)).map(([table]) => table);
  const known: Known = {
    ownerOf,
    keysOf: (table) => (sizes.get(table)?.keys ?? []).filter(({ parent }) => parent !== table),
  };
  const planned: PlannedMigration[] = [];
  for (const { name, migration } of migrations) {
    const steps: PlannedMigration["steps"] = [];
    const isBeside = (await listIndexesOf(migration)).length > 0;
    for (const text of await listStatements(migration)) {
      const kind = kinds.find(({ begins }) => begins.test(text));
      if (!kind) throw new Error(`${name} has a statement that the plan does not know: ${text.slice(0, 80)}`);
      const { locks: all, work } = kind.step(kind.begins.exec(text)!, text, known);
      const own = all.filter(([table]) => sizes.has(table));
      const read = work.map((each) => ({ ...each, rows: sizes.get(each.on)?.rows ?? 0 }));
      if (own.length === 0 && read.every(({ rows }) => rows === 0)) continue;
      let seconds = 0;
      for (const { on, speed, where, rows } of read)
        seconds +=
          where === undefined || rows === 0
            ? rows / speeds[speed]
            : rows / speeds.scan + (await countExpected(handle, { on, where, rows })) / speeds[speed];
      steps.push({
        statement: text,
        locks: isBeside ? [] : own,
        work,
        rows: read.reduce((sum, { rows }) => sum + rows, 0),
        seconds,
      });
    }
    planned.push({ name, steps });
  }
  return planned;
}

/**
 * The strongest lock on each table, and the longest time in seconds for which one migration (a transaction) holds
 * locks.
 */
export function strongestLocks(planned: readonly PlannedMigration[]): Map<string, { lock: Lock; seconds: number }> {
  const strongest = new Map<string, { lock: Lock; seconds: number }>();
  for (const { steps } of planned) {
    const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
    for (const [table, lock] of steps.flatMap((step) => step.locks)) {
      const known = strongest.get(table) ?? { lock: locks[0], seconds: 0 };
      strongest.set(table, {
        lock: locks.indexOf(lock) > locks.indexOf(known.lock) ? lock : known.lock,
        seconds: Math.max(seconds, known.seconds),
      });
    }
  }
  return strongest;
}
