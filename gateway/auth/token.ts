import { randomBytes } from "node:crypto";

import { v7 as uuidv7 } from "uuid";

import { limitOf, limitsOf } from "../../db/auth/limit.ts";
import { findDaysFromToday } from "../../db/system/system.ts";
import * as db from "../../db/auth/token.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockUser } from "../../db/user/user.ts";
import { deny, requireSession, requireViewer } from "../access/access.ts";
import { noPrivileges, type Privileges, privilegeNames } from "../access/access.rules.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context, Machine, Viewer } from "../context.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { gathered } from "../reading/batch.ts";
import { isUuid } from "../input/page.rules.ts";
import { mostTokenDays, mostTokens, type NewToken } from "./account.rules.ts";
import { hashToken } from "./auth.ts";

/**
 * Access tokens, used in the header `Authorization: Bearer …` or, to read, as the password of Basic authentication:
 * personal ones are made and revoked here by their owner, those of machines in gateway/machine.
 */

export type { TokenRow } from "../../db/auth/token.ts";

/** How many wrong tokens of one address are written to the audit log one by one. */
const refusalsOf = limitsOf((db) => limitOf(db, { name: "token", times: 20, seconds: 15 * 60 }));

/** What a token may do: the privileges chosen for it that its owner has today. */
function privilegesThrough(chosen: readonly string[], owner: Privileges): Privileges {
  const privileges = { ...noPrivileges };
  for (const name of privilegeNames) privileges[name] = chosen.includes(name) && (owner.administrator || owner[name]);
  return privileges;
}

/** A token's secret. Its beginning is fixed, so that scanners of leaked secrets can find it. */
export const makeSecret = (): string => `sct_${randomBytes(32).toString("base64url")}`;

const tokenPattern = /^Bearer +([A-Za-z0-9_-]{20,200})$/i;
const basicPattern = /^Basic +([A-Za-z0-9+/=]{1,1000})$/i;

/**
 * The secret in a header: the bearer token, or the password of Basic authentication, whose user name must be that of
 * the token's owner.
 */
function secretOf(authorization: string): { secret: string | undefined; user: string | null } {
  const [, basic] = basicPattern.exec(authorization) ?? [];
  if (basic === undefined) return { secret: tokenPattern.exec(authorization)?.[1], user: null };
  const [, user = "", secret] = /^([^:]*):([A-Za-z0-9_-]{20,200})$/.exec(Buffer.from(basic, "base64").toString()) ?? [];
  return { secret, user };
}

const loadOwner = gathered(
  async (from, tokenHashes: readonly string[]) =>
    new Map((await db.listTokenOwners(from, { tokenHashes })).map((found) => [found.tokenHash, found])),
);

/**
 * The person or machine for whom a token acts. A use is recorded at most once a minute for each token, a refused use
 * always.
 *
 * @throws Problem UNAUTHENTICATED (unknown, expired, revoked, account or its owner deactivated), TOO_MANY
 */
export async function findTokenViewer(context: Context, authorization: string): Promise<Viewer> {
  const { secret, user } = secretOf(authorization);
  const owned = secret ? await loadOwner(context.primary, hashToken(secret)) : undefined;
  const found = user === null || owned?.userName.toLowerCase() === user.toLowerCase() ? owned : undefined;
  if (!found || found.ended) {
    // A token that has ended is not a guess, and many sites may share one address.
    const { waitSeconds } = await refusalsOf(context.primary).take(found?.tokenUuid ?? context.network);
    if (waitSeconds !== null && !found)
      throw new Problem("TOO_MANY", "Too many wrong access tokens from this address.", {
        retryAfterSeconds: waitSeconds,
      });
    if (waitSeconds === null)
      await recordAudit(context, {
        action: "token.use",
        outcome: "denied",
        userUuid: found?.userUuid ?? null,
        ...(found ? { subject: { type: "AccessToken", id: found.tokenUuid } } : {}),
        details: { reason: found?.ended ?? "unknown" },
      });
    throw new Problem(
      "UNAUTHENTICATED",
      found ? `The access token is ${endings[found.ended!]}.` : "The access token is not valid.",
    );
  }
  const { userUuid, userName, implementingPartnerId, tokenUuid, tokenPrivileges, writtenUntil, revisions } = found;
  // The secret of a feed is stored without privileges, so that a gateway that knows no feeds gives it none.
  const privileges = privilegesThrough(found.feed ? privilegeNames : tokenPrivileges, found);
  const machine = machineOf(found);
  const lacksSecondFactor = found.administrator && !found.hasSecondFactor;
  const viewer: Viewer = {
    userUuid,
    userName,
    implementingPartnerId,
    tokenUuid,
    privileges,
    lacksSecondFactor,
    writtenUntil,
    revisions,
    ...(machine ? { machine } : {}),
    ...(found.feed ? { feed: { name: found.tokenName, asked: found.feed } } : {}),
  };
  if (found.usedLongAgo) await noteUse({ ...context, viewer }, viewer, machine?.kind === "site" && found.unused);
  return viewer;
}

type Found = Awaited<ReturnType<typeof db.listTokenOwners>>[number];

function machineOf({ kind, facilityUuid, facilityName, ...found }: Found): Machine | undefined {
  if (kind === "person") return undefined;
  if (kind === "site") return { kind, facilityUuid: facilityUuid!, facilityName: facilityName! };
  const limit = {
    provinceId: found.limitProvinceId,
    districtId: found.limitDistrictId,
    implementingPartnerId: found.limitPartnerId,
  };
  return { kind, limit: Object.values(limit).some((id) => id !== null) ? limit : null };
}

/**
 * Records a use. The first use of a site's new credential ends the earlier ones: it proves that the answer with the new
 * one has arrived.
 */
function noteUse(context: Context, { userUuid, tokenUuid }: Viewer, endsOthers: boolean): Promise<void> {
  return transact(context.primary, async (transaction) => {
    if (endsOthers) {
      // The earlier credential may be renewing at this moment: one of the two waits for the other.
      await lockUser(transaction, { userUuid });
      await db.updateOtherTokensRevoked(transaction, { userUuid, tokenUuid: tokenUuid! });
    }
    await db.updateTokenUsed(transaction, { tokenUuid: tokenUuid!, address: context.address });
    await recordAudit(context, { action: "token.use", outcome: "done" }, transaction);
  });
}

const endings = {
  expired: "expired",
  revoked: "revoked",
  deactivated: "that of a deactivated account",
  ownerless: "that of a service account whose owner is deactivated",
};

/** Refuses a last day that is past or too far away. Returns how many days it is from today. @throws Problem INVALID */
export async function checkExpiry(context: Context, expiryDate: string): Promise<number> {
  const days = await findDaysFromToday(context.primary, { date: expiryDate });
  if (days < 0) throw invalid([{ path: "expiryDate", message: "must not be in the past" }]);
  if (days > mostTokenDays)
    throw invalid([{ path: "expiryDate", message: `must be at most ${mostTokenDays} days from today` }]);
  return days;
}

/** The caller's own tokens, the newest first, including those that have ended. */
export function listOwnTokens(context: Context): Promise<db.TokenRow[]> {
  return db.listTokens(context.primary, { userUuid: requireViewer(context).userUuid });
}

/**
 * Makes a token for the caller. It can never do more than its owner. The secret is returned once and stored as a hash.
 * With `feed` it is the secret of a feed's address and good for nothing else: it has all of its owner's rights, as they
 * are when the feed is read.
 *
 * @throws Problem FORBIDDEN (by a token, or a privilege that one does not have), INVALID
 */
export async function createToken(
  context: Context,
  { name, expiryDate, privileges }: NewToken,
  feed?: object,
): Promise<{ token: db.TokenRow; secret: string }> {
  const viewer = requireSession(context);
  const { userUuid } = viewer;
  const beyond = privileges.filter((privilege) => !viewer.privileges.administrator && !viewer.privileges[privilege]);
  if (beyond.length > 0) {
    const problem = new Problem("FORBIDDEN", `A token cannot have what you do not have: ${beyond.join(", ")}.`);
    throw deny(context, { action: "token.create", details: { name, privileges } }, problem);
  }
  await checkExpiry(context, expiryDate);

  const secret = makeSecret();
  const tokenUuid = uuidv7();
  return transact(context.primary, async (transaction) => {
    // The lock prevents that two requests at the same time together exceed the limit.
    await lockUser(transaction, { userUuid });
    if ((await db.countLiveTokens(transaction, { userUuid })) >= mostTokens)
      throw invalid([
        { path: "name", message: `You have ${mostTokens} tokens in use. Revoke one before you make another.` },
      ]);
    await db.insertToken(transaction, {
      tokenUuid,
      userUuid,
      name,
      expiryDate,
      privileges,
      tokenHash: hashToken(secret),
      feed,
    });
    const subject = { type: "AccessToken", id: tokenUuid };
    const details = feed ? { name, expiryDate, feed } : { name, expiryDate, privileges };
    await recordAudit(context, { action: "token.create", outcome: "done", subject, details }, transaction);
    return { token: (await db.findToken(transaction, { userUuid, tokenUuid }))!, secret };
  });
}

/**
 * Revokes one of the caller's tokens for good. Doing it again changes nothing. A token may revoke itself.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function revokeToken(context: Context, tokenUuid: string): Promise<db.TokenRow> {
  const viewer = requireViewer(context);
  if (viewer.tokenUuid !== tokenUuid) requireSession(context);
  const { userUuid } = viewer;
  return transact(context.primary, async (transaction) => {
    const token = isUuid(tokenUuid) ? await db.findToken(transaction, { userUuid, tokenUuid }) : undefined;
    const subject = { type: "AccessToken", id: tokenUuid };
    if (!token) throw deny(context, { action: "token.revoke", subject }, notFound("token", "uuid"));
    if (token.revoked) return token;
    await db.updateTokenRevoked(transaction, { tokenUuid });
    await recordAudit(
      context,
      { action: "token.revoke", outcome: "done", subject, details: { name: token.name } },
      transaction,
    );
    return { ...token, revoked: true };
  });
}
