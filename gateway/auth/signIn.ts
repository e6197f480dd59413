import { randomBytes } from "node:crypto";

import { listSignInAddresses } from "../../db/audit/audit.ts";
import { limitOf, limitsOf } from "../../db/auth/limit.ts";
import { findSecondFactor } from "../../db/user/secondFactor.ts";
import * as sessions from "../../db/auth/session.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import { findCredentials, lockPassword, updateLastLogin, updatePassword } from "../../db/user/user.ts";
import { mustEnrol } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { networkOf } from "../access/network.ts";
import { invalid, Problem } from "../problem.ts";
import { hashToken, resettingUser } from "./auth.ts";
import type { SignIn } from "./auth.rules.ts";
import { isOwnDevice, markDevice } from "./device.ts";
import { Guess } from "./guessing.ts";
import { hashNewPassword } from "./newPassword.ts";
import { verifyPassword } from "./password.ts";
import { acceptCode } from "./secondFactor.ts";
import { passwordTurns } from "./turns.ts";

/** Signing in, shared by REST and GraphQL. */

const quarterHour = 15 * 60;
const failuresOfName = 5;
const failuresOfAddress = 20;
const sessionSeconds = 7 * 24 * 60 * 60;
/** A browser keeps the cookie longer than the session, so that the device can learn whether somebody ended it. */
const cookieSeconds = sessionSeconds + 14 * 24 * 60 * 60;
const resetSeconds = 10 * 60;

const successesOf = limitsOf((db) => limitOf(db, { name: "successes", times: 100, seconds: quarterHour }));
/** The limit of sign-ins with a right password but without the code that is needed too. */
const firstStepsOf = limitsOf((db) => limitOf(db, { name: "first-steps", times: 100, seconds: quarterHour }));

/**
 * What a sign-in counts wrong guesses for. The login is counted as it was typed, so that a name or an e-mail address is
 * locked in the same way whether it exists or not. The account behind it is counted too, so that its other login allows
 * no further guesses; the answer does not reveal this.
 */
const guessedBy = (network: string, login: string, userUuid: string | undefined) => ({
  address: { key: `failures:${network}`, most: failuresOfAddress, seconds: quarterHour, forgives: false },
  name: { key: `name:${login.toLowerCase()}`, most: failuresOfName, seconds: quarterHour, forgives: true },
  account: {
    key: `account:${userUuid ?? login.toLowerCase()}`,
    most: failuresOfName,
    seconds: quarterHour,
    forgives: true,
  },
});

const wrong = () => new Problem("UNAUTHENTICATED", "Invalid Username or Password Entered");
const codeWanted = (message: string, detail: string) =>
  new Problem("CODE_WANTED", detail, { errors: [{ path: "code", message }] });
const locked = () => new Problem("LOCKED", "Invalid Username or Password Entered");
const tooMany = (seconds: number) =>
  new Problem("TOO_MANY", `Too many sign-ins from this address. Try again in ${Math.ceil(seconds / 60)} minutes.`, {
    retryAfterSeconds: seconds,
  });

/** An account as it was read, with the password that was checked, and whether a code was checked. */
type Account = { userUuid: string; passwordHash: string; hasSecondFactor: boolean };

/**
 * Completes a sign-in with a right password, in one transaction. Since the account was read, somebody may have replaced
 * the password, deactivated the account or switched on a second factor. That ended the person's sessions, so no new one
 * may begin.
 *
 * @throws Problem UNAUTHENTICATED
 */
async function afterPassword(
  context: Context,
  account: Account,
  act: (transaction: Handle) => Promise<void>,
): Promise<void> {
  const isStillRight = await transact(context.primary, async (transaction) => {
    if (!(await lockPassword(transaction, account))) return false;
    if (!account.hasSecondFactor && (await findSecondFactor(transaction, account))) return false;
    await act(transaction);
    return true;
  });
  if (isStillRight) return;
  const { userUuid } = account;
  await recordAudit(context, {
    action: "session.sign-in",
    outcome: "failed",
    userUuid,
    details: { reason: "changed meanwhile" },
  });
  throw wrong();
}

async function beginReset(context: Context, account: Account): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const { userUuid } = account;
  const reset = {
    tokenHash: hashToken(token),
    userUuid,
    purpose: "reset",
    address: context.address,
    seconds: resetSeconds,
  } as const;
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
  markDevice(context, { userUuid, passwordHash: newPasswordHash ?? account.passwordHash });
  context.cookies.set("session", token, cookieSeconds);
  context.cookies.set("reset", null);
}

type Credentials = Account & { active: boolean; passwordTemporary: boolean; administrator: boolean };
type Attempt = Pick<SignIn, "login" | "password" | "code"> & {
  account: Credentials | undefined;
  isReset: boolean;
  mayReset: boolean;
  /** the person has signed in with this browser before (device.ts) */
  isOwn: boolean;
};

/**
 * Makes the problem that asks for a code. The guess counts neither as wrong nor as right: a right one would reset the
 * count of wrong codes.
 *
 * @throws Problem TOO_MANY
 */
async function wantCode(context: Context, userUuid: string): Promise<Problem> {
  const { waitSeconds } = await firstStepsOf(context.primary).take(context.network);
  if (waitSeconds !== null) return tooMany(waitSeconds);
  await recordAudit(context, { action: "session.code-wanted", outcome: "done", userUuid });
  return codeWanted("is required", "Enter the code of your authenticator app, or one of your recovery codes.");
}

/**
 * The account that the password (and the code, if it has a second factor) opens, and whether the password is the
 * present one: it may be the new one that replaces a temporary one. Everything else is refused, after the same time for
 * every reason. A wrong code counts like a wrong password.
 *
 * @throws Problem UNAUTHENTICATED, CODE_WANTED, LOCKED, TOO_MANY
 */
async function openAccount(
  context: Context,
  { login, password, code, account, isReset, mayReset, isOwn }: Attempt,
  refuse: (reason: string, problem: Problem) => Promise<Problem>,
): Promise<Credentials & { matches: boolean }> {
  const guessed = guessedBy(context.network, login, account?.userUuid);
  const guess = new Guess(context.primary);
  try {
    // Others of the network do not refuse a person's own browser: its guesses are few by name and account already.
    const blockedSeconds = isOwn ? null : await guess.take(guessed.address);
    if (blockedSeconds !== null) {
      // Not written to the audit, because somebody who guesses could fill it.
      context.onEvent?.({ action: "session.sign-in", outcome: "refused" });
      throw tooMany(blockedSeconds);
    }
    const isLocked = (await guess.take(guessed.name)) !== null;
    const isLockedByOther = !isLocked && (await guess.take(guessed.account)) !== null;
    const mayLook = !isLocked && !isLockedByOther && (!isReset || mayReset);
    const matches = await verifyPassword(mayLook ? account?.passwordHash : undefined, password);
    const opened = account && (matches || (mayLook && mayReset)) ? { ...account, matches } : undefined;
    // A person who replaces a temporary password has already given the code together with it.
    const wantsCode = opened?.active && opened.hasSecondFactor && !mayReset;
    if (wantsCode && code === undefined) throw await wantCode(context, opened.userUuid);
    const isOpen = opened && (!wantsCode || (await acceptCode(context, opened, code!)));
    await guess.end(isOpen ? "right" : "wrong");
    if (isOpen) return opened;
    if (opened)
      throw await refuse(
        "wrong code",
        codeWanted("is wrong, or was used already", "The code is wrong, or was used already."),
      );
    if (isLocked) throw await refuse("locked", locked());
    throw await refuse(isLockedByOther ? "locked by another login" : "wrong name or password", wrong());
  } finally {
    await guess.end("unknown");
  }
}

/** Whether the person signed in before from the network of this call, with whatever browser. */
const isKnownHere = async (context: Context, account: Credentials | undefined): Promise<boolean> =>
  account !== undefined &&
  (await listSignInAddresses(context.primary, account)).some((address) => networkOf(address) === context.network);

/** The step that a sign-in has reached. */
export type SignInStep = "signed-in" | "reset-required" | "enrolment-required";

/**
 * Signs in by user name or primary e-mail address. A right but temporary password begins a reset ("reset-required"):
 * the next call, with the reset cookie, the same login, a new password and an equal confirmPassword, sets it and signs
 * in. A person with a second factor sends a code with the password. A person who must have one and has none is signed
 * in only to set it up ("enrolment-required").
 *
 * Only wrong passwords count, against the address, the login and the account (guessing.ts); not against the address with
 * a browser in which the person has signed in before (device.ts).
 *
 * @throws Problem UNAUTHENTICATED (wrong), CODE_WANTED (missing or wrong code), LOCKED (locked or deactivated),
 *   TOO_MANY (address), INVALID (new password)
 */
export async function signIn(
  context: Context,
  { login, password, confirmPassword, code }: SignIn,
): Promise<SignInStep> {
  const found = await findCredentials(context.primary, { login });
  const refuse = async (reason: string, problem: Problem) => {
    const details = { reason };
    await recordAudit(context, {
      action: "session.sign-in",
      outcome: "failed",
      userUuid: found?.userUuid,
      login,
      details,
    });
    return problem;
  };
  const isReset = confirmPassword !== undefined;
  const mayReset = isReset && found !== undefined && (await resettingUser(context)) === found.userUuid;
  const isOwn = found !== undefined && isOwnDevice(context, found);
  const asker = isOwn
    ? { asker: found.userUuid, isKnown: true }
    : { asker: context.network, isKnown: passwordTurns.isBusy() && (await isKnownHere(context, found)) };
  const account = await passwordTurns.take(asker, () =>
    openAccount(context, { login, password, code, account: found, mayReset, isReset, isOwn }, refuse),
  );
  const successes = await successesOf(context.primary).take(context.network);
  if (successes.waitSeconds !== null) throw tooMany(successes.waitSeconds);
  if (!account.active) throw await refuse("deactivated", locked());

  const done = mustEnrol(context, account.administrator && !account.hasSecondFactor)
    ? "enrolment-required"
    : "signed-in";
  if (mayReset) {
    if (account.matches)
      throw invalid([{ path: "password", message: "The new password must differ from the temporary one" }]);
    await beginSession(context, account, await hashNewPassword(context.primary, { ...account, password }));
    return done;
  }
  if (account.passwordTemporary) {
    await beginReset(context, account);
    return "reset-required";
  }
  await beginSession(context, account);
  return done;
}
