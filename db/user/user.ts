import { type Insertable, type NotNull, sql, type Updateable } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";
import { type LongTable, listLongTable } from "../list/csv.ts";
import { instant, type Order, type Page, type PageInput, readPage, type Sort, sortOf } from "../list/page.ts";
import type { AppUser } from "../schema.ts";
import { hasSecondFactor } from "./secondFactor.ts";

const privilegeColumns = [
  "appUser.administrator",
  "appUser.editAssessments",
  "appUser.viewAssessments",
  "appUser.uploadTdbs",
  "appUser.accessDownloads",
  "appUser.manageUsers",
  "appUser.editSelf",
  "appUser.editRegistry",
] as const;

/** The columns of `app_user` that identify a caller, and their privileges. */
export const viewerColumns = [
  "appUser.userUuid",
  "appUser.userName",
  "appUser.implementingPartnerId",
  ...privilegeColumns,
] as const;

const users = (handle: Handle) =>
  handle
    .selectFrom("appUser")
    .leftJoin("implementingPartner", "implementingPartner.implementingPartnerId", "appUser.implementingPartnerId")
    .select([
      "appUser.userUuid",
      "appUser.userName",
      "appUser.firstName",
      "appUser.middleName",
      "appUser.surname",
      sql<"person" | "service" | "site">`app_user.kind`.as("kind"),
      sql<"U" | "M" | "F">`app_user.gender`.as("gender"),
      "appUser.bio",
      // The column of a service account or site holds its uuid, because values must be unique.
      sql<string>`case app_user.kind when 'person' then app_user.primary_email else '' end`.as("primaryEmail"),
      "appUser.secondaryEmail",
      "appUser.primaryPhoneNumber",
      "appUser.secondaryPhoneNumber",
      "appUser.implementingPartnerId",
      "implementingPartner.name as implementingPartner",
      "implementingPartner.active as implementingPartnerActive",
      "appUser.active",
      "appUser.passwordTemporary",
      "appUser.version",
      sql<string | null>`to_char(app_user.last_login_at, 'YYYY-MM-DD')`.as("lastLoginDate"),
      sql<string | null>`to_char(app_user.last_login_at, 'HH24:MI')`.as("lastLoginTime"),
      ...privilegeColumns,
    ])
    .$narrowType<{ implementingPartner: NotNull; implementingPartnerActive: NotNull }>();

export type UserRow = Awaited<ReturnType<ReturnType<typeof users>["executeTakeFirstOrThrow"]>>;

export function findUser(handle: Handle, { userUuid }: { userUuid: string }): Promise<UserRow | undefined> {
  return users(handle).where("appUser.userUuid", "=", userUuid).executeTakeFirst();
}

/** Finds and locks a person's record until the transaction ends. Rows that refer to it can still be written. */
export function lockUser(handle: Handle, { userUuid }: { userUuid: string }): Promise<UserRow | undefined> {
  return users(handle).where("appUser.userUuid", "=", userUuid).forNoKeyUpdate("appUser").executeTakeFirst();
}

/** Several people at once, in no order; unknown ones are left out. */
export function listUsersByUuid(handle: Handle, { userUuids }: { userUuids: readonly string[] }): Promise<UserRow[]> {
  return users(handle).where("appUser.userUuid", "=", anyOf(userUuids, "uuid")).execute();
}

export type PartnerPersonRow = { implementingPartnerId: number; name: string; phone: string | null; email: string };

/** The people of each of these partners who manage its accounts and can sign in, by name, at most so many of each. */
export async function listPeopleOfPartners(
  handle: Handle,
  { implementingPartnerIds, most }: { implementingPartnerIds: readonly number[]; most: number },
): Promise<PartnerPersonRow[]> {
  const { rows } = await sql<PartnerPersonRow>`
    select person.* from unnest(${[...implementingPartnerIds]}::integer[]) as asked (id) cross join lateral (
      select implementing_partner_id, first_name || ' ' || surname as name, nullif(btrim(primary_phone_number), '') as phone, primary_email as email
      from app_user where implementing_partner_id = asked.id and kind = 'person' and active and manage_users
      order by first_name, surname, user_uuid limit ${most}) as person`.execute(handle);
  return rows;
}

const sortKeys = {
  userName: { key: "userName", column: "appUser.userName", type: "text" },
  surname: { key: "surname", column: "appUser.surname", type: "text" },
  created: { key: "createdAt", column: "appUser.createdAt", type: "timestamptz" },
  lastLogin: { key: "sortLogin", column: sql`coalesce(app_user.last_login_at, 'epoch')`, type: "timestamptz" },
} as const;
export type UserSort = Sort<keyof typeof sortKeys>;

export type UserFilter = {
  implementingPartnerId?: number | null;
  active?: boolean | null;
  search?: string | null;
  /** YYYY-MM-DD: only people who have not signed in on this day or later */
  lastLoginBefore?: string | null | undefined;
  /** only people with this privilege */
  privilege?:
    | "administrator"
    | "editAssessments"
    | "viewAssessments"
    | "uploadTdbs"
    | "accessDownloads"
    | "manageUsers"
    | null
    | undefined;
};

/**
 * People, without service accounts and sites. Each word of a search text must be in their names or primary e-mail
 * address.
 */
function matching(handle: Handle, { implementingPartnerId, active, search, privilege, lastLoginBefore }: UserFilter) {
  let query = users(handle).where("appUser.kind", "=", "person");
  if (implementingPartnerId != null) query = query.where("appUser.implementingPartnerId", "=", implementingPartnerId);
  if (active != null) query = query.where("appUser.active", "=", active);
  if (privilege != null) query = query.where(`appUser.${privilege}`, "=", true);
  if (search)
    query = query.where(
      sql<boolean>`app_user.search_text like all(
        select '%' || word || '%' from regexp_split_to_table(nullif(search_key(${search}), ''), ' ') word)
        and search_key(${search}) <> ''`,
    );
  if (lastLoginBefore != null)
    query = query.where(
      sql<boolean>`(app_user.last_login_at is null or app_user.last_login_at < ${lastLoginBefore}::date)`,
    );
  const carried = sql<string>`to_char(coalesce(app_user.last_login_at, 'epoch') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  return query.select([instant("appUser.createdAt").as("createdAt"), carried.as("sortLogin")]);
}

function orderOf(sort: UserSort | null | undefined): Order {
  const { by, descending } = sortOf(sort ?? "userName");
  return {
    columns: [sortKeys[by], { key: "userUuid", column: "appUser.userUuid", type: "uuid" }],
    descending,
    edges: { implementingPartnerId: (key) => sql`app_user.implementing_partner_id = ${key}` },
  };
}

/** People, by default by user name. */
export async function listUsers(
  handle: Handle,
  { sort, page, ...filter }: UserFilter & { sort?: UserSort | null | undefined; page: PageInput },
): Promise<Page<UserRow>> {
  return readPage(matching(handle, filter), orderOf(sort), page);
}

/** The same as lines of CSV. */
export function listUserLines(
  handle: Handle,
  { sort, ...filter }: UserFilter & { sort?: UserSort | null | undefined },
): LongTable {
  const given = sql.join(
    privilegeColumns.map((column) => sql`case when ${sql.ref(column)} then ${sql.lit(column.split(".")[1]!)} end`),
  );
  const rows = matching(handle, filter).select(sql<string>`concat_ws(' ', ${given})`.as("privileges"));
  return listLongTable(handle, rows, orderOf(sort), ({ text, plain, yesNo }) => ({
    "User Name": text("userName"),
    "First Name": text("firstName"),
    "Middle Name": text("middleName"),
    Surname: text("surname"),
    "Primary Email": text("primaryEmail"),
    "Primary Phone": text("primaryPhoneNumber"),
    "Implementing Partner": text("implementingPartner"),
    Active: yesNo("active"),
    "Last sign-in": plain("lastLoginDate"),
    Privileges: text("privileges"),
    UUID: plain("userUuid"),
  }));
}

/**
 * The account of a login: a user name or a primary e-mail address, ignoring case. People only: machines have no
 * password.
 */
export function findCredentials(handle: Handle, { login }: { login: string }) {
  return handle
    .selectFrom("appUser")
    .select([
      "userUuid",
      "userName",
      "passwordHash",
      "passwordTemporary",
      "active",
      "administrator",
      hasSecondFactor.as("hasSecondFactor"),
    ])
    .where("kind", "=", "person")
    .where((eb) =>
      eb.or([
        eb(sql`lower(user_name)`, "=", sql`lower(${login})`),
        eb(sql`lower(primary_email)`, "=", sql`lower(${login})`),
      ]),
    )
    .executeTakeFirst();
}

/**
 * Whether an active account still has this password hash. It waits for other changes of the account, and locks it until
 * the transaction ends.
 */
export async function lockPassword(
  handle: Handle,
  { userUuid, passwordHash }: { userUuid: string; passwordHash: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from app_user where user_uuid = ${userUuid} and password_hash = ${passwordHash} and active for no key update`.execute(
    handle,
  );
  return rows.length > 0;
}

/** Locks changes that remove an administrator, until the transaction ends: only one runs at a time. */
export async function lockAdministrators(handle: Handle): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('administrators'))`.execute(handle);
}

/** How many other active administrators there are. */
export async function countOtherAdministrators(handle: Handle, { userUuid }: { userUuid: string }): Promise<number> {
  const { count } = await handle
    .selectFrom("appUser")
    .select(sql<number>`count(*)`.as("count"))
    .where("administrator", "=", true)
    .where("active", "=", true)
    .where("userUuid", "<>", userUuid)
    .executeTakeFirstOrThrow();
  return count;
}

/** The user name or e-mail address is used by somebody else. */
export class Taken extends Error {
  override name = "Taken";
  constructor(readonly field: "userName" | "primaryEmail") {
    super(`${field} is taken`);
  }
}

const uniqueFields = { app_user_by_user_name: "userName", app_user_by_primary_email: "primaryEmail" } as const;

async function orTaken(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === "23505" && constraint && constraint in uniqueFields)
      throw new Taken(uniqueFields[constraint as keyof typeof uniqueFields]);
    throw error;
  }
}

/**
 * People sign in with their user name or primary e-mail address, and a user name may look like an address. So nobody
 * gets a name that is somebody else's address, or the other way round. Only one such check runs at a time.
 *
 * @throws Taken
 */
async function refuseOthersLogin(
  handle: Handle,
  {
    userUuid,
    userName,
    primaryEmail,
  }: { userUuid: string; userName?: string | undefined; primaryEmail?: string | undefined },
): Promise<void> {
  if (!userName?.includes("@") && primaryEmail === undefined) return;
  await sql`select pg_advisory_xact_lock(hashtext('logins'))`.execute(handle);
  const { rows } = await sql<{ field: "userName" | "primaryEmail" }>`
    select case when lower(primary_email) = lower(${userName ?? null}::text) then 'userName' else 'primaryEmail' end as field from app_user
    where user_uuid <> ${userUuid} and (lower(primary_email) = lower(${userName ?? null}::text) or lower(user_name) = lower(${primaryEmail ?? null}::text))`.execute(
    handle,
  );
  if (rows[0]) throw new Taken(rows[0].field);
}

/** @throws Taken */
export async function insertUser(handle: Handle, user: Insertable<AppUser>): Promise<void> {
  await refuseOthersLogin(handle, user);
  return orTaken(handle.insertInto("appUser").values(user).execute());
}

/** Changes a person's record and raises its version. @throws Taken */
export async function updateUser(
  handle: Handle,
  { userUuid, ...changes }: Updateable<AppUser> & { userUuid: string },
): Promise<void> {
  await refuseOthersLogin(handle, { ...changes, userUuid });
  return orTaken(
    handle
      .updateTable("appUser")
      .set({ ...changes, updatedAt: sql`now()`, version: sql`version + 1` })
      .where("userUuid", "=", userUuid)
      .execute(),
  );
}

/** Sets a password hash. `temporary`: the person must replace the password at the next sign-in. */
export async function updatePassword(
  handle: Handle,
  { userUuid, passwordHash, temporary }: { userUuid: string; passwordHash: string; temporary: boolean },
): Promise<void> {
  await handle
    .updateTable("appUser")
    .set({ passwordHash, passwordTemporary: temporary, updatedAt: sql`now()` })
    .where("userUuid", "=", userUuid)
    .execute();
}

export async function updateLastLogin(handle: Handle, { userUuid }: { userUuid: string }): Promise<void> {
  await handle
    .updateTable("appUser")
    .set({ lastLoginAt: sql`now()` })
    .where("userUuid", "=", userUuid)
    .execute();
}
