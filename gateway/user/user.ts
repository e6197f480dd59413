import type { LongTable } from "../../db/list/csv.ts";
import type { PageInput } from "../../db/list/page.ts";
import type { UserFilter, UserRow, UserSort } from "../../db/user/user.ts";
import { countSignInDays } from "../../db/audit/audit.ts";
import * as db from "../../db/user/user.ts";
import { deny, requireRight, requireViewer } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { missingRightsMessage, noPrivileges, type Privileges, privilegeNames } from "../access/access.rules.ts";
import { batched, batchedByUuid } from "../reading/batch.ts";
import type { Context, Viewer } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { notFound, Problem } from "../problem.ts";
import { readPartner } from "../reference/reference.ts";
import { particularNames } from "./user.rules.ts";

/** Acts that read people and their privileges, shared by REST and GraphQL. Acts that change them are in saveUser.ts. */

export type { UserRow, UserSort } from "../../db/user/user.ts";

/** Only the privileges of a wider row. */
const privilegesOf = (row: Privileges): Privileges =>
  Object.fromEntries(privilegeNames.map((name) => [name, row[name]])) as Privileges;

/** A person as the subject of an audit event. */
export const subjectOf = (userUuid: string) => ({ type: "User", id: userUuid.toLowerCase() });
/** Some of a row's values. */
export const pick = <Row extends object>(row: Row, names: readonly string[]): Partial<Row> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))) as Partial<Row>;

/** The fields that the profile form can change, besides privileges. */
export const changeable = ["userName", ...particularNames, "implementingPartnerId"] as const;

/** A record as REST and GraphQL return it. */
export const present = (user: UserRow) => ({
  uuid: user.userUuid,
  ...(pick(user, changeable) as Pick<UserRow, (typeof changeable)[number]>),
  privileges: privilegesOf(user),
  version: user.version,
  active: user.active,
});

/**
 * Whether the caller may see a record: their own; with manageUsers those of the same partner; administrators all.
 * Machines see none.
 */
function maySee(viewer: Viewer, user: UserRow): boolean {
  const { administrator, manageUsers } = viewer.privileges;
  if (user.userUuid === viewer.userUuid) return true;
  if (user.kind !== "person") return false;
  if (administrator) return true;
  return manageUsers && user.implementingPartnerId === viewer.implementingPartnerId;
}

/**
 * A person's record, if the caller may see it. All others are "not found", so that an answer does not reveal who
 * exists. A refused request is written to the audit log.
 *
 * @throws Problem NOT_FOUND
 */
export async function readUser(context: Context, userUuid: string): Promise<UserRow> {
  return requireVisible(context, "user.read", userUuid, await findUser(context, userUuid));
}

/** The user of a path parameter. `me` is the caller. */
export const personNamed = (context: Context, userUuid: string): string =>
  userUuid === "me" ? requireViewer(context).userUuid : userUuid;

async function findUser(context: Context, userUuid: string): Promise<UserRow | undefined> {
  requireViewer(context);
  return isUuid(userUuid) ? db.findUser(context.db, { userUuid }) : undefined;
}

/** The given person, if the caller may see them. A refusal is written to the audit log. @throws Problem NOT_FOUND */
export function requireVisible(
  context: Context,
  action: AuditAction,
  userUuid: string,
  user: UserRow | undefined,
): UserRow {
  if (!user) throw notFound("user", "uuid");
  if (maySee(requireViewer(context), user)) return user;
  throw deny(context, { action, subject: subjectOf(userUuid) }, notFound("user", "uuid"));
}

/**
 * Refuses a filter with an unknown person, because an empty list would look like a result.
 *
 * @throws Problem NOT_FOUND
 */
export async function checkPerson(context: Context, userUuid: string): Promise<void> {
  if (!(await findUser(context, userUuid))) throw notFound("user", "uuid");
}

const loadRecord = batchedByUuid<UserRow | null>(
  async (context, userUuids) =>
    new Map((await db.listUsersByUuid(context.db, { userUuids })).map((row) => [row.userUuid, row])),
  () => null,
);

/** As `readUser`, batched over a request. @throws Problem NOT_FOUND */
export async function readUserTogether(context: Context, userUuid: string): Promise<UserRow> {
  requireViewer(context);
  return requireVisible(context, "user.read", userUuid, (await loadRecord(context, userUuid)) ?? undefined);
}

/** The person that another row refers to, batched over a request. Null if the caller may not see them. */
export const loadUser = batched<string, UserRow | null>(
  async (context, userUuids) => {
    const viewer = requireViewer(context);
    const rows = await db.listUsersByUuid(context.db, { userUuids });
    return new Map(rows.filter((row) => maySee(viewer, row)).map((row) => [row.userUuid, row]));
  },
  () => null,
);

/**
 * Checks that the caller may list a partner's users. A refusal is written to the audit log.
 *
 * @throws Problem FORBIDDEN
 */
export function requireMayList(context: Context, implementingPartnerId: number): void {
  const viewer = requireRight(context, "manageUsers");
  if (viewer.privileges.administrator || implementingPartnerId === viewer.implementingPartnerId) return;
  throw deny(
    context,
    { action: "user.list", details: { implementingPartnerId } },
    new Problem("FORBIDDEN", missingRightsMessage),
  );
}

type UserList = UserFilter & { sort?: UserSort | null | undefined };

/**
 * The input of a list, limited to the people that the caller manages: all for administrators, those of the same partner
 * with manageUsers.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND (partner)
 */
async function managed<List extends UserList>(context: Context, { implementingPartnerId, ...list }: List) {
  const viewer = requireRight(context, "manageUsers");
  if (implementingPartnerId != null) await readPartner(context, implementingPartnerId);
  if (viewer.privileges.administrator) return { ...list, implementingPartnerId };
  if (implementingPartnerId != null) requireMayList(context, implementingPartnerId);
  return { ...list, implementingPartnerId: viewer.implementingPartnerId };
}

/**
 * The people that the caller manages, by default by user name: all for administrators, those of the same partner with
 * manageUsers.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND (partner)
 */
export async function listUsers(context: Context, { page, ...asked }: UserList & { page: PageInput }) {
  requireRight(context, "manageUsers");
  if (!page.of) return db.listUsers(context.db, { ...(await managed(context, asked)), page });
  for (const key of page.of.keys) requireMayList(context, Number(key));
  const { implementingPartnerId: _partner, ...list } = asked;
  return db.listUsers(context.db, { ...list, page });
}

/**
 * All people of such a list as lines of CSV. The export is written to the audit log.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND (partner)
 */
export async function exportUsers(context: Context, asked: UserList): Promise<LongTable> {
  const list = await managed(context, asked);
  await recordAudit(context, { action: "user.export", outcome: "done", details: list });
  return db.listUserLines(context.db, list);
}

/** The initial values of the form for a new user. @throws Problem FORBIDDEN */
export function readUserTemplate(context: Context): { implementingPartnerId: number | null; privileges: Privileges } {
  const { privileges, implementingPartnerId } = requireRight(context, "manageUsers");
  return {
    implementingPartnerId: privileges.administrator ? null : implementingPartnerId,
    privileges: { ...noPrivileges, editSelf: true },
  };
}

/** The caller's privileges in this session or with this token. */
export function readOwnPrivileges(context: Context): Privileges {
  return privilegesOf(requireViewer(context).privileges);
}

/** On how many days the caller signed in: 0 to 3, which stands for more. */
export const readOwnSignInDays = (context: Context): Promise<number> =>
  countSignInDays(context.db, { userUuid: requireViewer(context).userUuid });

/** @throws Problem NOT_FOUND */
export async function readUserPrivileges(context: Context, userUuid: string): Promise<Privileges> {
  return privilegesOf(await readUser(context, userUuid));
}

/**
 * The caller's privileges for a partner. Users can be managed only for the caller's own partner.
 *
 * @throws Problem NOT_FOUND
 */
export async function readPrivilegesAtPartner(context: Context, implementingPartnerId: number): Promise<Privileges> {
  await readPartner(context, implementingPartnerId);
  return privilegesAt(context, implementingPartnerId);
}

/**
 * The caller's privileges at a facility of this partner (null: no partner). Users can be managed only for the caller's
 * own partner.
 */
export function privilegesAt(context: Context, implementingPartnerId: number | null): Privileges {
  const viewer = requireViewer(context);
  const { administrator, manageUsers } = viewer.privileges;
  const reaches = administrator || viewer.implementingPartnerId === implementingPartnerId;
  return { ...readOwnPrivileges(context), manageUsers: manageUsers && reaches };
}
