import type { RawBuilder } from "kysely";

/**
 * The declaration of a derived table: where its rows come from and what they hold. `all.ts` makes the triggers
 * that keep it up to date, `install.ts` installs them, `recount.ts` recounts its rows, `describe.ts` writes its
 * documentation.
 */

/** A PL/pgSQL function. `settings` are clauses of its declaration, such as `set plan_cache_mode = …`. */
export type SqlFunction = { name: string; args?: string; returns: string; settings?: string; body: string };

/**
 * Each connection plans the statements of a function once. By default PostgreSQL may plan them at every call, for the
 * values of the call.
 */
export const planOnce = "set plan_cache_mode = force_generic_plan";

/** What a statement may do to the rows of a table. */
export const statementEvents = ["insert", "delete", "update"] as const;
export type StatementEvent = (typeof statementEvents)[number];

/**
 * The rows that were written, as they were and as they are: what stands after FROM. An insert has no old ones, a delete
 * no new ones.
 */
export type Written = { old: string; new: string };

/** The updated rows that are new in one of some columns; the key is the first of them. */
export const changedIn = (written: Written, columns: readonly string[]): string =>
  `(select ${columns.join(", ")} from ${written.new} except select ${columns.join(", ")} from ${written.old})`;

/** What is done after rows of a table were written. `all.ts` makes the table's triggers from its steps. */
export type Step = {
  table: string;
  /** all events where it is missing */
  on?: readonly StatementEvent[];
  /** statements of PL/pgSQL */
  body: (written: Written) => string;
};

/** A trigger. Its `body` becomes a function with the name of the trigger. */
export type Trigger = {
  table: string;
  name: string;
  /** `after insert`, `before delete` … */
  when: string;
  /** the transition tables of a trigger for each statement; null: it runs for each row */
  transition: string | null;
  /** the derived tables that it keeps, in the order of its steps */
  does: readonly string[];
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
  /** what keeps its rows, in this order */
  steps: readonly Step[];
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
type RecountCost = { key: number; record: number; newRecord?: number };
export type RecountUnit = "facility" | "province";

/**
 * The columns of a facility's places and partner. Rows by facility repeat them, so that the counts by place change when
 * a facility moves.
 */
export const placeColumns = ["province_id", "district_id", "implementing_partner_id"];
