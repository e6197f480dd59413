import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";
import type { BulkActName, LeftOut } from "./bulk.rules.ts";

/** Acts on many sites at once. Each statement is about all sites of an act, however many they are. */

export type BulkActRow = {
  bulkActUuid: string;
  userUuid: string;
  act: BulkActName;
  /** the partner that was set */ implementingPartnerId: number | null;
  /** sites that were selected */ asked: number;
  /** of these, sites where it was done */ done: number;
  leftOut: LeftOut[];
  isUndone: boolean;
  /** 10 minutes after it was made */ undoableUntil: Date;
  isUndoable: boolean;
};

export type LockedSite = {
  facilityUuid: string;
  provinceId: number;
  districtId: number;
  implementingPartnerId: number | null;
  closedOn: string | null;
};

/**
 * Locks these facilities until the transaction ends, in the order of their uuids, and returns them in that order.
 * Unknown ones are left out.
 */
export async function lockSites(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<LockedSite[]> {
  const { rows } = await sql<LockedSite>`
    select facility_uuid, province_id, district_id, implementing_partner_id, closed_on from facility
    where facility_uuid = ${anyOf(facilityUuids, "text")} order by facility_uuid for no key update`.execute(handle);
  return rows;
}

/** Finds an act with the number of its sites. With `hold`, it is locked until the transaction ends. */
export async function findBulkAct(
  handle: Handle,
  { bulkActUuid, hold = false }: { bulkActUuid: string; hold?: boolean },
): Promise<BulkActRow | undefined> {
  const { rows } = await sql<BulkActRow>`
    select bulk_act_uuid, user_uuid, act, implementing_partner_id, asked, left_out, undone_at is not null as is_undone,
      undoable_until, undoable_until > now() as is_undoable,
      (select count(distinct facility_uuid)::integer from bulk_act_record as site where site.bulk_act_uuid = bulk_act.bulk_act_uuid) as done
    from bulk_act cross join lateral (select made_at + interval '10 minutes' as undoable_until) as term
    where bulk_act_uuid = ${bulkActUuid} ${hold ? sql`for update of bulk_act` : sql``}`.execute(handle);
  return rows[0];
}

/** A site of an act: the action or note that was stored there, or the partner that it had. */
export type BulkActRecord = { facilityUuid: string; recordUuid: string; formerPartnerId?: number | null };

/** Stores an act with its records. Acts that cannot be undone any more are removed. */
export async function insertBulkAct(
  handle: Handle,
  {
    records,
    leftOut,
    ...act
  }: Pick<BulkActRow, "bulkActUuid" | "userUuid" | "act" | "implementingPartnerId" | "asked" | "leftOut"> & {
    records: readonly BulkActRecord[];
  },
): Promise<void> {
  await sql`delete from bulk_act where made_at < now() - interval '1 day'`.execute(handle);
  await handle
    .insertInto("bulkAct")
    .values({ ...act, leftOut: JSON.stringify(leftOut) })
    .execute();
  await sql`
    insert into bulk_act_record (bulk_act_uuid, facility_uuid, record_uuid, former_partner_id)
    select ${act.bulkActUuid}, given.* from unnest(
      ${records.map(({ facilityUuid }) => facilityUuid)}::text[], ${records.map(({ recordUuid }) => recordUuid)}::uuid[],
      ${records.map(({ formerPartnerId }) => formerPartnerId ?? null)}::integer[]) as given`.execute(handle);
}

/** The records of an act, by facility. */
export function listBulkActRecords(handle: Handle, { bulkActUuid }: { bulkActUuid: string }) {
  return handle
    .selectFrom("bulkActRecord")
    .select(["facilityUuid", "recordUuid", "formerPartnerId"])
    .where("bulkActUuid", "=", bulkActUuid)
    .orderBy("facilityUuid")
    .execute();
}

export async function updateBulkActUndone(handle: Handle, { bulkActUuid }: { bulkActUuid: string }): Promise<void> {
  await sql`update bulk_act set undone_at = now() where bulk_act_uuid = ${bulkActUuid}`.execute(handle);
}

/** Gives each facility its partner. */
export async function updatePartners(
  handle: Handle,
  { sites }: { sites: readonly { facilityUuid: string; implementingPartnerId: number | null }[] },
): Promise<void> {
  await sql`
    update facility set implementing_partner_id = given.partner, version = version + 1, updated_at = now()
    from unnest(${sites.map(({ facilityUuid }) => facilityUuid)}::text[],
      ${sites.map(({ implementingPartnerId }) => implementingPartnerId)}::integer[]) as given (uuid, partner)
    where facility_uuid = given.uuid`.execute(handle);
}
