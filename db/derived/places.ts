import { type RawBuilder, sql } from "kysely";

import { type Derived, placeColumns, type SqlFunction, type Step, type Written } from "./derived.ts";
import { countedAnswers } from "./latest.ts";
import { isBroken } from "./state.ts";

/**
 * Counts by place: sums of the rows by facility, so that a chart of the nation reads as few rows as one of a district.
 * A place is a province (district 0) or a district, for one partner or for all (partner 0). There is no row for the
 * nation, which is the sum of the provinces: all saves in the country would wait for it.
 *
 * Triggers subtract the old values of a row and add the new ones, so that no way of writing can bypass them. Each
 * figure is divided into several rows (stripes), so that transactions can change it at the same time. Its value is the
 * sum over all stripes; a single stripe may be negative.
 */

const stripes = 4;
/** The number of an advisory lock. No other advisory lock of the product has it. */
const provinceLock = 20_261_003;

/**
 * A transaction that changes counts takes the first free stripe of the province. It waits only if other transactions
 * hold all of them.
 */
const takeStripe: SqlFunction = {
  name: "take_stripe",
  args: "province integer",
  returns: "integer",
  body: `
    for stripe in 0..${stripes - 1} loop
      if pg_try_advisory_xact_lock(${provinceLock}, province * ${stripes} + stripe) then return stripe; end if;
    end loop;
    perform pg_advisory_xact_lock(${provinceLock}, province * ${stripes});
    return 0;`,
};
/** Locks all stripes of a province until the transaction ends. */
const holdProvince = (province: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select pg_advisory_xact_lock(${sql.lit(provinceLock)}, id * ${sql.lit(stripes)} + stripe)
  from unnest(${province}::integer[]) as id cross join generate_series(0, ${sql.lit(stripes - 1)}) as stripe order by id, stripe`;

type Count = {
  into: string;
  /** rows by facility, each with its place */
  of: string;
  /** a table that the rows are joined with, and the common column */
  with?: { table: string; using: string };
  /** a lateral join that turns one row into several */
  each?: string;
  where?: string;
  keys: Readonly<Record<string, string>>;
  sums: Readonly<Record<string, string>>;
};

const period = { period: "period", period_start: "period_start" };
const ofEach = { kind: "of.kind", period: "of.period", period_start: "of.period_start", param: "of.param" };
const modes = {
  efirst: "EFirst",
  efast: "EFast",
  elast: "ELast",
  partial: "Partial",
  not_deployed: "NotDeployed",
  not_operational: "NotOperational",
};

/**
 * A row of `facility_state` is valid from the end of one quarter until the end of another. Sums by quarter hold
 * differences: the row is added in the first quarter and subtracted in the second. Today's sum has a separate row
 * (infinity), so that the sum of a recent quarter is computed backwards from it, from few rows.
 */
const comesAndGoes = `(values (case when until is null then date 'infinity' end, 1), (period_start, 1), (until, -1)) as of (period_start, times)`;
const times = (condition: string) => `of.times * (${condition})::integer`;

/** Everything that is counted by place. A new measure is a line here and a column in a migration. */
const counts: Count[] = [
  {
    into: "place_answer_rollup",
    of: "assessment_rollup",
    keys: period,
    sums: {
      facilities: "1",
      assessments: "assessments",
      staff_trained: "staff_trained",
      ...countedAnswers,
      ...Object.fromEntries(
        Object.entries(modes).map(([name, mode]) => [name, `(functionality_status_mode = '${mode}')::integer`]),
      ),
    },
  },
  {
    into: "place_count_rollup",
    of: "assessment_rollup",
    where: "btrim(library_version) <> ''",
    keys: { kind: "'libraryVersion'", ...period, param: "btrim(library_version)" },
    sums: { value: "1" },
  },
  {
    into: "place_count_rollup",
    of: "assessment_day_rollup",
    each: "(values ('day', day), ('week', date_trunc('week', day::timestamp)::date)) as of (period, period_start)",
    keys: { kind: "'assessments'", period: "of.period", period_start: "of.period_start", param: "''" },
    sums: { value: "assessments" },
  },
  {
    into: "place_tdb_rollup",
    of: "tdb_rollup",
    keys: period,
    sums: { facilities: "1", tdbs: "tdbs", deltas: "deltas", file_size: "file_size", total_patients: "total_patients" },
  },
  {
    into: "place_count_rollup",
    of: "tdb_rollup",
    with: { table: "tdb_computer", using: "tdb_uuid" },
    each: "(values ('cpuCores', cpu_cores::text), ('os64Bit', os64_bit::text)) as of (kind, param)",
    keys: { kind: "of.kind", ...period, param: "of.param" },
    sums: { value: "computers" },
  },
  {
    into: "place_count_rollup",
    of: "tdb_silence",
    each: `(values
        ('sites', 'day', date 'infinity', case when due_day is null then coalesce(functionality_status_mode, '') else 'sent' end),
        ('due', 'day', due_day, ''),
        ('irregularTdb', 'day', irregular_day, '')) as of (kind, period, period_start, param)`,
    where: "of.period_start is not null and closed_on is null",
    keys: ofEach,
    sums: { value: "1" },
  },
  {
    into: "place_state_rollup",
    of: "facility_state",
    each: comesAndGoes,
    where: "of.period_start is not null",
    keys: { period_start: "of.period_start" },
    sums: {
      assessed: times("assessed_at is not null"),
      functional: times("smart_care_functional"),
      power: times("power_working"),
      not_recorded_functional: times("not_recorded_functional"),
      not_recorded_power: times("not_recorded_power"),
      stopped: times(isBroken("stopped")),
      lost_power: times(isBroken("lostPower")),
      expected: times("expected"),
      silent: times("expected and not in_time"),
      ...Object.fromEntries(
        Object.entries(modes).map(([name, mode]) => [
          name,
          times(`coalesce(functionality_status_mode = '${mode}', false)`),
        ]),
      ),
    },
  },
  {
    into: "place_count_rollup",
    of: "facility_state",
    each: comesAndGoes,
    where: "of.period_start is not null and library_version is not null",
    keys: { kind: "'presentVersion'", period: "'quarter'", period_start: "of.period_start", param: "library_version" },
    sums: { value: "of.times" },
  },
];

/** Adds changed rows to the counts of each of their places, each with its sign (1: a new row; -1: a former row). */
function carry(count: Count, changed: string): string {
  const { into, with: other, each, where = "true", keys, sums } = count;
  const key = [...Object.keys(keys), ...placeColumns].join(", ");
  const numbers = Array.from({ length: Object.keys(keys).length + placeColumns.length }, (_, index) => index + 1).join(
    ", ",
  );
  const names = Object.keys(sums);
  const amounts = Object.values(sums).map((amount) => `sum(sign * ${amount})`);
  const named = [
    ...Object.entries(keys),
    ["province_id", "province_id"],
    ["district_id", "place.district"],
    ["implementing_partner_id", "place.partner"],
  ];
  return `
    with changes as materialized (
      select ${named.map(([name, value]) => `${value} as ${name}`).join(", ")}, ${names.map((name, index) => `${amounts[index]} as ${name}`).join(", ")}
      from ${changed} ${other ? `join ${other.table} using (${other.using})` : ""} ${each ? `cross join lateral ${each}` : ""}
      cross join lateral (values (0, 0), (district_id, 0), (0, implementing_partner_id), (district_id, implementing_partner_id)) as place (district, partner)
      where place.partner is not null and ${where}
      group by ${numbers} having array[${amounts.join(", ")}]::numeric[] <> array[${names.map(() => "0").join(", ")}]::numeric[]),
    taken as materialized (
      select province_id, take_stripe(province_id) as stripe
      from (select distinct province_id from changes order by province_id) as touched)
    insert into ${into} as kept (${key}, stripe, ${names.join(", ")})
    select ${key}, stripe, ${names.join(", ")} from changes join taken using (province_id) order by ${key}
    on conflict (${key}, stripe) do update set ${names.map((name) => `${name} = kept.${name} + excluded.${name}`).join(", ")};`;
}

/** The changed rows with their signs: former rows are subtracted, new rows are added. */
const changed = (written: Written) =>
  `(select -1 as sign, * from ${written.old} union all select 1, * from ${written.new}) as changed`;
const watched = [...new Set(counts.map(({ of }) => of))];
const steps: Step[] = watched.map((table) => ({
  table,
  body: (written) =>
    counts
      .filter(({ of }) => of === table)
      .map((count) => carry(count, changed(written)))
      .join("\n"),
}));

const tables = [...new Set(counts.map(({ into }) => into))];
const recounted = (count: Count, provinces: RawBuilder<unknown>): RawBuilder<unknown> => {
  const [before, after] = carry(count, "#").split("#") as [string, string];
  return sql`${sql.raw(before)} (select 1 as sign, * from ${sql.table(count.of)} where province_id = any(${provinces}::integer[])) as changed ${sql.raw(after.replace(/;$/, ""))}`;
};

/** The sums of a count in one district, for each partner and for all: rows of its keys, the partner and its sums. */
const countedIn = (
  { of, with: other, each, where = "true", keys, sums }: Count,
  district: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const named = [
    ...Object.entries(keys),
    ["implementing_partner_id", "place.partner"],
    ...Object.entries(sums).map(([name, amount]) => [name, `sum(${amount})`]),
  ];
  const numbers = Array.from({ length: Object.keys(keys).length + 1 }, (_, index) => index + 1).join(", ");
  return sql`
    select ${sql.raw(named.map(([name, value]) => `${value} as ${name}`).join(", "))}
    from (select * from ${sql.table(of)} where district_id = ${district} and facility_uuid in (select facility_uuid from facility where district_id = ${district})) as counted
    ${sql.raw(`${other ? `join ${other.table} using (${other.using})` : ""} ${each ? `cross join lateral ${each}` : ""}`)}
    cross join lateral (values (0), (implementing_partner_id)) as place (partner)
    where place.partner is not null and ${sql.raw(where)} group by ${sql.raw(numbers)}`;
};

/**
 * Queries for wrong rows of a table: rows of a district that are not the sum of its rows by facility, and rows of its
 * province that are not the sum of its districts.
 */
function differencesOf(into: string, district: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const own = counts.filter((count) => count.into === into);
  const [key, names] = [[...Object.keys(own[0]!.keys), "implementing_partner_id"], Object.keys(own[0]!.sums)];
  const [keys, sums] = [sql.raw(key.join(", ")), sql.raw(names.map((name) => `sum(${name}) as ${name}`).join(", "))];
  const isOther = sql.raw(
    names.map((name) => `coalesce(kept.${name}, 0) <> coalesce(counted.${name}, 0)`).join(" or "),
  );
  const compared = (kept: RawBuilder<unknown>, counted: RawBuilder<unknown>) => sql`
    select 1 from (${kept}) as kept full join (${counted}) as counted using (${keys}) where ${isOther} limit 1`;
  const keptWhere = (condition: RawBuilder<unknown>) =>
    sql`select ${keys}, ${sums} from ${sql.table(into)} where ${condition} group by ${keys}`;
  const ofProvince = sql`province_id = (select province_id from district where district_id = ${district})`;
  return [
    compared(
      keptWhere(sql`district_id = ${district}`),
      sql`select ${keys}, ${sums} from (${sql.join(
        own.map((count) => countedIn(count, district)),
        sql` union all `,
      )}) as each group by ${keys}`,
    ),
    compared(keptWhere(sql`${ofProvince} and district_id = 0`), keptWhere(sql`${ofProvince} and district_id <> 0`)),
  ];
}

export const places: Derived = {
  name: "places",
  purpose:
    "Counts by place: what the rows by facility add up to in each province and district, for all partners (partner 0) and for each one. A figure is the sum over the stripes.",
  sources: [...new Set([...watched, ...counts.flatMap(({ with: other }) => other?.table ?? [])])],
  tables: Object.fromEntries(
    tables.map((table) => {
      const own = counts.filter(({ into }) => into === table);
      return [
        table,
        {
          keys: [...Object.keys(own[0]!.keys), ...placeColumns, "stripe"],
          measures: Object.fromEntries(
            own.map(({ of, keys }) => [
              own.length > 1 ? `value of ${keys["kind"] === "of.kind" ? of : keys["kind"]}` : "each figure",
              `summed over ${of}`,
            ]),
          ),
        },
      ];
    }),
  ),
  functions: [takeStripe],
  steps,
  recount: {
    by: "province",
    cost: { key: 0.2, record: 8e-6 },
    statements: (provinces) => [
      holdProvince(provinces),
      ...tables.map((table) => sql`delete from ${sql.table(table)} where province_id = any(${provinces}::integer[])`),
      ...counts.map((count) => recounted(count, provinces)),
    ],
    differences: (district) => tables.flatMap((table) => differencesOf(table, district)),
  },
};
