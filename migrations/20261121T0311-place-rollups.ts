import { type Kysely, sql } from "kysely";

/**
 * Roll-ups by place, so that a chart of the nation costs as few rows as one of a district, however many facilities and
 * assessments there are. `place_answer_rollup` sums what the facilities of a place reported in a period, `place_count_rollup`
 * counts them by a value (library versions; computers by cores and by width), and assessments by day.
 *
 * A place is a province (district 0), a district, and either of them for one partner (0: whoever the partner is). The nation is
 * the sum of the provinces, so that not every save in the country waits for the same row.
 *
 * Each facility's row carries its place, and triggers carry every change of such rows over, by what they were and what they
 * became: no way of writing can forget it. A facility that moves takes its rows along. Whoever changes counts holds the province
 * until the transaction ends, before anything else of it: so no two wait for each other. All is derived; the next start counts
 * it anew.
 */
const place = "province_id integer not null, district_id integer not null, implementing_partner_id integer";
const answers = ["smart_care_functional", "primary_power", "primary_power_working", "backup_power", "backup_power_working"];
const modes = { efirst: "EFirst", efast: "EFast", elast: "ELast" };
const sums: Record<string, string> = {
  facilities: "sum(sign)",
  staff_trained: "sum(sign * staff_trained)",
  ...Object.fromEntries(answers.map((name) => [name, `sum(sign * ${name}::integer)`])),
  ...Object.fromEntries(Object.entries(modes).map(([name, mode]) => [name, `sum(sign * (functionality_status_mode = '${mode}')::integer)`])),
};
const summed = Object.keys(sums);
/** Any number that no other advisory lock of ours has. */
const provinceLock = 20_261_003;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["assessment_rollup", "tdb_rollup"]) {
    await sql`truncate ${sql.table(table)}`.execute(db);
    await sql`alter table ${sql.table(table)} ${sql.raw(place.split(", ").map((column) => `add column ${column}`).join(", "))}`.execute(db);
  }
  await sql`
    create table assessment_day_rollup (
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      day date not null,
      assessments integer not null,
      ${sql.raw(place)},
      primary key (facility_uuid, day)
    )`.execute(db);
  await sql`
    create table place_answer_rollup (
      period text not null,
      district_id integer not null,
      implementing_partner_id integer not null,
      period_start date not null,
      province_id integer not null,
      ${sql.raw(summed.map((name) => `${name} bigint not null`).join(", "))},
      primary key (period, district_id, implementing_partner_id, period_start, province_id)
    )`.execute(db);
  await sql`
    create table place_count_rollup (
      kind text not null check (kind in ('libraryVersion', 'cpuCores', 'os64Bit', 'assessments')),
      period text not null,
      district_id integer not null,
      implementing_partner_id integer not null,
      period_start date not null,
      province_id integer not null,
      param text collate "C" not null,
      value bigint not null,
      primary key (kind, period, district_id, implementing_partner_id, period_start, province_id, param)
    )`.execute(db);

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

  // PostgreSQL's own cascade would take the computers away before the rows that count them can be carried over.
  await sql`
    create function leave_rollups() returns trigger language plpgsql as
    'begin delete from tdb_rollup where tdb_uuid = old.tdb_uuid; return old; end'`.execute(db);
  await sql`create trigger tdb_leaves_rollups before delete on tdb for each row execute function leave_rollups()`.execute(db);

  const move = (table: string) => `
    update ${table} set province_id = new.province_id, district_id = new.district_id, implementing_partner_id = new.implementing_partner_id
    where facility_uuid = new.facility_uuid;`;
  const body = `begin ${["assessment_rollup", "tdb_rollup", "assessment_day_rollup"].map(move).join("")} return null; end`;
  await sql`create function move_rollups() returns trigger language plpgsql as ${sql.lit(body)}`.execute(db);
  await sql`
    create trigger facility_moves_rollups after update of province_id, district_id, implementing_partner_id on facility
    for each row when ((old.province_id, old.district_id, old.implementing_partner_id)
      is distinct from (new.province_id, new.district_id, new.implementing_partner_id))
    execute function move_rollups()`.execute(db);
  await sql`delete from setting where name = 'rollup_time_zone'`.execute(db);
}

/** The places that a facility's row counts for. */
const places = `cross join lateral (values
  (0, 0), (district_id, 0), (0, implementing_partner_id), (district_id, implementing_partner_id)) as place (district, partner)`;

const carryAnswers = (changed: string) => `
  insert into place_answer_rollup as kept (period, district_id, implementing_partner_id, period_start, province_id, ${summed.join(", ")})
  select period, place.district, place.partner, period_start, province_id, ${Object.values(sums).join(", ")}
  from ${changed} ${places} where place.partner is not null
  group by 1, 2, 3, 4, 5 having array[${Object.values(sums).join(", ")}] <> array[${summed.map(() => "0").join(", ")}]::bigint[] order by 1, 2, 3, 4, 5
  on conflict (period, district_id, implementing_partner_id, period_start, province_id)
  do update set ${summed.map((name) => `${name} = kept.${name} + excluded.${name}`).join(", ")}`;

const carryCounts = (kind: string, period: string, start: string, param: string, amount: string, from: string) => `
  insert into place_count_rollup as kept (kind, period, district_id, implementing_partner_id, period_start, province_id, param, value)
  select kind, period, place.district, place.partner, start, province_id, param, sum(amount)
  from (
    select ${kind} as kind, ${period} as period, ${start} as start, ${param} as param, ${amount} as amount,
      province_id, district_id, implementing_partner_id
    from ${from}) as counted ${places} where place.partner is not null
  group by 1, 2, 3, 4, 5, 6, 7 having sum(amount) <> 0 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (kind, period, district_id, implementing_partner_id, period_start, province_id, param)
  do update set value = kept.value + excluded.value`;

/** What rows were counts against (sign -1), what they became counts for (1). */
const events = {
  insert: { tables: "new table as new_rows", changed: "(select 1 as sign, * from new_rows)" },
  delete: { tables: "old table as old_rows", changed: "(select -1 as sign, * from old_rows)" },
  update: {
    tables: "old table as old_rows new table as new_rows",
    changed: "(select -1 as sign, * from old_rows union all select 1, * from new_rows)",
  },
};

/** Lets each statement on a table carry its changes over; `placed` are the changed rows with their places. */
async function carryOver(db: Kysely<unknown>, table: string, placed: string, steps: (changed: string) => string[]): Promise<void> {
  for (const [event, { tables, changed }] of Object.entries(events)) {
    const rows = placed.replace("changed", `${changed} as changed`);
    const action = sql.ref(`${table}_${event}_for_places`);
    const body = `
      begin
        if not exists (select from ${event === "delete" ? "old_rows" : "new_rows"}) then return null; end if;
        perform pg_advisory_xact_lock(${provinceLock}, province_id)
        from (select distinct province_id from ${rows} order by province_id) as held;
        ${steps(rows).join(";")};
        return null;
      end`;
    await sql`create function ${action}() returns trigger language plpgsql as ${sql.lit(body)}`.execute(db);
    await sql`
      create trigger ${action} after ${sql.raw(event)} on ${sql.table(table)}
      referencing ${sql.raw(tables)} for each statement execute function ${action}()`.execute(db);
  }
}
