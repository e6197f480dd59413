import { v7 as uuidv7 } from "uuid";

import { csvRow } from "../../db/list/csv.ts";
import type { PageInput } from "../../db/list/page.ts";
import type { SiteCredentialRow } from "../../db/siteCredential.ts";
import * as db from "../../db/siteCredential.ts";
import { updateTokensOfUserRevoked } from "../../db/token.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockUser } from "../../db/user.ts";
import { deny, requireRight, requireSession } from "../access/access.ts";
import { recordAudit, recordAudits } from "../audit/audit.ts";
import { hashToken } from "../auth/auth.ts";
import { checkExpiry, makeSecret } from "../auth/token.ts";
import type { Context } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { type InputError, invalid, notFound, Problem } from "../problem.ts";
import { checkScope } from "../reference/reference.ts";
import type { CredentialFilter, Issue, RevokeMany } from "./siteCredential.rules.ts";

/** Acts of administrators on the credentials of sites, shared by REST and GraphQL; ownSite.ts has what a site does by its own. */

export type { SiteCredentialRow } from "../../db/siteCredential.ts";

/** A credential just issued; its secret is nowhere else. */
export type Issued = { facilityUuid: string; facilityName: string; hmisCode: string | null; secret: string; expiryDate: string };

const subjectOf = (userUuid: string) => ({ type: "SiteCredential", id: userUuid.toLowerCase() });

/** Facilities that were given a credential, by name. @throws Problem FORBIDDEN, NOT_FOUND */
export async function listSiteCredentials(context: Context, { page, ...filter }: CredentialFilter & { page: PageInput }) {
  requireRight(context, "manageMachines");
  await checkScope(context, filter);
  return db.listSiteCredentials(context.db, { ...filter, page });
}

type Facility = Awaited<ReturnType<typeof db.listFacilitiesToIssue>>[number];

/** The facility that each text names, in their order; every one that names none, or one that was named, is told. @throws Problem INVALID */
function facilitiesOf(named: readonly string[], found: readonly Facility[]): Facility[] {
  const errors: InputError[] = [];
  const seen = new Set<string>();
  const facilities = named.flatMap((text, index) => {
    const facility = found.find(({ facilityUuid }) => facilityUuid === text) ?? found.find(({ hmisCode }) => hmisCode === text);
    const message = facility ? (seen.has(facility.facilityUuid) ? `${text} is named twice` : undefined) : `there is no facility ${text}`;
    if (message) errors.push({ path: `facilities.${index}`, message });
    if (facility) seen.add(facility.facilityUuid);
    return facility ? [facility] : [];
  });
  if (errors.length > 0) throw invalid(errors);
  return facilities;
}

/**
 * Issues a credential for each of these facilities, or none where one of them cannot have one. The one that a facility had goes on working
 * until the new one is first used; one that was never used ends. The secrets are answered once and kept as hashes.
 *
 * @throws Problem FORBIDDEN, INVALID
 */
export async function issueSiteCredentials(context: Context, { facilities: named, expiryDate }: Issue): Promise<Issued[]> {
  requireRight(context, "manageMachines");
  const { implementingPartnerId: ownPartner } = requireSession(context);
  const days = await checkExpiry(context, expiryDate);
  return transact(context.db, async (transaction) => {
    await db.lockIssuing(transaction);
    const facilities = facilitiesOf(named, await db.listFacilitiesToIssue(transaction, { named }));
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
    const tokens = issued.map(({ tokenUuid, userUuid, secret }) => ({ tokenUuid, userUuid, tokenHash: hashToken(secret) }));
    await db.insertSiteTokens(transaction, { tokens, days });
    const events = issued.map(({ userUuid, facilityUuid, tokenUuid }) => ({
      ...({ action: "site-credential.issue", outcome: "done" } as const),
      ...{ facilityUuid, subject: subjectOf(userUuid), details: { tokenUuid, expiryDate } },
    }));
    await recordAudits(context, events, transaction);
    return issued.map(({ facilityUuid, facilityName, hmisCode, secret }) => ({ facilityUuid, facilityName, hmisCode, secret, expiryDate }));
  });
}

/** Credentials just issued as a CSV file: facility, HMIS code, secret, expiry. */
export function issuedCsv(issued: readonly Issued[]): string {
  const header = ["facility", "hmisCode", "facilityUuid", "secret", "expiryDate"];
  const rows = issued.map(({ facilityName, hmisCode, facilityUuid, secret, expiryDate }) => [facilityName, hmisCode, facilityUuid, secret, expiryDate]);
  return `\uFEFF${[header, ...rows].map(csvRow).join("")}`;
}

/** Revokes what a site has, renewals not yet used included, for good; once more changes nothing. @throws Problem FORBIDDEN, NOT_FOUND */
export async function revokeSiteCredential(context: Context, userUuid: string): Promise<SiteCredentialRow> {
  const action = "site-credential.revoke";
  requireRight(context, "manageMachines");
  const missing = () => deny(context, { action, subject: subjectOf(userUuid) }, notFound("site credential"));
  if (!isUuid(userUuid)) throw missing();
  return transact(context.db, async (transaction) => {
    await lockUser(transaction, { userUuid });
    const credential = await db.findSiteCredential(transaction, { userUuid });
    if (!credential) throw missing();
    const revoked = await updateTokensOfUserRevoked(transaction, { userUuid });
    if (revoked === 0) return credential;
    const { facilityUuid } = credential;
    await recordAudit(context, { action, outcome: "done", facilityUuid, subject: subjectOf(userUuid), details: { revoked } }, transaction);
    return (await db.findSiteCredential(transaction, { userUuid }))!;
  });
}

/** How many sites a revocation was about: those that had something, and those that had nothing left. */
export type RevokedMany = { revoked: number; unchanged: number };

/** Events of one statement, so that their values stay below the 65,535 that PostgreSQL takes. */
const together = 1000;

/**
 * Revokes what these sites have, all or none, each with an event of its own: the sites of a list of facilities, or those that a filter finds.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID (a facility that there is not), CONFLICT (another number of sites than expected)
 */
export async function revokeSiteCredentials(context: Context, { facilities: named, expected, ...filter }: RevokeMany): Promise<RevokedMany> {
  requireRight(context, "manageMachines");
  if (!named) await checkScope(context, filter);
  return transact(context.db, async (transaction) => {
    await db.lockIssuing(transaction);
    const userUuids = named && facilitiesOf(named, await db.listFacilitiesToIssue(transaction, { named })).flatMap(({ userUuid }) => userUuid ?? []);
    const sites = await db.lockSites(transaction, { ...filter, userUuids: userUuids ?? undefined });
    const about = named?.length ?? sites.length;
    if (expected != null && expected !== about)
      throw new Problem("CONFLICT", `This is about ${about} sites now, not ${expected}. Nothing was revoked: look at the list again.`);
    const ended = await db.updateTokensOfSitesRevoked(transaction, { userUuids: sites.map(({ userUuid }) => userUuid) });
    const events = sites.flatMap(({ userUuid, facilityUuid }) => {
      const revoked = ended.get(userUuid);
      const details = { revoked, together: ended.size };
      return revoked === undefined ? [] : [{ action: "site-credential.revoke", outcome: "done", facilityUuid, subject: subjectOf(userUuid), details } as const];
    });
    for (let from = 0; from < events.length; from += together) await recordAudits(context, events.slice(from, from + together), transaction);
    return { revoked: ended.size, unchanged: about - ended.size };
  });
}
