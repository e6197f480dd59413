import { useSearchParams } from "react-router-dom";
import { overviewParams } from "./overviewParams.ts";
import { allPartners, hasPartnerFilter, isWithinProvince } from "./scope.ts";
import type { OverviewScope } from "./scope.ts";

/** The filter of the Silent Sites tab: the units to count by, the partner, and which facilities to list. */
export type SilentFilter = { level: SilentLevel; show: SilentShow; partner: number };

export const silentLevels = { province: "Provinces", district: "Districts", partner: "Partners" } as const;
export type SilentLevel = keyof typeof silentLevels;

export const silentShows = { overdue: "Overdue", neverSent: "Never sent", irregular: "Irregular", expected: "All that should send" } as const;
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

/** The search parameters after a change of the filter: lists are back on their first page, and defaults are left out. */
export function writeSilentFilter(params: URLSearchParams, scope: OverviewScope, some: Partial<SilentFilter>): URLSearchParams {
  const next = new URLSearchParams(params);
  const { level, show, partner } = { ...readSilentFilter(params, scope), ...some };
  const put = (name: string, value: string, isDefault: boolean) => (isDefault ? next.delete(name) : next.set(name, value));
  put(overviewParams.silentBy, level, level === levelsOf(scope)[0]);
  put(overviewParams.silent, show, show === "overdue");
  put(overviewParams.partner, String(partner), partner === allPartners);
  if (some.level !== undefined || some.partner !== undefined) next.delete(overviewParams.unitPage);
  if (some.show !== undefined || some.partner !== undefined) next.delete(overviewParams.facilityPage);
  return next;
}

/** The filter in the URL, and a function that changes parts of it. */
export function useSilentFilter(scope: OverviewScope): [filter: SilentFilter, change: (some: Partial<SilentFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const change = (some: Partial<SilentFilter>) =>
    setParams((now) => writeSilentFilter(now, scope, some), { replace: true, preventScrollReset: true });
  return [readSilentFilter(params, scope), change];
}
