import { randomBytes } from "node:crypto";

import type { Handle } from "../../db/engine/connect.ts";
import * as db from "../../db/user/secondFactor.ts";
import { deleteOtherSessions } from "../../db/auth/session.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockPassword, lockUser } from "../../db/user/user.ts";
import { deny, mustEnrol, requireEnroller } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import type { Context, Viewer } from "../context.ts";
import { invalid, Problem } from "../problem.ts";
import { hashToken, ownSessionHash } from "./auth.ts";
import { Guess } from "./guessing.ts";
import { requireOwnPassword } from "./ownPassword.ts";
import { makePassword } from "./password.ts";
import { codeRule, recoveryCodeCount, type WithPassword } from "./secondFactor.rules.ts";
import { base32, findStep, otpauthUri } from "./totp.ts";

/**
 * The caller's own second factor (a code of an authenticator app, or a recovery code), and its check at a sign-in.
 * Shared by REST and GraphQL.
 */

const issuer = "SmartCare Deployment Platform";
/** How long a secret waits for the first code. */
const begunMinutes = 15;

/** The state of the caller's second factor. */
export type SecondFactor = { on: boolean; sinceDate: string | null; recoveryCodesLeft: number; required: boolean };

const eventOf = (action: AuditAction, { userUuid }: Viewer) => ({ action, subject: { type: "User", id: userUuid } });

/** @throws Problem UNAUTHENTICATED, FORBIDDEN (token) */
export async function readOwnSecondFactor(context: Context): Promise<SecondFactor> {
  const viewer = requireEnroller(context);
  const found = await db.findSecondFactor(context.primary, viewer);
  const required = mustEnrol(context, viewer.privileges.administrator);
  return {
    on: found !== undefined,
    sinceDate: found?.sinceDate ?? null,
    recoveryCodesLeft: found?.recoveryCodesLeft ?? 0,
    required,
  };
}

const isOnAlready = () => new Problem("CONFLICT", "Your second factor is switched on already. Switch it off first.");
const isOff = () => new Problem("CONFLICT", "Your second factor is not switched on.");

/**
 * Creates the secret of a new second factor. Sign-ins need no code until a first code has confirmed it.
 *
 * @throws Problem INVALID (password), CONFLICT (on already), TOO_MANY, FORBIDDEN (token)
 */
export async function beginSecondFactor(
  context: Context,
  { password }: WithPassword,
): Promise<{ secret: string; uri: string }> {
  const viewer = requireEnroller(context);
  await requireOwnPassword(context, viewer, { ...eventOf("second-factor.begin", viewer), path: "password", password });
  const secret = randomBytes(20);
  if (!(await db.upsertSecret(context.primary, { ...viewer, secret }))) throw isOnAlready();
  return { secret: base32(secret), uri: otpauthUri({ issuer, account: viewer.userName, secret }) };
}

/** Gives a person new recovery codes, which are kept hashed. They have 74 bits each, so that one hash is enough. */
async function makeCodes(transaction: Handle, { userUuid }: Viewer): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, makePassword);
  await db.updateCodes(transaction, { userUuid, codeHashes: codes.map(hashOfCode) });
  return codes;
}
const hashOfCode = (code: string): string => hashToken(codeRule.parse(code));

/**
 * Switches on the second factor that was begun, after a first code. Ends the caller's other sessions, because they
 * began without it. Returns the recovery codes, only this time.
 *
 * @throws Problem INVALID (code), CONFLICT (on already, or none was begun), TOO_MANY, FORBIDDEN (token)
 */
export async function confirmSecondFactor(
  context: Context,
  { code }: { code: string },
): Promise<{ recoveryCodes: string[] }> {
  const viewer = requireEnroller(context);
  const { userUuid } = viewer;
  const event = eventOf("second-factor.on", viewer);
  const secret = await db.findSecret(context.primary, { userUuid, begunMinutes });
  if (!secret)
    throw new Problem(
      "CONFLICT",
      `No second factor is being set up, or it was begun more than ${begunMinutes} minutes ago. Begin again.`,
    );
  const guess = new Guess(context.primary);
  const waitSeconds = await guess.take({ key: `own-code:${userUuid}`, most: 5, seconds: 15 * 60, forgives: true });
  if (waitSeconds !== null)
    throw new Problem("TOO_MANY", `Too many wrong codes. Try again in ${Math.ceil(waitSeconds / 60)} minutes.`, {
      retryAfterSeconds: waitSeconds,
    });
  const step = findStep(secret, code, Date.now());
  await guess.end(step === undefined ? "wrong" : "right");
  if (step === undefined)
    throw deny(
      context,
      { ...event, details: { reason: "wrong code" } },
      invalid([{ path: "code", message: "is not the present code. Check the clock of the device with the app." }]),
    );
  const recoveryCodes = await transact(context.primary, async (transaction) => {
    await lockUser(transaction, viewer);
    if (!(await db.updateConfirmed(transaction, { userUuid, secret, step }))) throw isOnAlready();
    const codes = await makeCodes(transaction, viewer);
    const endedSessions = await deleteOtherSessions(transaction, { userUuid, tokenHash: ownSessionHash(context) });
    await recordAudit(context, { ...event, outcome: "done", details: { endedSessions } }, transaction);
    return codes;
  });
  return { recoveryCodes };
}

/** Asks for the password, then changes what is switched on. */
async function change<Result>(
  context: Context,
  action: AuditAction,
  { password }: WithPassword,
  act: (transaction: Handle, viewer: Viewer) => Promise<Result>,
): Promise<Result> {
  const viewer = requireEnroller(context);
  const event = eventOf(action, viewer);
  const { account, refuse } = await requireOwnPassword(context, viewer, { ...event, path: "password", password });
  return transact(context.primary, async (transaction) => {
    // Somebody may have reset it since it was read.
    if (!(await lockPassword(transaction, account))) throw refuse();
    const result = await act(transaction, viewer);
    await recordAudit(context, { ...event, outcome: "done" }, transaction);
    return result;
  });
}

/**
 * Switches the caller's second factor off. If one is required, every other call is refused until another is set up.
 * @throws Problem
 */
export const endSecondFactor = (context: Context, input: WithPassword): Promise<void> =>
  change(context, "second-factor.off", input, async (transaction, viewer) => {
    if (!(await db.deleteSecondFactor(transaction, viewer))) throw isOff();
  });

/** Replaces all recovery codes by new ones, which are returned only this time. @throws Problem */
export const renewRecoveryCodes = (context: Context, input: WithPassword): Promise<{ recoveryCodes: string[] }> =>
  change(context, "second-factor.recovery-codes", input, async (transaction, viewer) => {
    if (!(await db.findSecondFactor(transaction, viewer))) throw isOff();
    return { recoveryCodes: await makeCodes(transaction, viewer) };
  });

/**
 * Whether a code is right for this account; a right code is used up. Six digits are a code of the app: of the present
 * time step, the one before or the next, and later than every accepted one. Anything else is a recovery code.
 */
export async function acceptCode(context: Context, { userUuid }: { userUuid: string }, code: string): Promise<boolean> {
  if (/^\d{6}$/.test(code)) {
    const secret = await db.findSecret(context.primary, { userUuid });
    const step = secret && findStep(secret, code, Date.now());
    return secret !== undefined && step !== undefined && db.updateLastStep(context.primary, { userUuid, secret, step });
  }
  if (!(await db.updateCodeUsed(context.primary, { userUuid, codeHash: hashToken(code) }))) return false;
  const left = (await db.findSecondFactor(context.primary, { userUuid }))?.recoveryCodesLeft;
  await recordAudit(context, {
    action: "second-factor.recovery",
    outcome: "done",
    userUuid,
    subject: { type: "User", id: userUuid },
    details: { left },
  });
  return true;
}
