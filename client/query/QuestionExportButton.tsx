import { ButtonGroup } from "@blueprintjs/core";
import { ImportIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { figuresCsv } from "../dash/figuresCsv.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import { type Question } from "./question.ts";
import { subjects } from "./questionSubjects.ts";
import { answerAddressOf, fileRowsOf } from "./questionTable.ts";
import { fetchAnswer } from "./useAnswer.ts";

type Row = Record<string, unknown>;
const mostLetters = 100;

/** Saves the answer of a question, in the words of its table, as a CSV file or an Excel workbook of this title. */
export function QuestionExportButton({ question, title }: { question: Question; title: string }) {
  const [busy, setBusy] = useState<"csv" | "xlsx">();
  const save = async (format: "csv" | "xlsx") => {
    setBusy(format);
    try {
      const answer = await fetchAnswer(answerAddressOf(question), new AbortController().signal);
      if ("failure" in answer) throw new Error(answer.failure);
      const rows = (answer.data as Record<string, Row[] | null> | null)?.[subjects[question.subject].field] ?? [];
      const name = `${title.slice(0, mostLetters).trim()}.${format}`;
      const table = fileRowsOf(question, rows);
      if (format === "csv") saveAsFile(name, figuresCsv(table), "text/csv");
      else await (await import("../dash/saveWorkbook.ts")).saveWorkbook(name, table);
    } catch (error) {
      showError((error as Error).message);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <ButtonGroup>
      <BusyButton
        aria-label="Export CSV"
        icon={<ImportIcon />}
        isBusy={busy === "csv"}
        onClick={() => void save("csv")}
        text="CSV"
        title="A file of this table"
      />
      <BusyButton
        isBusy={busy === "xlsx"}
        onClick={() => void save("xlsx")}
        text="Excel"
        title="A workbook of this table"
      />
    </ButtonGroup>
  );
}
