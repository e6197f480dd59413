import type { UserRow } from "../../db/user.ts";
import * as db from "../../db/user.ts";
import { requireViewer } from "../access/access.ts";
import { type Privileges, privilegeNames } from "../access/access.rules.ts";
import type { Context } from "../context.ts";
import { notFound } from "../problem.ts";
import { readPartner } from "../reference/reference.ts";

/** Acts on people and their privileges, shared by REST and GraphQL. */

export type { UserRow } from "../../db/user.ts";

/** Only the seven privileges of a wider row. */
export const privilegesOf = (row: Privileges): Privileges =>
  Object.fromEntries(privilegeNames.map((name) => [name, row[name]])) as Privileges;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A person's record: one's own, any for administrators, those of the own partner for who manages users. All others are "not
 * there", so that an answer does not tell who exists.
 *
 * @throws Problem NOT_FOUND
 */
export async function readUser(context: Context, userUuid: string): Promise<UserRow> {
  const viewer = requireViewer(context);
  const user = uuidPattern.test(userUuid) ? await db.findUser(context.db, { userUuid }) : undefined;
  const { administrator, manageUsers } = viewer.privileges;
  const isOwn = user?.userUuid === viewer.userUuid;
  const isManaged = manageUsers && user?.implementingPartnerId === viewer.implementingPartnerId;
  if (!user || !(isOwn || administrator || isManaged)) throw notFound("user");
  return user;
}

/** What the caller may do: all of it, through this session or token. */
export function readOwnPrivileges(context: Context): Privileges {
  return privilegesOf(requireViewer(context).privileges);
}

/** @throws Problem NOT_FOUND */
export async function readUserPrivileges(context: Context, userUuid: string): Promise<Privileges> {
  return privilegesOf(await readUser(context, userUuid));
}

/** What the caller may do for a partner: users are managed for the own partner only. @throws Problem NOT_FOUND */
export async function readPrivilegesAtPartner(context: Context, implementingPartnerId: number): Promise<Privileges> {
  await readPartner(context, implementingPartnerId);
  const viewer = requireViewer(context);
  const { administrator, manageUsers } = viewer.privileges;
  const reaches = administrator || viewer.implementingPartnerId === implementingPartnerId;
  return { ...readOwnPrivileges(context), manageUsers: manageUsers && reaches };
}
