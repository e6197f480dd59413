import { builder } from "../../graphql/builder.ts";
import { InputErrorType } from "../../graphql/errors.ts";
import type { CodeRepair, ColumnManner, ListChoice, ListFormat, PlaceManner, Reading } from "./reading.rules.ts";

/** GraphQL types of how a list was read. */

const Format = builder.enumType("RegistryListFormat", {
  description: "The format of a list.",
  values: {
    CSV: { value: "csv", description: "Text with commas, semicolons or tabs." },
    XLSX: { value: "xlsx", description: "A workbook." },
    GEOJSON: { value: "geojson", description: "Points with properties." },
    ORGANISATION_UNITS: { value: "organisationUnits", description: "DHIS2's organisation units." },
    FHIR: { value: "fhir", description: "A FHIR bundle of Location or Organization." },
  } satisfies Record<string, { value: ListFormat; description: string }>,
});
const ColumnMannerType = builder.enumType("RegistryListColumnManner", {
  description: "How the field of a column was found.",
  values: {
    KNOWN: { value: "known", description: "Its heading is a name of the field." },
    ALIKE: { value: "alike", description: "Other systems call the field so." },
    CHOSEN: { value: "chosen", description: "Somebody chose it." },
    LEFT_OUT: { value: "leftOut", description: "It is not used." },
  } satisfies Record<string, { value: ColumnManner; description: string }>,
});
const PlaceMannerType = builder.enumType("RegistryListPlaceManner", {
  description: "How the place of a spelling was found.",
  values: {
    UNKNOWN: { value: "unknown", description: "It was not found: somebody has to choose." },
    ALIKE: { value: "alike", description: "It differs from a known name by signs and additions only." },
    CHOSEN: { value: "chosen", description: "Somebody chose it." },
  } satisfies Record<string, { value: PlaceManner; description: string }>,
});
const Repair = builder.enumType("RegistryListCodeRepair", {
  description: "In which form of spreadsheets a code was.",
  values: {
    DECIMALS: { value: "decimals", description: "With decimals: 123.0." },
    FORMULA: { value: "formula", description: 'As a formula: ="0123".' },
    APOSTROPHE: { value: "apostrophe", description: "After an apostrophe." },
    INVISIBLE: { value: "invisible", description: "With marks that cannot be seen." },
    SHORTENED: { value: "shortened", description: "Shortened to a power of ten: the code is lost." },
  } satisfies Record<string, { value: CodeRepair; description: string }>,
});

const Column = builder.objectRef<Reading["columns"][number]>("RegistryListColumn").implement({
  description: "A column of a list.",
  fields: (t) => ({
    heading: t.exposeString("heading", { description: "Its heading." }),
    field: t.exposeString("field", { nullable: true, description: "What it was taken for; null: it is left out." }),
    manner: t.expose("manner", { type: ColumnMannerType, description: "How that was found." }),
    filled: t.exposeInt("filled", { description: "Rows in which it is not empty." }),
    examples: t.exposeStringList("examples", { description: "Some of its values." }),
  }),
});
const Empty = builder.objectRef<Reading["empty"][number]>("RegistryListEmptyText").implement({
  description: "A text that counts as empty.",
  fields: (t) => ({
    text: t.exposeString("text", { description: "The text." }),
    rows: t.exposeInt("rows", { description: "How often." }),
  }),
});
const Example = builder.objectRef<Reading["codes"][number]["examples"][number]>("RegistryListCodeExample").implement({
  description: "A code as it was written and as it was taken.",
  fields: (t) => ({
    read: t.exposeString("read", { description: "As it is in the file." }),
    taken: t.exposeString("taken", { nullable: true, description: "The code; null: it is lost." }),
  }),
});
const Code = builder.objectRef<Reading["codes"][number]>("RegistryListCodeForm").implement({
  description: "Codes that were put right.",
  fields: (t) => ({
    repair: t.expose("repair", { type: Repair, description: "In which form they were." }),
    rows: t.exposeInt("rows", { description: "How many." }),
    examples: t.field({ type: [Example], description: "Some of them.", resolve: ({ examples }) => examples }),
  }),
});
const Level = builder.objectRef<Reading["levels"][number]>("RegistryListLevel").implement({
  description: "A level of organisation units.",
  fields: (t) => ({
    level: t.exposeInt("level", { description: "Its number." }),
    units: t.exposeInt("units", { description: "How many units it has." }),
    examples: t.exposeStringList("examples", { description: "Some of their names." }),
    isChosen: t.exposeBoolean("isChosen", { description: "Whether its units are read as facilities." }),
  }),
});
const Place = builder.objectRef<Reading["places"][number]>("RegistryListPlace").implement({
  description: "A spelling that is no known name of a place.",
  fields: (t) => ({
    province: t.exposeString("province", { nullable: true, description: "The province, as it is spelt." }),
    district: t.exposeString("district", {
      nullable: true,
      description: "The district, as it is spelt; null: the province is meant.",
    }),
    rows: t.exposeInt("rows", { description: "How many rows have it." }),
    means: t.exposeString("means", { nullable: true, description: "The name in the registry; null: not known." }),
    manner: t.expose("manner", { type: PlaceMannerType, description: "How that was found." }),
  }),
});

/** What was read of a list. */
export const ReadingType = builder.objectRef<Reading & { choice: ListChoice }>("RegistryListReading").implement({
  description: "What was read of a list, and how.",
  fields: (t) => ({
    format: t.expose("format", { type: Format, description: "Its format." }),
    encoding: t.exposeString("encoding", { nullable: true, description: "The encoding of a text file." }),
    isEncodingSure: t.exposeBoolean("isEncodingSure", { description: "false: the encoding is a guess." }),
    delimiter: t.exposeString("delimiter", { nullable: true, description: "What separates cells." }),
    sheets: t.exposeStringList("sheets", { description: "The sheets of a workbook." }),
    sheet: t.exposeString("sheet", { nullable: true, description: "The sheet that was read." }),
    headerLine: t.exposeInt("headerLine", { description: "The line with the headings." }),
    rows: t.exposeInt("rows", { description: "How many rows follow it." }),
    columns: t.field({ type: [Column], description: "Its columns.", resolve: ({ columns }) => columns }),
    fields: t.exposeStringList("fields", { description: "The fields that a column can be taken for." }),
    empty: t.field({ type: [Empty], description: "Texts that count as empty.", resolve: ({ empty }) => empty }),
    emptyWords: t.stringList({
      description: "Those of them that somebody chose.",
      resolve: ({ choice }) => choice.empty ?? [],
    }),
    codes: t.field({ type: [Code], description: "Codes in the forms of spreadsheets.", resolve: ({ codes }) => codes }),
    levels: t.field({ type: [Level], description: "Levels of units.", resolve: ({ levels }) => levels }),
    places: t.field({
      type: [Place],
      description: "Spellings of places that are no known names.",
      resolve: ({ places }) => places,
    }),
    notes: t.exposeStringList("notes", { description: "What else was noticed." }),
    errors: t.field({ type: [InputErrorType], description: "Errors of rows.", resolve: ({ errors }) => errors }),
    errorCount: t.exposeInt("errorCount", { description: "How many errors there are." }),
    source: t.exposeString("source", { nullable: true, description: "The name under which choices are remembered." }),
  }),
});

const ColumnInput = builder.inputType("RegistryListColumnInput", {
  description: "What a column is taken for.",
  fields: (t) => ({
    heading: t.string({ required: true, description: "Its heading." }),
    field: t.string({ description: "The field; without it the column is left out." }),
  }),
});
const PlaceInput = builder.inputType("RegistryListPlaceInput", {
  description: "What a spelling of a place means.",
  fields: (t) => ({
    province: t.string({ description: "The province, as the list spells it." }),
    district: t.string({ description: "The district, as the list spells it; without it the province is meant." }),
    means: t.string({ required: true, description: "The name in the registry." }),
  }),
});
type Fields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]["fields"]>>[0];
/** The input fields of a choice. */
export const ChoiceFields = (t: Fields) => ({
  encoding: t.string({ description: "The encoding of a text file: utf-8, windows-1252, macintosh, …" }),
  sheet: t.string({ description: "The sheet of a workbook." }),
  headerLine: t.int({ description: "The line with the headings." }),
  level: t.int({ description: "The level of organisation units that are facilities." }),
  columns: t.field({ type: [ColumnInput], description: "What columns are taken for." }),
  empty: t.stringList({ description: "Texts that count as empty in every column." }),
  places: t.field({ type: [PlaceInput], description: "What spellings of places mean." }),
  source: t.string({ description: "The name under which the choices are remembered." }),
});

type ChoiceInput = { columns?: { heading: string; field?: string | null | undefined }[] | null | undefined };
/** A choice as the rules take it. */
export const choiceOf = <Input extends ChoiceInput>({ columns, ...rest }: Input) => ({
  ...rest,
  columns: columns && Object.fromEntries(columns.map(({ heading, field }) => [heading, field ?? ""])),
});
