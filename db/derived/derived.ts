import type { RawBuilder } from "kysely";

/**
 * The declaration of a derived table: where its rows come from and what they hold. `install.ts` installs the functions
 * and triggers that keep it up to date, `recount.ts` recounts its rows, `describe.ts` writes its documentation.
 */

/** A PL/pgSQL function. `settings` are clauses of its declaration, such as `set plan_cache_mode = …`. */
export type SqlFunction = { name: string; args?: string; returns: string; settings?: string; body: string };

/** A trigger. Its `body` becomes a function with the name of the trigger. */
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
  /** its tables: the key columns of each, and the meaning of its other columns */
  tables: Readonly<Record<string, { keys: readonly string[]; measures: Readonly<Record<string, string>> }>>;
  functions?: readonly SqlFunction[];
  triggers: readonly Trigger[];
  /** missing if the rows cannot be computed from other rows */
  recount?: Recount;
};

/**
 * Statements that recount the rows of some facilities or provinces, given an array of their keys. They do not write
 * rows that are already right.
 */
export type Recount = {
  by: RecountUnit;
  cost: RecountCost;
  statements: (keys: RawBuilder<unknown>) => RawBuilder<unknown>[];
  /**
   * Queries that return the rows of a district that are wrong. They check without locks, where a recount that is rolled
   * back would block savers for too long.
   */
  differences?: (district: RawBuilder<unknown>) => RawBuilder<unknown>[];
};
/**
 * Seconds on a small server: for each facility or province (`key`), for each visit or TDB (`record`), and for each
 * visit or TDB if the rows do not exist yet (`newRecord`).
 */
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

/**
 * A trigger that runs once after each statement of a kind, with the statement's rows as `old_rows` and `new_rows`. It
 * does nothing if there are no rows.
 */
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

/**
 * The columns of a facility's places and partner. Rows by facility repeat them, so that the counts by place change when
 * a facility moves.
 */
export const placeColumns = ["province_id", "district_id", "implementing_partner_id"];
