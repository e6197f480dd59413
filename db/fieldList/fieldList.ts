import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";
import { byName, isOwnOrShared } from "../list/owned.ts";
import { type Page, type PageInput, readPage } from "../list/page.ts";

/** Field lists: named lists of sites that somebody visits. */

const lists = (handle: Handle) =>
  handle
    .selectFrom("fieldList")
    .innerJoin("appUser", "appUser.userUuid", "fieldList.ownerUuid")
    .innerJoinLateral(
      sql<{ sites: number; closedSites: number; districtIds: number[] }>`(
        select count(*)::integer as sites, (count(*) filter (where closed_on is not null))::integer as closed_sites,
          coalesce(array_agg(distinct district_id) filter (where closed_on is null), '{}') as district_ids
        from field_list_site join facility using (facility_uuid)
        where field_list_site.field_list_uuid = field_list.field_list_uuid)`.as("held"),
      (join) => join.onTrue(),
    )
    .select([
      "fieldList.fieldListUuid as uuid",
      "fieldList.ownerUuid",
      "appUser.userName as ownerUserName",
      "fieldList.name",
      "fieldList.shared",
      "held.sites",
      "held.closedSites",
      "held.districtIds",
      sql<string>`to_char(made_at, 'YYYY-MM-DD')`.as("madeDate"),
    ]);
export type FieldListRow = Awaited<ReturnType<ReturnType<typeof lists>["executeTakeFirstOrThrow"]>>;

/** The person already has another list with this name. */
export class ListNameTaken extends Error {
  override name = "ListNameTaken";
}

/** A person's own lists and the shared ones, by name. */
export const listFieldLists = (
  handle: Handle,
  { page, ...asked }: { userUuid: string; search?: string | null; page: PageInput },
): Promise<Page<FieldListRow>> =>
  readPage(lists(handle).where(isOwnOrShared("fieldList", asked)), byName("fieldList", "fieldListUuid"), page);

/** Finds a list. With `hold`, it is locked until the transaction ends. */
export async function findFieldList(
  handle: Handle,
  { uuid, hold = false }: { uuid: string; hold?: boolean },
): Promise<FieldListRow | undefined> {
  if (hold) await sql`select from field_list where field_list_uuid = ${uuid} for no key update`.execute(handle);
  return lists(handle).where("fieldList.fieldListUuid", "=", uuid).executeTakeFirst();
}

export async function countFieldLists(handle: Handle, { ownerUuid }: { ownerUuid: string }): Promise<number> {
  const { count } = await handle
    .selectFrom("fieldList")
    .select(sql<number>`count(*)::integer`.as("count"))
    .where("ownerUuid", "=", ownerUuid)
    .executeTakeFirstOrThrow();
  return count;
}

const named = (error: unknown): unknown => {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === "23505" && constraint === "field_list_one_name_a_person" ? new ListNameTaken() : error;
};

type Values = { name: string; shared: boolean };

/** @throws ListNameTaken */
export async function insertFieldList(
  handle: Handle,
  { uuid, ...values }: { uuid: string; ownerUuid: string } & Values,
): Promise<void> {
  try {
    await handle
      .insertInto("fieldList")
      .values({ fieldListUuid: uuid, ...values })
      .execute();
  } catch (error) {
    throw named(error);
  }
}

/** @throws ListNameTaken */
export async function updateFieldList(handle: Handle, { uuid, ...values }: { uuid: string } & Values): Promise<void> {
  try {
    await handle.updateTable("fieldList").set(values).where("fieldListUuid", "=", uuid).execute();
  } catch (error) {
    throw named(error);
  }
}

export async function deleteFieldList(handle: Handle, { uuid }: { uuid: string }): Promise<void> {
  await handle.deleteFrom("fieldList").where("fieldListUuid", "=", uuid).execute();
}

type Sites = { uuid: string; facilityUuids: readonly string[] };

/** Puts facilities on a list. Returns those that were not on it. */
export async function insertFieldListSites(handle: Handle, { uuid, facilityUuids }: Sites): Promise<string[]> {
  const { rows } = await sql<{ facilityUuid: string }>`
    insert into field_list_site (field_list_uuid, facility_uuid)
    select ${uuid}, facility_uuid from facility where facility_uuid = ${anyOf(facilityUuids, "text")}
    on conflict do nothing returning facility_uuid`.execute(handle);
  return rows.map(({ facilityUuid }) => facilityUuid);
}

/** Takes facilities off a list. Returns those that were on it. */
export async function deleteFieldListSites(handle: Handle, { uuid, facilityUuids }: Sites): Promise<string[]> {
  const { rows } = await sql<{ facilityUuid: string }>`
    delete from field_list_site where field_list_uuid = ${uuid} and facility_uuid = ${anyOf(facilityUuids, "text")}
    returning facility_uuid`.execute(handle);
  return rows.map(({ facilityUuid }) => facilityUuid);
}
