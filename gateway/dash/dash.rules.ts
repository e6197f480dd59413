import { z } from "zod";

import { idRule, partnerOrAllRule, wholeNumber } from "../input/page.rules.ts";
import {
  fiscalMonths,
  monthStart,
  periodEnd,
  type PeriodKind,
  quarterOfMonth,
  quarterStart,
  yearStart,
} from "../calendar/fiscal.rules.ts";
import { dateRangeShape, inOrder, quarterRule, yearRule } from "../calendar/period.rules.ts";

/** The inputs of the dashboards, and the layout of their rows. */

export const chartViews = ["monthly", "quarterly", "yearly"] as const;
export type ChartView = (typeof chartViews)[number];

export const scopeShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: partnerOrAllRule.nullish(),
};
/** A part of the country: any of province, district and partner; the whole country without them. */
export const scopeRules = z.strictObject(scopeShape);

export const viewRule = z.enum(chartViews, { error: `must be one of ${chartViews.join(", ")}` });

/** A chart of one period: a fiscal quarter, or (-1) a fiscal year. */
export const periodChartRules = z.strictObject({ year: yearRule, quarter: quarterRule });
const mostYears = 9;
/** The number of fiscal years on a chart's axis; `year` is the last one. */
export const yearsRule = wholeNumber.refine((years) => years >= 1 && years <= mostYears, `must be 1 to ${mostYears}`);
/** A chart over the months, quarters or years of a period. */
export const seriesChartRules = z.strictObject({
  year: yearRule,
  quarter: quarterRule,
  view: viewRule,
  years: yearsRule,
});

export const tdbHistoryLevels = ["province", "district"] as const;
export type TdbHistoryLevel = (typeof tdbHistoryLevels)[number];
export const tdbHistoryRules = z
  .strictObject({ level: z.enum(tdbHistoryLevels), ...dateRangeShape })
  .refine(...inOrder);

/**
 * The period of a row in a chart, with its first day: a calendar month, or (calMonth null) a whole quarter, or (quarter
 * -1) a fiscal year.
 */
type ChartSlot = { year: number; quarter: number; calMonth: number | null; start: string };
export type SeriesAsked = { year: number; quarter: number; view: ChartView; years?: number };

/** The kind of period of a view. In a view by years, a chosen quarter is shown as that quarter of each year. */
export const kindOfView = ({ view, quarter }: Pick<SeriesAsked, "view" | "quarter">): PeriodKind => {
  if (view === "monthly") return "month";
  return view === "quarterly" || quarter !== -1 ? "quarter" : "year";
};

function slotsOfYear(year: number, view: ChartView): ChartSlot[] {
  const quarters = [1, 2, 3, 4].map((quarter) => ({
    year,
    quarter,
    calMonth: null,
    start: quarterStart(year, quarter),
  }));
  if (view === "quarterly") return quarters;
  if (view === "yearly") return [{ year, quarter: -1, calMonth: null, start: yearStart(year) }, ...quarters];
  return fiscalMonths.map((month) => ({
    year,
    quarter: quarterOfMonth(month),
    calMonth: month,
    start: monthStart(year, month),
  }));
}

/** The rows of a chart in fiscal order: a month, a quarter or a year each. */
export function chartSlots({ year, quarter, view, years = 1 }: SeriesAsked): ChartSlot[] {
  const isShown = (slot: ChartSlot) =>
    view === "yearly" ? slot.quarter === quarter : quarter === -1 || slot.quarter === quarter;
  return Array.from({ length: years }, (_, index) => year - years + 1 + index).flatMap((each) =>
    slotsOfYear(each, view).filter(isShown),
  );
}

/** Whether a period is over, is running, or is in the future. */
export const periodStates = ["ENDED", "RUNNING", "AHEAD"] as const;
export type PeriodState = (typeof periodStates)[number];

const stateOf = (kind: PeriodKind, start: string, today: string): PeriodState => {
  if (start > today) return "AHEAD";
  return periodEnd({ kind, start }) > today ? "RUNNING" : "ENDED";
};

const noCounts = {
  facilities: 0,
  assessed: 0,
  sumTrainedStaff: 0,
  sumSmartCareFunctional: 0,
  sumPrimaryPower: 0,
  sumPrimaryPowerWorking: 0,
  sumBackupPower: 0,
  sumBackupPowerWorking: 0,
  notRecordedSmartCareFunctional: 0,
  notRecordedPrimaryPower: 0,
  notRecordedPrimaryPowerWorking: 0,
  notRecordedBackupPower: 0,
  notRecordedBackupPowerWorking: 0,
  efirst: 0,
  efast: 0,
  elast: 0,
  partial: 0,
  notDeployed: 0,
  notOperational: 0,
};
type DashboardCounts = typeof noCounts;
export type DashboardRow = Omit<ChartSlot, "start"> & { state: PeriodState } & DashboardCounts;

/** A row for each slot of the chart, with zeros if nothing was counted for it. */
export function fillSlots(
  asked: SeriesAsked,
  counted: ({ kind: PeriodKind; periodStart: string } & DashboardCounts)[],
  today: string,
): DashboardRow[] {
  const kind = kindOfView(asked);
  const ofKind = counted.filter((row) => row.kind === kind);
  const byStart = new Map(ofKind.map(({ kind: _kind, periodStart, ...counts }) => [periodStart, counts]));
  return chartSlots(asked).map(({ start, ...slot }) => ({
    ...slot,
    state: stateOf(kind, start, today),
    ...(byStart.get(start) ?? noCounts),
  }));
}

/** Version numbers as people order them: 1.9 before 1.10. */
const versions = new Intl.Collator("en", { numeric: true });
export const byVersion = (a: { param: string }, b: { param: string }): number =>
  versions.compare(a.param, b.param) || (a.param < b.param ? -1 : 1);

type SummaryCounts = { pastWeek: number; pastMonth: number; pastQuarter: number; facilities: number };
export type SummaryRow = { province: { provinceId: number; name: string } | null; name: string } & SummaryCounts;

/** The sheet's last row: all provinces together. */
export function summaryTotal(rows: readonly SummaryCounts[]): SummaryRow {
  const total = { pastWeek: 0, pastMonth: 0, pastQuarter: 0, facilities: 0 };
  for (const row of rows) for (const key of Object.keys(total) as (keyof SummaryCounts)[]) total[key] += row[key];
  return { province: null, name: "Total", ...total };
}

/**
 * The sheet as one flat object: pastWeekCentral … pastQuarterTotal. Provinces whose names make the same key are added
 * up.
 */
export function flatSummarySheet(rows: readonly SummaryRow[]): Record<string, number> {
  const sheet: Record<string, number> = {};
  for (const { name, pastWeek, pastMonth, pastQuarter } of rows) {
    const suffix = name.normalize("NFC").replaceAll(/[^\p{L}\p{N}]/gu, "");
    for (const [prefix, value] of Object.entries({ pastWeek, pastMonth, pastQuarter }))
      sheet[prefix + suffix] = (sheet[prefix + suffix] ?? 0) + value;
  }
  return sheet;
}
