import { Button, Classes } from "@blueprintjs/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { useToday } from "../shell/session/viewer.ts";
import type { Bar } from "../ui/chart/barChart.ts";
import { ChartFrame } from "../ui/chart/ChartFrame.tsx";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { Empty } from "../ui/notice/Empty.tsx";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { useIsPrinting } from "../ui/page/useIsPrinting.ts";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { figureOf, isPlaceless, questionNamedIn, type Question, sentenceOf } from "./question.ts";
import { subjects } from "./questionSubjects.ts";
import { chartOf } from "./questionChart.ts";
import { listFault, othersOf, sitesOf } from "./questionSites.ts";
import { answerAddressOf, columnsOf, daysOf, figureWords, groupWords } from "./questionTable.ts";
import { useAnswer } from "./useAnswer.ts";

type Row = Record<string, unknown>;
/** On a phone a group has two lines: its name and figure, then its second key and of what the figure is made. */
function onPhone(id: string, by: string): Pick<Column<Row>, "phone"> {
  if (id === by || id === "rank") return {};
  if (id === "value") return { phone: "end" };
  return { phone: id === "now" || id === "before" ? "labelled" : "line" };
}

/** A phone, and a short answer, show so many groups; a phone until all are asked for. */
const fewRows = 10;

/** A figure: a link to the list of the sites that it counts, where there is one. */
function figureCell(question: Question, row: Row) {
  const { value } = figureWords(question, row);
  const list = sitesOf(question, row);
  return list === undefined ? value : <Link to={list}>{value}</Link>;
}

/** The denominator of a share, and a link to the list of the sites that do not count. */
function partCell(question: Question, row: Row) {
  const { of } = figureWords(question, row);
  const others = othersOf(question, row);
  return others ? (
    <>
      {of} · <Link to={others.list}>{others.words}</Link>
    </>
  ) : (
    of
  );
}

/** Why no group is in the answer, and what to do. */
function emptyWords({ subject, filters, least }: Question): string {
  if (least !== undefined) return "No group is large enough. Leave out less.";
  const [only, ...more] = Object.keys(filters);
  if (subject !== "sites" || only === undefined)
    return "Nothing was counted. Choose a longer period, or leave out less.";
  return only === "assessedBefore" && more.length === 0
    ? "0 sites: all of them were visited."
    : "0 sites match. Take a filter away to see more.";
}

/** The answer of a question: its chart and its table, or (`isShort`) only a chart of the first groups. */
export function QuestionAnswerSection({ question: asked, isShort = false }: { question: Question; isShort?: boolean }) {
  const navigate = useNavigate();
  const today = useToday();
  const isPhone = useIsPhone();
  const isPrinting = useIsPrinting();
  /** The address of the question of which all rows are shown. */
  const [whole, setWhole] = useState<string>();
  const { answer, of, isStale, reload } = useAnswer(answerAddressOf(asked));
  // A former answer is shown in the words of its own question.
  const question = questionNamedIn(new URLSearchParams(of.slice(of.indexOf("?"))).get("query")!);
  const data = answer && "data" in answer ? (answer.data as Record<string, Row[] | null> | null) : undefined;
  const rows = data?.[subjects[question.subject].field] ?? [];
  if (isPlaceless(asked)) return <Empty>Choose a place from the list, or type latitude, longitude.</Empty>;
  if (answer === undefined) return <Loading />;
  if ("failure" in answer) return <Failure message={answer.failure} onRetry={reload} />;
  if (rows.length === 0) return <Empty>{emptyWords(question)}</Empty>;
  const fault = listFault(question);
  const { about, isChange } = figureOf(question);
  const hasNothingBefore = isChange && rows.every((row) => figureWords(question, row).before === "–");
  const days = daysOf(question, today);
  const columns = columnsOf(question).map(({ id, header, isNumeric, cell }): Column<Row> => ({
    ...{ id, header, numeric: isNumeric, rowHeader: id === question.by, ...onPhone(id, question.by) },
    cell: id === "value" ? (row) => figureCell(question, row) : id === "of" ? (row) => partCell(question, row) : cell,
  }));
  const shown = (isPhone || isShort) && whole !== of ? rows.slice(0, fewRows) : rows;
  const last = rows.at(-1);
  /** So many groups that were left out have the same figure as the last one. */
  const tied =
    last?.["tied"] == null ? 0 : (last["tied"] as number) - rows.filter(({ rank }) => rank === last["rank"]).length;
  const chart = chartOf(question, rows, shown);
  const openBar = ({ row }: Bar) => {
    const group = chart?.groupOf(row);
    const list = group && sitesOf(question, group);
    if (list !== undefined) navigate(list);
  };
  const drawing = chart ? (
    <ChartFrame chart={chart.chart} label={sentenceOf(question)} {...(fault === undefined ? { onBar: openBar } : {})} />
  ) : null;
  if (isShort) return drawing ?? <Empty>Nothing is known of these groups.</Empty>;
  return (
    <div aria-busy={isStale} className={isStale ? `stack ${Classes.SKELETON}` : "stack"}>
      {drawing}
      {days ? (
        <p className="soft">
          {formatDate(days.start)} to {formatDate(days.end)}
          {days.before ? `, against ${formatDate(days.before.start)} to ${formatDate(days.before.end)}` : null}
        </p>
      ) : null}
      {about ? <p className="soft">{about}</p> : null}
      {hasNothingBefore ? <p>Nothing was counted in the period before, so there is no change to show.</p> : null}
      <p className={fault === undefined ? "soft screen-only" : "soft"}>
        {fault ?? "A figure, and its bar, open the list of the sites that it counts."}
      </p>
      {chart?.note ? <p className="soft">{chart.note}</p> : null}
      <DataTable
        caption={counted(rows.length, "group")}
        columns={columns}
        rowKey={(row) => groupWords(question, row).join(" · ")}
        rows={isPrinting ? rows : shown}
      />
      {tied > 0 ? (
        <p className="soft">{`${counted(tied, "more group")} ${tied === 1 ? "shares" : "share"} rank ${last!["rank"] as number} with the last of these.`}</p>
      ) : null}
      {shown.length < rows.length ? <Button onClick={() => setWhole(of)} text={`Show all ${rows.length}`} /> : null}
    </div>
  );
}
