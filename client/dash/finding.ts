import { months } from "../ui/text/dates.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { type ParamFigure, type ParamRow, percent, type PeriodFigure, type PeriodRow } from "./figures.ts";
import { entireYear, inFiscalOrder, rowLabel, type RowPeriod } from "./periods.ts";

/** What a chart says, in one sentence that is its title. Undefined where there is nothing to say. */

/** "Nov FY27", "Q4 FY26", "FY26". */
function shortPeriod({ year, quarter, calMonth }: RowPeriod): string {
  const fiscal = `FY${String(year).slice(-2)}`;
  if (calMonth != null) return `${months[calMonth - 1]} ${fiscal}`;
  return quarter === entireYear ? fiscal : `Q${quarter} ${fiscal}`;
}

/** ", up 4 points since Q4 FY26", ", unchanged since Q4 FY26". */
function changeWords(change: number, unit: string, before: RowPeriod): string {
  const words = change === 0 ? "unchanged" : `${change > 0 ? "up" : "down"} ${Math.abs(change)}${unit}`;
  return `, ${words} since ${shortPeriod(before)}`;
}

const pointsOf = (now: number, before: number): [change: number, unit: string] => {
  const points = Math.round(100 * (now - before));
  return [points, Math.abs(points) === 1 ? " point" : " points"];
};

/** The latest period in which facilities were assessed, and what changed since the one before. */
export function periodFinding({ series, share, layout }: PeriodFigure, rows: readonly PeriodRow[]): string | undefined {
  const known = inFiscalOrder(rows).filter(({ state, assessed }) => state !== "AHEAD" && assessed > 0);
  const [now, before] = [known.at(-1), known.at(-2)];
  if (!now) return undefined;
  const when = now.state === "RUNNING" ? ` so far in ${shortPeriod(now)}` : before ? "" : ` in ${shortPeriod(now)}`;
  const all = formatNumber(now.assessed);
  const shown =
    layout === "stacked"
      ? series.filter(({ sum }) => sum).toSorted((one, other) => (now[other.sum!] ?? 0) - (now[one.sum!] ?? 0))
      : series;
  const { sum, label } = shown[0]!;
  const valueOf = (row: PeriodRow) => (sum && row[sum]) ?? 0;
  const shareIn = (row: PeriodRow) => valueOf(row) / row.assessed;
  const value = formatNumber(valueOf(now));
  if (share === "mean") {
    const mean = (row: PeriodRow) => Math.round(10 * shareIn(row)) / 10;
    const change = before ? changeWords(Math.round(10 * (mean(now) - mean(before))) / 10, "", before) : "";
    return `${value} staff trained at ${all} assessed sites${when} (${mean(now)} per site)${change}`;
  }
  const change = before ? changeWords(...pointsOf(shareIn(now), shareIn(before)), before) : "";
  if (layout === "stacked")
    return `${label} is the most frequent mode: ${value} of ${all} assessed sites${when} (${percent(shareIn(now))})${change}`;
  return `${value} of ${all} assessed sites work${when} (${percent(shareIn(now))})${change}`;
}

/** What the sides of a comparison have in the latest period in which all of them that were ever assessed were. */
export function comparedFinding(
  { series, share, layout, valueTitle }: PeriodFigure,
  sides: readonly { name: string; rows: readonly PeriodRow[] }[],
): string | undefined {
  const isKnown = (row: PeriodRow | undefined) => row !== undefined && row.state !== "AHEAD" && row.assessed > 0;
  const known = sides.filter(({ rows }) => rows.some(isKnown));
  const at = known[0]?.rows.findLastIndex((_, each) => known.every(({ rows }) => isKnown(rows[each]))) ?? -1;
  if (at < 0) return undefined;
  const row = known[0]!.rows[at]!;
  const modes = series.filter(({ sum }) => sum).toSorted((one, other) => (row[other.sum!] ?? 0) - (row[one.sum!] ?? 0));
  const { sum, label } = (layout === "stacked" ? modes : series)[0]!;
  const figures = sides.map(({ name, rows }) => {
    const own = rows[at];
    if (!own || !isKnown(own)) return `${name} not assessed`;
    const value = ((sum && own[sum]) ?? 0) / own.assessed;
    return `${name} ${share === "mean" ? Math.round(10 * value) / 10 : percent(value)}`;
  });
  const isOnePeriod = sides.every(({ rows }) => rows[at]?.year === row.year);
  const when = isOnePeriod ? shortPeriod(row) : row.quarter === entireYear ? "" : rowLabel(row);
  const what =
    share === "mean" ? `${valueTitle} per assessed site` : layout === "stacked" ? label : "Assessed sites that work";
  const so = known.some(({ rows }) => rows[at]!.state === "RUNNING") ? "so far in " : "in ";
  return `${what}${when && ` ${so}${when}`}: ${figures.join(", ")}`;
}

/** The most frequent value. */
export function paramFinding({ rowTitle, valueTitle }: ParamFigure, rows: readonly ParamRow[]): string | undefined {
  const all = rows.reduce((sum, { value }) => sum + value, 0);
  const [most] = rows.toSorted((one, other) => other.value - one.value);
  if (!most || most.value === 0) return undefined;
  return `${rowTitle} ${most.param} is the most frequent: ${formatNumber(most.value)} of ${formatNumber(all)} ${valueTitle.toLowerCase()} (${percent(most.value / all)})`;
}

/** Whether the number of facilities assessed differs between the periods, so that only shares can be compared. */
export const hasMovingBase = (rows: readonly PeriodRow[]): boolean =>
  new Set(rows.flatMap(({ state, assessed }) => (state === "AHEAD" || assessed === 0 ? [] : [assessed]))).size > 1;
