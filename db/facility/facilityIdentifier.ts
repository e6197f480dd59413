import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { builtInSystems, type IdentifierSystem } from "./identifierSystems.rules.ts";
import { anyOf } from "../list/keys.ts";

/** The identifiers under which other systems know facilities. */

/**
 * An identifier of a facility, with the first day (null: not known) and the last day (null: still in use) of its use.
 */
export type Identifier = { system: string; value: string; from: string | null; until: string | null };

/** The systems that administrators added, by their technical name (`system`). */
export const listAddedSystems = (handle: Handle): Promise<IdentifierSystem[]> =>
  handle.selectFrom("identifierSystem").select(["system", "name", "pattern", "isUnique"]).orderBy("system").execute();

export async function insertSystem(handle: Handle, system: IdentifierSystem): Promise<void> {
  await handle.insertInto("identifierSystem").values(system).execute();
}

export async function updateSystem(handle: Handle, { system, ...values }: IdentifierSystem): Promise<void> {
  await handle.updateTable("identifierSystem").set(values).where("system", "=", system).execute();
  await handle
    .updateTable("facilityIdentifier")
    .set({ isUnique: values.isUnique })
    .where("system", "=", system)
    .where("isUnique", "!=", values.isUnique)
    .execute();
}

export async function deleteSystem(handle: Handle, { system }: { system: string }): Promise<void> {
  await handle.deleteFrom("identifierSystem").where("system", "=", system).execute();
}

/** How many facilities have an identifier of a system. */
export async function countOfSystem(handle: Handle, { system }: { system: string }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct facility_uuid)::integer as count from facility_identifier where system = ${system}`.execute(
    handle,
  );
  return rows[0]!.count;
}

/** The identifiers of a system with the facilities that have them. */
export const listOfSystem = (handle: Handle, { system }: { system: string }): Promise<(Holder & { value: string })[]> =>
  handle
    .selectFrom("facilityIdentifier")
    .innerJoin("facility", "facility.facilityUuid", "facilityIdentifier.facilityUuid")
    .select(["facility.facilityUuid", "facility.facilityName", "value"])
    .where("system", "=", system)
    .orderBy("value")
    .execute();

const order = sql<number>`array_position(${sql.val(builtInSystems.map(({ system }) => system))}::text[], facility_identifier.system)`;

/** The identifiers of several facilities: those of built-in systems first, those in use before former ones. */
export const listIdentifiers = (handle: Handle, { facilityUuids }: { facilityUuids: readonly string[] }) =>
  handle
    .selectFrom("facilityIdentifier")
    .select(["facilityUuid", "system", "value", "validFrom as from", "validUntil as until"])
    .where("facilityUuid", "=", anyOf(facilityUuids, "text"))
    .orderBy(order)
    .orderBy("system")
    .orderBy(sql`valid_until is not null`)
    .orderBy("value")
    .execute();

/** The identifiers of the query's facility in the same order, as one JSON array. */
export const identifiersAsJson = sql<Identifier[]>`(
  select coalesce(json_agg(json_build_object('system', system, 'value', value, 'from', valid_from, 'until', valid_until)
    order by ${order}, system, valid_until is not null, value), '[]')
  from facility_identifier where facility_identifier.facility_uuid = facility.facility_uuid)`;

type Holder = { facilityUuid: string; facilityName: string };

/** The facilities that have exactly this identifier; those where it is in use come first. */
export async function listHolders(
  handle: Handle,
  { system, value }: { system?: string | null; value: string },
): Promise<Holder[]> {
  let found = handle
    .selectFrom("facilityIdentifier")
    .innerJoin("facility", "facility.facilityUuid", "facilityIdentifier.facilityUuid")
    .select(["facility.facilityUuid", "facility.facilityName"])
    .where("value", "=", value)
    .orderBy(sql`valid_until is not null`)
    .orderBy("validUntil", "desc")
    .orderBy("facility.facilityUuid")
    .limit(sql.lit(100));
  if (system != null) found = found.where("system", "=", system);
  return found.execute();
}

type Taken = Holder & { system: string; value: string };

/** Which of these identifiers other facilities use now. Only unique systems are checked. */
export async function listTaken(
  handle: Handle,
  {
    facilityUuid,
    identifiers,
  }: { facilityUuid: string | null; identifiers: readonly Pick<Identifier, "system" | "value">[] },
): Promise<Taken[]> {
  const { rows } = await sql<Taken>`
    select i.system, i.value, facility_uuid, facility_name
    from unnest(${identifiers.map(({ system }) => system)}::text[], ${identifiers.map(({ value }) => value)}::text[]) as asked (system, value)
    join facility_identifier i using (system, value) join facility using (facility_uuid)
    where i.is_unique and i.valid_until is null and facility_uuid is distinct from ${facilityUuid}`.execute(handle);
  return rows;
}

export type StoredIdentifier = Identifier & { facilityUuid: string; isUnique: boolean };

/** Adds identifiers, or changes the days of existing ones. Rows that would not change are not written. */
export async function upsertIdentifiers(
  handle: Handle,
  { identifiers }: { identifiers: readonly StoredIdentifier[] },
): Promise<void> {
  if (identifiers.length === 0) return;
  await sql`
    insert into facility_identifier as kept (facility_uuid, system, value, valid_from, valid_until, is_unique)
    select "facilityUuid", system, value, "from", until, "isUnique"
    from jsonb_to_recordset(${JSON.stringify(identifiers)}::jsonb)
      as given ("facilityUuid" text, system text, value text, "from" date, until date, "isUnique" boolean)
    on conflict (facility_uuid, system, value) do update
      set valid_from = excluded.valid_from, valid_until = excluded.valid_until, is_unique = excluded.is_unique
      where (kept.valid_from, kept.valid_until, kept.is_unique) is distinct from (excluded.valid_from, excluded.valid_until, excluded.is_unique)`.execute(
    handle,
  );
}

/** Removes all identifiers of a facility but these. */
export async function deleteOtherIdentifiers(
  handle: Handle,
  { facilityUuid, identifiers }: { facilityUuid: string; identifiers: readonly Pick<Identifier, "system" | "value">[] },
): Promise<void> {
  await sql`
    delete from facility_identifier where facility_uuid = ${facilityUuid} and (system, value) not in (
      select * from unnest(${identifiers.map(({ system }) => system)}::text[], ${identifiers.map(({ value }) => value)}::text[]))`.execute(
    handle,
  );
}

/** Every identifier of every facility, for comparing a whole list with the registry. */
export async function listAllIdentifiers(handle: Handle): Promise<(Identifier & { facilityUuid: string })[]> {
  return handle
    .selectFrom("facilityIdentifier")
    .select(["facilityUuid", "system", "value", "validFrom as from", "validUntil as until"])
    .execute();
}
