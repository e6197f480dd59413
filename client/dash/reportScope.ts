import { idInPath } from "../ui/list/idInPath.ts";
import { calendarYearOf, entireYear, quarterOptions, yearOptions } from "./periods.ts";
import { allPartners } from "./scope.ts";
import type { OverviewScope } from "./scope.ts";

/** What a report or a list of changes is about, by its address. */
export type ReportScope = { scope: OverviewScope; partner: number };

/** The place and the partner of an address. Without a place, a partner is the scope itself. */
export function readReportScope(params: URLSearchParams): ReportScope {
  const id = (name: string) => idInPath(params.get(name) ?? undefined);
  const [provinceId, districtId, partner] = [id("provinceId"), id("districtId"), id("partner")];
  if (districtId !== undefined) return { scope: { districtId }, partner: partner ?? allPartners };
  if (provinceId !== undefined) return { scope: { provinceId }, partner: partner ?? allPartners };
  return partner === undefined ? { scope: {}, partner: allPartners } : { scope: { implementingPartnerId: partner }, partner: allPartners };
}

/** A scope of an overview as parameters of such an address. */
export function reportParams({ provinceId, districtId, implementingPartnerId }: OverviewScope, partner: number) {
  const narrowed = implementingPartnerId ?? (partner === allPartners ? undefined : partner);
  return {
    ...(districtId === undefined ? (provinceId === undefined ? {} : { provinceId }) : { districtId }),
    ...(narrowed === undefined ? {} : { partner: narrowed }),
  };
}

export type ReportPeriod = { year: number; quarter: number };

/** The fiscal year and quarter of an address; what is missing or not on offer is the entire present calendar year. */
export function readReportPeriod(params: URLSearchParams, today: string): ReportPeriod {
  const number = (name: string) => Number(params.get(name) ?? Number.NaN);
  const year = yearOptions(today).find((one) => one === number("year"));
  return { year: year ?? calendarYearOf(today), quarter: quarterOptions.find(({ value }) => value === number("quarter"))?.value ?? entireYear };
}

/** The period before: the quarter, or the year. */
export function periodBefore({ year, quarter }: ReportPeriod): ReportPeriod {
  if (quarter === entireYear) return { year: year - 1, quarter };
  return quarter === 1 ? { year: year - 1, quarter: 4 } : { year, quarter: quarter - 1 };
}
