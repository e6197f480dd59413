import { ButtonGroup } from "@blueprintjs/core";
import { ImportIcon } from "@blueprintjs/icons";
import { useEffect, useState } from "react";
import { figuresCsv } from "../dash/figuresCsv.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { useIsChanging } from "../ui/filter/listAddress.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import { type Question } from "./question.ts";
import { subjects } from "./questionSubjects.ts";
import { answerAddressOf, fileRowsOf } from "./questionTable.ts";
import { fetchAnswer } from "./useAnswer.ts";

type Row = Record<string, unknown>;
type Format = "csv" | "xlsx";
const mostLetters = 100;

/**
 * Saves the answer of a question, in the words of its table, as a CSV file or an Excel workbook of this title. A field
 * that was left by this click changes the question first; one with a text that cannot be asked for must be corrected.
 */
export function QuestionExportButton({ question, title }: { question: Question; title: string }) {
  const [busy, setBusy] = useState<Format>();
  const [wanted, setWanted] = useState<Format>();
  const isChanging = useIsChanging();
  const want = (format: Format) => {
    const wrong = document.querySelector<HTMLElement>(".questions-controls [aria-invalid=true]");
    wrong?.focus();
    if (wrong) showError("A field of the question has a text that cannot be asked for. Correct it, or empty it.");
    else setWanted(format);
  };
  const save = async (format: Format) => {
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
  useEffect(() => {
    if (wanted === undefined || isChanging()) return;
    setWanted(undefined);
    void save(wanted);
  });
  return (
    <ButtonGroup>
      <BusyButton
        aria-label="Export CSV"
        icon={<ImportIcon />}
        isBusy={(busy ?? wanted) === "csv"}
        onClick={() => want("csv")}
        text="CSV"
        title="A file of this table"
      />
      <BusyButton
        isBusy={(busy ?? wanted) === "xlsx"}
        onClick={() => want("xlsx")}
        text="Excel"
        title="A workbook of this table"
      />
    </ButtonGroup>
  );
}
