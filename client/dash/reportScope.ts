import { fiscalYearOf, namedPeriodOf, quarterOfMonth } from "../../gateway/calendar/fiscal.rules.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { overviewParams } from "./overviewParams.ts";
import { calendarYearOf, type ChosenPeriod, entireYear, quarterOptions, yearOptions } from "./periods.ts";
import { allPartners, type OverviewScope } from "./scope.ts";

/** The scope of a report or of a list of changes, as its address gives it. */
export type ReportScope = { scope: OverviewScope; partner: number };

/** The place and the partner of an address. Without a place, the partner is the scope. */
export function readReportScope(params: URLSearchParams): ReportScope {
  const id = (name: string) => idInPath(params.get(name));
  const [provinceId, districtId, partner] = [id("provinceId"), id("districtId"), id("partner")];
  if (districtId !== undefined) return { scope: { districtId }, partner: partner ?? allPartners };
  if (provinceId !== undefined) return { scope: { provinceId }, partner: partner ?? allPartners };
  return partner === undefined
    ? { scope: {}, partner: allPartners }
    : { scope: { implementingPartnerId: partner }, partner: allPartners };
}

/** The scope of an overview as parameters of such an address. */
export function reportParams({ provinceId, districtId, implementingPartnerId }: OverviewScope, partner: number) {
  const narrowed = implementingPartnerId ?? (partner === allPartners ? undefined : partner);
  return {
    ...(districtId === undefined ? (provinceId === undefined ? {} : { provinceId }) : { districtId }),
    ...(narrowed === undefined ? {} : { partner: narrowed }),
  };
}

/**
 * The fiscal year and quarter of an address, or of the charts that linked to it. An address with a year only means the
 * entire year. The default is the last finished quarter, because that is what a quarterly report covers.
 */
export function readReportPeriod(params: URLSearchParams, today: string): ChosenPeriod {
  const number = (...names: string[]) =>
    Number(names.map((name) => params.get(name)).find((value) => value !== null) ?? Number.NaN);
  const year = yearOptions(today).find((one) => one === number("year", overviewParams.year));
  const quarter = quarterOptions.find(({ value }) => value === number("quarter", overviewParams.quarter))?.value;
  if (year !== undefined || quarter !== undefined)
    return { year: year ?? calendarYearOf(today), quarter: quarter ?? entireYear };
  const { start } = namedPeriodOf({ relative: "LAST_QUARTER" }, today);
  return { year: fiscalYearOf(start), quarter: quarterOfMonth(Number(start.slice(5, 7))) };
}
