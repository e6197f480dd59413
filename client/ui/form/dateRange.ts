import { useSearchParams } from "react-router-dom";
import { z } from "zod";
import { dateRangeRules, dateRule, inOrder } from "../../../gateway/calendar/period.rules.ts";
import { useAddress } from "../filter/listAddress.ts";

/** An inclusive range of days, YYYY-MM-DD. */
export type DateRange = { start: string; end: string };

const required = z.string("is required").min(1, { error: "is required", abort: true }).pipe(dateRule);

/** What a form of two dates accepts: both required, the end not before the start. */
export const dateRangeFormRules = z.object({ start: required, end: required }).refine(...inOrder);

/** From the first of the month to today. */
export const monthToDate = (today: string): DateRange => ({ start: `${today.slice(0, 7)}-01`, end: today });

/** The range in search parameters, or `fallback` if they have no valid one. */
export function readRange(params: URLSearchParams, fallback: DateRange): DateRange {
  const parsed = dateRangeRules.safeParse({ start: params.get("start"), end: params.get("end") });
  return parsed.success ? parsed.data : fallback;
}

/**
 * The range of days in the URL's search parameters `start` and `end`. Setting it removes the parameters in `clears`,
 * which it makes meaningless (such as a page).
 */
export function useDateRange(
  fallback: DateRange,
  clears: string[] = [],
): [range: DateRange, setRange: (range: DateRange) => void] {
  const [params] = useSearchParams();
  const change = useAddress();
  const setRange = ({ start, end }: DateRange) =>
    change({ ...Object.fromEntries(clears.map((name) => [name, ""])), start, end });
  return [readRange(params, fallback), setRange];
}
