import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { presentRevisions } from "../derived/revision.ts";
import { lastWrite } from "../engine/replica/lastWrite.ts";
import { writtenOnce } from "../engine/writtenOnce.ts";
import { anyOf } from "../list/keys.ts";
import { hasSecondFactor } from "../user/secondFactor.ts";
import { viewerColumns } from "../user/user.ts";

const tokens = (handle: Handle) =>
  handle
    .selectFrom("accessToken")
    .select([
      "tokenUuid",
      "name",
      "privileges",
      sql<string>`to_char(expires_at - interval '1 second', 'YYYY-MM-DD')`.as("expiryDate"),
      sql<boolean>`expires_at <= now()`.as("expired"),
      sql<boolean>`revoked_at is not null`.as("revoked"),
      sql<string | null>`to_char(last_used_at, 'YYYY-MM-DD')`.as("lastUsedDate"),
      sql<string | null>`to_char(last_used_at, 'HH24:MI')`.as("lastUsedTime"),
      "lastUsedAddress",
      sql<string>`to_char(created_at, 'YYYY-MM-DD')`.as("createdDate"),
    ]);

export type TokenRow = Awaited<ReturnType<ReturnType<typeof tokens>["executeTakeFirstOrThrow"]>>;

const newestFirst = (handle: Handle) => tokens(handle).orderBy("createdAt", "desc").orderBy("tokenUuid", "desc");

/** A person's tokens, the newest first. */
export function listTokens(handle: Handle, { userUuid }: { userUuid: string }): Promise<TokenRow[]> {
  return newestFirst(handle).where("userUuid", "=", userUuid).execute();
}

/** The tokens of several people, the newest first, by the person's uuid. */
export async function listTokensOfUsers(
  handle: Handle,
  { userUuids }: { userUuids: readonly string[] },
): Promise<Map<string, TokenRow[]>> {
  const rows = await newestFirst(handle).select("userUuid").where("userUuid", "in", userUuids).execute();
  const ofUsers = new Map<string, TokenRow[]>();
  for (const { userUuid, ...token } of rows) ofUsers.set(userUuid, [...(ofUsers.get(userUuid) ?? []), token]);
  return ofUsers;
}

/** How many valid tokens a person has. */
export async function countLiveTokens(handle: Handle, { userUuid }: { userUuid: string }): Promise<number> {
  const { count } = await handle
    .selectFrom("accessToken")
    .select(sql<number>`count(*)`.as("count"))
    .where("userUuid", "=", userUuid)
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return count;
}

export function findToken(
  handle: Handle,
  { userUuid, tokenUuid }: { userUuid: string; tokenUuid: string },
): Promise<TokenRow | undefined> {
  return tokens(handle).where("userUuid", "=", userUuid).where("tokenUuid", "=", tokenUuid).executeTakeFirst();
}

/** The tokens with these hashes: the account of each, and whether both are valid. */
export const listTokenOwners = writtenOnce((handle, { tokenHashes }: { tokenHashes: readonly string[] }) =>
  handle
    .selectFrom("accessToken")
    .innerJoin("appUser", "appUser.userUuid", "accessToken.userUuid")
    .leftJoin("serviceAccount", "serviceAccount.userUuid", "appUser.userUuid")
    .leftJoin("appUser as owner", "owner.userUuid", "serviceAccount.ownerUuid")
    .leftJoin("siteAccount", "siteAccount.userUuid", "appUser.userUuid")
    .leftJoin("facility", "facility.facilityUuid", "siteAccount.facilityUuid")
    .select([
      "accessToken.tokenHash",
      "accessToken.tokenUuid",
      "accessToken.name as tokenName",
      "accessToken.feed",
      "accessToken.privileges as tokenPrivileges",
      ...viewerColumns,
      lastWrite.as("writtenUntil"),
      presentRevisions.as("revisions"),
      hasSecondFactor.as("hasSecondFactor"),
      sql<"expired" | "revoked" | "deactivated" | "ownerless" | null>`case
        when access_token.revoked_at is not null then 'revoked'
        when access_token.expires_at <= now() then 'expired'
        when not app_user.active then 'deactivated'
        when app_user.kind = 'service' and not coalesce(owner.active, false) then 'ownerless'
        when app_user.kind = 'site' and facility.facility_uuid is null then 'revoked' end`.as("ended"),
      sql<"person" | "service" | "site">`app_user.kind`.as("kind"),
      "serviceAccount.provinceId as limitProvinceId",
      "serviceAccount.districtId as limitDistrictId",
      "serviceAccount.implementingPartnerId as limitPartnerId",
      "facility.facilityUuid",
      "facility.facilityName",
      sql<boolean>`access_token.last_used_at is null`.as("unused"),
      sql<boolean>`coalesce(access_token.last_used_at < now() - interval '1 minute', true)`.as("usedLongAgo"),
    ])
    .where("accessToken.tokenHash", "=", anyOf(tokenHashes, "text")),
);

/** @param token is valid until the end of its expiry date; with `feed`, as the secret of a feed's address only */
export async function insertToken(
  handle: Handle,
  token: {
    tokenUuid: string;
    userUuid: string;
    name: string;
    tokenHash: string;
    privileges: string[];
    expiryDate: string;
    feed?: object | undefined;
  },
): Promise<void> {
  const { expiryDate, feed, ...row } = token;
  await handle
    .insertInto("accessToken")
    .values({
      ...row,
      feed: feed ? JSON.stringify(feed) : null,
      expiresAt: sql<Date>`(${expiryDate}::date + 1)::timestamptz`,
    })
    .execute();
}

/** Records the use of a token, now and from this network address. */
export async function updateTokenUsed(
  handle: Handle,
  { tokenUuid, address }: { tokenUuid: string; address: string },
): Promise<void> {
  await handle
    .updateTable("accessToken")
    .set({ lastUsedAt: sql`now()`, lastUsedAddress: address })
    .where("tokenUuid", "=", tokenUuid)
    .execute();
}

/** Permanently revokes a token. */
export async function updateTokenRevoked(handle: Handle, { tokenUuid }: { tokenUuid: string }): Promise<void> {
  await handle
    .updateTable("accessToken")
    .set({ revokedAt: sql`now()` })
    .where("tokenUuid", "=", tokenUuid)
    .where("revokedAt", "is", null)
    .execute();
}

/** Permanently revokes all tokens of a person. Returns how many there were. */
export async function updateTokensOfUserRevoked(handle: Handle, { userUuid }: { userUuid: string }): Promise<number> {
  const { numUpdatedRows } = await handle
    .updateTable("accessToken")
    .set({ revokedAt: sql`now()` })
    .where("userUuid", "=", userUuid)
    .where("revokedAt", "is", null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Permanently revokes the other tokens of an account. */
export async function updateOtherTokensRevoked(
  handle: Handle,
  { userUuid, tokenUuid }: { userUuid: string; tokenUuid: string },
): Promise<void> {
  await handle
    .updateTable("accessToken")
    .set({ revokedAt: sql`now()` })
    .where("userUuid", "=", userUuid)
    .where("tokenUuid", "<>", tokenUuid)
    .where("revokedAt", "is", null)
    .execute();
}
