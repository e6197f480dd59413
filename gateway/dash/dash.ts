import * as db from "../../db/dash.ts";
import { requireViewer } from "../access/access.ts";
import type { Context } from "../context.ts";
import { periodOf } from "../fiscal.rules.ts";
import { checkScope, type Scope } from "../reference/reference.ts";
import {
  byVersion,
  chartSlots,
  type ChartView,
  type DashboardRow,
  fillSlots,
  type SummaryRow,
  summaryTotal,
  type TdbHistoryLevel,
} from "./dash.rules.ts";

/**
 * The dashboards' figures, shared by REST and GraphQL: every signed-in person may read them. A place or partner that is not
 * there is refused (NOT_FOUND), never a chart of zeros.
 */

export type { ParamValue, TdbHistory } from "../../db/dash.ts";

type OnePeriod = { scope: Scope; year: number; quarter: number };

const within = async (context: Context, scope: Scope): Promise<void> => {
  requireViewer(context);
  await checkScope(context, scope);
};

/**
 * What the facilities' latest assessments of each month or quarter say: the rows of functionalityComparison (training too)
 * and of deploymentMode, zeros where there are none.
 */
export async function readReportedCounts(
  context: Context,
  { scope, view, ...period }: OnePeriod & { view: ChartView },
): Promise<DashboardRow[]> {
  await within(context, scope);
  const slots = chartSlots({ ...period, view });
  const kind = view === "quarterly" ? "quarter" : "month";
  return fillSlots(slots, await db.listReportedCounts(context.db, { scope, kind, starts: slots.map(({ start }) => start) }));
}

/** Facilities by the library version of their latest assessment of the period, oldest version first. */
export async function readLibraryVersions(context: Context, { scope, ...period }: OnePeriod): Promise<db.ParamValue[]> {
  await within(context, scope);
  return (await db.countByLibraryVersion(context.db, { scope, period: periodOf(period) })).toSorted(byVersion);
}

/** Computers of the facilities' latest TDBs of the period by number of cores. */
export async function readCpuCores(context: Context, { scope, ...period }: OnePeriod): Promise<db.ParamValue[]> {
  await within(context, scope);
  const rows = await db.countByCpuCores(context.db, { scope, period: periodOf(period) });
  return rows.map(({ cpuCores, value }) => ({ param: String(cpuCores), value }));
}

/** Computers of the facilities' latest TDBs of the period by the width of their system, 64-bit first. */
export async function readOsX64(context: Context, { scope, ...period }: OnePeriod): Promise<db.ParamValue[]> {
  await within(context, scope);
  const rows = await db.countByOs64Bit(context.db, { scope, period: periodOf(period) });
  return rows.map(({ os64Bit, value }) => ({ param: os64Bit ? "64-bit" : "32-bit", value }));
}

/** Assessments made lately in each province by name, then in total. */
export async function readSummarySheet(context: Context, scope: Scope): Promise<SummaryRow[]> {
  await within(context, scope);
  const counts = await db.listSummarySheet(context.db, { scope });
  const rows = counts.map(({ provinceId, name, ...past }) => ({ province: { provinceId, name }, name, ...past }));
  return [...rows, summaryTotal(rows)];
}

/** TDBs received on these days in each province or district of the scope. */
export async function readTdbHistory(
  context: Context,
  { level, start, end, scope }: { level: TdbHistoryLevel; start: string; end: string; scope: Scope },
): Promise<db.TdbHistory[]> {
  await within(context, scope);
  return db.listTdbHistory(context.db, { level, days: { start, end }, scope });
}
