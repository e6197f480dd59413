import { columnOf, editableNames } from "../facility/facilityFields.rules.ts";
import { changedIn, type Derived, planOnce, type SqlFunction, type Step, type Written } from "./derived.ts";

/**
 * The feed of changes: for each record the transaction that changed it last (`db/change/change.ts` reads it). Triggers
 * write it in the transaction of the change, so that no way of writing can bypass it. A new change replaces the
 * record's earlier one. An earlier one that another transaction has locked stays until the next change, so that nobody
 * waits for the feed's own rows.
 *
 * Whole rows are compared, so a new column of a watched table is in the feed from the start. The columns that are left
 * out are named here.
 *
 * A record contains names from other rows: a TDB has those of its facility, places, partner and sender. A transaction
 * that renames something also changes the records with that name, but it cannot see a record that another transaction
 * is adding. So a transaction that adds a record locks the rows with its names until it ends.
 */

/** Which columns of a row belong to the record: all except the `ignored` ones, or `only` the named ones. */
type WatchedColumns = { ignored: readonly string[] } | { only: readonly string[] };

const connectivity = [
  "connectivity_present",
  "connectivity_type_id",
  "connectivity_details",
  "mobile_coverage",
  "mobile_provider_id",
];
/** The columns of a facility that can be edited. They are the kind `facilitySettings`. */
const settingsOfFacility = ["implementing_partner_id", ...editableNames.map(columnOf)];
/**
 * Columns that are computed from others, or that belong to another kind. The present mode is computed from the
 * assessments, which are in the feed themselves.
 */
const notOfFacility = [
  "created_at",
  "updated_at",
  "version",
  "search_text",
  "name_key",
  "functionality_status_mode",
  ...connectivity,
];

/** Passwords and the time of the last sign-in are no part of a person's record. */
const notOfPerson = [
  "created_at",
  "updated_at",
  "kind",
  "last_login_at",
  "password_hash",
  "password_temporary",
  "search_text",
];
/** Columns of a download that are not part of its release. */
const notOfRelease = [
  "content_removed_at",
  "database_key",
  "description",
  "download_id",
  "file_name",
  "storage_key",
  "uploaded_at",
  "user_uuid",
];

/**
 * The tables whose rows are records, with the kinds of records of each row. One kind of each table lists the columns
 * that it ignores, so that a new column is in the feed by default.
 */
export const records: Record<string, { key: string; kinds: Record<string, WatchedColumns> }> = {
  province: { key: "province_id", kinds: { province: { ignored: [] } } },
  district: { key: "district_id", kinds: { district: { ignored: [] } } },
  implementing_partner: { key: "implementing_partner_id", kinds: { implementingPartner: { ignored: [] } } },
  app_user: { key: "user_uuid", kinds: { user: { ignored: notOfPerson } } },
  download: {
    key: "download_uuid",
    kinds: { download: { ignored: ["storage_key"] }, release: { ignored: notOfRelease } },
  },
  rollout: { key: "rollout_uuid", kinds: { rollout: { ignored: ["user_uuid"] } } },
  target: { key: "target_uuid", kinds: { target: { ignored: [] } } },
  facility: {
    key: "facility_uuid",
    kinds: {
      facility: { ignored: notOfFacility },
      facilitySettings: { only: settingsOfFacility },
      facilityConnectivity: { only: connectivity },
    },
  },
  assessment: { key: "assessment_uuid", kinds: { assessment: { ignored: [] } } },
  tdb: { key: "tdb_uuid", kinds: { tdb: { ignored: ["storage_key"] } } },
  action: { key: "action_uuid", kinds: { action: { ignored: [] } } },
};
/**
 * The condition for the rows that are records when the feed is first filled, for tables whose rows are not all records.
 */
const begins: Record<string, string> = {
  app_user: " where app_user.kind = 'person'",
  download: " where withdrawn_at is null",
};
/** Tables whose rows are part of a record of another table. */
const parts: Record<string, { of: string; kind: string }> = {
  facility_service_area: { of: "facility", kind: "facilitySettings" },
  facility_identifier: { of: "facility", kind: "facility" },
  service_area_assessment: { of: "assessment", kind: "assessment" },
  rollout_facility: { of: "rollout", kind: "rollout" },
};
/**
 * The columns of other rows that records contain, and how the records are found: by joining the table of the row
 * (`named`).
 */
const names: { table: string; key: string; columns: readonly string[]; kind: string; from: string }[] = [
  {
    table: "facility",
    key: "facility_uuid",
    columns: ["facility_name", "district_id", "province_id", "implementing_partner_id"],
    kind: "tdb",
    from: "tdb",
  },
  ...[
    ["province", "province_id"],
    ["district", "district_id"],
    ["implementing_partner", "implementing_partner_id"],
  ].flatMap(([table = "", key = ""]) => [
    { table, key, columns: ["name"], kind: "facility", from: "facility" },
    { table, key, columns: ["name"], kind: "tdb", from: `facility using (${key}) join tdb using (facility_uuid)` },
  ]),
  ...[
    ["province", "province_id"],
    ["district", "district_id"],
    ["implementing_partner", "implementing_partner_id"],
  ].map(([table = "", key = ""]) => ({ table, key, columns: ["name"], kind: "target", from: "target" })),
  { table: "app_user", key: "user_uuid", columns: ["user_name"], kind: "assessment", from: "assessment" },
  { table: "app_user", key: "user_uuid", columns: ["first_name", "surname"], kind: "tdb", from: "tdb" },
  { table: "facility", key: "facility_uuid", columns: ["facility_name"], kind: "action", from: "action" },
  {
    table: "implementing_partner",
    key: "implementing_partner_id",
    columns: ["name"],
    kind: "action",
    from: "action",
  },
  {
    table: "app_user",
    key: "user_uuid",
    columns: ["user_name"],
    kind: "action",
    from: "(select user_uuid, action_uuid from action union select closed_by, action_uuid from action) as known using (user_uuid)",
  },
];
/** The rows that a transaction locks until it ends when it adds a record. */
const holdFacilities = (rows: string) =>
  `perform hold_facilities((select array_agg(distinct facility_uuid) from ${rows}));`;
const holdUsers = (rows: string) => `perform hold_users((select array_agg(distinct user_uuid) from ${rows}));`;
const holds: Record<string, (rows: string) => string> = {
  facility: (rows) => `perform hold_places((select array_agg(facility_uuid) from ${rows}));`,
  assessment: holdUsers,
  tdb: (rows) => `${holdFacilities(rows)} ${holdUsers(rows)}`,
  action: (rows) => `${holdFacilities(rows)} ${holdUsers(rows)}
    perform from implementing_partner where implementing_partner_id in (select implementing_partner_id from ${rows}) order by implementing_partner_id for share;`,
};
const array = (values: readonly string[]) => `array[${values.map((value) => `'${value}'`).join(", ")}]`;
const rowOf = (row: string, columns: readonly string[]) => `row(${columns.map((name) => `${row}.${name}`).join(", ")})`;
/** Whether a row changed in a column that belongs to the record. */
function differs(watched: WatchedColumns): string {
  if ("only" in watched) return `${rowOf("o", watched.only)} is distinct from ${rowOf("n", watched.only)}`;
  if (watched.ignored.length === 0) return "o.* is distinct from n.*";
  return `to_jsonb(o) - ${array(watched.ignored)} is distinct from to_jsonb(n) - ${array(watched.ignored)}`;
}
const record = (what: string, kinds: readonly string[], keys: string) =>
  `perform record_changes('${what}', ${array(kinds)}, ${keys});`;
/** Whether a facility moves to other places. The transaction locks the new places, as one that adds a facility does. */
const moves =
  "(o.district_id, o.province_id, o.implementing_partner_id) is distinct from (n.district_id, n.province_id, n.implementing_partner_id)";

/**
 * What follows an update of records. It reads the changed rows once. Most updates change one kind of record; for each
 * other kind the only cost is a comparison with null.
 */
function ofUpdate(table: string, written: Written): string {
  const { key, kinds } = records[table]!;
  const all = Object.keys(kinds);
  const both = (condition: string) => `o.${key} is not null and n.${key} is not null and ${condition}`;
  const found: [name: string, condition: string, step: string][] = [
    ...(table === "facility"
      ? [["moved", both(moves), "perform hold_places(touched.moved);"] as [string, string, string]]
      : []),
    // A row whose key changed is a record that was removed and another that was created.
    ["withdrawn", `n.${key} is null`, record("withdrawn", all, "touched.withdrawn")],
    ["created", `o.${key} is null`, record("created", all, "touched.created")],
    ...Object.entries(kinds).map(([kind, watched], index): [string, string, string] => [
      `changed_${index}`,
      both(differs(watched)),
      record("changed", [kind], `touched.changed_${index}`),
    ]),
  ];
  return `
    declare
      touched record;
    begin
      select ${found.map(([name, condition]) => `array_agg(${key}::text) filter (where ${condition}) as ${name}`).join(", ")}
      into touched from ${written.old} o full join ${written.new} n using (${key});
      ${found.map(([name, , step]) => `if touched.${name} is not null then ${step} end if;`).join("\n")}
    end;`;
}

/** The records of another table that rows of this one are a part of. */
function ofParts(table: string, written: Written): string {
  const { of, kind } = parts[table]!;
  const { key } = records[of]!;
  return record(
    "changed",
    [kind],
    `(
      select array_agg(${key}::text) from (select ${key} from ${written.old} union select ${key} from ${written.new}) as changed
      join ${of} using (${key}))`,
  );
}

/** The records that contain a name from a changed row. */
const ofNames = (table: string, written: Written): string =>
  names
    .filter((name) => name.table === table)
    .map(({ key, columns, kind, from }) => {
      const joined = from.includes(" using ") ? from : `${from} using (${key})`;
      return record(
        "changed",
        [kind],
        `(
      select array_agg(distinct ${records[kind]!.key}::text) from ${changedIn(written, [key, ...columns])} as named
      join ${joined})`,
      );
    })
    .join("\n");

const steps: Step[] = [
  ...Object.entries(records).flatMap(([table, { key, kinds }]): Step[] => {
    const all = Object.keys(kinds);
    const keysOf = (rows: string) => `(select array_agg(${key}::text) from ${rows})`;
    return [
      {
        table,
        on: ["insert"],
        body: (written) => `${holds[table]?.(written.new) ?? ""} ${record("created", all, keysOf(written.new))}`,
      },
      { table, on: ["delete"], body: (written) => record("withdrawn", all, keysOf(written.old)) },
      { table, on: ["update"], body: (written) => ofUpdate(table, written) },
    ];
  }),
  ...Object.keys(parts).map((table) => ({ table, body: (written: Written) => ofParts(table, written) })),
  ...[...new Set(names.map(({ table }) => table))].map((table): Step => ({
    table,
    on: ["update"],
    body: (written) => ofNames(table, written),
  })),
];

const functions: SqlFunction[] = [
  {
    name: "record_changes",
    args: "what text, kinds text[], keys text[]",
    returns: "void",
    settings: planOnce,
    // A change of a record that the transaction has already written is not written again (for example after a new
    // assessment, for its service areas). `offset 0` makes PostgreSQL look up each record by the index. Otherwise each
    // statement of a large import would read all changes that its transaction has written.
    body: `
      if keys is null then return; end if;
      if what = 'changed' then
        keys := array(
          select asked.key from unnest(keys) as asked (key) where exists (
            select from unnest(kinds) as of (kind) where not exists (
              select from (
                select changed_in, withdrawn from change where change.kind = of.kind and change.key = asked.key offset 0) as entry
              where entry.changed_in = pg_current_xact_id() and not entry.withdrawn)));
        if keys = '{}' then return; end if;
      end if;
      with replaced as (
        delete from change where ctid = any(array(
          select ctid from change where kind = any(kinds) and key = any(keys) for update skip locked))
      )
      insert into change (kind, key, created_in, withdrawn)
      select touched.kind, touched.key, coalesce(
          case when what <> 'created' then
            (select max(created_in) from change as earlier where earlier.kind = touched.kind and earlier.key = touched.key) end,
          pg_current_xact_id()), what = 'withdrawn'
      from (select kind, key from unnest(kinds) as kind cross join unnest(keys) as key) as touched;`,
  },
  {
    name: "hold_places",
    args: "facilities text[]",
    returns: "void",
    settings: planOnce,
    body: ["implementing_partner", "district", "province"]
      .map(
        (table) => `
      perform from ${table} where ${table}_id in (
        select ${table}_id from facility where facility_uuid = any(facilities)) order by ${table}_id for share;`,
      )
      .join(""),
  },
  {
    name: "hold_facilities",
    args: "facilities text[]",
    returns: "void",
    settings: planOnce,
    body: `
      perform from facility where facility_uuid = any(facilities) order by facility_uuid for no key update;
      perform hold_places(facilities);`,
  },
  {
    name: "hold_users",
    args: "users uuid[]",
    returns: "void",
    settings: planOnce,
    body: "perform from app_user where user_uuid = any(users) order by user_uuid for share;",
  },
  {
    name: "renew_changes",
    returns: "void",
    // Refills the feed from the present rows: facilities first, as other records refer to them.
    body: `
      delete from change;
      insert into change (kind, key, created_in, withdrawn)
      select kind, key, pg_current_xact_id(), false from (
        ${Object.entries(records)
          .map(
            ([table, { key, kinds }], place) =>
              `select listed.kind, ${key}::text as key, ${place} as place from ${table} cross join unnest(${array(Object.keys(kinds))}) as listed (kind)${begins[table] ?? ""}`,
          )
          .join(" union all ")}) as present order by place, key;`,
  },
];

export const feed: Derived = {
  name: "feed",
  purpose:
    "The feed of changes: for each record the transaction that changed it last. Whole rows are compared, except the columns that `db/derived/feed.ts` leaves out.",
  sources: [...Object.keys(records), ...Object.keys(parts)],
  tables: {
    change: {
      keys: ["kind", "key"],
      measures: {
        changed_in: "the transaction of its last change",
        created_in: "the transaction that added it",
        withdrawn: "it is gone",
      },
    },
  },
  functions,
  steps,
};
