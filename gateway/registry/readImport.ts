import type { IdentifierSystem } from "../../db/facility/identifierSystems.rules.ts";
import { type InputError, invalid, Problem } from "../problem.ts";
import { fold, isPlaceholder } from "../input/identity.rules.ts";
import type { Header } from "../reference/load/load.rules.ts";
import { notWhole } from "../storage/staging.ts";
import { checkHeader, type ImportRow, importForm, readImportRow } from "./importRow.rules.ts";
import type { Lists } from "./importPlaces.ts";
import { packRows, type Rows } from "./packedRows.ts";
import { assignColumns, headingReader } from "./reading/columns.rules.ts";
import type { ListChoice, Reading } from "./reading/reading.rules.ts";
import { spellingReader } from "./reading/spellings.ts";
import { surveyOf } from "./reading/survey.rules.ts";
import { scanTable } from "./reading/table.ts";
import { mostImportBytes, mostImportRows } from "./registryImport.rules.ts";
import { cutTo, madeStorable, madeStorableWithin } from "../input/text.rules.ts";

/**
 * Reads a list of facilities for an import. Of its rows only the valid ones (packed) and a few errors of each kind are
 * kept in memory, however long it is.
 */

const mostOfKind = 10;
const mostErrors = 300;
const mostKinds = 200;
/** How many errors a reading tells. */
const mostTold = 50;

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
          message: cutTo(500, message),
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

/** A whole list. @throws Problem TOO_LARGE, MALFORMED if it did not arrive completely */
export async function wholeOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of counted(content)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A list that was read. `columns`: the fields that its columns fill. */
export type ReadRows = {
  reading: Reading;
  rows: Rows<ImportRow>;
  ignored: string[];
  columns: string[];
  faults: ReturnType<typeof errorList>;
};

/** Refuses choices of columns that the list or its form does not have. @throws Problem INVALID */
function checkColumns(chosen: Record<string, string>, headings: readonly string[], fields: readonly string[]): void {
  const errors = Object.entries(chosen).flatMap(([heading, field]): InputError[] => {
    const path = `columns.${heading}`;
    if (!headings.includes(heading))
      return [{ path, message: `is no column of the list: it has ${headings.slice(0, 20).join(", ")}` }];
    if (field !== "" && !fields.includes(field))
      return [{ path, message: `'${field}' is no field: one of ${fields.join(", ")}` }];
    const other = Object.keys(chosen).find((one) => one !== heading && chosen[one] === field && headings.includes(one));
    return field !== "" && other !== undefined
      ? [{ path, message: `${other} is taken for ${field} too: keep one` }]
      : [];
  });
  if (errors.length > 0) throw invalid(errors);
}

/**
 * Reads the rows of a list, and tells how it was read. Faults of its rows are collected, for the caller to refuse.
 * `known`: the registry's places, by which their spellings are read.
 *
 * @throws Problem INVALID if the file is no list that can be read, or a choice does not fit it
 */
export async function readList(
  bytes: Buffer,
  systems: readonly IdentifierSystem[],
  choice: ListChoice = {},
  known?: Lists,
): Promise<ReadRows> {
  const form = importForm(systems);
  const faults = errorList();
  const rows = packRows<ImportRow>();
  const survey = surveyOf(choice, systems);
  const spellings = known && spellingReader(known, choice.places ?? []);
  const read = headingReader(form);
  let header: Header | undefined;
  let seen = 0;
  let placeNames = 0;
  let placeless = 0;
  const facts = await scanTable(bytes, choice, (heading) => read(heading) !== undefined, {
    fault: (line, reason, column = "") => {
      rows.clear();
      faults.add(line, column, reason);
    },
    headings: (line, names, fixed) => {
      const assigned = assignColumns(form, names, choice.columns ?? {}, fixed);
      survey.columns = assigned.columns.map((column) => ({ ...column, filled: 0, examples: [] }));
      checkColumns(
        choice.columns ?? {},
        survey.columns.map(({ heading }) => heading),
        Object.keys(form.rule.shape),
      );
      header = checkHeader(assigned.header);
      for (const { column, reason } of header.errors) faults.add(line, column, reason);
    },
    row: ({ line, cells: given }) => {
      if (given.every((cell) => fold(cell) === "")) return;
      seen += 1;
      const cells = survey.row(given);
      if (!header || header.errors.length > 0) return;
      const { row, errors } = readImportRow(form, header, { line, cells }, systems);
      for (const { column, message } of errors) faults.add(line, column, message);
      if (spellings) {
        const { fields } = header;
        const nameIn = (field: string): string | null => {
          const text = fold(cells[fields.get(field)?.index ?? -1] ?? "");
          return text === "" || isPlaceholder(text) ? null : text;
        };
        if (spellings.isPlace(nameIn("facilityName") ?? "")) placeNames += 1;
        if (fields.has("district") && nameIn("facilityName") !== null && nameIn("district") === null) placeless += 1;
        // Also of a row with errors, so that both can be put right together.
        const { province, district } = spellings.read({ province: nameIn("province"), district: nameIn("district") });
        if (row && province !== null) row.cells["province"] = province;
        if (row && district !== null) row.cells["district"] = district;
      }
      if (faults.count() > 0 || seen > mostImportRows) rows.clear();
      else if (row) rows.add(row);
    },
  });
  if (seen > mostImportRows)
    faults.add(1, "", `the list has ${seen} rows: at most ${mostImportRows} can be reviewed at a time`);
  if (faults.count() === 0 && seen === 0)
    faults.add(1, "", header ? "the list has no rows" : "the list is empty: the first line must name the columns");
  const notes = [...facts.notes];
  if (placeNames > 0 && placeNames * 2 >= seen)
    notes.unshift(
      `${placeNames} of ${seen} names are those of provinces or districts: this looks like a list of places, not of facilities.`,
    );
  if (placeless > 0) notes.push(`${placeless} of ${seen} rows name no district, which a new facility needs.`);
  return {
    rows,
    faults,
    ignored: header?.ignored.map(madeStorable) ?? [],
    columns: [...(header?.fields.keys() ?? [])].flatMap((field) =>
      field === "position" ? ["latitude", "longitude"] : [field],
    ),
    reading: madeStorableWithin({
      ...facts,
      notes,
      rows: seen,
      fields: Object.keys(form.rule.shape),
      ...survey.result(),
      places: spellings?.places() ?? [],
      errors: faults.errors().slice(0, mostTold),
      errorCount: faults.count(),
      source: choice.source ?? null,
    }),
  };
}
