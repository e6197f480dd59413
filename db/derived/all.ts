import { type Derived, type StatementEvent, statementEvents, type Trigger } from "./derived.ts";
import { feed } from "./feed.ts";
import { identifiers } from "./identifiers.ts";
import { latest, leave } from "./latest.ts";
import { places } from "./places.ts";
import { revision } from "./revision.ts";
import { silence } from "./silence.ts";
import { state } from "./state.ts";

/**
 * All derived tables, in the order in which they are recounted and in which their steps run after a write: rows by
 * facility before the counts by place, which are their sums.
 */
export const allDerived: readonly Derived[] = [feed, identifiers, latest, silence, state, places, revision];

/**
 * The tables of which one statement writes many rows. PostgreSQL gives the rows of a statement (transition tables) only
 * to a trigger of one event, so these have three triggers. The others have one, which runs for each row.
 */
const writtenInBulk = new Set([
  ...["facility", "facility_service_area", "facility_identifier", "rollout_facility"],
  ...["assessment", "service_area_assessment", "tdb"],
  ...["assessment_rollup", "assessment_day_rollup", "tdb_rollup", "tdb_silence", "facility_state"],
]);

const allSteps = allDerived.flatMap(({ name, steps }) =>
  steps.map((step) => ({ of: name, on: statementEvents, ...step })),
);

const transitions: Record<StatementEvent, string> = {
  insert: "new table as new_rows",
  delete: "old table as old_rows",
  update: "old table as old_rows new table as new_rows",
};

/** No rows of a table. As this names the table, PostgreSQL plans a statement again after a column was added. */
const noRows = (table: string) => `select * from ${table} where false`;

/** A trigger that runs once after each statement of a kind. It does nothing if there are no rows. */
function afterStatement(table: string, event: StatementEvent): Trigger {
  const steps = allSteps.filter((step) => step.table === table && step.on.includes(event));
  const written = {
    old: event === "insert" ? `(${noRows(table)})` : "old_rows",
    new: event === "delete" ? `(${noRows(table)})` : "new_rows",
  };
  return {
    table,
    name: `${table}_after_${event}`,
    when: `after ${event}`,
    transition: transitions[event],
    does: steps.map(({ of }) => of),
    body: [
      `if not exists (select from ${event === "delete" ? "old_rows" : "new_rows"}) then return null; end if;`,
      ...steps.map(({ body }) => body(written)),
      "return null;",
    ].join("\n"),
  };
}

/** A trigger that runs after each row was written, whatever wrote it. */
function afterRow(table: string): Trigger {
  const steps = allSteps.filter((step) => step.table === table);
  const written = {
    old: `(${noRows(table)} union all select old.* where tg_op <> 'INSERT')`,
    new: `(${noRows(table)} union all select new.* where tg_op <> 'DELETE')`,
  };
  return {
    table,
    name: `${table}_after_write`,
    when: "after insert or delete or update",
    transition: null,
    does: steps.map(({ of }) => of),
    body: [
      ...steps.map(({ on, body }) =>
        on === statementEvents
          ? body(written)
          : `if lower(tg_op) in (${on.map((event) => `'${event}'`).join(", ")}) then ${body(written)} end if;`,
      ),
      "return null;",
    ].join("\n"),
  };
}

/** All triggers, each table's in the order in which they fire. */
export const allTriggers: readonly Trigger[] = [...new Set(allSteps.map(({ table }) => table))].flatMap((table) => [
  ...[leave].filter((trigger) => trigger.table === table),
  ...(writtenInBulk.has(table) ? statementEvents.map((event) => afterStatement(table, event)) : [afterRow(table)]),
]);
