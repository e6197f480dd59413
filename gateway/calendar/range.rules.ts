import { z } from "zod";

import { forms, isNoRange } from "./rangeDays.rules.ts";

export const rangeAbout =
  "A range relative to today: THIS_MONTH, PREVIOUS_MONTH (or DAY, WEEK, QUARTER, YEAR), LAST_n_DAYS (today and the days before), or LAST_n_WEEKS, LAST_n_MONTHS, LAST_n_QUARTERS, LAST_n_YEARS (whole ones before the present one). Years are fiscal years, but THIS_CALENDAR_YEAR and PREVIOUS_CALENDAR_YEAR; weeks begin on Monday.";

/** A relative range of days, such as LAST_30_DAYS. */
export const rangeRule = z
  .string()
  .regex(
    forms,
    "must be THIS_… or PREVIOUS_DAY, WEEK, MONTH, QUARTER, YEAR or CALENDAR_YEAR, or LAST_n_DAYS, WEEKS, MONTHS, QUARTERS or YEARS",
  )
  .refine((text) => !isNoRange(text), "must be of 1 or more")
  .describe(rangeAbout);
