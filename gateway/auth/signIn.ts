import { randomBytes } from "node:crypto";

import { limitOf, limitsOf } from "../../db/limit.ts";
import * as sessions from "../../db/session.ts";
import type { Handle } from "../../db/connect.ts";
import { transact } from "../../db/transaction.ts";
import { findCredentials, lockPassword, updateLastLogin, updatePassword } from "../../db/user.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { invalid, Problem } from "../problem.ts";
import { hashToken, resettingUser } from "./auth.ts";
import type { SignIn } from "./auth.rules.ts";
import { Guess } from "./guessing.ts";
import { hashNewPassword } from "./newPassword.ts";
import { verifyPassword } from "./password.ts";

/** Signing in, shared by REST and GraphQL. */

const quarterHour = 15 * 60;
const failuresOfName = 5;
const failuresOfAddress = 20;
const sessionSeconds = 7 * 24 * 60 * 60;
const resetSeconds = 10 * 60;

const successesOf = limitsOf((db) => limitOf(db, { name: "successes", times: 100, seconds: quarterHour }));

/**
 * What a sign-in guesses at. The login is counted as it was typed, so that a name and an e-mail address are locked alike whether there is
 * such a person or not; the account behind it is counted too, so that a second login of it gives no more guesses, which nobody is told.
 */
const guessedBy = (address: string, login: string, userUuid: string | undefined) => ({
  address: { key: `failures:${address}`, most: failuresOfAddress, seconds: quarterHour, forgives: false },
  name: { key: `name:${login.toLowerCase()}`, most: failuresOfName, seconds: quarterHour, forgives: true },
  account: { key: `account:${userUuid ?? login.toLowerCase()}`, most: failuresOfName, seconds: quarterHour, forgives: true },
});

const wrong = () => new Problem("UNAUTHENTICATED", "Invalid Username or Password Entered");
const locked = () => new Problem("LOCKED", "Invalid Username or Password Entered");
const tooMany = (seconds: number) =>
  new Problem("TOO_MANY", `Too many sign-ins from this address. Try again in ${Math.ceil(seconds / 60)} minutes.`, {
    retryAfterSeconds: seconds,
  });

/** An account as it was read, with the password that was looked at. */
type Account = { userUuid: string; passwordHash: string };

/**
 * What follows a right password, in one transaction. Somebody may have replaced the password or deactivated the account since it
 * was read, which ended the person's sessions: then no other begins.
 *
 * @throws Problem UNAUTHENTICATED
 */
async function afterPassword(context: Context, account: Account, act: (transaction: Handle) => Promise<void>): Promise<void> {
  const isStillRight = await transact(context.primary, async (transaction) => {
    if (!(await lockPassword(transaction, account))) return false;
    await act(transaction);
    return true;
  });
  if (isStillRight) return;
  const { userUuid } = account;
  await recordAudit(context, { action: "session.sign-in", outcome: "failed", userUuid, details: { reason: "changed meanwhile" } });
  throw wrong();
}

async function beginReset(context: Context, account: Account): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const { userUuid } = account;
  const reset = { tokenHash: hashToken(token), userUuid, purpose: "reset", address: context.address, seconds: resetSeconds } as const;
  await afterPassword(context, account, (transaction) => sessions.insertSession(transaction, reset));
  context.cookies.set("reset", token, resetSeconds);
}

/** Ends what the browser held before and begins a session. With a new password all other sessions of the person end. */
async function beginSession(context: Context, account: Account, newPasswordHash?: string): Promise<void> {
  const { userUuid } = account;
  const token = randomBytes(32).toString("base64url");
  const former = context.cookies.read("session");
  await afterPassword(context, account, async (transaction) => {
    if (newPasswordHash !== undefined) {
      await updatePassword(transaction, { userUuid, passwordHash: newPasswordHash, temporary: false });
      await sessions.deleteSessionsOfUser(transaction, { userUuid });
      const event = { action: "user.password", outcome: "done", userUuid } as const;
      await recordAudit(context, { ...event, subject: { type: "User", id: userUuid } }, transaction);
    }
    if (former) await sessions.deleteSession(transaction, { tokenHash: hashToken(former) });
    await sessions.insertSession(transaction, {
      tokenHash: hashToken(token),
      userUuid,
      purpose: "session",
      address: context.address,
      seconds: sessionSeconds,
    });
    await updateLastLogin(transaction, { userUuid });
    await recordAudit(context, { action: "session.sign-in", outcome: "done", userUuid }, transaction);
  });
  context.writer = userUuid;
  context.cookies.set("session", token, sessionSeconds);
  context.cookies.set("reset", null);
}

type Credentials = Account & { active: boolean; passwordTemporary: boolean };
type Attempt = { login: string; password: string; account: Credentials | undefined; isReset: boolean; mayReset: boolean };

/**
 * The account that the password opens, and whether it is its present one: it may be another where it replaces a temporary one. All else is
 * refused, after the same time whatever the reason is.
 *
 * @throws Problem UNAUTHENTICATED, LOCKED, TOO_MANY
 */
async function openAccount(
  context: Context,
  { login, password, account, isReset, mayReset }: Attempt,
  refuse: (reason: string, problem: Problem) => Promise<Problem>,
): Promise<Credentials & { matches: boolean }> {
  const guessed = guessedBy(context.address, login, account?.userUuid);
  const guess = new Guess(context.primary);
  try {
    const blockedSeconds = await guess.take(guessed.address);
    if (blockedSeconds !== null) throw tooMany(blockedSeconds);
    const isLocked = (await guess.take(guessed.name)) !== null;
    const isLockedByOther = !isLocked && (await guess.take(guessed.account)) !== null;
    const mayLook = !isLocked && !isLockedByOther && (!isReset || mayReset);
    const matches = await verifyPassword(mayLook ? account?.passwordHash : undefined, password);
    const opened = account && (matches || (mayLook && mayReset)) ? { ...account, matches } : undefined;
    await guess.end(opened ? "right" : "wrong");
    if (opened) return opened;
    if (isLocked) throw await refuse("locked", locked());
    throw await refuse(isLockedByOther ? "locked by another login" : "wrong name or password", wrong());
  } finally {
    await guess.end("unknown");
  }
}

/**
 * Signs in by user name or primary e-mail address. A right but temporary password begins a reset ("reset-required"): the next
 * call, with the reset cookie, the same login, a new password and an equal confirmPassword, sets it and signs in.
 *
 * Only wrong passwords count, against the address, the login and the account (guessing.ts).
 *
 * @throws Problem UNAUTHENTICATED (wrong), LOCKED (locked or deactivated), TOO_MANY (address), INVALID (new password)
 */
export async function signIn(
  context: Context,
  { login, password, confirmPassword }: SignIn,
): Promise<"signed-in" | "reset-required"> {
  const found = await findCredentials(context.primary, { login });
  const refuse = async (reason: string, problem: Problem) => {
    const details = { reason };
    await recordAudit(context, { action: "session.sign-in", outcome: "failed", userUuid: found?.userUuid, login, details });
    return problem;
  };
  const isReset = confirmPassword !== undefined;
  const mayReset = isReset && found !== undefined && (await resettingUser(context)) === found.userUuid;
  const account = await openAccount(context, { login, password, account: found, mayReset, isReset }, refuse);
  const successes = await successesOf(context.primary).take(context.address);
  if (successes.waitSeconds !== null) throw tooMany(successes.waitSeconds);
  if (!account.active) throw await refuse("deactivated", locked());

  if (mayReset) {
    if (account.matches)
      throw invalid([{ path: "password", message: "The new password must differ from the temporary one" }]);
    await beginSession(context, account, await hashNewPassword(context.primary, { ...account, password }));
    return "signed-in";
  }
  if (account.passwordTemporary) {
    await beginReset(context, account);
    return "reset-required";
  }
  await beginSession(context, account);
  return "signed-in";
}
