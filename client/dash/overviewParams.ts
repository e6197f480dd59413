import { useSearchParams } from "react-router-dom";
import { useAddress } from "../ui/filter/listAddress.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { allPartners } from "./scope.ts";
import { calendarYearOf, entireYear, quarterOptions, type View, yearOptions } from "./periods.ts";

/**
 * The search parameters of an overview. A list on the same screen has `page`, and a list by mode `year`, `quarter`,
 * `month` and `implementingPartnerId`: they do not belong to the overview. `partner` belongs to the scope, so it also
 * filters the list and the situation.
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

/** The settings of a chart's controls. */
export type ChartSettings = {
  view: View;
  partner: number;
  year: number;
  quarter: number;
  /** The number of years on the axis; the last one is `year`. */
  years: number;
  /**
   * Whether shares of the assessed facilities are shown instead of numbers. Undefined: shares if the number assessed
   * differs between the periods.
   */
  isShares: boolean | undefined;
  hasTable: boolean;
};

/** The numbers of years that an axis may have. */
export const spanOptions = [
  { value: 1, label: "1" },
  { value: 2, label: "2" },
  { value: 8, label: "8 years" },
];

/** The default settings: the entire current calendar year, by quarter. */
const defaultSettings = (today: string): ChartSettings => ({
  view: "quarterly",
  partner: allPartners,
  year: calendarYearOf(today),
  quarter: entireYear,
  years: 1,
  isShares: undefined,
  hasTable: false,
});

const whole = (text: string | null): number | undefined =>
  text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;

/** The partner that filters the whole screen, including the list beside the overview. */
export const scopePartner = (params: URLSearchParams): number =>
  idInPath(params.get(overviewParams.partner)) ?? allPartners;

/** Reads the settings from search parameters. What is missing or not on offer has its default. */
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
    isShares: { shares: true, numbers: false }[params.get(overviewParams.figures) ?? ""],
    hasTable: params.get(overviewParams.table) === "1",
  };
}

const unlessUsual = <Value>(value: Value, usual: Value): Value | undefined => (value === usual ? undefined : value);

/** The settings as search parameters. Defaults are left out of an address. */
export function settingParams(settings: ChartSettings, today: string) {
  const usual = defaultSettings(today);
  return {
    [overviewParams.view]: unlessUsual(settings.view, usual.view),
    [overviewParams.partner]: unlessUsual(settings.partner, usual.partner),
    [overviewParams.year]: unlessUsual(settings.year, usual.year),
    [overviewParams.quarter]: unlessUsual(settings.quarter, usual.quarter),
    [overviewParams.years]: unlessUsual(settings.years, usual.years),
    [overviewParams.figures]: settings.isShares === undefined ? undefined : settings.isShares ? "shares" : "numbers",
    [overviewParams.table]: settings.hasTable ? 1 : undefined,
  };
}

/** The chart settings in the URL, and a function that changes some of them. */
export function useChartSettings(
  today: string,
): [settings: ChartSettings, change: (some: Partial<ChartSettings>) => void] {
  const [params] = useSearchParams();
  const write = useAddress();
  const settings = readSettings(params, today);
  const change = (some: Partial<ChartSettings>) => {
    // The partner also filters the list beside the overview, which then starts at its first page.
    const page = some.partner === undefined ? {} : { page: "" };
    write((now) => ({ ...page, ...settingParams({ ...readSettings(now, today), ...some }, today) }));
  };
  return [settings, change];
}
