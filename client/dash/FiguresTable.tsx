import { Link } from "react-router-dom";
import type { Bar, BarChart } from "../ui/chart/chartSpec.ts";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { formatCount } from "./rows.ts";

/** Where the list of what a bar counts is, if it has one. */
export type BarLink = (bar: Bar) => string | undefined;

type Row = BarChart["rows"][number] & { at: number };
type FigureProps = { row: Row; series: number; name: string; linkOf: BarLink | undefined };

function Figure({ row, series, name, linkOf }: FigureProps) {
  const value = row.values[series] ?? 0;
  const link = value === 0 ? undefined : linkOf?.({ row: row.at, series });
  if (link === undefined) return formatCount(value);
  return (
    <Link aria-label={`${formatCount(value)}, ${name}, ${row.title}`} to={link}>
      {formatCount(value)}
    </Link>
  );
}

const totalOf = ({ values }: Row) => formatCount(values.reduce((sum, value) => sum + value, 0));

function columnsOf({ layout, rowTitle, series }: BarChart, linkOf: BarLink | undefined): Column<Row>[] {
  return [
    { id: "row", header: rowTitle ?? "Period", rowHeader: true, cell: ({ title }) => title },
    ...series.map(({ label }, index) => ({
      id: label,
      header: label,
      numeric: true,
      cell: (row: Row) => <Figure linkOf={linkOf} name={label} row={row} series={index} />,
    })),
    ...(layout === "stacked" ? [{ id: "total", header: "Total", numeric: true, cell: totalOf }] : []),
  ];
}

/** The numbers of a chart; those that have a list behind them are links to it. */
export function FiguresTable({ caption, chart, linkOf }: { caption: string; chart: BarChart; linkOf?: BarLink }) {
  const rows = chart.rows.map((row, at) => ({ ...row, at }));
  return <DataTable caption={caption} columns={columnsOf(chart, linkOf)} rowKey={({ label }) => label} rows={rows} />;
}
