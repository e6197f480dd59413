import { Readable } from "node:stream";

import type { IdentifierSystem } from "../../db/facility/identifierSystems.rules.ts";
import type { ListForm } from "../../db/registry/reconciliation.rules.ts";
import { invalid } from "../problem.ts";
import { scanCsv } from "../reference/load/csv.ts";
import { fold } from "../input/identity.rules.ts";
import { importForm, readImportRow, type ImportRow } from "./importRow.rules.ts";
import {
  facilitiesOf,
  isUnitHeader,
  type Unit,
  unitHeader,
  unitReader,
  unitsOfJson,
} from "./organisationUnits.rules.ts";
import { errorList, readList, refuseFaulty, wholeOf } from "./readImport.ts";
import type { Rows } from "./packedRows.ts";
import { mostImportRows } from "./registryImport.rules.ts";
import { cutTo } from "../input/text.rules.ts";

/**
 * Reads the list of another system for a comparison with the registry: a list as for an import, or DHIS2's organisation
 * units as CSV or JSON.
 */

export type TheirRow = ImportRow & { closed?: string | undefined };
export type Theirs = {
  form: ListForm;
  rows: Rows<TheirRow>;
  /** the fields for which the list has a column, even an empty one */
  columns: string[];
  notes: string[];
};

const again = (bytes: Buffer) => Readable.from([bytes]) as AsyncIterable<Buffer>;

/** The first row of a CSV file. */
async function headerOf(bytes: Buffer): Promise<string[]> {
  let header: string[] | undefined;
  await scanCsv(again(bytes.subarray(0, 65_536)), { row: ({ cells }) => void (header ??= cells), fault: () => {} });
  return header ?? [];
}

/** The units of a JSON file; undefined if it is JSON of another kind. @throws Problem INVALID */
function parsed(bytes: Buffer): Unit[] | undefined {
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    throw invalid([{ path: "file", message: `is no JSON that can be read: ${cutTo(200, (error as Error).message)}` }]);
  }
  const { type, resourceType } = (content ?? {}) as { type?: unknown; resourceType?: unknown };
  if (type === "FeatureCollection" || resourceType === "Bundle") return undefined;
  const { units, why } = unitsOfJson(content);
  if (why !== undefined) throw invalid([{ path: "file", message: why }]);
  return units;
}

/** Converts units to rows, and checks each by the same rules as a row of an import. @throws Problem INVALID */
function rowsOf(
  units: readonly Unit[],
  faults: ReturnType<typeof errorList>,
  systems: readonly IdentifierSystem[],
  level: number | undefined,
  seen = units.length,
): Omit<Theirs, "form"> {
  if (seen > mostImportRows)
    throw invalid([
      { path: "file", message: `the list has ${seen} units: at most ${mostImportRows} can be compared at a time` },
    ]);
  const form = importForm(systems);
  const { rows, columns, notes } = facilitiesOf(units, level);
  const read = rows.flatMap(({ line, cells, closed, warnings }): TheirRow[] => {
    const { row, errors } = readImportRow(form, unitHeader, { line, cells }, systems);
    if (fold(cells[0]!) === "") errors.push({ column: "name", message: "is empty" });
    if (fold(cells[1]!) === "") errors.push({ column: "id", message: "is empty" });
    for (const { column, message } of errors) faults.add(line, column, message);
    return row ? [{ ...row, closed, warnings: [...row.warnings, ...warnings] }] : [];
  });
  if (faults.count() === 0 && rows.length === 0)
    faults.add(1, "", units.length === 0 ? "the list has no organisation units" : `no unit is of level ${level}`);
  refuseFaulty(faults);
  return { rows: read, columns, notes };
}

/**
 * Reads a list. `level`: the level of the organisation units that are facilities.
 *
 * @throws Problem INVALID with row, column and value of each error; TOO_LARGE
 */
export async function readTheirs(
  content: AsyncIterable<Buffer>,
  systems: readonly IdentifierSystem[],
  level: number | undefined,
): Promise<Theirs> {
  const bytes = await wholeOf(content);
  const faults = errorList();
  if (/^\uFEFF?\s*[[{]/.test(bytes.subarray(0, 1024).toString("utf8"))) {
    const units = parsed(bytes);
    if (units) return { form: "organisationUnits", ...rowsOf(units, faults, systems, level) };
  }
  const header = await headerOf(bytes);
  if (!isUnitHeader(header)) {
    if (level !== undefined)
      throw invalid([{ path: "level", message: "can only be given for organisation units, and this list has none" }]);
    const { rows, ignored, columns, faults: found, reading } = await readList(bytes, systems);
    refuseFaulty(found);
    return {
      form: "list",
      rows,
      columns,
      notes: [...reading.notes, ...(ignored.length > 0 ? [`Columns that are not used: ${ignored.join(", ")}.`] : [])],
    };
  }
  const { read, ignored } = unitReader(header);
  const units: Unit[] = [];
  let seen = -1;
  await scanCsv(again(bytes), {
    row: ({ line, cells }) => {
      if (cells.every((cell) => fold(cell) === "")) return;
      seen += 1;
      if (seen > 0 && seen <= mostImportRows) units.push(read(line, cells));
    },
    fault: (line, reason, column = "") => faults.add(line, column, reason),
  });
  const { notes, ...rest } = rowsOf(units, faults, systems, level, seen);
  return {
    form: "organisationUnits",
    ...rest,
    notes: ignored.length > 0 ? [...notes, `Columns that are not used: ${ignored.join(", ")}.`] : notes,
  };
}
