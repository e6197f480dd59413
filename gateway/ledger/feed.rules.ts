import { z } from "zod";

import { newTokenRules } from "../auth/account.rules.ts";
import { directionRule, kindsRule, ledgerShape } from "./ledger.rules.ts";

/** What a feed of the ledger shows: a scope, kinds and a direction, always of the last 30 days. */
export const feedRules = z.strictObject({
  provinceId: ledgerShape.provinceId,
  districtId: ledgerShape.districtId,
  implementingPartnerId: ledgerShape.implementingPartnerId,
  kinds: kindsRule,
  direction: directionRule.nullish(),
});

export const newFeedRules = feedRules.extend({ name: newTokenRules.shape.name });
export type NewLedgerFeed = z.output<typeof newFeedRules>;
