import { useState } from "react";
import { AnswerSheet } from "../query/AnswerSheet.tsx";
import { readTable } from "../query/answerTable.ts";
import { type Question, questionOf, sentenceOf } from "../query/question.ts";
import { subjects } from "../query/questionSubjects.ts";
import type { Row } from "../query/questionKeys.ts";
import { columnsOf, groupWords } from "../query/questionTable.ts";
import { useAnswer } from "../query/useAnswer.ts";
import { DataTable } from "../ui/list/DataTable.tsx";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";

export type ReportQuestion = { uuid: string; name: string; query: string; answer: string | null };

function GroupsTable({ name, question, data }: { name: string; question: Question; data: unknown }) {
  const sentence = sentenceOf(question);
  const rows = (data as Record<string, Row[] | null>)[subjects[question.subject].field] ?? [];
  return (
    <>
      {sentence === name ? null : <p className="note">{sentence}</p>}
      <DataTable
        caption={name}
        captionHidden
        columns={columnsOf(question)
          .filter(({ id }) => id !== "rank")
          .map(({ isNumeric, ...column }) => ({
            ...{ ...column, numeric: isNumeric, rowHeader: column.id === question.by },
            ...(column.id === question.by
              ? {}
              : { phone: column.id === "value" ? ("end" as const) : ("line" as const) }),
          }))}
        rowKey={(row) => groupWords(question, row).join(" · ")}
        rows={rows}
      />
    </>
  );
}

/** An answer in the words of the builder; of a question that the builder does not know any more, under its fields. */
function AnswerTable({ name, query, data }: { name: string; query: string; data: unknown }) {
  const [sort, setSort] = useState<string>();
  const question = questionOf(query);
  return question ? (
    <GroupsTable data={data} name={name} question={question} />
  ) : (
    <AnswerSheet caption={name} onSort={setSort} sort={sort} table={readTable(data)} />
  );
}

/** The answer of a draft's question as it is now. */
function PresentTable({ name, query }: ReportQuestion) {
  const { answer, reload } = useAnswer(`/graphql?query=${encodeURIComponent(query)}`);
  if (answer === undefined) return <Loading />;
  if ("failure" in answer) return <Failure message={answer.failure} onRetry={reload} />;
  return <AnswerTable data={answer.data} name={name} query={query} />;
}

/** The questions that stand in a report: as answered when it was signed, those of a draft as answered now. */
export function ReportQuestionsSection({ questions }: { questions: readonly ReportQuestion[] }) {
  return (
    <>
      {questions.map((question) => (
        <section className="stack is-close" key={question.uuid}>
          <h2>{question.name}</h2>
          {question.answer === null ? (
            <PresentTable {...question} />
          ) : (
            <AnswerTable {...question} data={JSON.parse(question.answer)} />
          )}
        </section>
      ))}
    </>
  );
}
