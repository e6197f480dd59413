import { v7 as uuidv7 } from "uuid";

import { csvRow } from "../../db/list/csv.ts";
import type { PageInput } from "../../db/list/page.ts";
import type { SiteCredentialRow } from "../../db/machine/siteCredential.ts";
import * as db from "../../db/machine/siteCredential.ts";
import { updateTokensOfUserRevoked } from "../../db/auth/token.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockUser } from "../../db/user/user.ts";
import { deny, requireRight, requireSession } from "../access/access.ts";
import { recordAudit, recordAudits } from "../audit/audit.ts";
import { hashToken } from "../auth/auth.ts";
import { checkExpiry, makeSecret } from "../auth/token.ts";
import type { Context } from "../context.ts";
import { codeForm, codeIn } from "../input/identity.rules.ts";
import { isUuid } from "../input/page.rules.ts";
import { type InputError, invalid, notFound, Problem } from "../problem.ts";
import { checkScope } from "../reference/reference.ts";
import { type CredentialFilter, type Issue, issuedTable, type RevokeMany } from "./siteCredential.rules.ts";

/**
 * Administrators' acts on site credentials, shared by REST and GraphQL. The acts of a site with its own credential are
 * in ownSite.ts.
 */

export type { SiteCredentialRow } from "../../db/machine/siteCredential.ts";

/** A new credential. Its secret is stored nowhere. */
export type Issued = {
  facilityUuid: string;
  facilityName: string;
  hmisCode: string | null;
  secret: string;
  expiryDate: string;
};

const subjectOf = (userUuid: string) => ({ type: "SiteCredential", id: userUuid.toLowerCase() });

/** Facilities that have a credential, by name. @throws Problem FORBIDDEN, NOT_FOUND */
export async function listSiteCredentials(
  context: Context,
  { page, ...filter }: CredentialFilter & { page: PageInput },
) {
  requireRight(context, "manageMachines");
  await checkScope(context, filter);
  return db.listSiteCredentials(context.db, { ...filter, page });
}

type Facility = Awaited<ReturnType<typeof db.listFacilitiesToIssue>>[number];

/**
 * The facility of each text, in the same order. The error lists every text without a facility, and every second text
 * for one facility.
 *
 * @throws Problem INVALID
 */
function facilitiesOf(named: readonly string[], found: readonly Facility[]): Facility[] {
  const errors: InputError[] = [];
  const seen = new Set<string>();
  const facilities = named.flatMap((text, index) => {
    const code = codeIn(text);
    const facility =
      found.find(({ facilityUuid }) => facilityUuid === text) ??
      found.find(({ hmisCode }) => hmisCode !== null && hmisCode === code);
    const message = facility
      ? seen.has(facility.facilityUuid)
        ? `${text} is named twice`
        : undefined
      : `there is no facility ${text}`;
    if (message) errors.push({ path: `facilities.${index}`, message });
    if (facility) seen.add(facility.facilityUuid);
    return facility ? [facility] : [];
  });
  if (errors.length > 0) throw invalid(errors);
  return facilities;
}

/**
 * Issues a credential for each of these facilities, or for none of them if one cannot have one. A facility's present
 * credential stays valid until the new one is first used; one that was never used ends now. The secrets are returned
 * once; only their hashes are stored.
 *
 * @throws Problem FORBIDDEN, INVALID
 */
export async function issueSiteCredentials(
  context: Context,
  { facilities: named, expiryDate }: Issue,
): Promise<Issued[]> {
  requireRight(context, "manageMachines");
  const { implementingPartnerId: ownPartner } = requireSession(context);
  const days = await checkExpiry(context, expiryDate);
  return transact(context.db, async (transaction) => {
    await db.lockIssuing(transaction);
    const found = await db.listFacilitiesToIssue(transaction, { named: [...named, ...named.map(codeForm)] });
    const facilities = facilitiesOf(named, found);
    const issued = facilities.map(({ userUuid, implementingPartnerId, ...facility }) => ({
      ...facility,
      implementingPartnerId: implementingPartnerId ?? ownPartner,
      isNew: userUuid === null,
      userUuid: userUuid ?? uuidv7(),
      tokenUuid: uuidv7(),
      secret: makeSecret(),
    }));
    const validDays = Math.max(1, days);
    const known = issued.flatMap(({ isNew, userUuid }) => (isNew ? [] : [userUuid]));
    await db.insertSiteAccounts(transaction, { sites: issued.filter(({ isNew }) => isNew), validDays });
    await db.updateValidDays(transaction, { userUuids: known, validDays });
    await db.updateUnusedRevoked(transaction, { userUuids: known, keep: 0 });
    const tokens = issued.map(({ tokenUuid, userUuid, secret }) => ({
      tokenUuid,
      userUuid,
      tokenHash: hashToken(secret),
    }));
    await db.insertSiteTokens(transaction, { tokens, days });
    const events = issued.map(({ userUuid, facilityUuid, tokenUuid }) => ({
      ...({ action: "site-credential.issue", outcome: "done" } as const),
      ...{ facilityUuid, subject: subjectOf(userUuid), details: { tokenUuid, expiryDate } },
    }));
    await recordAudits(context, events, transaction);
    return issued.map(({ facilityUuid, facilityName, hmisCode, secret }) => ({
      facilityUuid,
      facilityName,
      hmisCode,
      secret,
      expiryDate,
    }));
  });
}

/** New credentials as a CSV file. */
export const issuedCsv = (issued: readonly Issued[]): string => `\uFEFF${issuedTable(issued).map(csvRow).join("")}`;

/**
 * Revokes all credentials of a site permanently, unused renewals too. A second call changes nothing.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND
 */
export async function revokeSiteCredential(context: Context, userUuid: string): Promise<SiteCredentialRow> {
  const action = "site-credential.revoke";
  requireRight(context, "manageMachines");
  const missing = () => deny(context, { action, subject: subjectOf(userUuid) }, notFound("site credential", "uuid"));
  if (!isUuid(userUuid)) throw missing();
  return transact(context.db, async (transaction) => {
    await lockUser(transaction, { userUuid });
    const credential = await db.findSiteCredential(transaction, { userUuid });
    if (!credential) throw missing();
    const revoked = await updateTokensOfUserRevoked(transaction, { userUuid });
    if (revoked === 0) return credential;
    const { facilityUuid } = credential;
    await recordAudit(
      context,
      { action, outcome: "done", facilityUuid, subject: subjectOf(userUuid), details: { revoked } },
      transaction,
    );
    return (await db.findSiteCredential(transaction, { userUuid }))!;
  });
}

/** How many sites had a credential to revoke, and how many had none. */
export type RevokedMany = { revoked: number; unchanged: number };

/**
 * Revokes the credentials of many sites, all or none, with one audit event each. The sites are a list of facilities, or
 * those that match a filter.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID (an unknown facility), CONFLICT (the number of sites is not the
 *   expected one)
 */
export async function revokeSiteCredentials(
  context: Context,
  { facilities: named, expected, ...filter }: RevokeMany,
): Promise<RevokedMany> {
  requireRight(context, "manageMachines");
  if (!named) await checkScope(context, filter);
  return transact(context.db, async (transaction) => {
    await db.lockIssuing(transaction);
    const userUuids =
      named &&
      facilitiesOf(named, await db.listFacilitiesToIssue(transaction, { named })).flatMap(
        ({ userUuid }) => userUuid ?? [],
      );
    const sites = await db.lockSites(transaction, { ...filter, userUuids: userUuids ?? undefined });
    const about = named?.length ?? sites.length;
    if (expected != null && expected !== about)
      throw new Problem(
        "CONFLICT",
        `This is about ${about} sites now, not ${expected}. Nothing was revoked: look at the list again.`,
      );
    const ended = await db.updateTokensOfSitesRevoked(transaction, {
      userUuids: sites.map(({ userUuid }) => userUuid),
    });
    const events = sites.flatMap(({ userUuid, facilityUuid }) => {
      const revoked = ended.get(userUuid);
      const details = { revoked, together: ended.size };
      return revoked === undefined
        ? []
        : [
            {
              action: "site-credential.revoke",
              outcome: "done",
              facilityUuid,
              subject: subjectOf(userUuid),
              details,
            } as const,
          ];
    });
    await recordAudits(context, events, transaction);
    return { revoked: ended.size, unchanged: about - ended.size };
  });
}
