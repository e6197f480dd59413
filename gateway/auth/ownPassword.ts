import { limitOf, limitsOf } from "../../db/auth/limit.ts";
import { findCredentials } from "../../db/user/user.ts";
import { deny } from "../access/access.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import type { Context, Viewer } from "../context.ts";
import { invalid, Problem } from "../problem.ts";
import { Guess } from "./guessing.ts";
import { verifyPassword } from "./password.ts";
import { passwordTurns } from "./turns.ts";

const quarterHour = 15 * 60;
const checksOf = limitsOf((db) => limitOf(db, { name: "own-password-checks", times: 30, seconds: quarterHour }));

const tooMany = (what: string, seconds: number) =>
  new Problem("TOO_MANY", `Too many ${what}. Try again in ${Math.ceil(seconds / 60)} minutes.`, {
    retryAfterSeconds: seconds,
  });

/**
 * Checks the caller's present password again, so that a session that was left open does not give the account away.
 * Thirty checks and five wrong ones in 15 minutes are allowed. Returns the account, and the refusal to throw if its
 * password has changed meanwhile.
 *
 * @param action the action for the audit log; `path`: the path of the input that contains the password
 * @throws Problem INVALID, TOO_MANY
 */
export async function requireOwnPassword(
  context: Context,
  { userUuid, userName }: Viewer,
  { action, path, password }: { action: AuditAction; path: string; password: string },
) {
  const checks = await checksOf(context.primary).take(userUuid);
  if (checks.waitSeconds !== null) throw tooMany("checks of your password", checks.waitSeconds);
  const account = await findCredentials(context.primary, { login: userName });
  const refuse = () =>
    deny(
      context,
      { action, subject: { type: "User", id: userUuid } },
      invalid([{ path, message: "is not your present password" }]),
    );
  await passwordTurns.take({ asker: userUuid, isKnown: true }, async () => {
    const guess = new Guess(context.primary);
    const waitSeconds = await guess.take({
      key: `own-password:${userUuid}`,
      most: 5,
      seconds: quarterHour,
      forgives: true,
    });
    if (waitSeconds !== null) throw tooMany("wrong passwords", waitSeconds);
    const isRight = await verifyPassword(account?.passwordHash, password);
    await guess.end(isRight ? "right" : "wrong");
    if (!isRight) throw refuse();
  });
  if (!account) throw refuse();
  return { account, refuse };
}
