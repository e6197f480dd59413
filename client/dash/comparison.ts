import { counted } from "../ui/text/counted.ts";
import type { BarChart } from "../ui/chart/barChart.ts";
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

/** The drawings of the sides of a comparison as one, with one table. */
export function joinDrawings(
  names: readonly string[],
  drawings: readonly Drawing[],
): Pick<Drawing, "chart" | "table" | "counts" | "aims" | "empty"> {
  const aims = new Set(drawings.flatMap(({ aims: own = [] }) => own.map(({ label }) => label)));
  return {
    chart: joinCharts(
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
