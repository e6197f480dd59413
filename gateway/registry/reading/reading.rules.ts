import { z } from "zod";

import { lineRule } from "../../input/texts.rules.ts";
import { encodings } from "../../reference/load/encodings.rules.ts";

/** How a list is read: what a person may choose, and what the reading tells about it. For both interfaces and the screen. */

export const listFormats = ["csv", "xlsx", "geojson", "organisationUnits", "fhir"] as const;
export type ListFormat = (typeof listFormats)[number];
export { type Encoding, encodings } from "../../reference/load/encodings.rules.ts";

const whole = (most: number) => z.int("must be a whole number").min(1).max(most);

/** A spelling of a province, or (with `district`) of a district in it, and the place of the registry that it means. */
const spelling = z.strictObject({
  province: lineRule(128).nullish().describe("The province as the list spells it"),
  district: lineRule(128).nullish().describe("The district as the list spells it; without it the province is meant"),
  means: lineRule(128).min(1, "is empty").describe("The name of the province or district in the registry"),
});

/** What may be chosen about the reading of a list. What is left out is guessed. */
export const listChoiceShape = {
  encoding: z
    .enum(encodings, { error: `must be one of ${encodings.join(", ")}` })
    .nullish()
    .describe("The encoding of a text file"),
  sheet: lineRule(64).nullish().describe("The sheet of a workbook"),
  headerLine: whole(10_000).nullish().describe("The line with the headings; lines before it are not read"),
  level: whole(20).nullish().describe("The level of DHIS2's organisation units that are facilities"),
  columns: z
    .record(lineRule(256), lineRule(64))
    .refine((columns) => Object.keys(columns).length <= 500, "may have at most 500 entries")
    .nullish()
    .describe("The field of a column, by its heading; an empty text leaves the column out"),
  empty: z
    .array(lineRule(64).min(1, "is empty"))
    .max(50, "may have at most 50 entries")
    .nullish()
    .describe("Texts that count as empty in every column, such as 'not stated'"),
  places: z
    .array(spelling)
    .max(2000, "may have at most 2,000 entries")
    .nullish()
    .describe("What spellings of places mean, for all rows"),
  source: lineRule(128)
    .nullish()
    .describe("Whose list it is: the choices are remembered under this name for lists with the same headings"),
};
export const listChoiceRules = z.strictObject(listChoiceShape);
export type ListChoice = z.output<typeof listChoiceRules>;

export const columnManners = ["known", "alike", "chosen", "leftOut"] as const;
export type ColumnManner = (typeof columnManners)[number];
export const placeManners = ["unknown", "alike", "chosen"] as const;
export type PlaceManner = (typeof placeManners)[number];
export const codeRepairs = ["decimals", "formula", "apostrophe", "invisible", "shortened"] as const;
export type CodeRepair = (typeof codeRepairs)[number];

export type ReadColumn = {
  heading: string;
  /** what it was taken for; null if it is left out */
  field: string | null;
  /** how that was found */
  manner: ColumnManner;
  filled: number;
  examples: string[];
};
export type ReadPlace = {
  province: string | null;
  district: string | null;
  rows: number;
  means: string | null;
  manner: PlaceManner;
};
/** What was read of a list. */
export type Reading = {
  format: ListFormat;
  encoding: string | null;
  isEncodingSure: boolean;
  delimiter: string | null;
  sheets: string[];
  sheet: string | null;
  headerLine: number;
  rows: number;
  columns: ReadColumn[];
  /** the fields that a column can be taken for */
  fields: string[];
  /** texts that were read as empty */
  empty: { text: string; rows: number }[];
  /** codes in the forms of spreadsheets */
  codes: { repair: CodeRepair; rows: number; examples: { read: string; taken: string | null }[] }[];
  levels: { level: number; units: number; examples: string[]; isChosen: boolean }[];
  places: ReadPlace[];
  notes: string[];
  errors: { path: string; message: string }[];
  errorCount: number;
  /** the name under which the choices are remembered */
  source: string | null;
};
