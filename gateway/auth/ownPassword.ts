import { findCredentials } from "../../db/user.ts";
import { deny } from "../access/access.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import type { Context, Viewer } from "../context.ts";
import { invalid, Problem } from "../problem.ts";
import { Guess } from "./guessing.ts";
import { verifyPassword } from "./password.ts";

/**
 * Checks the caller's present password again, so that a session that was left open does not give the account away. Five wrong ones in 15
 * minutes are allowed. Returns the account, and the refusal to throw if its password has changed meanwhile.
 *
 * @param action the action for the audit log; `path`: the path of the input that contains the password
 * @throws Problem INVALID, TOO_MANY
 */
export async function requireOwnPassword(context: Context, { userUuid, userName }: Viewer, { action, path, password }: { action: AuditAction; path: string; password: string }) {
  const guess = new Guess(context.primary);
  const waitSeconds = await guess.take({ key: `own-password:${userUuid}`, most: 5, seconds: 15 * 60, forgives: true });
  if (waitSeconds !== null)
    throw new Problem("TOO_MANY", `Too many wrong passwords. Try again in ${Math.ceil(waitSeconds / 60)} minutes.`, {
      retryAfterSeconds: waitSeconds,
    });
  const account = await findCredentials(context.primary, { login: userName });
  const refuse = () => deny(context, { action, subject: { type: "User", id: userUuid } }, invalid([{ path, message: "is not your present password" }]));
  const isRight = await verifyPassword(account?.passwordHash, password);
  await guess.end(isRight ? "right" : "wrong");
  if (!isRight || !account) throw refuse();
  return { account, refuse };
}
