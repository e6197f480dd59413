import * as sessions from "../../db/session.ts";
import { updateTokensOfUserRevoked } from "../../db/token.ts";
import { transact } from "../../db/transaction.ts";
import { findCredentials, lockPassword, updatePassword } from "../../db/user.ts";
import { deny, requireSession } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { invalid, Problem } from "../problem.ts";
import type { ChangePassword } from "./account.rules.ts";
import { hashToken } from "./auth.ts";
import { Guess } from "./guessing.ts";
import { hashNewPassword } from "./newPassword.ts";
import { verifyPassword } from "./password.ts";

/** Acts on one's own password and sessions, shared by REST and GraphQL. A token cannot do them. */

const ownHash = (context: Context): string => hashToken(context.cookies.read("session") ?? "");

/**
 * Replaces one's own password, which ends all one's other sessions, and one's tokens where that is wished. The present one is asked for, and may be wrong five times in
 * 15 minutes, so that a session left open does not give the account away.
 *
 * @throws Problem FORBIDDEN (token), INVALID, TOO_MANY
 */
export async function changeOwnPassword(context: Context, { currentPassword, password, endTokens }: ChangePassword): Promise<void> {
  const { userUuid, userName } = requireSession(context);
  const guess = new Guess(context.primary);
  const waitSeconds = await guess.take({ key: `own-password:${userUuid}`, most: 5, seconds: 15 * 60, forgives: true });
  if (waitSeconds !== null)
    throw new Problem("TOO_MANY", `Too many wrong passwords. Try again in ${Math.ceil(waitSeconds / 60)} minutes.`, {
      retryAfterSeconds: waitSeconds,
    });
  const account = await findCredentials(context.primary, { login: userName });
  const refuse = () => {
    const denial = { action: "user.password", subject: { type: "User", id: userUuid } };
    return deny(context, denial, invalid([{ path: "currentPassword", message: "is not your present password" }]));
  };
  const isRight = await verifyPassword(account?.passwordHash, currentPassword);
  await guess.end(isRight ? "right" : "wrong");
  if (!isRight || !account) throw refuse();
  if (currentPassword === password)
    throw invalid([{ path: "password", message: "The new password must differ from the present one" }]);
  const passwordHash = await hashNewPassword(context.primary, { userUuid, password });
  await transact(context.primary, async (transaction) => {
    // Somebody may have reset it since it was looked at.
    if (!(await lockPassword(transaction, account))) throw refuse();
    await updatePassword(transaction, { userUuid, passwordHash, temporary: false });
    const ended = await sessions.deleteOtherSessions(transaction, { userUuid, tokenHash: ownHash(context) });
    const endedTokens = endTokens ? await updateTokensOfUserRevoked(transaction, { userUuid }) : 0;
    const event = { action: "user.password", outcome: "done", subject: { type: "User", id: userUuid } } as const;
    await recordAudit(context, { ...event, details: { endedSessions: ended, endedTokens } }, transaction);
  });
}

/** One's sessions, the one used last first; `current` is the one that asks. */
export async function listOwnSessions(context: Context) {
  const { userUuid } = requireSession(context);
  const own = ownHash(context);
  const rows = await sessions.listSessions(context.primary, { userUuid });
  return rows.map(({ tokenHash, ...row }) => ({ ...row, current: tokenHash === own }));
}
export type OwnSession = Awaited<ReturnType<typeof listOwnSessions>>[number];

/** Ends all one's sessions but the one that asks; answers how many. */
export async function endOwnSessions(context: Context): Promise<number> {
  const { userUuid } = requireSession(context);
  return transact(context.primary, async (transaction) => {
    const ended = await sessions.deleteOtherSessions(transaction, { userUuid, tokenHash: ownHash(context) });
    const event = { action: "session.end", outcome: "done", subject: { type: "User", id: userUuid } } as const;
    await recordAudit(context, { ...event, details: { endedSessions: ended } }, transaction);
    return ended;
  });
}
