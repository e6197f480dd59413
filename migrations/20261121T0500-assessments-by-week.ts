import { type Kysely, sql } from "kysely";

/**
 * Assessments by place are counted by week (from Monday), too: the sheet of the last three months reads whole weeks, and days only
 * at the ends of its spans, a third of the rows. The triggers are those of place-stripes, but for the weeks; those of the days
 * that are counted already are added up here, so nothing has to be counted anew.
 */
const key = "kind, period, district_id, implementing_partner_id, period_start, province_id, param, stripe";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever saves waits, and then counts by the new triggers.
  await sql`lock table assessment_day_rollup in exclusive mode`.execute(db);
  for (const [event, changed] of Object.entries(events)) {
    const body = `
      begin
        if not exists (select from ${event === "delete" ? "old_rows" : "new_rows"}) then return null; end if;
        ${carry(changed)};
        return null;
      end`;
    const action = sql.ref(`assessment_day_rollup_${event}_for_places`);
    await sql`create or replace function ${action}() returns trigger language plpgsql as ${sql.lit(body)}`.execute(db);
  }
  await sql`
    insert into place_count_rollup (${sql.raw(key)}, value)
    select kind, 'week', district_id, implementing_partner_id, date_trunc('week', period_start::timestamp)::date as week, province_id, param, stripe,
      sum(value)
    from place_count_rollup where kind = 'assessments' and period = 'day'
    group by kind, district_id, implementing_partner_id, week, province_id, param, stripe having sum(value) <> 0
    order by kind, district_id, implementing_partner_id, week, province_id`.execute(db);
}

/** What rows were counts against (sign -1), what they became counts for (1). */
const events = {
  insert: "select 1 as sign, * from new_rows",
  delete: "select -1 as sign, * from old_rows",
  update: "select -1 as sign, * from old_rows union all select 1, * from new_rows",
};

/**
 * Adds changed rows to the day and the week of each place that they count for, in a stripe of their province. They are in the key's
 * order, so that what a rebuild leaves lies together as it is read.
 */
const carry = (changed: string) => `
  with changes as materialized (
    select 'assessments' as kind, of.period, place.district as district_id, place.partner as implementing_partner_id,
      of.period_start, province_id, '' as param, sum(sign * assessments) as value
    from (${changed}) as changed
    cross join lateral (values ('day', day), ('week', date_trunc('week', day::timestamp)::date)) as of (period, period_start)
    cross join lateral (values
      (0, 0), (district_id, 0), (0, implementing_partner_id), (district_id, implementing_partner_id)) as place (district, partner)
    where place.partner is not null
    group by 2, 3, 4, 5, 6 having sum(sign * assessments) <> 0),
  taken as materialized (
    select province_id, take_stripe(province_id) as stripe
    from (select distinct province_id from changes order by province_id) as touched)
  insert into place_count_rollup as kept (${key}, value)
  select ${key}, value from changes join taken using (province_id) order by ${key}
  on conflict (${key}) do update set value = kept.value + excluded.value`;
