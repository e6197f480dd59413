import { type RawBuilder, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { isCounted } from "../list/counted.ts";
import { changedIn, type Derived, placeColumns } from "./derived.ts";

/**
 * What is irregular about each TDB, and the latest TDB of each facility (null if it never sent one). The transaction
 * that receives a TDB keeps both up to date, so that a reader does not have to read the history. A recount gives the
 * same rows, in whatever order the TDBs arrived.
 *
 * A delta is without a base when no full TDB of its facility was made before it; its creation date went back when a TDB
 * that was made later had been received before; its client count went back when a TDB that was made before counted
 * more. "Made before" is by creation, then receipt. TDBs that were set aside or are held are left out.
 */

const madeOf = (tdb: string) =>
  sql`(${sql.ref(`${tdb}.tdbCreatedAt`)}, ${sql.ref(`${tdb}.uploadedAt`)}, ${sql.ref(`${tdb}.tdbUuid`)})`;
const receivedOf = (tdb: string) => sql`(${sql.ref(`${tdb}.uploadedAt`)}, ${sql.ref(`${tdb}.tdbUuid`)})`;

/** Inserts the irregularities that the rows of `judged` have. */
const found = (judged: RawBuilder<unknown>) => sql`
  insert into tdb_irregularity (tdb_uuid, kind, facility_uuid, uploaded_at)
  select tdb_uuid, kind, facility_uuid, uploaded_at
  from (${judged}) as judged cross join lateral (values
    ('deltaWithoutBase', without_base), ('creationBack', creation_back), ('clientsBack', clients_back)) as irregular (kind, is_so)
  where is_so`;

/** All TDBs of some facilities, each compared with those before it. It sorts them twice: by creation and by receipt. */
const judgedByAll = (facilities: RawBuilder<unknown>) => sql`
  select tdb_uuid, facility_uuid, uploaded_at,
    delta and bool_or(not delta) over made is not true as without_base,
    max(tdb_created_at) over received > tdb_created_at as creation_back,
    max(total_patients) over made > total_patients as clients_back
  from tdb where facility_uuid = any(${facilities}::text[]) and ${isCounted("tdb")}
  window
    made as (partition by facility_uuid order by tdb_created_at, uploaded_at, tdb_uuid rows between unbounded preceding and 1 preceding),
    received as (partition by facility_uuid order by uploaded_at, tdb_uuid rows between unbounded preceding and 1 preceding)`;

/**
 * The TDBs whose irregularities may change when a TDB is added: itself, those made after it and those received after
 * it. Nearly every TDB is the latest in both orders when it arrives; then only itself is affected.
 */
const affectedBy = (tdbUuid: string) => sql`(
  select affected.* from tdb as added cross join lateral (
    select tdb.* from tdb where tdb.tdb_uuid = added.tdb_uuid
    union select tdb.* from tdb where tdb.facility_uuid = added.facility_uuid and ${madeOf("tdb")} > ${madeOf("added")}
    union select tdb.* from tdb where tdb.facility_uuid = added.facility_uuid and ${receivedOf("tdb")} > ${receivedOf("added")}
  ) as affected
  where added.tdb_uuid = ${tdbUuid} and ${isCounted("affected")})`;

/**
 * The same as `judgedByAll` for few TDBs: each check is one lookup in an index. `offset 0` makes PostgreSQL use the
 * index in which there is nothing to read if nothing is irregular; with the other index it would read all earlier TDBs.
 */
const judgedByProbes = (tdbs: RawBuilder<unknown>) => sql`
  select it.tdb_uuid, it.facility_uuid, it.uploaded_at,
    it.delta and not exists (
      select from tdb as base
      where base.facility_uuid = it.facility_uuid and ${isCounted("base")} and not base.delta and ${madeOf("base")} < ${madeOf("it")}) as without_base,
    exists (
      select from (
        select uploaded_at, tdb_uuid from tdb as other
        where other.facility_uuid = it.facility_uuid and ${isCounted("other")} and other.tdb_created_at > it.tdb_created_at offset 0) as newer
      where ${receivedOf("newer")} < ${receivedOf("it")}) as creation_back,
    exists (
      select from (
        select tdb_created_at, uploaded_at, tdb_uuid from tdb as other
        where other.facility_uuid = it.facility_uuid and ${isCounted("other")} and other.total_patients > it.total_patients offset 0) as fuller
      where ${madeOf("fuller")} < ${madeOf("it")}) as clients_back
  from ${tdbs} as it`;

/**
 * The name of the database setting with the number of days within which the next TDB is expected. The start writes
 * TDB_RHYTHM_DAYS to it.
 */
export const rhythmSetting = "tdb_rhythm_days";
/**
 * SQL for the last day on which a facility's next TDB is in time, from SQL for the day on which its latest one was
 * made. This defines "overdue".
 */
export const dueDay = (madeDay: string) =>
  `${madeDay} + (select value::integer from setting where name = '${rhythmSetting}')`;

/**
 * The columns of a facility's row that a new TDB changes. Triggers copy the other columns (places, partner, mode,
 * closing day) from the facility.
 */
const judgement = [
  "tdb_uuid",
  "tdb_created_at",
  "uploaded_at",
  "due_day",
  "delta_without_base_at",
  "creation_back_at",
  "clients_back_at",
  "irregular_day",
];
const site = [...placeColumns, "functionality_status_mode", "closed_on"];
const list = (names: readonly string[], of = "") => sql.raw(names.map((name) => of + name).join(", "));

/**
 * Writes the latest TDB and the last irregular receipts of some facilities; nulls for a facility that never sent one.
 */
const latest = (facilities: RawBuilder<unknown>) => sql`
  insert into tdb_silence as kept (facility_uuid, ${list(site)}, ${list(judgement)})
  select facility_uuid, ${list(site)},
    it.tdb_uuid, it.tdb_created_at, it.uploaded_at, ${sql.raw(dueDay("it.tdb_created_at::date"))}, irregular.*,
    greatest(irregular.delta_without_base_at, irregular.creation_back_at, irregular.clients_back_at)::date
  from facility left join lateral (
    select * from tdb where tdb.facility_uuid = facility.facility_uuid and ${isCounted("tdb")}
    order by tdb_created_at desc, uploaded_at desc, tdb_uuid desc limit 1) as it using (facility_uuid)
  cross join lateral (select ${sql.join(
    Object.entries({
      deltaWithoutBase: "delta_without_base_at",
      creationBack: "creation_back_at",
      clientsBack: "clients_back_at",
    }).map(
      ([kind, column]) => sql`(
        select max(found.uploaded_at) from tdb_irregularity as found
        where found.facility_uuid = facility.facility_uuid and found.kind = ${sql.lit(kind)}) as ${sql.raw(column)}`,
    ),
  )}) as irregular
  where facility_uuid = any(${facilities}::text[])
  on conflict (facility_uuid) do update set (${list([...site, ...judgement])}) = (select ${list([...site, ...judgement], "excluded.")})
  where kept.* is distinct from excluded.*`;

const only = (facilityUuid: string) => sql`array[${facilityUuid}]`;
/** Statements that find all irregularities of some facilities again. */
const judgedAgain = (facilities: RawBuilder<unknown>) => [
  sql`delete from tdb_irregularity where facility_uuid = any(${facilities}::text[])`,
  found(judgedByAll(facilities)),
];

/**
 * Updates what is irregular about a facility's TDBs: after one was added (`tdbUuid`) those that it may affect,
 * otherwise (one was removed, set aside or restored) all. Call it in the transaction of that change, after it. That
 * transaction has locked the facility (`lockFacility`), so that nobody else can add a TDB meanwhile.
 */
export async function refreshTdbSilence(
  handle: Handle,
  { facilityUuid, tdbUuid }: { facilityUuid: string; tdbUuid?: string },
): Promise<void> {
  if (tdbUuid === undefined) {
    for (const statement of judgedAgain(only(facilityUuid))) await statement.execute(handle);
  } else {
    const affected = affectedBy(tdbUuid);
    await sql`delete from tdb_irregularity where tdb_uuid in (select affected.tdb_uuid from ${affected} as affected)`.execute(
      handle,
    );
    await found(judgedByProbes(affected)).execute(handle);
  }
  await latest(only(facilityUuid)).execute(handle);
}

export const silence: Derived = {
  name: "silence",
  purpose:
    "What is irregular about each TDB, and a row for each facility, also one that never sent: its latest TDB, the last day on which the next one is in time, and when irregular ones were received.",
  sources: ["tdb", "facility"],
  tables: {
    tdb_irregularity: { keys: ["tdb_uuid", "kind"], measures: { uploaded_at: "when the TDB was received" } },
    tdb_silence: {
      keys: ["facility_uuid"],
      measures: {
        tdb_uuid: "the latest TDB by creation, then receipt; null where none was ever sent",
        due_day: "the last day on which the next TDB is in time; a facility is overdue after it",
        irregular_day: "the day of the last irregular receipt, of any kind",
      },
    },
  },
  steps: [
    {
      table: "facility",
      on: ["insert"],
      body: (written) =>
        `insert into tdb_silence (facility_uuid, ${site.join(", ")}) select facility_uuid, ${site.join(", ")} from ${written.new};`,
    },
    {
      table: "facility",
      on: ["update"],
      body: (written) => `
        update tdb_silence kept set ${site.map((name) => `${name} = moved.${name}`).join(", ")}
        from ${changedIn(written, ["facility_uuid", ...site])} as moved where kept.facility_uuid = moved.facility_uuid;`,
    },
  ],
  recount: {
    by: "facility",
    cost: { key: 0.002, record: 0 },
    statements: (facilities) => [...judgedAgain(facilities), latest(facilities)],
  },
};
