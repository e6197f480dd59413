import { type RawBuilder, type SqlBool, sql } from "kysely";

import { batchesOf } from "../engine/batch.ts";
import type { Handle } from "../engine/connect.ts";
import { type Page, type PageInput, readPage } from "../list/page.ts";
import { inScope, type Scope } from "../list/scope.ts";

/**
 * Site credentials: a facility with a credential has an account with access tokens. Its current credential is the
 * latest one that was used and is not revoked, or else the latest one. There may also be a replacement that was not
 * used yet.
 */

const soonDays = 30;
const states = {
  expired: sql<SqlBool>`credential.revoked_at is null and credential.expires_at <= now()`,
  revoked: sql<SqlBool>`credential.revoked_at is not null`,
  expiring: sql<SqlBool>`credential.revoked_at is null and credential.expires_at > now() and credential.expires_at <= now() + make_interval(days => ${sql.lit(soonDays)})`,
  unused: sql<SqlBool>`credential.revoked_at is null and credential.expires_at > now() and credential.last_used_at is null`,
  working: sql<SqlBool>`credential.revoked_at is null and credential.expires_at > now()`,
} satisfies Record<string, RawBuilder<SqlBool>>;
type SiteCredentialState = keyof typeof states;

const credentials = (handle: Handle) =>
  handle
    .selectFrom("siteAccount")
    .innerJoin("facility", "facility.facilityUuid", "siteAccount.facilityUuid")
    .innerJoin("district", "district.districtId", "facility.districtId")
    .innerJoin("province", "province.provinceId", "facility.provinceId")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("accessToken")
          .selectAll()
          .whereRef("accessToken.userUuid", "=", "siteAccount.userUuid")
          .orderBy(sql`revoked_at is null`, "desc")
          .orderBy(sql`last_used_at is not null`, "desc")
          .orderBy("createdAt", "desc")
          .limit(sql.lit(1))
          .as("credential"),
      (join) => join.onTrue(),
    )
    .select([
      "siteAccount.userUuid",
      "siteAccount.facilityUuid",
      "siteAccount.validDays",
      "facility.facilityName",
      "facility.hmisCode",
      "district.name as district",
      "province.name as province",
      "credential.tokenUuid",
      sql<string>`to_char(credential.created_at, 'YYYY-MM-DD')`.as("issuedDate"),
      sql<string>`to_char(credential.expires_at - interval '1 second', 'YYYY-MM-DD')`.as("expiryDate"),
      sql<number>`greatest(0, (credential.expires_at - interval '1 second')::date - current_date)`.as("daysLeft"),
      sql<string | null>`to_char(credential.last_used_at, 'YYYY-MM-DD')`.as("lastUsedDate"),
      sql<string | null>`to_char(credential.last_used_at, 'HH24:MI')`.as("lastUsedTime"),
      "credential.lastUsedAddress",
      sql<SiteCredentialState>`case when ${states.revoked} then 'revoked' when ${states.expired} then 'expired'
        when ${states.unused} then 'unused' when ${states.expiring} then 'expiring' else 'working' end`.as("state"),
      sql<boolean>`exists (select from access_token renewal where renewal.user_uuid = site_account.user_uuid and renewal.revoked_at is null
        and renewal.last_used_at is null and renewal.expires_at > now() and renewal.token_uuid <> credential.token_uuid)`.as(
        "renewed",
      ),
    ]);

export type SiteCredentialRow = Awaited<ReturnType<ReturnType<typeof credentials>["executeTakeFirstOrThrow"]>>;
type SiteCredentialFilter = Scope & { state?: SiteCredentialState | null; search?: string | null };

function filtered(handle: Handle, { state, search, ...scope }: SiteCredentialFilter) {
  let query = credentials(handle).where(inScope(scope));
  if (state) query = query.where(states[state]);
  if (search) query = query.where(sql<SqlBool>`facility.search_text like '%' || search_key(${search}) || '%'`);
  return query;
}

/** Facilities that have a credential, by name. */
export function listSiteCredentials(
  handle: Handle,
  { page, ...filter }: SiteCredentialFilter & { page: PageInput },
): Promise<Page<SiteCredentialRow>> {
  return readPage(
    filtered(handle, filter),
    {
      columns: [
        { key: "facilityName", column: "facility.facilityName", type: "text" },
        { key: "facilityUuid", column: "facility.facilityUuid", type: "text" },
      ],
    },
    page,
  );
}

export function findSiteCredential(
  handle: Handle,
  { userUuid }: { userUuid: string },
): Promise<SiteCredentialRow | undefined> {
  return credentials(handle).where("siteAccount.userUuid", "=", userUuid).executeTakeFirst();
}

/** The facilities with these uuids or HMIS codes, each with its account if it has one. */
export function listFacilitiesToIssue(handle: Handle, { named }: { named: readonly string[] }) {
  return handle
    .selectFrom("facility")
    .leftJoin("siteAccount", "siteAccount.facilityUuid", "facility.facilityUuid")
    .select([
      "facility.facilityUuid",
      "facility.facilityName",
      "facility.hmisCode",
      "facility.implementingPartnerId",
      "siteAccount.userUuid",
    ])
    .where((is) =>
      is.or([
        is("facility.facilityUuid", "=", sql<string>`any(${named}::text[])`),
        is("facility.hmisCode", "=", sql<string>`any(${named}::text[])`),
      ]),
    )
    .execute();
}

/**
 * Finds and locks the accounts of sites, so that none renews its credential meanwhile: these accounts, or those that
 * match a filter.
 */
export function lockSites(
  handle: Handle,
  { userUuids, ...filter }: SiteCredentialFilter & { userUuids?: readonly string[] | undefined },
) {
  const found = userUuids
    ? credentials(handle).where("siteAccount.userUuid", "=", sql<string>`any(${userUuids}::uuid[])`)
    : filtered(handle, filter);
  return handle
    .selectFrom("appUser")
    .innerJoin(
      found.clearSelect().select(["siteAccount.userUuid", "siteAccount.facilityUuid"]).as("site"),
      "site.userUuid",
      "appUser.userUuid",
    )
    .select(["site.userUuid", "site.facilityUuid"])
    .orderBy("site.userUuid")
    .forNoKeyUpdate("appUser")
    .execute();
}

/** Permanently revokes all tokens of these sites. @returns the number of tokens of each site that had any */
export async function updateTokensOfSitesRevoked(
  handle: Handle,
  { userUuids }: { userUuids: readonly string[] },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ userUuid: string; revoked: number }>`
    with ended as (update access_token set revoked_at = now() where user_uuid = any(${userUuids}::uuid[]) and revoked_at is null returning user_uuid)
    select user_uuid, count(*)::int as revoked from ended group by user_uuid`.execute(handle);
  return new Map(rows.map(({ userUuid, revoked }) => [userUuid, revoked]));
}

/** Makes other calls that issue credentials wait until the transaction ends. */
export async function lockIssuing(handle: Handle): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('site credentials'))`.execute(handle);
}

type SiteToInsert = { userUuid: string; facilityUuid: string; facilityName: string; implementingPartnerId: number };

/** Creates accounts for facilities that have none. */
export async function insertSiteAccounts(
  handle: Handle,
  { sites, validDays }: { sites: readonly SiteToInsert[]; validDays: number },
): Promise<void> {
  for (const batch of batchesOf(sites)) {
    const accountOf = ({ userUuid, facilityUuid, facilityName, implementingPartnerId }: SiteToInsert) => ({
      ...{
        userUuid,
        kind: "site",
        userName: `site@${facilityUuid}`,
        firstName: "Site",
        surname: facilityName,
        gender: "U",
        implementingPartnerId,
      },
      // A site has no e-mail address, telephone or password: these columns are for people.
      ...{ primaryEmail: userUuid, primaryPhoneNumber: "", passwordHash: "", passwordTemporary: false },
    });
    await handle.insertInto("appUser").values(batch.map(accountOf)).execute();
    const ownOf = ({ userUuid, facilityUuid }: SiteToInsert) => ({ userUuid, facilityUuid, validDays });
    await handle.insertInto("siteAccount").values(batch.map(ownOf)).execute();
  }
}

/** Sets for how many days the credentials of these accounts are valid after a renewal. */
export async function updateValidDays(
  handle: Handle,
  { userUuids, validDays }: { userUuids: readonly string[]; validDays: number },
): Promise<void> {
  await handle
    .updateTable("siteAccount")
    .set({ validDays })
    .where("userUuid", "=", sql<string>`any(${userUuids}::uuid[])`)
    .execute();
}

/** Revokes the unused credentials of these accounts, except the latest `keep` of each. */
export async function updateUnusedRevoked(
  handle: Handle,
  { userUuids, keep }: { userUuids: readonly string[]; keep: number },
): Promise<void> {
  await sql`
    update access_token set revoked_at = now() where token_uuid in (
      select token_uuid from (
        select token_uuid, row_number() over (partition by user_uuid order by created_at desc, token_uuid desc) as place
        from access_token where user_uuid = any(${userUuids}::uuid[]) and last_used_at is null and revoked_at is null) as unused
      where place > ${keep}::int)`.execute(handle);
}

/** @param days each is valid until the end of the day that is so many days from today */
export async function insertSiteTokens(
  handle: Handle,
  { tokens, days }: { tokens: readonly { tokenUuid: string; userUuid: string; tokenHash: string }[]; days: number },
): Promise<void> {
  const expiresAt = sql<Date>`(current_date + ${days}::int + 1)::timestamptz`;
  for (const batch of batchesOf(tokens))
    await handle
      .insertInto("accessToken")
      .values(batch.map((token) => ({ ...token, name: "Site credential", privileges: [], expiresAt })))
      .execute();
}

/** Whether a token is not revoked. Call it while the account is locked. */
export async function findIsLive(handle: Handle, { tokenUuid }: { tokenUuid: string }): Promise<boolean> {
  const row = await handle
    .selectFrom("accessToken")
    .select("tokenUuid")
    .where("tokenUuid", "=", tokenUuid)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** When a credential ends. */
export async function findTokenExpiry(
  handle: Handle,
  { tokenUuid }: { tokenUuid: string },
): Promise<{ expiryDate: string; daysLeft: number }> {
  return handle
    .selectFrom("accessToken")
    .select([
      sql<string>`to_char(expires_at - interval '1 second', 'YYYY-MM-DD')`.as("expiryDate"),
      sql<number>`greatest(0, (expires_at - interval '1 second')::date - current_date)`.as("daysLeft"),
    ])
    .where("tokenUuid", "=", tokenUuid)
    .executeTakeFirstOrThrow();
}
