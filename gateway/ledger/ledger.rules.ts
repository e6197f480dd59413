import { z } from "zod";

import {
  type Direction,
  directions,
  type LedgerKind,
  ledgerKinds,
  ledgerSources,
} from "../../db/ledger/ledger.rules.ts";
import { endRule, inOrder, startRule } from "../calendar/period.rules.ts";
import { rangeRule } from "../calendar/range.rules.ts";
import { rangeOf } from "../calendar/rangeDays.rules.ts";
import { facilityUuidRule } from "../facility/facility.rules.ts";
import { idRule } from "../input/page.rules.ts";

/** What can be asked of the ledger. */

export { type Direction, directions, type LedgerKind, ledgerKinds, ledgerSources };

const kindRule = z.enum(ledgerKinds, `must be one of ${ledgerKinds.join(", ")}`);
export const directionRule = z.enum(directions, `must be one of ${directions.join(", ")}`);

/** What is asked besides the kinds, which REST has as one text. */
export const ledgerShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish().describe("Only of facilities that this partner supports today"),
  facilityUuid: facilityUuidRule.nullish(),
  start: startRule.nullish().describe("The first day; by default 29 days before the last one"),
  end: endRule.nullish().describe("The last day; by default today"),
  range: rangeRule.nullish(),
  direction: directionRule.nullish(),
};
export const kindsRule = z
  .array(kindRule)
  .min(1, "must name a kind")
  .max(ledgerKinds.length, "names a kind twice")
  .nullish();
type Ends = { start?: string | null | undefined; end?: string | null | undefined; range?: string | null | undefined };
const isOnePeriod = ({ start, end, range }: Ends) => range == null || (start == null && end == null);
const onePeriod = { path: ["range"], message: "cannot be given together with start or end" };

export const ledgerFilterRules = z
  .strictObject({ ...ledgerShape, kinds: kindsRule })
  .refine(...inOrder)
  .refine(isOnePeriod, onePeriod);
export type LedgerFilterInput = z.output<typeof ledgerFilterRules>;

const usualDays = "LAST_30_DAYS";
const firstDay = "1900-01-01";
/** The days that are asked for, none of them after today. */
export function periodOf({ start, end, range }: Ends, today: string): { start: string; end: string } {
  if (range != null) {
    const days = rangeOf(range, today);
    return { start: days.start < firstDay ? firstDay : days.start, end: days.end };
  }
  const last = end != null && end < today ? end : today;
  return { start: start ?? rangeOf(usualDays, last).start, end: last };
}
