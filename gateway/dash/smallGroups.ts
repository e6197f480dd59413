import { countTdbSenders } from "../../db/dash.ts";
import { mayEverywhere } from "../access/access.ts";
import { batchedBy } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Scope } from "../reference/reference.ts";
import { groupedBy, monthOfDays, type Place, shownPlaces } from "./smallGroups.rules.ts";

/** Hides TDB figures about too few facilities from callers who may not read TDBs (smallGroups.rules.ts). */

/** A row with its counts, or (`suppressed`) with nulls because they are about too few facilities. */
export type Suppressible<Row, Count extends keyof Row> = Omit<Row, Count> & { [Name in Count]: Row[Name] | null } & { suppressed: boolean };

/** Whether the caller may see every group. */
export const seesSmallGroups = (context: Context): boolean => mayEverywhere(context, "viewTdbs");

/** The places that may be shown in a period. It is read together with the other periods of the request. */
const loadShown = batchedBy<"month" | "computers", string, (place: Place) => boolean>(
  async (context, kind, starts) => {
    const senders = groupedBy(await countTdbSenders(context.db, { kind, starts }), ({ periodStart }) => periodStart);
    return new Map(starts.map((start) => [start, shownPlaces(senders.get(start) ?? [])]));
  },
  () => new Error("A period's senders were not counted"),
);

const isPartner = ({ implementingPartnerId }: Scope): boolean => implementingPartnerId != null && implementingPartnerId !== -1;

/** The places of a scope that may be shown for a range of days. */
export async function shownOnDays(context: Context, scope: Scope, days: { start: string; end: string }): Promise<(place: Place) => boolean> {
  const month = monthOfDays(days, todayIn(context.timeZone));
  return month === null || isPartner(scope) ? () => false : loadShown(context, "month", month);
}

/** The same for one calendar month, by its first day. */
export const shownInMonth = (context: Context, month: string): Promise<(place: Place) => boolean> => loadShown(context, "month", month);

/** Whether the computers of a scope may be shown for a fiscal year, by its first day; null: a part of a year. */
export async function showsComputers(context: Context, scope: Scope, yearStart: string | null): Promise<boolean> {
  return yearStart !== null && !isPartner(scope) && (await loadShown(context, "computers", yearStart))(scope);
}

/** A row with its counts, or with null in place of them. */
export const suppressUnless = <Row extends object, Count extends keyof Row>(row: Row, counts: readonly Count[], isShown: boolean): Suppressible<Row, Count> =>
  ({ ...row, ...(isShown ? {} : Object.fromEntries(counts.map((name) => [name, null]))), suppressed: !isShown }) as Suppressible<Row, Count>;
