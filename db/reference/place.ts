import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { undoDays } from "../registry/registry.ts";

/** Provinces, districts and implementing partners: their table and key. */

const tables = {
  province: { table: "province", id: "province_id" },
  district: { table: "district", id: "district_id" },
  implementingPartner: { table: "implementing_partner", id: "implementing_partner_id" },
} as const;
type PlaceKind = keyof typeof tables;

type PlaceRow = {
  kind: PlaceKind;
  id: number;
  name: string;
  /** of a district; else null */
  provinceId: number | null;
  province: string | null;
  closedOn: string | null;
  version: number;
};
/** How many rows depend on a place or partner. */
export type PlaceHoldings = {
  districts: number;
  openFacilities: number;
  closedFacilities: number;
  people: number;
  serviceAccounts: number;
  undoableMerges: number;
};
type Of = { kind: PlaceKind; id: number };

const named = ({ kind }: { kind: PlaceKind }) => ({
  table: sql.table(tables[kind].table),
  id: sql.ref(tables[kind].id),
});
/** Whether a place is open. A partner that is not active is closed, also if the day is not known. */
const stateOf = (kind: PlaceKind) =>
  kind === "implementingPartner" ? sql`place.active` : sql`place.closed_on is null`;
const rowOf = (kind: PlaceKind) => sql`
  ${kind}::text as kind, place.${named({ kind }).id} as id, place.name, place.closed_on, place.version, ${stateOf(kind)} as is_open,
  ${kind === "district" ? sql`place.province_id, (select name from province where province_id = place.province_id)` : sql`null::integer as province_id, null::text`} as province`;

export type Place = PlaceRow & { isOpen: boolean };
export type CountedPlace = Place & PlaceHoldings;

/**
 * All places of a kind by name, closed ones too, with the numbers of rows that depend on each. Each table is read once
 * for all places.
 */
export async function listPlaces(
  handle: Handle,
  { kind, id }: { kind: PlaceKind; id?: number },
): Promise<CountedPlace[]> {
  const { table, id: key } = named({ kind });
  const zero = sql`(select null::integer as id, 0 as n where false)`;
  const per = (from: string) =>
    sql`(select ${key} as id, count(*)::integer as n from ${sql.table(from)} where ${key} is not null group by 1)`;
  const joined = (from: ReturnType<typeof per>, alias: string) =>
    sql`left join ${from} as ${sql.ref(alias)} on ${sql.ref(`${alias}.id`)} = place.${key}`;
  const { rows } = await sql<CountedPlace>`
    select ${rowOf(kind)}, coalesce(districts.n, 0) as districts, coalesce(sites.open, 0) as open_facilities, coalesce(sites.closed, 0) as closed_facilities,
      coalesce(people.n, 0) as people, coalesce(accounts.n, 0) as service_accounts, coalesce(merges.n, 0) as undoable_merges
    from ${table} as place
    ${joined(kind === "province" ? per("district") : zero, "districts")}
    left join (select ${key} as id, count(*) filter (where closed_on is null)::integer as open, count(closed_on)::integer as closed from facility group by 1) as sites on sites.id = place.${key}
    ${joined(kind === "implementingPartner" ? per("app_user") : zero, "people")}
    ${joined(per("service_account"), "accounts")}
    ${joined(
      sql`(
      select (facility ->> ${tables[kind].id})::integer as id, count(*)::integer as n from facility_merge where current_date <= merged_at::date + ${undoDays}::integer group by 1)`,
      "merges",
    )}
    where ${id === undefined ? sql`true` : sql`place.${key} = ${id}`}
    order by place.name, place.${key}`.execute(handle);
  return rows;
}

/**
 * One place or partner. `hold` locks its row until the transaction ends: `update` to change it, `share` to rely on it.
 */
export async function findPlace(
  handle: Handle,
  { kind, id, hold }: Of & { hold?: "update" | "share" },
): Promise<Place | undefined> {
  const { table, id: key } = named({ kind });
  const { rows } = await sql<Place>`
    select ${rowOf(kind)} from ${table} as place where place.${key} = ${id} ${hold ? sql.raw(`for ${hold}`) : sql``}`.execute(
    handle,
  );
  return rows[0];
}

/** Locks a district and its province (shared) and returns them; undefined if there is no such district. */
export async function lockPlacesOf(
  handle: Handle,
  { districtId }: { districtId: number },
): Promise<{ district: Place; province: Place } | undefined> {
  const district = await findPlace(handle, { kind: "district", id: districtId, hold: "share" });
  return (
    district && {
      district,
      province: (await findPlace(handle, { kind: "province", id: district.provinceId!, hold: "share" }))!,
    }
  );
}

type Named = { kind: PlaceKind; name: string; provinceId: number | null };

/**
 * Another place or partner with this name, ignoring case, accents and punctuation; for a district, one in its province.
 * An advisory lock until the transaction ends makes other callers wait, so that two transactions cannot take the same
 * name.
 */
export async function findNamesake(
  handle: Handle,
  { kind, id, name, provinceId }: Named & { id: number | null },
): Promise<Place | undefined> {
  const { table, id: key } = named({ kind });
  await sql`select pg_advisory_xact_lock(hashtext('names of places'))`.execute(handle);
  const { rows } = await sql<Place>`
    select ${rowOf(kind)} from ${table} as place
    where search_key(place.name) = search_key(${name}) and place.${key} is distinct from ${id}::integer ${kind === "district" ? sql`and place.province_id = ${provinceId}` : sql``}`.execute(
    handle,
  );
  return rows[0];
}

/** Inserts a place or partner. Returns its id. */
export async function insertPlace(handle: Handle, { kind, name, provinceId }: Named): Promise<number> {
  const { table, id: key } = named({ kind });
  const within = kind === "district" ? [sql`, province_id`, sql`, ${provinceId}`] : [sql``, sql``];
  const { rows } = await sql<{
    id: number;
  }>`insert into ${table} (name ${within[0]}) values (${name} ${within[1]}) returning ${key} as id`.execute(handle);
  return rows[0]!.id;
}

/** Locks the districts of a province. Returns their ids. */
export async function lockDistrictsOf(handle: Handle, { id }: Of): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select district_id as id from district where province_id = ${id} order by district_id for update`.execute(handle);
  return rows.map((row) => row.id);
}

/**
 * Moves parts of a place or partner to a new one: ids of districts if it is a province, else uuids of facilities.
 * Rollouts for the old one are extended to the new one, so that they still cover all sites. The caller has locked all
 * rows.
 */
export async function updateParts(
  handle: Handle,
  { kind, id, into, parts }: Of & { into: number; parts: readonly (number | string)[] },
): Promise<void> {
  const { table, id: key } = named({ kind });
  await (
    kind === "province"
      ? sql`update district set province_id = ${into}, version = version + 1 where district_id = any(${parts}::integer[])`
      : sql`update facility set ${key} = ${into}, version = version + 1, updated_at = now() where facility_uuid = any(${parts}::text[])`
  ).execute(handle);
  await sql`update ${table} set version = version + 1 where ${key} = ${id}`.execute(handle);
  const scope = sql.ref(`${tables[kind].id}s`);
  await sql`update rollout set ${scope} = ${scope} || ${into}::integer where ended_at is null and ${id} = any(${scope})`.execute(
    handle,
  );
}

/** Locks the facilities of a place or partner in the order of their uuids. Returns the uuids. */
export async function lockFacilitiesOf(handle: Handle, { kind, id }: Of): Promise<string[]> {
  const { rows } = await sql<{ facilityUuid: string }>`
    select facility_uuid from facility where ${named({ kind }).id} = ${id} order by facility_uuid for no key update`.execute(
    handle,
  );
  return rows.map(({ facilityUuid }) => facilityUuid);
}

/** The latest day on which a facility of the place was closed; null if none was. */
export async function findLastClosing(handle: Handle, { kind, id }: Of): Promise<string | null> {
  const { rows } = await sql<{
    day: string | null;
  }>`select max(closed_on) as day from facility where ${named({ kind }).id} = ${id}`.execute(handle);
  return rows[0]!.day;
}

export async function updatePlaceName(handle: Handle, { kind, id, name, provinceId }: Named & Of): Promise<void> {
  const { table, id: key } = named({ kind });
  const moved = kind === "district" ? sql`, province_id = ${provinceId}` : sql``;
  await sql`update ${table} set name = ${name}, version = version + 1 ${moved} where ${key} = ${id}`.execute(handle);
}

/** Closes a place or partner from a day on, or (null) opens it again. */
export async function updatePlaceClosing(
  handle: Handle,
  { kind, id, closedOn }: Of & { closedOn: string | null },
): Promise<void> {
  const { table, id: key } = named({ kind });
  const state = kind === "implementingPartner" ? sql`, active = ${closedOn === null}` : sql``;
  await sql`update ${table} set closed_on = ${closedOn}, version = version + 1 ${state} where ${key} = ${id}`.execute(
    handle,
  );
}

/** Deletes a place or partner. The caller has checked that nothing depends on it. */
export async function deletePlace(handle: Handle, { kind, id }: Of): Promise<void> {
  const { table, id: key } = named({ kind });
  await sql`delete from ${table} where ${key} = ${id}`.execute(handle);
}
