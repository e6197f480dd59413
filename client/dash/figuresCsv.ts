import type { BarChart } from "../ui/chart/barChart.ts";
import type { RowCounts } from "./FiguresTable.tsx";

/** A text that a spreadsheet program would run as a formula; a negative figure is none. */
const isFormula = (value: string): boolean => /^[=+\-@\t\r]/.test(value) && !/^-[\d.,]+( ?%)?$/.test(value);

function cell(value: string | number): string {
  const text = typeof value === "string" && isFormula(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The table of a chart for a file: its figures unrounded, and of how many facilities. Nothing counted is empty. */
export function figureRows(
  { rowTitle = "Period", series, rows }: BarChart,
  counts?: readonly RowCounts[],
): (string | number)[][] {
  const head = [rowTitle, ...series.map(({ label }) => label), ...(counts ? ["Assessed", "Facilities"] : [])];
  const lines = rows.map(({ title, values, look }, at) => {
    const isCounted = look !== "nobody" && look !== "ahead";
    const of = counts?.[at];
    return [
      title,
      ...values.map((value, one) => (isCounted || (look === "nobody" && series[one]?.aside) ? value : "")),
      ...(of ? [of.isAhead ? "" : of.assessed, of.facilities] : []),
    ];
  });
  return [head, ...lines];
}

/** The rows as CSV. */
export const figuresCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
