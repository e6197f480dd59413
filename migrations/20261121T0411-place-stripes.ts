import { type Kysely, sql } from "kysely";

/**
 * The roll-ups by place in stripes, so that who saves in a province need not wait until others who save there have committed.
 * A figure is the sum of its rows in all stripes, of which one may be negative. Whoever changes counts writes into the first
 * stripe of the province that no other transaction writes into, and waits only when all are taken: where few save, all of it
 * stays in the first. Its triggers are those of 20261121T0311, but for the stripe.
 */
const stripes = 4;
/** As in 20261121T0311: any number that no other advisory lock of ours has. */
const provinceLock = 20_261_003;

const answers = ["smart_care_functional", "primary_power", "primary_power_working", "backup_power", "backup_power_working"];
const modes = { efirst: "EFirst", efast: "EFast", elast: "ELast" };
const sums: Record<string, string> = {
  facilities: "sum(sign)",
  staff_trained: "sum(sign * staff_trained)",
  ...Object.fromEntries(answers.map((name) => [name, `sum(sign * ${name}::integer)`])),
  ...Object.fromEntries(Object.entries(modes).map(([name, mode]) => [name, `sum(sign * (functionality_status_mode = '${mode}')::integer)`])),
};
const summed = Object.keys(sums);

const answerKey = "period, district_id, implementing_partner_id, period_start, province_id, stripe";
const countKey = "kind, period, district_id, implementing_partner_id, period_start, province_id, param, stripe";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, key] of [["place_answer_rollup", answerKey], ["place_count_rollup", countKey]] as const)
    await sql`
      alter table ${sql.table(table)} add column stripe smallint not null default 0,
        drop constraint ${sql.ref(`${table}_pkey`)}, add primary key (${sql.raw(key)})`.execute(db);
  await sql`
    create function take_stripe(province integer) returns integer language plpgsql as ${sql.lit(`
    begin
      for stripe in 0..${stripes - 1} loop
        if pg_try_advisory_xact_lock(${provinceLock}, province * ${stripes} + stripe) then return stripe; end if;
      end loop;
      perform pg_advisory_xact_lock(${provinceLock}, province * ${stripes});
      return 0;
    end`)}`.execute(db);

  await carryOver(db, "assessment_rollup", "changed", (changed) => [
    carryAnswers(changed),
    carryCounts("'libraryVersion'", "period", "period_start", "btrim(library_version)", "sign", `${changed} where btrim(library_version) <> ''`),
  ]);
  const ofComputers = (join: string) =>
    carryCounts("of.kind", "period", "period_start", "of.param", "sign * computers", `${join}
      cross join lateral (values ('cpuCores', cpu_cores::text), ('os64Bit', os64_bit::text)) as of (kind, param)`);
  await carryOver(db, "tdb_rollup", "changed", (changed) => [ofComputers(`${changed} join tdb_computer using (tdb_uuid)`)]);
  await carryOver(db, "tdb_computer", "changed join tdb_rollup using (tdb_uuid)", (changed) => [ofComputers(changed)]);
  await carryOver(db, "assessment_day_rollup", "changed", (changed) => [
    carryCounts("'assessments'", "'day'", "day", "''", "sign * assessments", changed),
  ]);
}

/** The places that a facility's row counts for. */
const places = `cross join lateral (values
  (0, 0), (district_id, 0), (0, implementing_partner_id), (district_id, implementing_partner_id)) as place (district, partner)`;

/** Sums of what changed, with the stripe of each province that is among them, taken in the provinces' order. */
const striped = (changes: string) => `
  with changes as materialized (${changes}),
  taken as materialized (
    select province_id, take_stripe(province_id) as stripe
    from (select distinct province_id from changes order by province_id) as touched)`;

const carryAnswers = (changed: string) => `${striped(`
    select period, place.district as district_id, place.partner as implementing_partner_id, period_start, province_id,
      ${Object.entries(sums).map(([name, sum]) => `${sum} as ${name}`).join(", ")}
    from ${changed} ${places} where place.partner is not null
    group by 1, 2, 3, 4, 5 having array[${Object.values(sums).join(", ")}] <> array[${summed.map(() => "0").join(", ")}]::bigint[]`)}
  insert into place_answer_rollup as kept (${answerKey}, ${summed.join(", ")})
  select ${answerKey}, ${summed.join(", ")} from changes join taken using (province_id)
  on conflict (${answerKey}) do update set ${summed.map((name) => `${name} = kept.${name} + excluded.${name}`).join(", ")}`;

const carryCounts = (kind: string, period: string, start: string, param: string, amount: string, from: string) => `${striped(`
    select kind, period, place.district as district_id, place.partner as implementing_partner_id, start as period_start, province_id, param,
      sum(amount) as value
    from (
      select ${kind} as kind, ${period} as period, ${start} as start, ${param} as param, ${amount} as amount,
        province_id, district_id, implementing_partner_id
      from ${from}) as counted ${places} where place.partner is not null
    group by 1, 2, 3, 4, 5, 6, 7 having sum(amount) <> 0`)}
  insert into place_count_rollup as kept (${countKey}, value)
  select ${countKey}, value from changes join taken using (province_id)
  on conflict (${countKey}) do update set value = kept.value + excluded.value`;

/** What rows were counts against (sign -1), what they became counts for (1). */
const events = {
  insert: "(select 1 as sign, * from new_rows)",
  delete: "(select -1 as sign, * from old_rows)",
  update: "(select -1 as sign, * from old_rows union all select 1, * from new_rows)",
};

/** Lets each statement on a table carry its changes over; `placed` are the changed rows with their places. */
async function carryOver(db: Kysely<unknown>, table: string, placed: string, steps: (changed: string) => string[]): Promise<void> {
  for (const [event, changed] of Object.entries(events)) {
    const body = `
      begin
        if not exists (select from ${event === "delete" ? "old_rows" : "new_rows"}) then return null; end if;
        ${steps(placed.replace("changed", `${changed} as changed`)).join(";")};
        return null;
      end`;
    await sql`create or replace function ${sql.ref(`${table}_${event}_for_places`)}() returns trigger language plpgsql as ${sql.lit(body)}`.execute(db);
  }
}
