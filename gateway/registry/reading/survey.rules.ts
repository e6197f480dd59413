import type { IdentifierSystem } from "../../../db/facility/identifierSystems.rules.ts";
import { codeFault, codeForm, fold, isPlaceholder } from "../../input/identity.rules.ts";
import { codeFields, identifying, measures } from "../importRow.rules.ts";
import type { CodeRepair, ListChoice, ReadColumn, Reading } from "./reading.rules.ts";
import { cutTo } from "../../input/text.rules.ts";

/** What is told about the columns of a list while its rows are read. */

const mostExamples = 3;
const mostTexts = 50;
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;

/** How a cell with a code was put right; undefined if it was the code itself. */
function repairOf(cell: string): { repair: CodeRepair; taken: string | null } | undefined {
  const taken = codeForm(cell);
  if (codeFault(taken) !== undefined) return taken.startsWith("=") ? undefined : { repair: "shortened", taken: null };
  if (taken === cell || taken === "") return undefined;
  const folded = fold(cell);
  if (folded.startsWith("=")) return { repair: "formula", taken };
  if (/^['’]/.test(folded)) return { repair: "apostrophe", taken };
  if (/[.,]0+$/.test(folded)) return { repair: "decimals", taken };
  return invisible.test(cell) ? { repair: "invisible", taken } : undefined;
}

/** Collects what is told about columns, empty texts and codes. */
export function surveyOf(choice: ListChoice, systems: readonly IdentifierSystem[]) {
  const emptyWords = new Set((choice.empty ?? []).map((word) => fold(word).toLowerCase()));
  const empty = new Map<string, number>();
  const codes = new Map<CodeRepair, Reading["codes"][number]>();
  const isCode = (field: string) => codeFields.has(field) || systems.some(({ system }) => system === field);
  const countEmpty = (text: string) => {
    if (empty.has(text) || empty.size < mostTexts) empty.set(text, (empty.get(text) ?? 0) + 1);
  };
  const countRepair = (cell: string) => {
    const found = repairOf(cell);
    if (!found) return;
    const code = codes.get(found.repair) ?? { repair: found.repair, rows: 0, examples: [] };
    code.rows += 1;
    if (code.examples.length < mostExamples) code.examples.push({ read: cutTo(60, cell), taken: found.taken });
    codes.set(found.repair, code);
  };
  return {
    columns: [] as ReadColumn[],
    /** Counts the cells of a row, and returns them without the texts that count as empty. */
    row(cells: readonly string[]): string[] {
      return this.columns.map((column, index) => {
        const cell = cells[index] ?? "";
        const text = fold(cell);
        if (text === "") return cell;
        if (emptyWords.has(text.toLowerCase())) {
          countEmpty(text);
          return "";
        }
        column.filled += 1;
        const example = cutTo(60, text);
        if (column.examples.length < mostExamples && !column.examples.includes(example)) column.examples.push(example);
        if (column.field === null) return cell;
        const isCodeField = isCode(column.field);
        const mayBeEmpty =
          isCodeField || identifying.has(column.field) || (measures.has(column.field) && !/\d/.test(text));
        if (mayBeEmpty && isPlaceholder(codeForm(cell))) countEmpty(text);
        else if (isCodeField) countRepair(cell);
        return cell;
      });
    },
    result(): Pick<Reading, "columns" | "empty" | "codes"> {
      return {
        columns: this.columns,
        empty: [...empty].map(([text, rows]) => ({ text, rows })).toSorted((a, b) => b.rows - a.rows),
        codes: [...codes.values()],
      };
    },
  };
}
