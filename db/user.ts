import { type Insertable, sql } from "kysely";

import type { Handle } from "./connect.ts";
import type { AppUser } from "./schema.ts";

const privilegeColumns = [
  "appUser.administrator",
  "appUser.editAssessments",
  "appUser.viewAssessments",
  "appUser.uploadTdbs",
  "appUser.accessDownloads",
  "appUser.manageUsers",
  "appUser.editSelf",
] as const;

const users = (handle: Handle) =>
  handle
    .selectFrom("appUser")
    .innerJoin("implementingPartner", "implementingPartner.implementingPartnerId", "appUser.implementingPartnerId")
    .select([
      "appUser.userUuid",
      "appUser.userName",
      "appUser.firstName",
      "appUser.middleName",
      "appUser.surname",
      "appUser.implementingPartnerId",
      "implementingPartner.name as implementingPartner",
      "implementingPartner.active as implementingPartnerActive",
      "appUser.active",
      ...privilegeColumns,
    ]);

export type UserRow = Awaited<ReturnType<ReturnType<typeof users>["executeTakeFirstOrThrow"]>>;

export function findUser(handle: Handle, { userUuid }: { userUuid: string }): Promise<UserRow | undefined> {
  return users(handle).where("appUser.userUuid", "=", userUuid).executeTakeFirst();
}

/** The account that a login names: a user name or a primary e-mail address, in any case. */
export function findCredentials(handle: Handle, { login }: { login: string }) {
  return handle
    .selectFrom("appUser")
    .select(["userUuid", "userName", "passwordHash", "passwordTemporary", "active"])
    .where((eb) =>
      eb.or([
        eb(sql`lower(user_name)`, "=", sql`lower(${login})`),
        eb(sql`lower(primary_email)`, "=", sql`lower(${login})`),
      ]),
    )
    .executeTakeFirst();
}

export async function updatePassword(
  handle: Handle,
  { userUuid, passwordHash, temporary }: { userUuid: string; passwordHash: string; temporary: boolean },
): Promise<void> {
  await handle
    .updateTable("appUser")
    .set({ passwordHash, passwordTemporary: temporary, updatedAt: sql`now()`, version: sql`version + 1` })
    .where("userUuid", "=", userUuid)
    .execute();
}

export async function updateLastLogin(handle: Handle, { userUuid }: { userUuid: string }): Promise<void> {
  await handle.updateTable("appUser").set({ lastLoginAt: sql`now()` }).where("userUuid", "=", userUuid).execute();
}

export async function insertUser(handle: Handle, user: Insertable<AppUser>): Promise<void> {
  await handle.insertInto("appUser").values(user).execute();
}
