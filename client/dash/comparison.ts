import { counted } from "../ui/text/counted.ts";
import { type BarChart, type ChartRow, figureText } from "../ui/chart/barChart.ts";
import { lineSeries } from "../ui/chart/lineSeries.ts";
import type { Drawing } from "./ChartCard.tsx";
import type { Side } from "./compared.ts";
import type { PeriodRow } from "./figures.ts";
import { rowWords } from "./periods.ts";

/** One side of a comparison with its name: "Lusaka", "FY 2025", "Lusaka, FY 2025". */
export type NamedSide = { name: string; rows: readonly PeriodRow[] };

/** What tells the sides apart: their places or partners (short names, unless these are equal), their years, or both. */
export function sideNames(sides: readonly (Side & { place: string; name: string })[]): string[] {
  const differ = (values: readonly (string | number)[]) => new Set(values).size > 1;
  const isOfPlaces = differ(sides.map(({ place }) => place));
  const isOfYears = differ(sides.map(({ settings }) => settings.year));
  const isClear = new Set(sides.map(({ name }) => name)).size === new Set(sides.map(({ place }) => place)).size;
  return sides.map(({ place, name, settings: { year, years } }) => {
    const span = years > 1 ? `FY ${year - years + 1} to FY ${year}` : `FY ${year}`;
    return [isOfPlaces ? (isClear ? name : place) : "", isOfYears ? span : ""].filter(Boolean).join(", ");
  });
}

/**
 * The sides without the periods at their beginning and end that are over and in which none of them was assessed, and a
 * note about these. Where nobody was assessed at all, nothing is cut.
 */
export function cutEmpty(sides: readonly NamedSide[]): { sides: NamedSide[]; note: string } {
  if (sides.every(({ rows }) => rows.every(({ assessed }) => assessed === 0))) return { sides: [...sides], note: "" };
  const isEmpty = (at: number) =>
    sides.every(({ rows }) => rows[at] === undefined || (rows[at].state === "ENDED" && rows[at].assessed === 0));
  const places = sides[0]?.rows.map((_, at) => at) ?? [];
  const [first, last] = [places.find((at) => !isEmpty(at))!, places.findLast((at) => !isEmpty(at))!];
  const isSame = sides.every(({ rows }) => rows.every(({ year }, at) => year === sides[0]!.rows[at]?.year));
  const words = [places.slice(0, first), places.slice(last + 1)]
    .filter(({ length }) => length > 0)
    .map((cut) => {
      const [from, to] = [sides[0]!.rows[cut[0]!]!, sides[0]!.rows[cut.at(-1)!]!];
      if (!isSame) return counted(cut.length, "period");
      return cut.length > 1 ? `${rowWords(from)} until ${rowWords(to)}` : rowWords(from);
    });
  return {
    sides: sides.map(({ name, rows }) => ({ name, rows: rows.slice(first, last + 1) })),
    note: words.length > 0 ? `Without assessments, so not shown: ${words.join(" and ")}.` : "",
  };
}

/** One chart of several: a panel for each, named after its side. All have the same series. */
function joinCharts(names: readonly string[], charts: readonly BarChart[]): BarChart {
  const aimsOf = (one: number) =>
    charts.flatMap(
      ({ rows, targets }) => targets?.find(({ series }) => series === one)?.values ?? rows.map(() => undefined),
    );
  return {
    ...charts[0]!,
    rows: charts.flatMap(({ rows }, side) =>
      rows.map((row) => ({ ...row, panel: names[side]!, title: `${names[side]}, ${row.title}` })),
    ),
    targets: charts[0]!.series
      .map((_, series) => ({ series, values: aimsOf(series) }))
      .filter(({ values }) => values.some((value) => value !== undefined)),
  };
}

/** What a side has in a period: its figure in words, and NaN where nothing was counted. */
function sideFigure(chart: BarChart, row: ChartRow | undefined, one: number): { value: number; words: string } {
  if (!row || row.look === "nobody" || row.look === "ahead")
    return { value: Number.NaN, words: row?.state ?? "not assessed" };
  const value = row.values[one]!;
  return { value, words: row.words?.[one] ?? `${figureText(chart, value)} (${row.under?.long ?? ""})` };
}

/** One chart of several: a line for each side, in a panel for each figure. All have the same series and periods. */
function joinLines(names: readonly string[], charts: readonly BarChart[]): BarChart {
  const [own] = charts as [BarChart];
  const rows = own.series.flatMap(({ label: figure }, one) =>
    own.rows.map((row, at): ChartRow => {
      const sides = charts.map(({ rows: all }) => all[at]);
      const figures = charts.map((chart, side) => sideFigure(chart, sides[side], one));
      const looks = new Set(sides.map((side) => side?.look));
      const look = looks.has("running") ? "running" : looks.size === 1 ? row.look : undefined;
      const titles = [...new Set(sides.map((side) => side?.title ?? ""))];
      return {
        label: row.label,
        title: [...titles, ...(own.series.length > 1 ? [figure] : [])].join(", "),
        values: figures.map(({ value }) => value),
        words: figures.map(({ words }) => words),
        ...(look ? { look, state: row.state ?? "" } : {}),
        ...(own.series.length > 1 ? { panel: figure } : {}),
      };
    }),
  );
  const targets = charts.map(({ targets: aims = [] }, series) => ({
    series,
    values: own.series.flatMap(
      (_, one) => aims.find((aim) => aim.series === one)?.values ?? own.rows.map(() => undefined),
    ),
  }));
  return { ...own, series: lineSeries(names), rows, targets };
}

/** The drawings of the sides of a comparison as one, with one table. */
export function joinDrawings(
  names: readonly string[],
  drawings: readonly Drawing[],
): Pick<Drawing, "chart" | "table" | "counts" | "aims" | "empty"> {
  const aims = new Set(drawings.flatMap(({ aims: own = [] }) => own.map(({ label }) => label)));
  const join = drawings[0]?.chart.layout === "lines" ? joinLines : joinCharts;
  return {
    chart: join(
      names,
      drawings.map(({ chart }) => chart),
    ),
    table: joinCharts(
      names,
      drawings.map(({ table }) => table),
    ),
    counts: drawings.flatMap(({ counts = [] }) => counts),
    aims: [...aims].map((label) => ({
      label,
      cells: drawings.flatMap(
        ({ aims: own = [], table }) =>
          own.find((each) => each.label === label)?.cells ?? table.rows.map(() => undefined),
      ),
    })),
    empty: drawings.every(({ empty }) => empty !== undefined) ? drawings[0]?.empty : undefined,
  };
}
