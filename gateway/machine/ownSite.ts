import { v7 as uuidv7 } from "uuid";

import { limitOf, limitsOf } from "../../db/auth/limit.ts";
import type { Page, PageInput } from "../../db/list/page.ts";
import * as db from "../../db/machine/siteCredential.ts";
import { listTdbs } from "../../db/tdb/tdb.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockUser } from "../../db/user/user.ts";
import { requireSite } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import { hashToken } from "../auth/auth.ts";
import { makeSecret } from "../auth/token.ts";
import type { Context } from "../context.ts";
import { notSignedIn, Problem } from "../problem.ts";
import { readOwnSilence, type Site } from "../tdb/silence.ts";
import type { TdbRow } from "../tdb/tdb.ts";

/**
 * Acts of a site with its credential, besides sending TDBs: read its own data, what was received, what is expected, and
 * renew the credential.
 */

/** The account and the credential of the calling site. */
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

/** The TDBs of the caller's site whose receipts are kept, the latest received first. @throws Problem FORBIDDEN */
export async function listOwnReceipts(context: Context, { page }: { page: PageInput }): Promise<Page<TdbRow>> {
  const { userUuid } = callerOf(context);
  return listTdbs(context.db, { userUuid, facilityUuid: requireSite(context).facilityUuid, withReceipt: true, page });
}

/** What the platform expects next from the caller's site. @throws Problem FORBIDDEN */
export const readOwnNeeds = (context: Context): Promise<Site> => readOwnSilence(context);

/** How often a site may renew its credential. */
const renewalsOf = limitsOf((handle) =>
  limitOf(handle, { name: "renew", times: 20, seconds: 60 * 60, table: "token_limit" }),
);
/**
 * How many unused renewals stay valid. If answers were lost or overtook each other, the site may have received any of
 * them.
 */
const keptRenewals = 5;

/**
 * Gives the caller's site a new credential that is valid for as many days as the present one was issued for. The
 * present one is valid until its last day, or until a new one is first used. If the answer is lost, the site simply
 * calls again.
 *
 * @throws Problem FORBIDDEN, UNAUTHENTICATED (it ended meanwhile), TOO_MANY
 */
export async function renewOwnCredential(
  context: Context,
): Promise<{ secret: string; expiryDate: string; daysLeft: number }> {
  const { userUuid, tokenUuid: present } = callerOf(context);
  const { facilityUuid } = requireSite(context);
  const { waitSeconds } = await renewalsOf(context.primary).take(userUuid);
  if (waitSeconds !== null)
    throw new Problem("TOO_MANY", "This credential was renewed too often.", { retryAfterSeconds: waitSeconds });
  const secret = makeSecret();
  const tokenUuid = uuidv7();
  return transact(context.primary, async (transaction) => {
    // The lock makes the first use of another credential, or a revocation, wait for this transaction.
    await lockUser(transaction, { userUuid });
    const site = await db.findSiteCredential(transaction, { userUuid });
    if (!site || !(await db.findIsLive(transaction, { tokenUuid: present })))
      throw new Problem("UNAUTHENTICATED", "The site credential has ended.");
    await db.updateUnusedRevoked(transaction, { userUuids: [userUuid], keep: keptRenewals - 1 });
    await db.insertSiteTokens(transaction, {
      tokens: [{ tokenUuid, userUuid, tokenHash: hashToken(secret) }],
      days: site.validDays,
    });
    const expiry = await db.findTokenExpiry(transaction, { tokenUuid });
    const subject = { type: "SiteCredential", id: userUuid };
    const details = { tokenUuid, expiryDate: expiry.expiryDate };
    await recordAudit(
      context,
      { action: "site-credential.renew", outcome: "done", facilityUuid, subject, details },
      transaction,
    );
    return { secret, ...expiry };
  });
}
