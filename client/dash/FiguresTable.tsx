import { Link } from "react-router-dom";
import { type Bar, type BarChart, figureText, totalOf } from "../ui/chart/barChart.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatNumber } from "../ui/text/counted.ts";

/** The link to the list of the facilities that a bar counts, if there is one. */
export type BarLink = (bar: Bar) => string | undefined;
/**
 * The number of facilities behind the figures of a row; and for each series those whose assessment records no answer.
 */
export type RowCounts = { assessed: number; facilities: number; isAhead: boolean; notRecorded: number[] };
/** The target of a series in each row, and how much of it was reached. */
export type RowAims = { label: string; cells: (string | undefined)[] };

type Row = BarChart["rows"][number] & { at: number };
type FigureProps = { chart: BarChart; row: Row; series: number; name: string; linkOf: BarLink | undefined };

/** Shown in place of a zero where nothing was counted: no facility was assessed, or the period is in the future. */
const notCounted = "–";
const isCounted = ({ look }: Row) => look !== "nobody" && look !== "ahead";

function Figure({ chart, row, series, name, linkOf }: FigureProps) {
  if (!isCounted(row) && !chart.series[series]?.aside) return notCounted;
  if (row.look === "ahead") return notCounted;
  const value = row.values[series] ?? 0;
  const text = (chart.layout === "lying" ? row.words?.[series] : undefined) ?? figureText(chart, value);
  const link = value === 0 ? undefined : linkOf?.({ row: row.at, series });
  if (link === undefined) return text;
  return (
    <Link aria-label={`${text}, ${name}, ${row.title}`} to={link}>
      {text}
    </Link>
  );
}

function NotRecorded({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <>
      {" "}
      <br />
      <span className="note">{formatNumber(count)} not recorded</span>
    </>
  );
}

const assessedOf = (counts: RowCounts | undefined) =>
  counts && !counts.isAhead ? `${formatNumber(counts.assessed)} of ${formatNumber(counts.facilities)}` : notCounted;

function columnsOf(
  chart: BarChart,
  counts: readonly RowCounts[] | undefined,
  linkOf: BarLink | undefined,
  aims: readonly RowAims[],
): Column<Row>[] {
  const { layout, rowTitle, series } = chart;
  const total = (row: Row) => (isCounted(row) ? figureText(chart, totalOf(chart, row.values)) : notCounted);
  return [
    {
      id: "row",
      header: rowTitle ?? "Period",
      rowHeader: true,
      cell: ({ title, state }) => (state ? `${title} (${state})` : title),
    },
    ...series.map(({ label }, index) => ({
      id: label,
      header: label,
      numeric: true,
      ...(index < 2 ? { phone: index === 0 ? ("end" as const) : ("labelled" as const) } : {}),
      cell: (row: Row) => (
        <>
          <Figure chart={chart} linkOf={linkOf} name={label} row={row} series={index} />
          <NotRecorded count={counts?.[row.at]?.notRecorded[index] ?? 0} />
        </>
      ),
    })),
    ...(layout === "stacked" ? [{ id: "total", header: "Total", numeric: true, cell: total }] : []),
    ...aims.map(({ label, cells }) => ({
      id: `target ${label}`,
      header: `Target: ${label}`,
      numeric: true,
      cell: ({ at }: Row) => cells[at] ?? notCounted,
    })),
    ...(counts
      ? [
          {
            id: "assessed",
            header: "Assessed",
            numeric: true,
            phone: "labelled" as const,
            cell: (row: Row) => assessedOf(counts[row.at]),
          },
        ]
      : []),
  ];
}

type FiguresTableProps = {
  caption: string;
  captionHidden?: boolean;
  chart: BarChart;
  counts?: readonly RowCounts[] | undefined;
  aims?: readonly RowAims[] | undefined;
  linkOf?: BarLink | undefined;
};

/** The numbers of a chart with their denominators. Numbers with a list behind them are links to it. */
export function FiguresTable({ caption, captionHidden = false, chart, counts, aims = [], linkOf }: FiguresTableProps) {
  const rows = chart.rows.map((row, at) => ({ ...row, at }));
  return (
    <DataTable
      caption={caption}
      captionHidden={captionHidden}
      columns={columnsOf(chart, counts, linkOf, aims)}
      opensAs={({ title }) => title}
      rowKey={({ title }) => title}
      rows={rows}
    />
  );
}
