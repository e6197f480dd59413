import { type Kysely, sql } from "kysely";

/**
 * The roll-ups count all that groups of assessments and TDBs tell: how many assessments there are and when the latest
 * one was made, all modes, the delta TDBs and the bytes. Triggers carry them over to the places as before (see
 * place-stripes and place-tdbs), whose functions are written anew here. The next start counts all anew.
 */
const place = ["province_id", "district_id", "implementing_partner_id"];
const answers = [
  "smart_care_functional",
  "primary_power",
  "primary_power_working",
  "backup_power",
  "backup_power_working",
];
const modes = {
  efirst: "EFirst",
  efast: "EFast",
  elast: "ELast",
  partial: "Partial",
  not_deployed: "NotDeployed",
  not_operational: "NotOperational",
};
const newModes = ["partial", "not_deployed", "not_operational"];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`truncate assessment_rollup, tdb_rollup, place_answer_rollup, place_tdb_rollup`.execute(db);
  await sql`alter table assessment_rollup add column assessed_at timestamptz not null, add column assessments integer not null`.execute(
    db,
  );
  await sql`alter table tdb_rollup add column deltas integer not null, add column file_size bigint not null`.execute(
    db,
  );
  await sql`
    alter table place_answer_rollup add column assessments bigint not null,
      ${sql.raw(newModes.map((name) => `add column ${name} bigint not null`).join(", "))}`.execute(db);
  await sql`alter table place_tdb_rollup add column deltas bigint not null, add column file_size bigint not null`.execute(
    db,
  );

  const period = { period: "period", period_start: "period_start" };
  await carryOver(db, "assessment_rollup", "for_places", (changed) => [
    carry("place_answer_rollup", changed, {
      keys: period,
      sums: {
        facilities: "1",
        assessments: "assessments",
        staff_trained: "staff_trained",
        ...Object.fromEntries(answers.map((name) => [name, `${name}::integer`])),
        ...Object.fromEntries(
          Object.entries(modes).map(([name, mode]) => [name, `(functionality_status_mode = '${mode}')::integer`]),
        ),
      },
    }),
    carry(
      "place_count_rollup",
      changed,
      { keys: { kind: "'libraryVersion'", ...period, param: "btrim(library_version)" }, sums: { value: "1" } },
      "btrim(library_version) <> ''",
    ),
  ]);
  await carryOver(db, "tdb_rollup", "for_history", (changed) => [
    carry("place_tdb_rollup", changed, {
      keys: period,
      sums: {
        facilities: "1",
        tdbs: "tdbs",
        deltas: "deltas",
        file_size: "file_size",
        total_patients: "total_patients",
      },
    }),
  ]);
  await sql`delete from setting where name = 'rollup_time_zone'`.execute(db);
  // Until they are counted anew their figures are wrong, so nothing is served (db/derived/recount.ts).
  await sql`
    insert into setting (name, value) select 'derived_rows_missing', 'true' where exists (select from assessment) or exists (select from tdb)`.execute(
    db,
  );
}

/**
 * Adds changed rows (sign 1 or -1) to the roll-up of each place that they count for; partner 0 is whoever the partner
 * is.
 */
function carry(
  table: string,
  changed: string,
  { keys, sums }: { keys: Record<string, string>; sums: Record<string, string> },
  where = "true",
): string {
  const key = [...Object.keys(keys), ...place].join(", ");
  const numbers = Array.from({ length: Object.keys(keys).length + place.length }, (_, index) => index + 1).join(", ");
  const names = Object.keys(sums);
  const amounts = Object.values(sums).map((amount) => `sum(sign * ${amount})`);
  const named = [
    ...Object.entries(keys),
    ...Object.entries({ district_id: "place.district", implementing_partner_id: "place.partner" }),
  ];
  return `
    with changes as materialized (
      select ${named.map(([name, value]) => `${value} as ${name}`).join(", ")}, province_id,
        ${names.map((name, index) => `${amounts[index]} as ${name}`).join(", ")}
      from ${changed} cross join lateral (values
        (0, 0), (district_id, 0), (0, implementing_partner_id), (district_id, implementing_partner_id)) as place (district, partner)
      where place.partner is not null and ${where}
      group by ${numbers} having array[${amounts.join(", ")}]::numeric[] <> array[${names.map(() => "0").join(", ")}]::numeric[]),
    taken as materialized (
      select province_id, take_stripe(province_id) as stripe
      from (select distinct province_id from changes order by province_id) as touched)
    insert into ${table} as kept (${key}, stripe, ${names.join(", ")})
    select ${key}, stripe, ${names.join(", ")} from changes join taken using (province_id)
    on conflict (${key}, stripe) do update set ${names.map((name) => `${name} = kept.${name} + excluded.${name}`).join(", ")}`;
}

/** What rows were counts against, what they became counts for. */
const events = {
  insert: "(select 1 as sign, * from new_rows) as changed",
  delete: "(select -1 as sign, * from old_rows) as changed",
  update: "(select -1 as sign, * from old_rows union all select 1, * from new_rows) as changed",
};

/** Lets each statement on a table carry its changes over: the triggers are there, their functions change. */
async function carryOver(
  db: Kysely<unknown>,
  table: string,
  what: string,
  steps: (changed: string) => string[],
): Promise<void> {
  for (const [event, changed] of Object.entries(events)) {
    const body = `
      begin
        if not exists (select from ${event === "delete" ? "old_rows" : "new_rows"}) then return null; end if;
        ${steps(changed).join(";")};
        return null;
      end`;
    await sql`create or replace function ${sql.ref(`${table}_${event}_${what}`)}() returns trigger language plpgsql as ${sql.lit(body)}`.execute(
      db,
    );
  }
}
