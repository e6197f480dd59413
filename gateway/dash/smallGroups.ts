import { countTdbSenders } from "../../db/dash/dash.ts";
import { mayEverywhere } from "../access/access.ts";
import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Context } from "../context.ts";
import { batchedBy } from "../reading/batch.ts";
import { groupedBy } from "../reading/groupedBy.rules.ts";
import { type Group, monthOfDays, shownGroups } from "./smallGroups.rules.ts";

/**
 * People who may not see TDBs get rounded figures of them, and none that are about too few facilities
 * (smallGroups.rules.ts).
 */

/** A row with its counts, exact or `rounded`, or (`suppressed`) with nulls because they are about too few facilities. */
export type Suppressible<Row, Count extends keyof Row> = Omit<Row, Count> & { [Name in Count]: Row[Name] | null } & {
  suppressed: boolean;
  rounded: boolean;
};

/** Whether the caller gets the figures of TDBs as they are. */
export const seesExactly = (context: Context): boolean => mayEverywhere(context, "viewTdbs");

/** Whether the figures of a group are shown to the caller. */
export type IsShown = (group: Group) => boolean;
const always: IsShown = () => true;
export const never: IsShown = () => false;

/** The groups that are shown for a period. It is read together with the other periods of the request. */
const loadShown = batchedBy<"month" | "computers", string, IsShown>(
  async (context, kind, starts) => {
    const senders = groupedBy(await countTdbSenders(context.db, { kind, starts }), ({ periodStart }) => periodStart);
    return new Map(starts.map((start) => [start, shownGroups(senders.get(start) ?? [])]));
  },
  () => new Error("A period's senders were not counted"),
);
const shownIn = async (context: Context, kind: "month" | "computers", start: string | null): Promise<IsShown> => {
  if (seesExactly(context)) return always;
  return start === null ? never : loadShown(context, kind, start);
};

/** The groups of TDBs that are shown for a calendar month, by its first day. */
export const shownInMonth = (context: Context, month: string): Promise<IsShown> => shownIn(context, "month", month);

/** The same for a range of days: those of a month, if it is one; else none. */
export const shownOnDays = (context: Context, days: { start: string; end: string }): Promise<IsShown> =>
  shownIn(context, "month", monthOfDays(days, todayIn(context.timeZone)));

/** The groups of computers that are shown for a fiscal year, by its first day; null: a part of a year. */
export const shownComputers = (context: Context, yearStart: string | null): Promise<IsShown> =>
  shownIn(context, "computers", yearStart);

/** A row with its exact counts. */
export const exactly = <Row extends object>(row: Row) => ({ ...row, suppressed: false, rounded: false });

/** A row with its counts, which are rounded, or with null in place of them. */
export const suppressUnless = <Row extends object, Count extends keyof Row>(
  row: Row,
  counts: readonly Count[],
  isShown: boolean,
): Suppressible<Row, Count> =>
  ({
    ...row,
    ...(isShown ? {} : Object.fromEntries(counts.map((name) => [name, null]))),
    suppressed: !isShown,
    rounded: isShown,
  }) as Suppressible<Row, Count>;
