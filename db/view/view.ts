import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import type { Scope } from "../list/scope.ts";
import { byName, isOwnOrShared } from "../list/owned.ts";
import { type Page, type PageInput, readPage } from "../list/page.ts";

/** Saved views: addresses of lists that people have named. */

type Named = "province" | "district" | "implementing partner";
/** The first kind of place or partner in the address that no longer exists; null if all exist. */
const missing = sql<Named | null>`case
  when saved_view.province_id is not null and not exists (select from province where province.province_id = saved_view.province_id) then 'province'
  when saved_view.district_id is not null and not exists (select from district where district.district_id = saved_view.district_id) then 'district'
  when saved_view.implementing_partner_id is not null and not exists (
    select from implementing_partner where implementing_partner.implementing_partner_id = saved_view.implementing_partner_id) then 'implementing partner'
  end`;
/** The first kind of place or partner in the address that was closed; null if none was. */
const closed = sql<Named | null>`case
  when exists (select from province where province.province_id = saved_view.province_id and closed_on is not null) then 'province'
  when exists (select from district where district.district_id = saved_view.district_id and closed_on is not null) then 'district'
  when exists (select from implementing_partner where implementing_partner.implementing_partner_id = saved_view.implementing_partner_id and closed_on is not null) then 'implementing partner'
  end`;

const views = (handle: Handle) =>
  handle
    .selectFrom("savedView")
    .innerJoin("appUser", "appUser.userUuid", "savedView.ownerUuid")
    .select([
      "savedView.viewUuid as uuid",
      "savedView.ownerUuid",
      "appUser.userName as ownerUserName",
      "savedView.name",
      "savedView.address",
      "savedView.shared",
      missing.as("missing"),
      closed.as("closed"),
      sql<string>`to_char(saved_view.created_at, 'YYYY-MM-DD')`.as("createdDate"),
    ]);
export type SavedViewRow = Awaited<ReturnType<ReturnType<typeof views>["executeTakeFirstOrThrow"]>>;

/** The person already has another view with this name. */
export class ViewNameTaken extends Error {
  override name = "ViewNameTaken";
}

/** A person's own and the shared ones, by name. */
export const listSavedViews = (
  handle: Handle,
  { page, ...asked }: { userUuid: string; mine?: boolean | null; search?: string | null; page: PageInput },
): Promise<Page<SavedViewRow>> =>
  readPage(views(handle).where(isOwnOrShared("savedView", asked)), byName("savedView", "viewUuid"), page);

export function findSavedView(handle: Handle, { uuid }: { uuid: string }): Promise<SavedViewRow | undefined> {
  return views(handle).where("savedView.viewUuid", "=", uuid).executeTakeFirst();
}

export async function countSavedViews(handle: Handle, { ownerUuid }: { ownerUuid: string }): Promise<number> {
  const { count } = await handle
    .selectFrom("savedView")
    .select(sql<number>`count(*)`.as("count"))
    .where("ownerUuid", "=", ownerUuid)
    .executeTakeFirstOrThrow();
  return count;
}

type NewView = { uuid: string; ownerUuid: string; name: string; address: string; shared: boolean } & Scope;

/** @throws ViewNameTaken */
export async function insertSavedView(
  handle: Handle,
  { uuid, provinceId, districtId, implementingPartnerId, ...values }: NewView,
): Promise<void> {
  const places = {
    provinceId: provinceId ?? null,
    districtId: districtId ?? null,
    implementingPartnerId: implementingPartnerId ?? null,
  };
  try {
    await handle
      .insertInto("savedView")
      .values({ viewUuid: uuid, ...values, ...places })
      .execute();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    throw code === "23505" && constraint === "saved_view_one_name_a_person" ? new ViewNameTaken() : error;
  }
}

export async function deleteSavedView(handle: Handle, { uuid }: { uuid: string }): Promise<void> {
  await handle.deleteFrom("savedView").where("viewUuid", "=", uuid).execute();
}
