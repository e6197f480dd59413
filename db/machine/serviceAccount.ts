import { type NotNull, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { type Page, type PageInput, readPage } from "../list/page.ts";

/** Service accounts: an account without a password, its owner, and the place or partner that it may be limited to. */

const accounts = (handle: Handle) =>
  handle
    .selectFrom("serviceAccount")
    .innerJoin("appUser", "appUser.userUuid", "serviceAccount.userUuid")
    .innerJoin("appUser as owner", "owner.userUuid", "serviceAccount.ownerUuid")
    .leftJoin("province", "province.provinceId", "serviceAccount.provinceId")
    .leftJoin("district", "district.districtId", "serviceAccount.districtId")
    .leftJoin(
      "implementingPartner",
      "implementingPartner.implementingPartnerId",
      "serviceAccount.implementingPartnerId",
    )
    .select([
      "appUser.userUuid",
      "appUser.userName as name",
      "appUser.active",
      "appUser.editAssessments",
      "appUser.viewAssessments",
      "appUser.uploadTdbs",
      "appUser.accessDownloads",
      "serviceAccount.ownerUuid",
      "owner.userName as owner",
      "owner.active as ownerActive",
      "serviceAccount.provinceId",
      "province.name as province",
      "serviceAccount.districtId",
      "district.name as district",
      "serviceAccount.implementingPartnerId",
      "implementingPartner.name as implementingPartner",
      sql<string>`to_char(app_user.created_at, 'YYYY-MM-DD')`.as("createdDate"),
    ])
    .$narrowType<{ owner: NotNull }>();

export type ServiceAccountRow = Awaited<ReturnType<ReturnType<typeof accounts>["executeTakeFirstOrThrow"]>>;

/** Service accounts by name, inactive ones too. */
export function listServiceAccounts(handle: Handle, { page }: { page: PageInput }): Promise<Page<ServiceAccountRow>> {
  return readPage(
    accounts(handle),
    {
      columns: [
        { key: "name", column: "appUser.userName", type: "text" },
        { key: "userUuid", column: "appUser.userUuid", type: "uuid" },
      ],
    },
    page,
  );
}

export function findServiceAccount(
  handle: Handle,
  { userUuid }: { userUuid: string },
): Promise<ServiceAccountRow | undefined> {
  return accounts(handle).where("appUser.userUuid", "=", userUuid).executeTakeFirst();
}

/** The active person with this uuid or user name. */
export function findOwner(
  handle: Handle,
  { named }: { named: string },
): Promise<{ userUuid: string; implementingPartnerId: number } | undefined> {
  return handle
    .selectFrom("appUser")
    .select(["userUuid", "implementingPartnerId"])
    .where("kind", "=", "person")
    .where("active", "=", true)
    .where((is) =>
      is.or([is(sql`user_uuid::text`, "=", named.toLowerCase()), is(sql`lower(user_name)`, "=", sql`lower(${named})`)]),
    )
    .executeTakeFirst();
}

type Limit = { provinceId: number | null; districtId: number | null; implementingPartnerId: number | null };

export async function insertServiceAccount(
  handle: Handle,
  account: Limit & { userUuid: string; ownerUuid: string },
): Promise<void> {
  await handle.insertInto("serviceAccount").values(account).execute();
}

export async function updateServiceAccount(
  handle: Handle,
  { userUuid, ...changes }: Limit & { userUuid: string; ownerUuid: string },
): Promise<void> {
  await handle.updateTable("serviceAccount").set(changes).where("userUuid", "=", userUuid).execute();
}
