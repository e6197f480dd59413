import { useMemo } from "react";

import { AnswerChart } from "./AnswerChart.tsx";
import type { ChartChoice } from "./answerChart.ts";
import { AnswerSheet } from "./AnswerSheet.tsx";
import { type AnswerTable, NoTable, tableOfAnswer } from "./answerTable.ts";
import type { AnswerShape } from "./answerShape.ts";
import "./AnswerPanel.css";

type AnswerPanelProps = {
  title: string;
  /** shown below the title of a picture */
  notes?: string[];
  data: unknown;
  shape: AnswerShape;
  onShape: (shape: AnswerShape) => void;
  /** the address of the answer in its present shape */
  link: string;
};

/** The table of an answer, or the reason why it is not a table. */
export function readTable(data: unknown): AnswerTable | string {
  try {
    return tableOfAnswer(data);
  } catch (error) {
    if (error instanceof NoTable) return error.message;
    throw error;
  }
}

/** An answer as a table that can be sorted, and as a chart. */
export function AnswerPanel({ title, notes = [], data, shape, onShape, link }: AnswerPanelProps) {
  const table = useMemo(() => readTable(data), [data]);
  if (typeof table === "string") return <p className="answer-note">{table}</p>;
  if (table.rows.length === 0) return <p className="answer-note">The answer has no rows.</p>;
  const isChart = shape.chart !== undefined;
  const draw = (choice: Partial<ChartChoice>) => onShape({ ...shape, chart: choice });
  return (
    <section className="answer" aria-label="Answer as a table or a chart">
      <div className="answer-bar" role="group" aria-label="Show the answer as">
        <button aria-pressed={!isChart} onClick={() => onShape({ sort: shape.sort })} type="button">
          Table
        </button>
        <button aria-pressed={isChart} onClick={() => draw(shape.chart ?? {})} type="button">
          Draw as chart
        </button>
        <span>{table.rows.length === 1 ? "1 row" : `${table.rows.length.toLocaleString("en")} rows`}</span>
      </div>
      {shape.chart ? (
        <AnswerChart choice={shape.chart} link={link} notes={notes} onChoice={draw} sort={shape.sort} table={table} title={title} />
      ) : (
        <AnswerSheet caption={title} onSort={(sort) => onShape({ ...shape, sort })} sort={shape.sort} table={table} />
      )}
    </section>
  );
}
