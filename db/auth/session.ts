import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { presentRevisions } from "../derived/revision.ts";
import { lastWrite } from "../engine/replica/lastWrite.ts";
import { writtenOnce } from "../engine/writtenOnce.ts";
import { anyOf } from "../list/keys.ts";
import { hasSecondFactor } from "../user/secondFactor.ts";
import { viewerColumns } from "../user/user.ts";

/** Sessions end after 12 hours without use, and 7 days after sign-in in any case. */
const idle = sql`interval '12 hours'`;
/** How long a session that ended by time is stored, so that its device learns that nobody ended it (`findSession`). */
const storedAfterEnd = sql`interval '30 days'`;

/** Those of these sessions that are active: the person of each, and whether it was last used long ago. */
export const listActiveSessions = writtenOnce((handle, { tokenHashes }: { tokenHashes: readonly string[] }) =>
  handle
    .selectFrom("session")
    .innerJoin("appUser", "appUser.userUuid", "session.userUuid")
    .select([
      "session.tokenHash",
      ...viewerColumns,
      lastWrite.as("writtenUntil"),
      presentRevisions.as("revisions"),
      hasSecondFactor.as("hasSecondFactor"),
      sql<boolean>`session.last_seen_at < now() - interval '1 minute'`.as("seenLongAgo"),
    ])
    .where("session.tokenHash", "=", anyOf(tokenHashes, "text"))
    .where("session.purpose", "=", "session")
    .where("session.expiresAt", ">", sql<Date>`now()`)
    .where("session.lastSeenAt", ">", sql<Date>`now() - ${idle}`)
    .where("appUser.active", "=", true),
);

/** A session that nobody ended: active, or ended by time. What a person or an administrator ends is deleted at once. */
export function findSession(handle: Handle, { tokenHash }: { tokenHash: string }) {
  return handle
    .selectFrom("session")
    .innerJoin("appUser", "appUser.userUuid", "session.userUuid")
    .select("session.userUuid")
    .where("session.tokenHash", "=", tokenHash)
    .where("session.purpose", "=", "session")
    .where("appUser.active", "=", true)
    .executeTakeFirst();
}

/** The account of a valid reset cookie. */
export function findReset(handle: Handle, { tokenHash }: { tokenHash: string }) {
  return handle
    .selectFrom("session")
    .select("userUuid")
    .where("tokenHash", "=", tokenHash)
    .where("purpose", "=", "reset")
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

/** Begins a session, or (`reset`) a password reset, that ends after this number of seconds. */
export async function insertSession(
  handle: Handle,
  session: { tokenHash: string; userUuid: string; purpose: "session" | "reset"; address: string; seconds: number },
): Promise<void> {
  const { seconds, ...row } = session;
  await handle
    .insertInto("session")
    .values({ ...row, expiresAt: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .execute();
}

/**
 * Records that a session is in use. If several requests do so at once, only one writes; the others skip the locked row
 * and do not wait.
 */
export async function updateSessionSeen(handle: Handle, { tokenHash }: { tokenHash: string }): Promise<void> {
  const free = handle
    .selectFrom("session")
    .select("tokenHash")
    .where("tokenHash", "=", tokenHash)
    .forUpdate()
    .skipLocked();
  await handle
    .updateTable("session")
    .set({ lastSeenAt: sql`now()` })
    .where("tokenHash", "in", free)
    .execute();
}

export async function deleteSession(handle: Handle, { tokenHash }: { tokenHash: string }): Promise<void> {
  await handle.deleteFrom("session").where("tokenHash", "=", tokenHash).execute();
}

/** Ends all sessions of a person, and any password reset in progress. */
export async function deleteSessionsOfUser(handle: Handle, { userUuid }: { userUuid: string }): Promise<void> {
  await handle.deleteFrom("session").where("userUuid", "=", userUuid).execute();
}

/** Ends a person's sessions except the calling one. Returns how many were active. */
export async function deleteOtherSessions(
  handle: Handle,
  { userUuid, tokenHash }: { userUuid: string; tokenHash: string },
): Promise<number> {
  const ended = await handle
    .deleteFrom("session")
    .where("userUuid", "=", userUuid)
    .where("tokenHash", "<>", tokenHash)
    .returning(sql<boolean>`expires_at > now() and last_seen_at > now() - ${idle}`.as("wasActive"))
    .execute();
  return ended.filter(({ wasActive }) => wasActive).length;
}

/** A person's active sessions, the most recently used first. */
export function listSessions(handle: Handle, { userUuid }: { userUuid: string }) {
  return handle
    .selectFrom("session")
    .select([
      "tokenHash",
      "address",
      sql<string>`to_char(created_at, 'YYYY-MM-DD')`.as("startDate"),
      sql<string>`to_char(created_at, 'HH24:MI')`.as("startTime"),
      sql<string>`to_char(last_seen_at, 'YYYY-MM-DD')`.as("lastSeenDate"),
      sql<string>`to_char(last_seen_at, 'HH24:MI')`.as("lastSeenTime"),
    ])
    .where("userUuid", "=", userUuid)
    .where("purpose", "=", "session")
    .where("expiresAt", ">", sql<Date>`now()`)
    .where("lastSeenAt", ">", sql<Date>`now() - ${idle}`)
    .orderBy("lastSeenAt", "desc")
    .execute();
}

/** Deletes sessions that ended by time a while ago. */
export async function deleteEndedSessions(handle: Handle): Promise<void> {
  await handle
    .deleteFrom("session")
    .where("expiresAt", "<", sql<Date>`now() - ${storedAfterEnd}`)
    .execute();
}
