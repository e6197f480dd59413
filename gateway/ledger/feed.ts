import { requireViewer } from "../access/access.ts";
import { mostTokenDays } from "../auth/account.rules.ts";
import { createToken, type TokenRow } from "../auth/token.ts";
import { todayIn } from "../calendar/fiscal.rules.ts";
import { daysAfter } from "../calendar/rangeDays.rules.ts";
import type { Context } from "../context.ts";
import { parse } from "../input/parse.ts";
import { notFound } from "../problem.ts";
import { feedRules, type NewLedgerFeed } from "./feed.rules.ts";
import { countLedger, type LedgerEntry, listLedger } from "./ledger.ts";

/**
 * A feed of the ledger has an address with a secret, because a feed reader can send nothing else. The secret is an
 * access token that is good for nothing else: it is listed, revoked and ended with the others.
 */

const mostEntries = 100;

/** Makes the address of a feed for the caller. It is told once. @throws Problem FORBIDDEN, NOT_FOUND, INVALID */
export async function createLedgerFeed(
  context: Context,
  { name, ...asked }: NewLedgerFeed,
): Promise<{ token: TokenRow; address: string }> {
  // Refuses what the caller may not read.
  await countLedger(context, asked);
  const expiryDate = daysAfter(todayIn(context.timeZone), mostTokenDays);
  const { token, secret } = await createToken(context, { name, expiryDate, privileges: [] }, asked);
  return { token, address: `${context.origin ?? ""}/api/v1/ledger/atom/${secret}` };
}

/** What the feed of the request's secret shows: the newest changes, as its owner may see them today. */
export async function readLedgerFeed(
  context: Context,
): Promise<{ id: string; name: string; entries: readonly LedgerEntry[] }> {
  const { feed, tokenUuid } = requireViewer(context);
  if (!feed) throw notFound("feed");
  const { rows } = await listLedger(context, { ...parse(feedRules, feed.asked), page: { first: mostEntries } });
  return { id: tokenUuid!, name: feed.name, entries: rows };
}
