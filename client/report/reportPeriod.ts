import { fiscalYearOf, namedPeriodOf, quarterOfMonth } from "../../gateway/calendar/fiscal.rules.ts";
import { type ReportQuarterOf, stateOfQuarter } from "../../gateway/report/reportQuarter.rules.ts";
import { overviewParams } from "../dash/overviewParams.ts";
import { calendarYearOf, yearOptions } from "../dash/periods.ts";

/** The last quarter that is over. */
function lastQuarter(today: string): ReportQuarterOf {
  const { start } = namedPeriodOf({ relative: "LAST_QUARTER" }, today);
  return { year: fiscalYearOf(start), quarter: quarterOfMonth(Number(start.slice(5, 7))) };
}

/**
 * The fiscal year and quarter of an address, or of the charts that linked to it. Of a year without a quarter it is the
 * last one, if that has begun. The default is the last quarter that is over, because that is what a report is about.
 */
export function readReportPeriod(params: URLSearchParams, today: string): ReportQuarterOf {
  const number = (...names: string[]) =>
    Number(names.map((name) => params.get(name)).find((value) => value !== null) ?? Number.NaN);
  const year = yearOptions(today).find((one) => one === number("year", overviewParams.year));
  const quarter = [1, 2, 3, 4].find((one) => one === number("quarter", overviewParams.quarter));
  if (quarter !== undefined) return { year: year ?? calendarYearOf(today), quarter };
  if (year === undefined) return lastQuarter(today);
  const last = { year, quarter: 4 };
  return stateOfQuarter(last, today) === "ahead" ? lastQuarter(today) : last;
}
