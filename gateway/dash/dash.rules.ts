import { z } from "zod";

import { idRule } from "../input/page.rules.ts";
import { fiscalMonths, monthStart, quarterOfMonth, quarterStart } from "../calendar/fiscal.rules.ts";
import { dateRangeShape, inOrder, quarterRule, yearRule } from "../calendar/period.rules.ts";

/** What the dashboards may be asked, and how their rows are laid out. */

export const chartViews = ["monthly", "quarterly"] as const;
export type ChartView = (typeof chartViews)[number];

/** A partner's id; -1, as in the screens' filter, means all partners. */
export const partnerOrAllRule = idRule.transform((id) => (id === -1 ? null : id));

export const scopeShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: partnerOrAllRule.nullish(),
};
/** A part of the country: any of province, district and partner; all of it without them. */
export const scopeRules = z.strictObject(scopeShape);

export const viewRule = z.enum(chartViews, { error: `must be one of ${chartViews.join(", ")}` });

/** A chart of one period: a fiscal quarter, or (-1) a fiscal year. */
export const periodChartRules = z.strictObject({ year: yearRule, quarter: quarterRule });
/** A chart over the months or quarters of a period. */
export const seriesChartRules = z.strictObject({ year: yearRule, quarter: quarterRule, view: viewRule });

export const tdbHistoryLevels = ["province", "district"] as const;
export type TdbHistoryLevel = (typeof tdbHistoryLevels)[number];
export const tdbHistoryRules = z
  .strictObject({ level: z.enum(tdbHistoryLevels), ...dateRangeShape })
  .refine(...inOrder);

/** The place of a row in a chart: a calendar month, or (calMonth null) a whole quarter, and its first day. */
export type ChartSlot = { quarter: number; calMonth: number | null; start: string };

/** The rows of a chart in fiscal order: a month or a quarter each, of one quarter or of all four. */
export function chartSlots({ year, quarter, view }: { year: number; quarter: number; view: ChartView }): ChartSlot[] {
  const slots =
    view === "quarterly"
      ? [1, 2, 3, 4].map((each) => ({ quarter: each, calMonth: null, start: quarterStart(year, each) }))
      : fiscalMonths.map((month) => ({ quarter: quarterOfMonth(month), calMonth: month, start: monthStart(year, month) }));
  return slots.filter((slot) => quarter === -1 || slot.quarter === quarter);
}

const noCounts = {
  sumTrainedStaff: 0,
  sumSmartCareFunctional: 0,
  sumPrimaryPower: 0,
  sumPrimaryPowerWorking: 0,
  sumBackupPower: 0,
  sumBackupPowerWorking: 0,
  efirst: 0,
  efast: 0,
  elast: 0,
};
export type DashboardCounts = typeof noCounts;
export type DashboardRow = { quarter: number; calMonth: number | null } & DashboardCounts;

/** A row for each place of the chart; one that nothing was counted for has zeros. */
export function fillSlots(slots: ChartSlot[], counted: ({ periodStart: string } & DashboardCounts)[]): DashboardRow[] {
  const byStart = new Map(counted.map(({ periodStart, ...counts }) => [periodStart, counts]));
  return slots.map(({ quarter, calMonth, start }) => ({ quarter, calMonth, ...(byStart.get(start) ?? noCounts) }));
}

/** Version numbers as people order them: 1.9 before 1.10. */
const versions = new Intl.Collator("en", { numeric: true });
export const byVersion = (a: { param: string }, b: { param: string }): number =>
  versions.compare(a.param, b.param) || (a.param < b.param ? -1 : 1);

export type SummaryCounts = { pastWeek: number; pastMonth: number; pastQuarter: number };
export type SummaryRow = { province: { provinceId: number; name: string } | null; name: string } & SummaryCounts;

/** The sheet's last row: all provinces together. */
export function summaryTotal(rows: readonly SummaryCounts[]): SummaryRow {
  const total = { pastWeek: 0, pastMonth: 0, pastQuarter: 0 };
  for (const row of rows) for (const key of ["pastWeek", "pastMonth", "pastQuarter"] as const) total[key] += row[key];
  return { province: null, name: "Total", ...total };
}

/** The sheet as one flat object: pastWeekCentral … pastQuarterTotal. Provinces whose names make the same key are added up. */
export function flatSummarySheet(rows: readonly SummaryRow[]): Record<string, number> {
  const sheet: Record<string, number> = {};
  for (const { name, pastWeek, pastMonth, pastQuarter } of rows) {
    const suffix = name.normalize("NFC").replaceAll(/[^\p{L}\p{N}]/gu, "");
    for (const [prefix, value] of Object.entries({ pastWeek, pastMonth, pastQuarter }))
      sheet[prefix + suffix] = (sheet[prefix + suffix] ?? 0) + value;
  }
  return sheet;
}
