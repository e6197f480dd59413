import { v7 as uuidv7 } from "uuid";

import { limitOf, limitsOf } from "../../db/limit.ts";
import type { Page, PageInput } from "../../db/list/page.ts";
import * as db from "../../db/siteCredential.ts";
import { listTdbs } from "../../db/tdb.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockUser } from "../../db/user.ts";
import { requireSite } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import { hashToken } from "../auth/auth.ts";
import { makeSecret } from "../auth/token.ts";
import type { Context } from "../context.ts";
import { notSignedIn, Problem } from "../problem.ts";
import { readOwnSilence, type Site } from "../tdb/silence.ts";
import type { TdbRow } from "../tdb/tdb.ts";

/** What a site does by its credential, besides sending TDBs: it asks who it is, what of its own was received, what is due, and renews. */

/** The account and the credential by which a site calls. */
function callerOf(context: Context): { userUuid: string; tokenUuid: string } {
  requireSite(context);
  const { userUuid, tokenUuid } = context.viewer!;
  return { userUuid, tokenUuid: tokenUuid! };
}

/** The caller's site and credential. @throws Problem FORBIDDEN */
export async function readOwnSite(context: Context) {
  const { userUuid, tokenUuid } = callerOf(context);
  const site = await db.findSiteCredential(context.primary, { userUuid });
  if (!site) throw notSignedIn();
  return { ...site, ...(await db.findTokenExpiry(context.primary, { tokenUuid })) };
}

/** What the caller's site has sent, the latest received first. @throws Problem FORBIDDEN */
export async function listOwnReceipts(context: Context, { page }: { page: PageInput }): Promise<Page<TdbRow>> {
  const { userUuid } = callerOf(context);
  return listTdbs(context.db, { userUuid, facilityUuid: requireSite(context).facilityUuid, page });
}

/** What the platform waits for from the caller's site. @throws Problem FORBIDDEN */
export const readOwnNeeds = (context: Context): Promise<Site> => readOwnSilence(context);

/** How often a site may renew its credential. */
const renewalsOf = limitsOf((handle) => limitOf(handle, { name: "renew", times: 20, seconds: 60 * 60, table: "token_limit" }));
/** Renewals that were not used yet and go on working: of several whose answers crossed or were lost, any may be the one that arrived. */
const keptRenewals = 5;

/**
 * Gives the caller's site a new credential for as many days as it was issued for. The present one works until a new one is first used, and not
 * beyond its own last day, so that a lost answer costs nothing: the call is made again.
 *
 * @throws Problem FORBIDDEN, UNAUTHENTICATED (it ended meanwhile), TOO_MANY
 */
export async function renewOwnCredential(context: Context): Promise<{ secret: string; expiryDate: string; daysLeft: number }> {
  const { userUuid, tokenUuid: present } = callerOf(context);
  const { facilityUuid } = requireSite(context);
  const { waitSeconds } = await renewalsOf(context.primary).take(userUuid);
  if (waitSeconds !== null) throw new Problem("TOO_MANY", "This credential was renewed too often.", { retryAfterSeconds: waitSeconds });
  const secret = makeSecret();
  const tokenUuid = uuidv7();
  return transact(context.primary, async (transaction) => {
    // Against the first use of another one, and against being revoked.
    await lockUser(transaction, { userUuid });
    const site = await db.findSiteCredential(transaction, { userUuid });
    if (!site || !(await db.findIsLive(transaction, { tokenUuid: present }))) throw new Problem("UNAUTHENTICATED", "The site credential has ended.");
    await db.updateUnusedRevoked(transaction, { userUuids: [userUuid], keep: keptRenewals - 1 });
    await db.insertSiteTokens(transaction, { tokens: [{ tokenUuid, userUuid, tokenHash: hashToken(secret) }], days: site.validDays });
    const expiry = await db.findTokenExpiry(transaction, { tokenUuid });
    const subject = { type: "SiteCredential", id: userUuid };
    const details = { tokenUuid, expiryDate: expiry.expiryDate };
    await recordAudit(context, { action: "site-credential.renew", outcome: "done", facilityUuid, subject, details }, transaction);
    return { secret, ...expiry };
  });
}
