import * as db from "../../db/dash/dash.ts";
import type { Edge, ParentKey } from "../../db/list/page.ts";
import { requireViewer } from "../access/access.ts";
import { batchedBy } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { periodOf, todayIn } from "../calendar/fiscal.rules.ts";
import { checkScope, type Scope } from "../reference/reference.ts";
import {
  byVersion,
  chartSlots,
  type DashboardRow,
  fillSlots,
  kindOfView,
  type SeriesAsked,
  type SummaryRow,
  summaryTotal,
  type TdbHistoryLevel,
} from "./dash.rules.ts";
import { roundedCount, roundedTdbs } from "./smallGroups.rules.ts";
import { exactly, seesExactly, shownComputers, shownOnDays, suppressUnless, type Suppressible } from "./smallGroups.ts";

/**
 * The dashboards' figures, shared by REST and GraphQL. Every signed-in person may read them. For a place or partner
 * that does not exist the answer is NOT_FOUND, never zeros.
 */

export type { ParamValue } from "../../db/dash/dash.ts";
export type ShownComputers = Suppressible<db.ParamValue, "value" | "of">;

/** The arguments of a figure besides its parents. They include a scope. */
type Scoped = { scope: Scope };
type OnePeriod = Scoped & { year: number; quarter: number };

/** A parent: the name of its key, and the key. */
type Below = { edge: Edge; key: ParentKey };

/**
 * Makes the act for a figure of a scope, or of one parent's part of it. All parents of a request are read together.
 * `list` reads the rows, `finish` makes the figure from the rows of one parent.
 */
function figure<Asked extends Scoped, Row, Figure>(
  list: (context: Context, asked: Asked & { of?: db.Asked["of"] }) => Promise<db.Below<Row>[]>,
  finish: (rows: Row[], asked: Asked, context: Context) => Figure,
) {
  type Read = (context: Context, asked: Asked, parent?: Below | null) => Promise<Figure>;
  const within = async (context: Context, { scope }: Scoped): Promise<void> => {
    requireViewer(context);
    await checkScope(context, scope);
  };
  const load = batchedBy<{ edge: Edge; asked: Asked }, ParentKey, { figure: Figure }>(
    async (context, { edge, asked }, keys) => {
      await within(context, asked);
      const lists = new Map<ParentKey, Row[]>(keys.map((key) => [key, []]));
      for (const { parentKey, ...row } of await list(context, { ...asked, of: { handle: context.db, edge, keys } }))
        lists.get(parentKey!)?.push(row as Row);
      return new Map([...lists].map(([key, rows]) => [key, { figure: finish(rows, asked, context) }]));
    },
    () => new Error("A figure was not read"),
  );
  const read: Read = async (context, asked, parent) => {
    if (parent) return (await load(context, { edge: parent.edge, asked }, parent.key)).figure;
    await within(context, asked);
    return finish(await list(context, asked), asked, context);
  };
  return read;
}

const periodsOf = (asked: SeriesAsked) => chartSlots(asked).map(({ start }) => ({ kind: kindOfView(asked), start }));
/** The counts of all periods of a request, such as months and quarters, by one statement for each scope. */
const loadPeriods = batchedBy<Scope, SeriesAsked, db.ReportedCounts[]>(
  async (context, scope, series) => {
    const rows = await db.listReportedCounts(context.db, { scope, periods: series.flatMap(periodsOf) });
    return new Map(series.map((each) => [each, rows]));
  },
  () => [],
);

/**
 * The sums of the facilities' latest assessments of each month, quarter or year, the number of facilities, and whether
 * the period is over: the rows of functionalityComparison (including training) and of deploymentMode. Periods without
 * assessments have zeros.
 */
export const readReportedCounts = figure(
  (context, { scope, of, ...asked }: Scoped & SeriesAsked & { of?: db.Asked["of"] }) =>
    of
      ? db.listReportedCounts(context.db, { scope, of, periods: periodsOf(asked) })
      : loadPeriods(context, scope, asked),
  (rows, asked, context): DashboardRow[] => fillSlots(asked, rows, todayIn(context.timeZone)),
);

/** Facilities by the library version of their latest assessment of the period, oldest version first. */
export const readLibraryVersions = figure(
  (context, { scope, of, ...period }: OnePeriod & { of?: db.Asked["of"] }) =>
    db.countByLibraryVersion(context.db, { scope, of, period: periodOf(period) }),
  (rows): db.ParamValue[] => rows.toSorted(byVersion),
);

/**
 * Figures of computers, shown completely or not at all. Without the right to read TDBs they are rounded, and shown only
 * for whole years and for groups of which enough facilities sent some (smallGroups.rules.ts).
 */
function ofComputers(read: (context: Context, asked: OnePeriod, parent?: Below | null) => Promise<db.ParamValue[]>) {
  return async (context: Context, asked: OnePeriod, parent?: Below | null): Promise<ShownComputers[]> => {
    const rows = await read(context, asked, parent);
    if (seesExactly(context)) return rows.map((row) => exactly(row));
    const isShown = await shownComputers(context, asked.quarter === -1 ? periodOf(asked).start : null);
    if (!isShown(within(asked.scope, parent)))
      return rows.length === 0 ? [] : [suppressUnless({ param: "Not shown", value: 0, of: 0 }, ["value", "of"], false)];
    const rounded = rows
      .map(({ param, value }) => ({ param, value: roundedCount(value) }))
      // That a value occurs at all would tell of the one facility that has it.
      .filter(({ value }) => value > 0);
    const of = rounded.reduce((sum, { value }) => sum + value, 0);
    return rounded.map((row) => suppressUnless({ ...row, of }, ["value", "of"], true));
  };
}

/** The part of a scope that lies below a parent. */
const within = (scope: Scope, parent: Below | null | undefined): Scope =>
  parent ? { ...scope, [parent.edge]: parent.key } : scope;

/** Computers of the facilities' latest TDBs of the period by number of cores. */
export const readCpuCores = ofComputers(
  figure(
    (context, { scope, of, ...period }: OnePeriod & { of?: db.Asked["of"] }) =>
      db.countByCpuCores(context.db, { scope, of, period: periodOf(period) }),
    (rows): db.ParamValue[] => rows.map(({ cpuCores: cores, ...row }) => ({ param: String(cores), ...row })),
  ),
);

/** Computers of the facilities' latest TDBs of the period by the width of their system, 64-bit first. */
export const readOsX64 = ofComputers(
  figure(
    (context, { scope, of, ...period }: OnePeriod & { of?: db.Asked["of"] }) =>
      db.countByOs64Bit(context.db, { scope, of, period: periodOf(period) }),
    (rows): db.ParamValue[] => rows.map(({ os64Bit, ...row }) => ({ param: os64Bit ? "64-bit" : "32-bit", ...row })),
  ),
);

/** Recent assessments in each province by name, then in total. */
export const readSummarySheet = figure(
  (context, asked: Scoped & { of?: db.Asked["of"] }) => db.listSummarySheet(context.db, asked),
  (counts): SummaryRow[] => {
    const rows = counts.map(({ provinceId, name, ...past }) => ({ province: { provinceId, name }, name, ...past }));
    return [...rows, summaryTotal(rows)];
  },
);

type History = Scoped & { level: TdbHistoryLevel; start: string; end: string };

const readWholeHistory = figure(
  (context, { level, start, end, ...asked }: History & { of?: db.Asked["of"] }) =>
    db.listTdbHistory(context.db, { ...asked, level, days: { start, end }, rounded: !seesExactly(context) }),
  (rows): db.TdbHistory[] => rows,
);

export type ShownTdbHistory = Suppressible<db.TdbHistory, "components" | "tdbCount" | "totalPatients">;

/**
 * TDBs received on these days in each province or district of the scope. Who may not read TDBs gets rounded figures,
 * and none of small groups (smallGroups.rules.ts).
 */
export async function readTdbHistory(
  context: Context,
  asked: History,
  parent?: Below | null,
): Promise<ShownTdbHistory[]> {
  const rows = await readWholeHistory(context, asked, parent);
  if (seesExactly(context)) return rows.map((row) => exactly(row));
  const counts = ["components", "tdbCount", "totalPatients"] as const;
  const scope = within(asked.scope, parent);
  const isShown = await shownOnDays(context, asked);
  return rows.map((row) =>
    suppressUnless(
      { ...row, tdbCount: roundedTdbs({ facilities: row.components, tdbCount: row.tdbCount }).tdbCount },
      counts,
      isShown({ ...scope, [asked.level === "district" ? "districtId" : "provinceId"]: row.hxId }),
    ),
  );
}
