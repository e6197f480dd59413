import type { IdentifierSystem } from "../../db/facility/identifierSystems.rules.ts";
import { type InputError, Problem } from "../problem.ts";
import { scanCsv } from "../reference/load/csv.ts";
import { fold } from "../input/identity.rules.ts";
import type { Header } from "../reference/load/load.rules.ts";
import { notWhole } from "../storage/staging.ts";
import { type ImportRow, importForm, readImportHeader, readImportRow } from "./importRow.rules.ts";
import { packRows, type Rows } from "./packedRows.ts";
import { mostImportBytes, mostImportRows } from "./registryImport.rules.ts";

/**
 * Reads a list of facilities for an import. Only its valid rows (packed) and a few errors of each kind are kept in
 * memory, however long it is.
 */

const mostOfKind = 10;
const mostErrors = 300;
const mostKinds = 200;

/**
 * Collects the errors of a list. All are counted, and the first ones of each kind are kept. The resulting list begins
 * with one error of each kind.
 */
export function errorList() {
  const kinds = new Map<string, number>();
  const firsts: InputError[] = [];
  const others: InputError[] = [];
  let count = 0;
  return {
    errors: () => [...firsts, ...others],
    count: () => count,
    add: (line: number, column: string, message: string) => {
      count += 1;
      const kind = `${column} ${message.replaceAll(/'[^']*'|\d+/g, "")}`.slice(0, 200);
      const before = kinds.get(kind) ?? 0;
      if (before === 0 && kinds.size === mostKinds) return;
      kinds.set(kind, before + 1);
      if (before < mostOfKind && (before === 0 || firsts.length + others.length < mostErrors))
        (before === 0 ? firsts : others).push({
          path: `row ${line}${column === "" ? "" : `, ${column}`}`,
          message: message.slice(0, 500),
        });
    },
  };
}

/** Refuses a list with errors. @throws Problem INVALID */
export function refuseFaulty(faults: ReturnType<typeof errorList>): void {
  const count = faults.count();
  if (count === 0) return;
  const errors = faults.errors();
  const shown = errors.length < count ? ` ${errors.length} of them are named, at most ${mostOfKind} of each kind.` : "";
  throw new Problem(
    "INVALID",
    `${count} ${count === 1 ? "error" : "errors"} in the list: nothing was imported.${shown}`,
    { errors },
  );
}

/**
 * Passes a content on, up to the size that a list may have.
 *
 * @throws Problem TOO_LARGE, MALFORMED if it did not arrive completely
 */
export async function* counted(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let size = 0;
  try {
    for await (const piece of content) {
      size += piece.length;
      if (size > mostImportBytes)
        throw new Problem("TOO_LARGE", `A list may have at most ${mostImportBytes / 1024 / 1024} MB.`);
      yield piece;
    }
  } catch (error) {
    throw error instanceof Problem ? error : notWhole();
  }
}

/**
 * Reads the rows of a list.
 *
 * @throws Problem INVALID with row, column and value of each error; TOO_LARGE; MALFORMED if it did not arrive
 *   completely
 */
export async function readImport(
  content: AsyncIterable<Buffer>,
  systems: readonly IdentifierSystem[],
): Promise<{ rows: Rows<ImportRow>; ignored: string[]; /** the fields that its columns fill */ columns: string[] }> {
  const form = importForm(systems);
  const faults = errorList();
  const rows = packRows<ImportRow>();
  let header: Header | undefined;
  let seen = 0;
  await scanCsv(counted(content), {
    fault: (line, reason, column = "") => {
      rows.clear();
      faults.add(line, column, reason);
    },
    row: ({ line, cells }) => {
      if (!header) {
        header = readImportHeader(form, cells);
        for (const { column, reason } of header.errors) faults.add(line, column, reason);
        return;
      }
      if (header.errors.length > 0 || cells.every((cell) => fold(cell) === "")) return;
      seen += 1;
      const { row, errors } = readImportRow(form, header, { line, cells }, systems);
      for (const { column, message } of errors) faults.add(line, column, message);
      if (faults.count() > 0 || seen > mostImportRows) rows.clear();
      else if (row) rows.add(row);
    },
  });
  if (seen > mostImportRows)
    faults.add(1, "", `the list has ${seen} rows: at most ${mostImportRows} can be reviewed at a time`);
  if (faults.count() === 0 && seen === 0)
    faults.add(1, "", header ? "the list has no rows" : "the list is empty: the first line must name the columns");
  refuseFaulty(faults);
  return { rows, ignored: header?.ignored ?? [], columns: [...(header?.fields.keys() ?? [])] };
}
