import type { RawBuilder } from "kysely";

/**
 * What a derived table declares of itself, once: where its rows come from and what they hold. `install.ts` installs the functions and triggers
 * that keep it, `recount.ts` counts it anew, `describe.ts` writes its documentation.
 */

/** A function of PL/pgSQL. `settings` follow its declaration, as `set plan_cache_mode = …`. */
export type SqlFunction = { name: string; args?: string; returns: string; settings?: string; body: string };

/** A trigger and the statements that it runs, which become a function of the same name. */
export type Trigger = {
  table: string;
  name: string;
  /** `after insert`, `before delete`, `after update of province_id` … */
  when: string;
  /** each row (with a condition, if any), or each statement with its transition tables */
  each: { row: string | null } | { statement: string };
  body: string;
};

export type Derived = {
  /** its name in the log, in metrics and in the documentation */
  name: string;
  /** what it is for, in one or two sentences */
  purpose: string;
  /** the tables that its rows are computed from */
  sources: readonly string[];
  /** its tables, each with the columns that identify a row and what the others hold */
  tables: Readonly<Record<string, { keys: readonly string[]; measures: Readonly<Record<string, string>> }>>;
  functions?: readonly SqlFunction[];
  triggers: readonly Trigger[];
  /** absent where the rows are no counts, so that nothing can be counted anew */
  recount?: Recount;
};

/** Statements that count the rows of some facilities or provinces anew, given the array of their keys. They change nothing that is right already. */
export type Recount = {
  by: RecountUnit;
  cost: RecountCost;
  statements: (keys: RawBuilder<unknown>) => RawBuilder<unknown>[];
  /** Queries that count what belongs to a district and compare, in place of a recount that is rolled back: each gives the rows that differ. Absent where a recount of one key holds nobody up. */
  differences?: (district: RawBuilder<unknown>) => RawBuilder<unknown>[];
};
/** Seconds on a small server: for each facility or province, for each visit or TDB, and for each of these where its rows are not there yet and are written. */
export type RecountCost = { key: number; record: number; newRecord?: number };
export type RecountUnit = "facility" | "province";

const transition = {
  insert: "new table as new_rows",
  delete: "old table as old_rows",
  update: "old table as old_rows new table as new_rows",
};
/** What a statement may do to a table. */
export type StatementEvent = keyof typeof transition;
export const statementEvents = Object.keys(transition) as StatementEvent[];

/** A trigger that runs once after each statement of a kind, and sees all its rows as `old_rows` and `new_rows`. A statement without rows is passed over. */
export function afterStatement(table: string, event: StatementEvent, purpose: string, body: string): Trigger {
  const skip = `if not exists (select from ${event === "delete" ? "old_rows" : "new_rows"}) then return null; end if;`;
  return {
    table,
    name: `${table}_${event}_for_${purpose}`,
    when: `after ${event}`,
    each: { statement: transition[event] },
    body: `${skip}\n${body}\nreturn null;`,
  };
}

/** Where a facility lies and whose it is. Rows by facility carry it, so that counts by place follow a facility that moves. */
export const placeColumns = ["province_id", "district_id", "implementing_partner_id"];
