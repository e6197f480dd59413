import { v7 as uuidv7 } from "uuid";

import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import type { UserRow } from "../../db/user/user.ts";
import * as db from "../../db/user/user.ts";
import { deny, requireRight, requireViewer } from "../access/access.ts";
import {
  may,
  missingRightsMessage,
  noPrivileges,
  type Privilege,
  type Privileges,
  privilegeNames,
} from "../access/access.rules.ts";
import { recordAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { makePassword } from "../auth/password.ts";
import { hashInTurn } from "../auth/turns.ts";
import type { Context, Denial, Viewer } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { readPartner } from "../reference/reference.ts";
import { changeable, pick, present, requireVisible, subjectOf } from "./user.ts";
import { type CreateUser, grantable, type UpdateUser } from "./user.rules.ts";

/**
 * Acts that change people's records and privileges, shared by REST and GraphQL. Acts on their accounts are in
 * userAccount.ts.
 */

const noRight = (detail = missingRightsMessage) => new Problem("FORBIDDEN", detail);

/** The problem for one wrong field. */
export const wrong = (path: string, message: string) => invalid([{ path, message }]);

/**
 * Turns a violated unique index into a message for the field: somebody else has this name or address. Other errors pass
 * through.
 */
function explainTaken(error: unknown): unknown {
  if (!(error instanceof db.Taken)) return error;
  const { field } = error;
  return wrong(field, field === "userName" ? "This user name is taken" : "This e-mail address is taken");
}

/** Why a person cannot be assigned to this partner; null if they can. */
async function faultOfPartner(context: Context, implementingPartnerId: number): Promise<Problem | null> {
  const partner = await readPartner(context, implementingPartnerId).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "NOT_FOUND") return null;
    throw error;
  });
  if (!partner) return wrong("implementingPartnerId", "There is no such implementing partner");
  return partner.active ? null : wrong("implementingPartnerId", "This implementing partner is no longer active");
}

/** Those of the changed privileges that the caller must not set. */
function beyondGranting(viewer: Viewer, names: Privilege[]): Privilege[] {
  const mine: readonly Privilege[] = grantable;
  return viewer.privileges.administrator ? [] : names.filter((name) => !mine.includes(name));
}

/**
 * Creates a user with a temporary password, which is returned once. A caller with manageUsers creates users for the own
 * partner only, with the privileges of the privilege table only. Every user may edit their own profile unless editSelf
 * is withdrawn.
 *
 * @throws Problem FORBIDDEN, INVALID
 */
export async function createUser(
  context: Context,
  { privileges: given, implementingPartnerId: wanted, ...particulars }: CreateUser,
): Promise<{ user: UserRow; temporaryPassword: string }> {
  const viewer = requireRight(context, "manageUsers");
  const { administrator } = viewer.privileges;
  const denial: Denial = { action: "user.create", details: { userName: particulars.userName } };
  if (!administrator && wanted != null && wanted !== viewer.implementingPartnerId)
    throw deny(context, denial, noRight("Users can be created for your own implementing partner only."));
  const privileges: Privileges = { ...noPrivileges, editSelf: true, ...given };
  const granted = privilegeNames.filter((name) => privileges[name] && name !== "editSelf");
  const beyond = beyondGranting(viewer, granted);
  if (beyond.length > 0) throw deny(context, denial, noRight(`You cannot grant ${beyond.join(", ")}.`));

  const implementingPartnerId = administrator ? wanted : viewer.implementingPartnerId;
  if (implementingPartnerId == null) throw wrong("implementingPartnerId", "is required");
  const partnerFault = await faultOfPartner(context, implementingPartnerId);
  if (partnerFault) throw partnerFault;
  const userUuid = uuidv7();
  const temporaryPassword = makePassword();
  const passwordHash = await hashInTurn(viewer.userUuid, temporaryPassword);
  const values = { ...particulars, ...privileges, implementingPartnerId };
  try {
    return await transact(context.db, async (transaction) => {
      await db.insertUser(transaction, { ...values, userUuid, passwordHash, passwordTemporary: true });
      const event = { action: "user.create", outcome: "done", subject: subjectOf(userUuid) } as const;
      await recordAudit(context, { ...event, details: { new: values } }, transaction);
      return { user: (await db.findUser(transaction, { userUuid }))!, temporaryPassword };
    });
  } catch (error) {
    throw explainTaken(error);
  }
}

/**
 * Only administrators may change an administrator. Changes of the own record are checked by the act.
 *
 * @throws Problem FORBIDDEN
 */
export function requireReach(context: Context, action: AuditAction, { userUuid, administrator }: UserRow): void {
  const viewer = requireViewer(context);
  if (userUuid === viewer.userUuid || !administrator || viewer.privileges.administrator) return;
  throw deny(
    context,
    { action, subject: subjectOf(userUuid) },
    noRight("Only an administrator can do this to an administrator."),
  );
}

/**
 * Finds and locks the record that the caller will change. Callers change only people whom they may see, and only
 * administrators change an administrator. Changes of the own record are checked by the act.
 */
export async function lockForChange(
  context: Context,
  transaction: Handle,
  action: AuditAction,
  userUuid: string,
  path = "uuid",
): Promise<UserRow> {
  requireViewer(context);
  const found = isUuid(userUuid) ? await db.lockUser(transaction, { userUuid }) : undefined;
  if (!found) throw deny(context, { action, subject: subjectOf(userUuid) }, notFound("user", path));
  const user = requireVisible(context, action, userUuid, found);
  requireReach(context, action, user);
  return user;
}

/** Refuses to remove the last administrator. @throws Problem CONFLICT */
export async function requireOtherAdministrator(
  context: Context,
  transaction: Handle,
  action: AuditAction,
  user: UserRow,
): Promise<void> {
  if (!user.administrator || !user.active) return;
  await db.lockAdministrators(transaction);
  if ((await db.countOtherAdministrators(transaction, user)) > 0) return;
  const problem = new Problem("CONFLICT", "This is the last active administrator. Name another one first.");
  throw deny(context, { action, subject: subjectOf(user.userUuid) }, problem);
}

/**
 * Changes a person's record and privileges. A field that is not given, or that is equal, is not changed. With
 * `version`, only if nobody else has changed the record since.
 *
 * Rights: the own profile needs editSelf, manageUsers or administrator; other people see `lockForChange`. The user name
 * needs manageUsers or administrator, the partner needs administrator, and own privileges can be changed by an
 * administrator only.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN, INVALID, CONFLICT
 */
export async function updateUser(
  context: Context,
  { uuid, version, active, privileges, ...given }: UpdateUser,
): Promise<UserRow> {
  const viewer = requireViewer(context);
  const action = "user.update";
  const rights = viewer.privileges;
  const { implementingPartnerId } = given;
  const partnerFault =
    implementingPartnerId === undefined ? null : await faultOfPartner(context, implementingPartnerId);
  try {
    return await transact(context.db, async (transaction) => {
      const user = await lockForChange(context, transaction, action, uuid);
      const { userUuid } = user;
      const isOwn = userUuid === viewer.userUuid;
      const changed = changeable.filter((name) => given[name] !== undefined && given[name] !== user[name]);
      const toggled = privilegeNames.filter(
        (name) => privileges?.[name] !== undefined && privileges[name] !== user[name],
      );
      const names = [...changed, ...toggled];
      const refuse = (detail?: string) =>
        deny(context, { action, subject: subjectOf(userUuid), details: { names } }, noRight(detail));

      if (isOwn && !may(rights, "editOwnProfile")) throw refuse();
      context.expect?.(user);
      if (changed.includes("userName") && !may(rights, "manageUsers")) throw refuse("You cannot change a user name.");
      if (changed.includes("implementingPartnerId") && !rights.administrator)
        throw refuse("Only an administrator can change the implementing partner.");
      if (toggled.length > 0 && isOwn && !rights.administrator) throw refuse("You cannot change your own privileges.");
      const beyond = beyondGranting(viewer, toggled);
      if (beyond.length > 0) throw refuse(`You cannot set ${beyond.join(", ")}.`);
      if (active !== undefined && active !== user.active)
        throw wrong("active", "cannot be changed here: deactivate or reactivate the user");
      if (version !== undefined && version !== user.version)
        throw new Problem("CONFLICT", "Somebody else has changed this user meanwhile.", { present: present(user) });
      if (changed.includes("implementingPartnerId") && partnerFault) throw partnerFault;
      if (toggled.includes("administrator") && user.administrator)
        await requireOtherAdministrator(context, transaction, action, user);
      if (names.length === 0) return user;

      const changes = { ...pick(given, changed), ...pick(privileges ?? {}, toggled) };
      await db.updateUser(transaction, { userUuid, ...changes });
      const event = {
        action: toggled.length > 0 ? "user.privileges" : action,
        outcome: "done",
        subject: subjectOf(userUuid),
      } as const;
      await recordAudit(context, { ...event, details: { old: pick(user, names), new: changes } }, transaction);
      return (await db.findUser(transaction, { userUuid }))!;
    });
  } catch (error) {
    throw explainTaken(error);
  }
}
