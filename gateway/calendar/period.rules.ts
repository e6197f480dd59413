import { z } from "zod";

import { firstYear, isMonth, isQuarter, lastYear, type RelativePeriod, relativePeriods } from "./fiscal.rules.ts";
import { dayOf } from "./rangeDays.rules.ts";
import { wholeNumber } from "../input/page.rules.ts";

/** Zod rules for years, quarters, dates and ranges of days. The calendar itself is in fiscal.rules.ts. */

/** A fiscal year for which figures can be requested: from 2000 to next year. */
export const yearRule = wholeNumber
  .refine((year) => year >= firstYear, `must be ${firstYear} or later`)
  .refine((year) => year <= lastYear(), "must not be later than next year")
  .meta({ minimum: firstYear });

/** A fiscal quarter, or -1 for the entire year. */
export const quarterRule = wholeNumber
  .refine(isQuarter, "must be 1 to 4, or -1 for the entire year")
  .meta({ minimum: -1, maximum: 4 });

/** A calendar month. */
export const monthRule = wholeNumber.refine(isMonth, "must be 1 to 12").meta({ minimum: 1, maximum: 12 });

/** A real calendar date, from 1900 to 9998. */
export const dateRule = z.iso
  .date({ error: "must be a date, YYYY-MM-DD", abort: true })
  .refine((date) => date >= "1900-01-01" && date <= "9998-12-31", "must be a date from 1900 to 9998");

const dayIn = (which: "start" | "end") =>
  z
    .string("must be a date, YYYY-MM-DD")
    .transform((text) => dayOf(text, which))
    .pipe(dateRule)
    .describe(
      `A date, YYYY-MM-DD, or a relative range such as LAST_12_MONTHS, which stands for its ${which === "start" ? "first" : "last"} day`,
    );
/** A day from which something is asked for: a date, or a relative range, which stands for its first day. */
export const startRule = dayIn("start");
/** A day until which, or as at which, something is asked for: a date, or a relative range, which stands for its last day. */
export const endRule = dayIn("end");

type Ends = { start?: string | null; end?: string | null };
export const endBeforeStart = { path: ["end"], message: "End date cannot be before the start date" };
/** Arguments for `refine`: if both are given, the end cannot be before the start. */
export const inOrder: [check: (ends: Ends) => boolean, refusal: typeof endBeforeStart] = [
  ({ start, end }) => start == null || end == null || start <= end,
  endBeforeStart,
];

/** An inclusive range of days; the end cannot be before the start. */
export const dateRangeShape = { start: startRule, end: endRule };
export const dateRangeRules = z.strictObject(dateRangeShape).refine(...inOrder);

/** A period by its fiscal year (and quarter or calendar month), or by its distance from today. */
export const namedPeriodRules = z
  .strictObject({
    year: yearRule.nullish(),
    quarter: quarterRule.nullish(),
    month: monthRule.nullish(),
    relative: z.enum(Object.keys(relativePeriods) as [RelativePeriod, ...RelativePeriod[]]).nullish(),
  })
  .superRefine(({ year, quarter, month, relative }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (relative == null && year == null) refuse("year", "is needed unless relative is given");
    if (relative != null && (year ?? quarter ?? month) != null)
      refuse("relative", "cannot be given together with year, quarter or month");
    if (quarter != null && month != null) refuse("month", "cannot be given together with quarter");
  });
/** The argument `asOf`: the day as at which something is asked for. */
export const asOfArgument = z.strictObject({ asOf: endRule.nullish() });
/**
 * The arguments `period` and `asOf`. They are checked as one object so that an error has the whole path, for example
 * period.month.
 */
export const timeArguments = z
  .strictObject({ period: namedPeriodRules.nullish(), asOf: endRule.nullish() })
  .refine(({ period, asOf }) => period == null || asOf == null, {
    path: ["asOf"],
    message: "cannot be given together with period",
  });
