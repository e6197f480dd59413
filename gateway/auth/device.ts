import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

import type { Context } from "../context.ts";

/**
 * The device cookie: proves that a person has signed in with this browser since their password was last changed, as
 * OWASP describes ("Slow down online guessing attacks with device cookies"). It gives no right. Behind it a sign-in
 * comes before guesses (turns.ts), and wrong sign-ins of others in the same network do not refuse it. It has a random
 * part and its signature, and no name. The key is the hash of the password: a new password makes it worthless, and
 * nothing more has to be stored.
 */

type Holder = { userUuid: string; passwordHash: string };

const deviceSeconds = 180 * 24 * 60 * 60;

const signatureOf = ({ userUuid, passwordHash }: Holder, random: string): Buffer =>
  createHmac("sha256", passwordHash).update(`device ${userUuid} ${random}`).digest();

/** Whether this person has signed in with the caller's browser before. */
export function isOwnDevice(context: Context, holder: Holder): boolean {
  const [random = "", signature = ""] = context.cookies.read("device")?.split(".") ?? [];
  const sent = Buffer.from(signature, "base64url");
  const own = signatureOf(holder, random);
  return sent.length === own.length && timingSafeEqual(sent, own);
}

/** Marks the caller's browser as one with which this person has signed in. */
export function markDevice(context: Context, holder: Holder): void {
  const random = randomBytes(16).toString("base64url");
  const signature = signatureOf(holder, random).toString("base64url");
  context.cookies.set("device", `${random}.${signature}`, deviceSeconds);
}
