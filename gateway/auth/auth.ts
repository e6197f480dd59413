import { createHash, randomBytes } from "node:crypto";

import type { Database, Handle } from "../../db/connect.ts";
import { limitOf, limitsOf } from "../../db/limit.ts";
import * as sessions from "../../db/session.ts";
import { transact } from "../../db/transaction.ts";
import { findCredentials, lockPassword, updateLastLogin, updatePassword } from "../../db/user.ts";
import { noPrivileges, type Privileges, privilegeNames } from "../access/access.rules.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context, Viewer } from "../context.ts";
import { invalid, Problem } from "../problem.ts";
import type { SignIn } from "./auth.rules.ts";
import { hashPassword, verifyPassword } from "./password.ts";

/** Sign-in, session check and sign-out, shared by REST and GraphQL. */

const quarterHour = 15 * 60;
const failuresOfName = 5;
const sessionSeconds = 7 * 24 * 60 * 60;
const resetSeconds = 10 * 60;

const signInLimits = limitsOf((db) => ({
  name: limitOf(db, { name: "name", times: failuresOfName, seconds: quarterHour }),
  addressFailures: limitOf(db, { name: "failures", times: 20, seconds: quarterHour }),
  addressSuccesses: limitOf(db, { name: "successes", times: 100, seconds: quarterHour }),
}));

/** How sessions and tokens are kept: whoever reads the database cannot use them. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");
const wrong = () => new Problem("UNAUTHENTICATED", "Invalid Username or Password Entered");
const locked = () => new Problem("LOCKED", "Invalid Username or Password Entered");
const tooMany = (seconds: number) =>
  new Problem("TOO_MANY", `Too many sign-ins from this address. Try again in ${Math.ceil(seconds / 60)} minutes.`, {
    retryAfterSeconds: seconds,
  });

/** The account whose temporary password was just accepted, by the reset cookie. */
async function resettingUser(context: Context): Promise<string | undefined> {
  const token = context.cookies.read("reset");
  return token ? (await sessions.findReset(context.primary, { tokenHash: hashToken(token) }))?.userUuid : undefined;
}

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

/**
 * Signs in by user name or primary e-mail address. A right but temporary password begins a reset ("reset-required"): the next
 * call, with the reset cookie, the same login, a new password and an equal confirmPassword, sets it and signs in.
 *
 * Attempts are counted before the password is looked at, so that parallel guesses gain nothing.
 *
 * @throws Problem UNAUTHENTICATED (wrong), LOCKED (locked or deactivated), TOO_MANY (address), INVALID (new password)
 */
export async function signIn(
  context: Context,
  { login, password, confirmPassword }: SignIn,
): Promise<"signed-in" | "reset-required"> {
  const { name, addressFailures, addressSuccesses } = signInLimits(context.primary);
  const account = await findCredentials(context.primary, { login });
  const key = account?.userUuid ?? login.toLowerCase();

  const failures = await addressFailures.take(context.address);
  if (failures.waitSeconds !== null) throw tooMany(failures.waitSeconds);
  const refuse = async (reason: string, problem: Problem) => {
    const details = { reason };
    await recordAudit(context, { action: "session.sign-in", outcome: "failed", userUuid: account?.userUuid, login, details });
    return problem;
  };
  const attempts = await name.take(key);
  if (attempts.waitSeconds !== null) {
    await verifyPassword(undefined, password);
    throw await refuse("locked", locked());
  }

  const isReset = confirmPassword !== undefined;
  const mayReset = isReset && account !== undefined && (await resettingUser(context)) === account.userUuid;
  const matches = await verifyPassword(isReset && !mayReset ? undefined : account?.passwordHash, password);
  if (!account || !(matches || mayReset)) {
    if (attempts.taken >= failuresOfName) await name.block(key, quarterHour);
    throw await refuse("wrong name or password", wrong());
  }
  await name.reset(key);
  await addressFailures.giveBack(context.address);
  const successes = await addressSuccesses.take(context.address);
  if (successes.waitSeconds !== null) throw tooMany(successes.waitSeconds);
  if (!account.active) throw await refuse("deactivated", locked());

  if (mayReset) {
    if (matches)
      throw invalid([{ path: "password", message: "The new password must differ from the temporary one" }]);
    await beginSession(context, account, await hashPassword(password));
    return "signed-in";
  }
  if (account.passwordTemporary) {
    await beginReset(context, account);
    return "reset-required";
  }
  await beginSession(context, account);
  return "signed-in";
}

/** Ends the session of the request, if it has one. */
export async function signOut(context: Context): Promise<void> {
  const token = context.cookies.read("session");
  if (token) {
    await sessions.deleteSession(context.primary, { tokenHash: hashToken(token) });
    if (context.viewer) await recordAudit(context, { action: "session.sign-out", outcome: "done" });
  }
  context.cookies.set("session", null);
  context.cookies.set("reset", null);
}

/** How far the request's sign-in is. */
export async function checkSession(context: Context): Promise<"signed-in" | "reset-required" | "signed-out"> {
  if (context.viewer) return "signed-in";
  return (await resettingUser(context)) ? "reset-required" : "signed-out";
}

/** The signed-in person behind a session cookie; null when there is none. */
export async function findViewer(db: Database, sessionToken: string | undefined): Promise<Viewer | null> {
  if (!sessionToken) return null;
  const tokenHash = hashToken(sessionToken);
  const found = await sessions.findSession(db, { tokenHash });
  if (!found) return null;
  const { userUuid, userName, implementingPartnerId, seenLongAgo, writtenUntil } = found;
  if (seenLongAgo) await sessions.updateSessionSeen(db, { tokenHash });
  const privileges: Privileges = { ...noPrivileges };
  for (const privilege of privilegeNames) privileges[privilege] = found[privilege];
  return { userUuid, userName, implementingPartnerId, privileges, tokenUuid: null, writtenUntil };
}
