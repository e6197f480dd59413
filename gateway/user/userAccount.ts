import type { Handle } from "../../db/engine/connect.ts";
import { deleteSessionsOfUser, listSessions } from "../../db/auth/session.ts";
import * as tokens from "../../db/auth/token.ts";
import { transact } from "../../db/engine/transaction.ts";
import type { UserRow } from "../../db/user/user.ts";
import * as db from "../../db/user/user.ts";
import { deny, requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { makePassword } from "../auth/password.ts";
import { hashInTurn } from "../auth/turns.ts";
import { replaceSealKey } from "../auth/sealKey.ts";
import { batched } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { notFound } from "../problem.ts";
import { lockForChange, requireOtherAdministrator, requireReach, wrong } from "./saveUser.ts";
import { readUserTogether, subjectOf } from "./user.ts";

/** Acts on other people's accounts and tokens, shared by REST and GraphQL. */

/**
 * Runs a change of another person's account: checks the right, locks the record, and writes the event to the audit log.
 */
export async function changeAccount<Result>(
  context: Context,
  action: AuditAction,
  userUuid: string,
  change: (transaction: Handle, user: UserRow) => Promise<{ result: Result; details?: Record<string, unknown> }>,
  ownMessage?: string,
): Promise<Result> {
  const viewer = requireRight(context, "manageUsers");
  return transact(context.db, async (transaction) => {
    const user = await lockForChange(context, transaction, action, userUuid);
    if (user.userUuid === viewer.userUuid && ownMessage)
      throw deny(context, { action, subject: subjectOf(userUuid) }, wrong("uuid", ownMessage));
    const { result, details } = await change(transaction, user);
    await recordAudit(context, { action, outcome: "done", subject: subjectOf(userUuid), details }, transaction);
    return result;
  });
}

/** Ends a person's sessions, and their tokens permanently. Returns the numbers of both. */
async function endAccess(transaction: Handle, user: UserRow): Promise<{ endedSessions: number; endedTokens: number }> {
  const endedSessions = (await listSessions(transaction, user)).length;
  await deleteSessionsOfUser(transaction, user);
  return { endedSessions, endedTokens: await tokens.updateTokensOfUserRevoked(transaction, user) };
}

/**
 * Sets a new temporary password, which is returned once, and ends the person's sessions and tokens.
 * @throws Problem NOT_FOUND, FORBIDDEN, INVALID, TOO_MANY
 */
export async function resetPassword(
  context: Context,
  userUuid: string,
): Promise<{ user: UserRow; temporaryPassword: string }> {
  const { userUuid: asker } = requireRight(context, "manageUsers");
  const temporaryPassword = makePassword();
  const passwordHash = await hashInTurn(asker, temporaryPassword);
  const reset = async (transaction: Handle, user: UserRow) => {
    await db.updatePassword(transaction, { ...user, passwordHash, temporary: true });
    const details = await endAccess(transaction, user);
    return { result: { user: (await db.findUser(transaction, user))!, temporaryPassword }, details };
  };
  return changeAccount(
    context,
    "user.reset-password",
    userUuid,
    reset,
    "is yourself: change your own password instead",
  );
}

/**
 * Deactivates an account until it is reactivated. Ends its sessions, and its tokens permanently.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN, INVALID, CONFLICT
 */
export async function deactivateUser(context: Context, userUuid: string): Promise<UserRow> {
  const action = "user.deactivate";
  const deactivate = async (transaction: Handle, user: UserRow) => {
    await requireOtherAdministrator(context, transaction, action, user);
    if (user.active) await db.updateUser(transaction, { userUuid: user.userUuid, active: false });
    const details = await endAccess(transaction, user);
    return { result: (await db.findUser(transaction, user))!, details };
  };
  return changeAccount(context, action, userUuid, deactivate, "is yourself: nobody can deactivate their own account");
}

/** Reactivates an account. Its tokens stay ended. @throws Problem NOT_FOUND, FORBIDDEN */
export async function reactivateUser(context: Context, userUuid: string): Promise<UserRow> {
  const reactivate = async (transaction: Handle, user: UserRow) => {
    if (!user.active) await db.updateUser(transaction, { userUuid: user.userUuid, active: true });
    return { result: (await db.findUser(transaction, user))! };
  };
  return changeAccount(context, "user.reactivate", userUuid, reactivate);
}

/**
 * Ends all access of a person at once, for example after a lost telephone: sessions and tokens end, and records on
 * their devices cannot be opened any more. The account, its password and everything that the person sent remain.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function endEverything(
  context: Context,
  userUuid: string,
): Promise<{ user: UserRow; endedSessions: number; endedTokens: number }> {
  const end = async (transaction: Handle, user: UserRow) => {
    const details = await endAccess(transaction, user);
    await replaceSealKey(transaction, user.userUuid);
    return { result: { user, ...details }, details };
  };
  return changeAccount(context, "user.end-everything", userUuid, end);
}

const loadTokens = batched<string, tokens.TokenRow[]>(
  (context, userUuids) => tokens.listTokensOfUsers(context.primary, { userUuids }),
  () => [],
);

/**
 * The tokens of a person whom the caller manages, the newest first, ended ones too. Batched over a request.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function listUserTokens(context: Context, userUuid: string): Promise<tokens.TokenRow[]> {
  const user = await readUserTogether(context, userUuid);
  requireRight(context, "manageUsers");
  requireReach(context, "token.list", user);
  return loadTokens(context, user.userUuid);
}

/**
 * Permanently revokes a token of a person whom the caller manages. A second call changes nothing.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function revokeUserToken(
  context: Context,
  { userUuid, tokenUuid }: { userUuid: string; tokenUuid: string },
): Promise<tokens.TokenRow> {
  const action = "token.revoke";
  requireRight(context, "manageUsers");
  return transact(context.db, async (transaction) => {
    const user = await lockForChange(context, transaction, action, userUuid, "userUuid");
    const subject = { type: "AccessToken", id: tokenUuid };
    const token = isUuid(tokenUuid)
      ? await tokens.findToken(transaction, { userUuid: user.userUuid, tokenUuid })
      : undefined;
    if (!token) throw deny(context, { action, subject }, notFound("token", "uuid"));
    if (token.revoked) return token;
    await tokens.updateTokenRevoked(transaction, { tokenUuid });
    await recordAudit(
      context,
      { action, outcome: "done", subject, details: { name: token.name, of: user.userName } },
      transaction,
    );
    return { ...token, revoked: true };
  });
}
