import { createHash } from "node:crypto";

import type { Database } from "../../db/engine/connect.ts";
import * as sessions from "../../db/auth/session.ts";
import { noPrivileges, type Privileges, privilegeNames } from "../access/access.rules.ts";
import { notAdmitted } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context, Viewer } from "../context.ts";
import { Problem } from "../problem.ts";
import { gathered } from "../reading/batch.ts";

/** Session check and sign-out, shared by REST and GraphQL; signIn.ts has the sign-in. */

/** Sessions and tokens are stored as hashes, so that a person who reads the database cannot use them. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The key under which the caller's session is stored. */
export const ownSessionHash = (context: Context): string => hashToken(context.cookies.read("session") ?? "");

/** The account whose temporary password was just accepted, by the reset cookie. */
export async function resettingUser(context: Context): Promise<string | undefined> {
  const token = context.cookies.read("reset");
  return token ? (await sessions.findReset(context.primary, { tokenHash: hashToken(token) }))?.userUuid : undefined;
}

/** Ends the session of the request, if it has one. */
export async function signOut(context: Context): Promise<void> {
  const token = context.cookies.read("session");
  if (token) {
    await sessions.deleteSession(context.primary, { tokenHash: hashToken(token) });
    if (context.viewer ?? context.enrolling)
      await recordAudit(context, { action: "session.sign-out", outcome: "done" });
  }
  context.cookies.set("session", null);
  context.cookies.set("reset", null);
}

/**
 * Which step of signing in the caller has reached.
 *
 * @throws Problem UNAUTHENTICATED (nobody is signed in, or the session ended by time), SESSION_REVOKED (somebody ended
 *   the session of this cookie: then a device closes what it stores), ENROLMENT_NEEDED
 */
export async function checkSession(context: Context): Promise<"signed-in" | "reset-required"> {
  if (context.viewer) return "signed-in";
  if (await resettingUser(context)) return "reset-required";
  const token = context.cookies.read("session");
  if (!token || context.enrolling || (await sessions.findSession(context.primary, { tokenHash: hashToken(token) })))
    throw notAdmitted(context);
  throw new Problem("SESSION_REVOKED", "This session was ended. Please sign in.");
}

const loadSession = gathered(
  async (db, tokenHashes: readonly string[]) =>
    new Map((await sessions.listActiveSessions(db, { tokenHashes })).map((found) => [found.tokenHash, found])),
);

/** The signed-in person behind a session cookie; null when there is none. */
export async function findViewer(db: Database, sessionToken: string | undefined): Promise<Viewer | null> {
  if (!sessionToken) return null;
  const tokenHash = hashToken(sessionToken);
  const found = await loadSession(db, tokenHash);
  if (!found) return null;
  const { userUuid, userName, implementingPartnerId, seenLongAgo, writtenUntil, revisions } = found;
  const lacksSecondFactor = found.administrator && !found.hasSecondFactor;
  if (seenLongAgo) await sessions.updateSessionSeen(db, { tokenHash });
  const privileges: Privileges = { ...noPrivileges };
  for (const privilege of privilegeNames) privileges[privilege] = found[privilege];
  return {
    userUuid,
    userName,
    implementingPartnerId,
    privileges,
    tokenUuid: null,
    lacksSecondFactor,
    writtenUntil,
    revisions,
  };
}
