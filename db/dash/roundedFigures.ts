import { type RawBuilder, sql } from "kysely";

/**
 * Figures of facilities for people who may not read them one by one: each facility enters a sum with its figure rounded
 * to one significant digit. So sums add up, and whatever is added up or subtracted gives no facility's exact figure.
 */

/** The digits that a figure loses at least: patients are rounded to hundreds or more, bytes to millions or more. */
const fewestDigits = { patients: 2, bytes: 6 };

/** One facility's figure, a whole number of 0 or more, rounded. */
export const roundedFigure = (figure: RawBuilder<unknown>, of: keyof typeof fewestDigits): RawBuilder<unknown> =>
  sql`round(${figure}::numeric, -greatest(${sql.lit(fewestDigits[of])}, length(${figure}::text) - 1))`;
