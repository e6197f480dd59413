import { type Kysely, sql } from "kysely";

/**
 * Roll-ups by place of the TDBs and of the silent sites, kept like those of the assessments (see place-stripes): triggers carry
 * over what a row by facility was and what it became, into a stripe of its province.
 *
 * `tdb_rollup` says of a facility's latest TDB of a period what it takes to find the latest of several periods, and how many there
 * are. `place_tdb_rollup`: how many facilities sent TDBs in a period, how many TDBs, and the patients of each facility's latest one.
 * `tdb_silence` now has a row for each facility, also for one that never sent, with the days that are counted: when its latest
 * TDB was made and when the last irregular one was received. `place_count_rollup` counts these rows: the sites that sent, those
 * that never did by their present mode (kind 'sites', which lies after any day), and how many there are of each day ('lastTdb',
 * 'irregularTdb').
 */
const place = ["province_id", "district_id", "implementing_partner_id"];
const kinds = ["libraryVersion", "cpuCores", "os64Bit", "assessments", "sites", "lastTdb", "irregularTdb"];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`truncate tdb_rollup, tdb_silence`.execute(db);
  await sql`
    alter table tdb_rollup add column tdb_created_at timestamptz not null, add column uploaded_at timestamptz not null,
      add column tdbs integer not null, add column total_patients integer not null`.execute(db);
  await sql`
    alter table tdb_silence
      alter column tdb_uuid drop not null, alter column tdb_created_at drop not null, alter column uploaded_at drop not null,
      drop constraint tdb_silence_tdb_uuid_fkey, add foreign key (tdb_uuid) references tdb on delete set null,
      add column made_day date, add column irregular_day date, add column functionality_status_mode text,
      add column province_id integer not null, add column district_id integer not null, add column implementing_partner_id integer
  `.execute(db);
  await sql`
    alter table place_count_rollup drop constraint place_count_rollup_kind_check,
      add constraint place_count_rollup_kind_check check (kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))}))`.execute(db);
  await sql`
    create table place_tdb_rollup (
      period text not null,
      period_start date not null,
      implementing_partner_id integer not null,
      district_id integer not null,
      province_id integer not null,
      stripe smallint not null,
      facilities bigint not null,
      tdbs bigint not null,
      total_patients bigint not null,
      primary key (period, period_start, implementing_partner_id, district_id, province_id, stripe)
    )`.execute(db);

  await carryOver(db, "tdb_rollup", "for_history", (changed) =>
    carry("place_tdb_rollup", changed, {
      keys: { period: "period", period_start: "period_start" },
      sums: { facilities: "1", tdbs: "tdbs", total_patients: "total_patients" },
    }),
  );
  await carryOver(db, "tdb_silence", "for_places", (changed) =>
    carry("place_count_rollup", `${changed} cross join lateral (values
        ('sites', 'day', date 'infinity', case when made_day is null then coalesce(functionality_status_mode, '') else 'sent' end),
        ('lastTdb', 'day', made_day, ''),
        ('irregularTdb', 'day', irregular_day, '')) as of (kind, period, period_start, param)`, {
      keys: { kind: "of.kind", period: "of.period", period_start: "of.period_start", param: "of.param" },
      sums: { value: "1" },
    }, "of.period_start is not null"),
  );

  const site = [...place, "functionality_status_mode"];
  const listed = (row: string) => site.map((column) => `${row}.${column}`).join(", ");
  const begin = `begin insert into tdb_silence (facility_uuid, ${site.join(", ")}) select facility_uuid, ${site.join(", ")} from new_rows; return null; end`;
  await sql`create function begin_site() returns trigger language plpgsql as ${sql.lit(begin)}`.execute(db);
  await sql`
    create trigger facility_begins_site after insert on facility
    referencing new table as new_rows for each statement execute function begin_site()`.execute(db);
  const follow = `begin
    update tdb_silence set (${site.join(", ")}) = row(${listed("new")}) where facility_uuid = new.facility_uuid; return null; end`;
  await sql`create function follow_facility() returns trigger language plpgsql as ${sql.lit(follow)}`.execute(db);
  await sql`
    create trigger facility_moves_site after update of ${sql.raw(site.join(", "))} on facility
    for each row when ((${sql.raw(listed("old"))}) is distinct from (${sql.raw(listed("new"))}))
    execute function follow_facility()`.execute(db);
  await sql`delete from setting where name = 'rollup_time_zone'`.execute(db);
}

/** Adds changed rows (sign 1 or -1) to the roll-up of each place that they count for; partner 0 is whoever the partner is. */
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
  const named = [...Object.entries(keys), ...Object.entries({ district_id: "place.district", implementing_partner_id: "place.partner" })];
  return `
    with changes as materialized (
      select ${named.map(([name, value]) => `${value} as ${name}`).join(", ")}, province_id,
        ${names.map((name, index) => `${amounts[index]} as ${name}`).join(", ")}
      from ${changed} cross join lateral (values
        (0, 0), (district_id, 0), (0, implementing_partner_id), (district_id, implementing_partner_id)) as place (district, partner)
      where place.partner is not null and ${where}
      group by ${numbers} having array[${amounts.join(", ")}] <> array[${names.map(() => "0").join(", ")}]::bigint[]),
    taken as materialized (
      select province_id, take_stripe(province_id) as stripe
      from (select distinct province_id from changes order by province_id) as touched)
    insert into ${table} as kept (${key}, stripe, ${names.join(", ")})
    select ${key}, stripe, ${names.join(", ")} from changes join taken using (province_id)
    on conflict (${key}, stripe) do update set ${names.map((name) => `${name} = kept.${name} + excluded.${name}`).join(", ")}`;
}

/** What rows were counts against, what they became counts for. */
const events = {
  insert: { tables: "new table as new_rows", changed: "(select 1 as sign, * from new_rows) as changed" },
  delete: { tables: "old table as old_rows", changed: "(select -1 as sign, * from old_rows) as changed" },
  update: {
    tables: "old table as old_rows new table as new_rows",
    changed: "(select -1 as sign, * from old_rows union all select 1, * from new_rows) as changed",
  },
};

/** Lets each statement on a table carry its changes over. */
async function carryOver(db: Kysely<unknown>, table: string, what: string, step: (changed: string) => string): Promise<void> {
  for (const [event, { tables, changed }] of Object.entries(events)) {
    const action = sql.ref(`${table}_${event}_${what}`);
    const body = `
      begin
        if not exists (select from ${event === "delete" ? "old_rows" : "new_rows"}) then return null; end if;
        ${step(changed)};
        return null;
      end`;
    await sql`create function ${action}() returns trigger language plpgsql as ${sql.lit(body)}`.execute(db);
    await sql`
      create trigger ${action} after ${sql.raw(event)} on ${sql.table(table)}
      referencing ${sql.raw(tables)} for each statement execute function ${action}()`.execute(db);
  }
}
