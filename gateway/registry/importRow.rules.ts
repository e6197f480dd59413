import { z } from "zod";

import { facilityFields, fieldNames } from "../../db/facility/facilityFields.rules.ts";
import { hasForm, identifierMaximum, type IdentifierSystem } from "../../db/facility/identifierSystems.rules.ts";
import { codeForm, fold, isPlaceholder } from "../input/identity.rules.ts";
import { whyOutside } from "../reference/country.rules.ts";
import {
  facilityForm,
  type Form,
  type Header,
  identifier,
  optionalName,
  rowRules,
} from "../reference/load/load.rules.ts";
import { cutTo } from "../input/text.rules.ts";
import { decimalAngle, positionIn } from "./reading/position.rules.ts";

/**
 * Reads a row of a list of facilities that is imported. An empty cell leaves the stored value; the marker erases it.
 */

const eraseMarker = "(erase)";
/**
 * The fields that can be erased. A facility keeps its uuid, name and place; identifiers of other systems are ended on
 * their page.
 */
const erasable = new Set<string>([...fieldNames, "implementingPartner", "serviceAreas"]);

type Warning = { column: string; message: string };
export type ImportRow = {
  line: number;
  /** the values by field; a missing field leaves the stored value */
  cells: Record<string, unknown>;
  erased: string[];
  identifiers: { system: string; value: string }[];
  warnings: Warning[];
};

/**
 * The columns: those of the facility list, `position` (latitude and longitude in one cell), and one for each system that
 * an administrator added.
 *
 * @param isWhole each row must have the facility's name and district; otherwise none of the columns is required
 */
export function importForm(systems: readonly IdentifierSystem[], isWhole = false): Form {
  const added = systems
    .filter(({ system }) => !(system in rowRules.facilities.shape))
    .map(({ system }) => [system, identifier(identifierMaximum).optional()] as const);
  const province = optionalName(128).optional();
  const optional = { facilityName: optionalName(256).optional(), province, district: province };
  return {
    rule: z.object({
      ...rowRules.facilities.shape,
      ...(isWhole ? { province } : optional),
      position: optionalName(256).optional(),
      ...Object.fromEntries(added),
    }),
    called: facilityForm.called,
  };
}

/** Adds the error that no column can find a facility, if that is so. */
export function checkHeader(header: Header): Header {
  const finds =
    ["facilityUuid", "facilityName", "hmisCode"].some((field) => header.fields.has(field)) ||
    [...header.fields.keys()].some((field) => field !== "position" && !(field in rowRules.facilities.shape));
  if (!finds && header.errors.length === 0)
    header.errors.push({
      column: "facilityName",
      reason:
        "no heading is one by which a facility is found: " +
        "name a column facilityName, hmisCode, facilityUuid or the system of another identifier",
    });
  if (header.fields.has("province") && !header.fields.has("district") && header.errors.length === 0)
    header.errors.push({
      column: "district",
      reason: "no heading is that of the district: take a column for it, or leave the one of the province out",
    });
  const both = header.fields.get("position");
  if (both && header.fields.has("latitude"))
    header.errors.push({ column: both.column, reason: "has the position that other columns have too: keep one" });
  return header;
}

const codeNames = fieldNames.filter((name) => (facilityFields[name] as { isCode?: true }).isCode);
/** The fields that are codes, besides the identifiers of other systems. */
export const codeFields = new Set<string>(["facilityUuid", ...codeNames]);

/** The fields whose cells are numbers or choices: a placeholder in them counts as empty, if it is not 0. */
export const measures = new Set<string>([
  "position",
  ...fieldNames.filter((name) => facilityFields[name].type !== "text"),
]);

/** The fields that identify a facility, its place or its partner. A placeholder in them counts as empty. */
export const identifying = new Set<string>([
  ...["facilityUuid", "facilityName", "province", "district", "implementingPartner"],
  ...codeNames,
]);

/** A text without the apostrophe that an export puts before what a spreadsheet would take for a formula. */
const unguarded = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r])/, "");
const isFormula = (value: string): boolean => /^[=+\-@\t]/.test(value);
/** Reads the cells of one row. If the row is wrong, there is no `row` in the result, and the errors say why. */
export function readImportRow(
  form: Form,
  header: Header,
  { line, cells }: { line: number; cells: string[] },
  systems: readonly IdentifierSystem[],
): { row?: ImportRow; errors: Warning[] } {
  const both = header.fields.get("position");
  const isCoordinate = (field: string) => field === "latitude" || field === "longitude";
  const columnOf = (field: string) =>
    (header.fields.get(field) ?? (isCoordinate(field) ? both : undefined))?.column ?? field;
  const errors: Warning[] = [];
  const refuse = (field: string, message: string) => void errors.push({ column: columnOf(field), message });
  const input: Record<string, string> = {};
  const erased: string[] = [];
  for (const [field, { index, column }] of header.fields) {
    const cell = unguarded(cells[index]!);
    const erases = fold(cell).toLowerCase() === eraseMarker;
    if (field === "position") {
      const isEmpty = erases || (isPlaceholder(cell) && !/\d/.test(cell));
      const found = isEmpty ? { latitude: "", longitude: "" } : positionIn(cell, column);
      if ("why" in found) refuse(field, found.why);
      else Object.assign(input, found);
      if (erases) erased.push("latitude", "longitude");
      continue;
    }
    if (erases && !erasable.has(field)) refuse(field, `cannot be erased by ${eraseMarker}`);
    else if (erases) erased.push(field);
    input[field] = erases ? "" : isCoordinate(field) ? decimalAngle(cell) : cell;
  }
  const read = form.rule.safeParse(input);
  if (!read.success)
    for (const { path, message } of read.error.issues) {
      const value = cutTo(40, fold(input[String(path[0])] ?? ""));
      refuse(String(path[0]), value === "" || message.includes(value) ? message : `'${value}' ${message}`);
    }
  const values = (read.data ?? {}) as Record<string, unknown>;
  const given = (field: string) => (erased.includes(field) ? "erased" : values[field] == null ? "empty" : "given");
  if (read.success && header.fields.has("latitude") && given("latitude") !== given("longitude"))
    refuse(
      given("latitude") === "empty" ? "latitude" : "longitude",
      "must be given or erased together with the other coordinate",
    );
  if (read.success && values["province"] != null && values["district"] == null)
    refuse("district", "is empty while the province is given");

  const warnings: Warning[] = [];
  const warn = (field: string, message: string) => void warnings.push({ column: columnOf(field), message });
  const {
    latitude,
    longitude,
    facilityName: name,
  } = values as { latitude?: number | null; longitude?: number | null; facilityName?: string | null };
  const outside = latitude != null && longitude != null ? whyOutside(latitude, longitude) : undefined;
  if (outside) warn("latitude", outside);
  for (const [field, given] of Object.entries(input))
    if (
      values[field] == null &&
      codeForm(given) !== "" &&
      (identifying.has(field) || systems.some(({ system }) => system === field))
    )
      warn(field, `'${cutTo(40, fold(given))}' is a placeholder: it counts as empty`);
  if (name && isFormula(name)) warn("facilityName", `'${cutTo(40, name)}' begins like a formula of a spreadsheet`);

  const isGuid = columnOf("facilityUuid").toLowerCase().replaceAll(/[\s_]/g, "") === "smartcareguid";
  const valueOf = (system: string): unknown => {
    if (system === "hmis") return values["hmisCode"];
    if (system === "formerHmis") return values["formerHmis"] ?? values["oldHmisCode"];
    return values[system] ?? (system === "smartcare" && isGuid ? values["facilityUuid"] : undefined);
  };
  const identifiers = systems.flatMap((known) => {
    const value = valueOf(known.system);
    if (typeof value !== "string") return [];
    if (hasForm(value, known)) return [{ system: known.system, value }];
    warn(known.system, `'${cutTo(40, value)}' does not have the form of a ${known.name}: not taken`);
    return [];
  });
  const kept = Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
  return errors.length > 0 ? { errors } : { row: { line, cells: kept, erased, identifiers, warnings }, errors };
}
