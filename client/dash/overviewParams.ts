import { useSearchParams } from "react-router-dom";
import { idInPath } from "../ui/list/idInPath.ts";
import { allPartners } from "./scope.ts";
import { calendarYearOf, entireYear, quarterOptions, yearOptions } from "./periods.ts";
import type { View } from "./periods.ts";

/**
 * The search parameters of an overview. A list on the same screen has `page`, and a list by mode `year`, `quarter`, `month`
 * and `implementingPartnerId`: those are not ours. `partner` is the scope's: the list and the situation are narrowed to it too.
 */
export const overviewParams = {
  tab: "chart",
  view: "view",
  partner: "partner",
  year: "chartYear",
  quarter: "chartQuarter",
  years: "years",
  figures: "figures",
  compare: "compare",
  table: "table",
  level: "level",
  unitPage: "unitPage",
  facilityPage: "facilityPage",
  silentBy: "silentBy",
  silent: "silent",
} as const;

/** What the controls of a chart are set to. */
export type ChartSettings = {
  view: View;
  partner: number;
  year: number;
  quarter: number;
  /** How many years stand on the axis, up to `year`. */
  years: number;
  /** Shares of the facilities that were assessed, in place of numbers. */
  isShares: boolean;
  hasTable: boolean;
};

/** How many years an axis may have. */
export const spanOptions = [
  { value: 1, label: "One year" },
  { value: 2, label: "Two years" },
  { value: 8, label: "All years (8)" },
];

/** The settings before anybody touches a control: the current calendar year, all of it, quarter by quarter. */
const defaultSettings = (today: string): ChartSettings => ({
  view: "quarterly",
  partner: allPartners,
  year: calendarYearOf(today),
  quarter: entireYear,
  years: 1,
  isShares: false,
  hasTable: false,
});

const whole = (text: string | null): number | undefined => (text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined);

/** The partner that all of a screen is narrowed to, the list beside the overview too. */
export const scopePartner = (params: URLSearchParams): number => idInPath(params.get(overviewParams.partner) ?? undefined) ?? allPartners;

/** Settings from search parameters; what is missing or not on offer is as by default. */
export function readSettings(params: URLSearchParams, today: string): ChartSettings {
  const fallback = defaultSettings(today);
  const year = whole(params.get(overviewParams.year));
  const quarter = whole(params.get(overviewParams.quarter));
  const years = whole(params.get(overviewParams.years));
  return {
    view: params.get(overviewParams.view) === "monthly" ? "monthly" : fallback.view,
    partner: scopePartner(params),
    year: year !== undefined && yearOptions(today).includes(year) ? year : fallback.year,
    quarter: quarterOptions.find(({ value }) => value === quarter)?.value ?? fallback.quarter,
    years: spanOptions.find(({ value }) => value === years)?.value ?? fallback.years,
    isShares: params.get(overviewParams.figures) === "shares",
    hasTable: params.get(overviewParams.table) === "1",
  };
}

/** The search parameters with these settings; those that are as by default stay away. */
export function writeSettings(params: URLSearchParams, settings: ChartSettings, today: string): URLSearchParams {
  const fallback = defaultSettings(today);
  const next = new URLSearchParams(params);
  const put = (name: string, value: string | number, isDefault: boolean) => (isDefault ? next.delete(name) : next.set(name, String(value)));
  put(overviewParams.view, settings.view, settings.view === fallback.view);
  put(overviewParams.partner, settings.partner, settings.partner === fallback.partner);
  put(overviewParams.year, settings.year, settings.year === fallback.year);
  put(overviewParams.quarter, settings.quarter, settings.quarter === fallback.quarter);
  put(overviewParams.years, settings.years, settings.years === fallback.years);
  put(overviewParams.figures, "shares", !settings.isShares);
  put(overviewParams.table, "1", !settings.hasTable);
  return next;
}

/** The chart settings in the URL, and how to change some of them. */
export function useChartSettings(today: string): [settings: ChartSettings, change: (some: Partial<ChartSettings>) => void] {
  const [params, setParams] = useSearchParams();
  const change = (some: Partial<ChartSettings>) =>
    setParams(
      (now) => {
        const next = writeSettings(now, { ...readSettings(now, today), ...some }, today);
        // The list beside the overview is of that partner too, and another list begins with its first page.
        if (some.partner !== undefined) next.delete("page");
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [readSettings(params, today), change];
}
