import { ButtonGroup } from "@blueprintjs/core";
import { ImportIcon } from "@blueprintjs/icons";
import { useEffect, useRef, useState } from "react";
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

/** Waits for something that is rendered soon. */
async function until(isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  await new Promise(requestAnimationFrame);
  await until(isSo);
}

/**
 * Saves the answer of a question, in the words of its table, as a CSV file or an Excel workbook of this title. A field
 * that was left by this click changes the question first; one with a text that cannot be asked for must be corrected.
 */
export function QuestionExportButton({ question, title }: { question: Question; title: string }) {
  const [busy, setBusy] = useState<Format>();
  const isChanging = useIsChanging();
  const shown = { question, title, isChanging };
  const latest = useRef<typeof shown | undefined>(shown);
  useEffect(() => {
    latest.current = shown;
    return () => {
      latest.current = undefined;
    };
  });
  const save = async (format: Format) => {
    const wrong = document.querySelector<HTMLElement>(".questions-controls [aria-invalid=true]");
    wrong?.focus();
    if (wrong)
      return showError("A field of the question has a text that cannot be asked for. Correct it, or empty it.");
    setBusy(format);
    await until(() => latest.current?.isChanging() !== true);
    const asked = latest.current;
    if (!asked) return;
    try {
      const answer = await fetchAnswer(answerAddressOf(asked.question), new AbortController().signal);
      if ("failure" in answer) throw new Error(answer.failure);
      const rows = (answer.data as Record<string, Row[] | null> | null)?.[subjects[asked.question.subject].field] ?? [];
      const name = `${asked.title.slice(0, mostLetters).trim()}.${format}`;
      const table = fileRowsOf(asked.question, rows);
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
