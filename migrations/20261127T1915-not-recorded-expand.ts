import { type Kysely, sql } from "kysely";

/**
 * Answers that nobody gave, beside those that were yes: in the roll-up of assessments, in the state of a facility and
 * in the counts by place. And when SmartCare and power were last found not working, because a site stopped working only
 * if somebody said so.
 */
const answers = [
  "smart_care_functional",
  "primary_power",
  "primary_power_working",
  "backup_power",
  "backup_power_working",
];
const added = (names: readonly string[], type: string) =>
  sql.raw(names.map((name) => `add column not_recorded_${name} ${type}`).join(", "));
const states = ["functional", "power"];

export async function up(db: Kysely<unknown>): Promise<void> {
  const times = sql`add column not_functional_at timestamptz, add column no_power_at timestamptz`;
  await sql`alter table assessment_rollup ${added(answers, "boolean not null default false")}, ${times}`.execute(db);
  await sql`alter table facility_state ${added(states, "boolean not null default false")}, ${times}`.execute(db);
  await sql`alter table place_answer_rollup ${added(answers, "bigint not null default 0")}`.execute(db);
  await sql`alter table place_state_rollup ${added(states, "bigint not null default 0")}`.execute(db);
  // Until all is counted, an answer that nobody gave would be shown as no (db/derived/recount.ts).
  await sql`
    insert into setting (name, value) select 'derived_rows_missing', 'true' where exists (select from assessment) on conflict (name) do nothing`.execute(
    db,
  );
}
