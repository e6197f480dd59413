import { useSearchParams } from "react-router-dom";
import { useAddress } from "../ui/filter/listAddress.ts";
import { overviewParams } from "./overviewParams.ts";
import { allPartners, hasPartnerFilter, isWithinProvince, type OverviewScope } from "./scope.ts";

/** The filter of the tab Overdue Sites: the units to count by, the partner, and which facilities to list. */
export type SilentFilter = { level: SilentLevel; show: SilentShow; partner: number };

export const silentLevels = { province: "Provinces", district: "Districts", partner: "Partners" } as const;
export type SilentLevel = keyof typeof silentLevels;

export const silentShows = {
  overdue: "Overdue",
  neverSent: "Never sent",
  irregular: "Irregular",
  expected: "All that should send",
} as const;
export type SilentShow = keyof typeof silentShows;

/** The units on offer: within a province its districts; on a partner's page no partners. */
export const levelsOf = (scope: OverviewScope): SilentLevel[] => [
  ...(isWithinProvince(scope) ? [] : (["province"] as const)),
  "district",
  ...(hasPartnerFilter(scope) ? (["partner"] as const) : []),
];

/** Reads the filter from search parameters. What is missing or not on offer has its default. */
export function readSilentFilter(params: URLSearchParams, scope: OverviewScope): SilentFilter {
  const levels = levelsOf(scope);
  const shows = Object.keys(silentShows) as SilentShow[];
  const partner = params.get(overviewParams.partner) ?? "";
  return {
    level: levels.find((level) => level === params.get(overviewParams.silentBy)) ?? levels[0]!,
    show: shows.find((show) => show === params.get(overviewParams.silent)) ?? "overdue",
    partner: hasPartnerFilter(scope) && /^\d{1,9}$/.test(partner) ? Number(partner) : allPartners,
  };
}

/**
 * A change of the filter as search parameters: the lists that it affects are back on their first page, and defaults are
 * left out.
 */
export function silentParams(before: SilentFilter, scope: OverviewScope, some: Partial<SilentFilter>) {
  const { level, show, partner } = { ...before, ...some };
  return {
    [overviewParams.silentBy]: level === levelsOf(scope)[0] ? undefined : level,
    [overviewParams.silent]: show === "overdue" ? undefined : show,
    [overviewParams.partner]: partner === allPartners ? undefined : partner,
    ...(some.level === undefined && some.partner === undefined ? {} : { [overviewParams.unitPage]: undefined }),
    ...(some.show === undefined && some.partner === undefined ? {} : { [overviewParams.facilityPage]: undefined }),
  };
}

/** The filter in the URL, and a function that changes parts of it. */
export function useSilentFilter(
  scope: OverviewScope,
): [filter: SilentFilter, change: (some: Partial<SilentFilter>) => void] {
  const [params] = useSearchParams();
  const write = useAddress();
  const filter = readSilentFilter(params, scope);
  return [filter, (some) => write((now) => silentParams(readSilentFilter(now, scope), scope, some))];
}
