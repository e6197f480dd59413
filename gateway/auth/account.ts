import * as sessions from "../../db/auth/session.ts";
import { updateTokensOfUserRevoked } from "../../db/auth/token.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockPassword, updatePassword } from "../../db/user/user.ts";
import { requireSession } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { invalid } from "../problem.ts";
import type { ChangePassword } from "./account.rules.ts";
import { ownSessionHash } from "./auth.ts";
import { hashNewPassword } from "./newPassword.ts";
import { requireOwnPassword } from "./ownPassword.ts";

/** Acts on one's own password and sessions, shared by REST and GraphQL. A token cannot do them. */

/**
 * Replaces the caller's own password; the present one is needed. Ends the caller's other sessions, and with `endTokens`
 * their tokens.
 *
 * @throws Problem FORBIDDEN (token), INVALID, TOO_MANY
 */
export async function changeOwnPassword(
  context: Context,
  { currentPassword, password, endTokens }: ChangePassword,
): Promise<void> {
  const viewer = requireSession(context);
  const { userUuid } = viewer;
  const { account, refuse } = await requireOwnPassword(context, viewer, {
    action: "user.password",
    path: "currentPassword",
    password: currentPassword,
  });
  if (currentPassword === password)
    throw invalid([{ path: "password", message: "The new password must differ from the present one" }]);
  const passwordHash = await hashNewPassword(context.primary, { userUuid, password });
  await transact(context.primary, async (transaction) => {
    // Somebody may have reset the password since it was checked.
    if (!(await lockPassword(transaction, account))) throw refuse();
    await updatePassword(transaction, { userUuid, passwordHash, temporary: false });
    const ended = await sessions.deleteOtherSessions(transaction, { userUuid, tokenHash: ownSessionHash(context) });
    const endedTokens = endTokens ? await updateTokensOfUserRevoked(transaction, { userUuid }) : 0;
    const event = { action: "user.password", outcome: "done", subject: { type: "User", id: userUuid } } as const;
    await recordAudit(context, { ...event, details: { endedSessions: ended, endedTokens } }, transaction);
  });
}

/** The caller's sessions, the most recently used first; `current` is the session of this request. */
export async function listOwnSessions(context: Context) {
  const { userUuid } = requireSession(context);
  const own = ownSessionHash(context);
  const rows = await sessions.listSessions(context.primary, { userUuid });
  return rows.map(({ tokenHash, ...row }) => ({ ...row, current: tokenHash === own }));
}
export type OwnSession = Awaited<ReturnType<typeof listOwnSessions>>[number];

/** Ends the caller's other sessions; returns how many. */
export async function endOwnSessions(context: Context): Promise<number> {
  const { userUuid } = requireSession(context);
  return transact(context.primary, async (transaction) => {
    const ended = await sessions.deleteOtherSessions(transaction, { userUuid, tokenHash: ownSessionHash(context) });
    const event = { action: "session.end", outcome: "done", subject: { type: "User", id: userUuid } } as const;
    await recordAudit(context, { ...event, details: { endedSessions: ended } }, transaction);
    return ended;
  });
}
