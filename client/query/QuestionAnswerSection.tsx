import { Classes } from "@blueprintjs/core";
import { useMemo } from "react";
import type { BarChart } from "../ui/chart/barChart.ts";
import { ChartFrame } from "../ui/chart/ChartFrame.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { Empty } from "../ui/notice/Empty.tsx";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { counted } from "../ui/text/counted.ts";
import {
  calendarKeys,
  figureWords,
  groupWords,
  keys,
  measureOf,
  type Question,
  sentenceOf,
  subjects,
} from "./question.ts";
import { useAnswer } from "./useAnswer.ts";

type Row = Record<string, unknown>;
/** More bars are not drawn: the table has all. */
const mostBars = 30;

/** The groups as a bar each; undefined where there is no figure to draw. */
function chartOf(question: Question, rows: readonly Row[]): BarChart | undefined {
  const measure = measureOf(question);
  const drawn = rows.flatMap((row) => {
    const value = measure.valueOf(row);
    const { of } = figureWords(question, row);
    const name = groupWords(question, row).join(" · ");
    return value === null
      ? []
      : [
          {
            label: name.replace(/,[^·]*/, ""),
            title: name,
            values: [value],
            ...(of ? { under: { long: of, short: of } } : {}),
          },
        ];
  });
  if (drawn.length === 0) return undefined;
  return {
    layout: calendarKeys.includes(question.by) && !question.and ? "grouped" : "lying",
    valueTitle: measure.label,
    series: [{ label: measure.label, tone: "accent" }],
    rows: drawn.slice(0, mostBars),
    ...(measure.isShare ? { isShares: true } : {}),
  };
}

/** The answer of a question: its chart and its table. */
export function QuestionAnswerSection({ question, query }: { question: Question; query: string }) {
  const { answer, isStale, reload } = useAnswer(`/graphql?query=${encodeURIComponent(query)}`);
  const rows = useMemo(() => {
    const data = answer && "data" in answer ? (answer.data as Record<string, Row[] | null> | null) : undefined;
    // The former answer of another subject is not shown with the words of this one.
    return data?.[subjects[question.subject].field] ?? [];
  }, [answer, question.subject]);
  if (answer === undefined) return <Loading />;
  if ("failure" in answer) return <Failure message={answer.failure} onRetry={reload} />;
  if (rows.length === 0)
    return <Empty>No group answers this question. Choose a longer period or leave out less.</Empty>;
  const measure = measureOf(question);
  const own = question.and ? [question.by, question.and] : [question.by];
  const columns: Column<Row>[] = [
    ...own.map((key, index) => ({
      id: key,
      header: keys[key].label,
      ...(index === 0 ? { rowHeader: true } : {}),
      cell: (row: Row) => groupWords(question, row)[index],
    })),
    {
      id: "figure",
      header: measure.label,
      numeric: true,
      cell: (row) => figureWords(question, row).value,
    },
    ...(measure.of
      ? [{ id: "of", header: "Of", numeric: true, cell: (row: Row) => figureWords(question, row).of }]
      : []),
  ];
  const chart = chartOf(question, rows);
  return (
    <div aria-busy={isStale} className={isStale ? `stack ${Classes.SKELETON}` : "stack"}>
      {chart ? <ChartFrame chart={chart} label={sentenceOf(question)} /> : null}
      {rows.length > mostBars ? <p className="soft">The chart shows the first {mostBars}.</p> : null}
      <DataTable
        caption={counted(rows.length, "group")}
        columns={columns}
        rowKey={(row) => groupWords(question, row).join(" · ")}
        rows={rows}
      />
    </div>
  );
}
