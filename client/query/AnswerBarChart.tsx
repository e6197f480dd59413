import { useMemo } from "react";

import type { AnswerMapChartProps } from "./AnswerMapChart.tsx";
import { AnswerLinks } from "./AnswerLinks.tsx";
import { chartOf, mostChartRows } from "./answerChart.ts";
import { sortedRows } from "./answerTable.ts";
import { useDrawing } from "./useDrawing.ts";
import "../ui/chart/ChartFrame.css";

const loadChart = () => import("../ui/chart/Chart.tsx");

/** A table as a bar, line or share chart. */
export function AnswerBarChart({ title, notes, table, sort, choice, link }: AnswerMapChartProps & { sort: string | undefined }) {
  const { file, hasFailed, retry } = useDrawing(loadChart);
  const chart = useMemo(() => chartOf({ ...table, rows: sortedRows(table, sort) }, choice), [table, sort, choice]);
  const more = table.rows.length - mostChartRows;
  return (
    <>
      <AnswerLinks link={link} picture={file && (() => file.chartPicture(chart, { title, notes }))} title={title} />
      {more > 0 && <p className="answer-note">The first {mostChartRows} of {table.rows.length.toLocaleString("en")} rows are drawn, in the order of the table.</p>}
      {hasFailed && (
        <p role="alert">
          The chart could not be fetched. Its figures are in the table.{" "}
          <button onClick={retry} type="button">
            Try again
          </button>
        </p>
      )}
      <div className="chart-frame">
        {chart.series.length > 1 && (
          <ul className="chart-legend" aria-hidden="true">
            {chart.series.map(({ label, tone }) => (
              <li data-tone={tone} key={label}>
                {label}
              </li>
            ))}
          </ul>
        )}
        {file ? <file.Chart chart={chart} label={`${title}: ${choice.of.join(", ")} by ${choice.by.join(", ")}. The figures are in the table.`} /> : !hasFailed && <p role="status">Loading…</p>}
      </div>
    </>
  );
}
