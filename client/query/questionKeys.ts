import { type Mode, modeLabels } from "../../gateway/facility/mode.rules.ts";
import { rowLabel, rowWords } from "../dash/periods.ts";
import type { Need } from "./siteFilters.ts";

/** By what the groups of a question are made. */

export type Row = Record<string, unknown>;
/** A value within a row, by its path. */
export const at = (row: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);
const textAt = (row: Row, ...path: string[]) => (at(row, ...path) as string | null | undefined) ?? undefined;

/**
 * What groups have in common: its name, its key in GraphQL, the fields that are asked for, the field with its id, and a
 * group's words.
 */
export type Key = {
  label: string;
  word: string;
  fields: readonly string[];
  id?: string;
  /** Without this right it is not offered. */
  needs?: Need;
  wordsOf: (row: Row) => string | undefined;
};
const ofText = (label: string, word: string, field: string): Key => ({
  ...{ label, word, fields: [field] },
  wordsOf: (row) => textAt(row, field),
});
const calendar = (label: string, word: string, fields: string): Key => ({
  ...{ label, word, fields: fields.split(" ") },
  wordsOf: (row) => {
    const period = row as { year: number; quarter: number; calMonth?: number };
    return word === "YEAR" ? `FY ${period.year}` : word === "MONTH" ? rowWords(period) : rowLabel(period, true);
  },
});
/** The keys by name. */
export const keys = {
  province: {
    ...{ label: "Province", word: "PROVINCE", fields: ["province { name }"], id: "province { provinceId }" },
    wordsOf: (row) => textAt(row, "province", "name"),
  },
  district: {
    ...{ label: "District", word: "DISTRICT", fields: ["district { name province { name } }"] },
    id: "district { districtId }",
    wordsOf: (row) => {
      const name = textAt(row, "district", "name");
      return name && `${name}, ${textAt(row, "district", "province", "name") ?? ""}`;
    },
  },
  partner: {
    ...{
      label: "Implementing partner",
      word: "IMPLEMENTING_PARTNER",
      fields: ["implementingPartner { implementingPartner }"],
    },
    id: "implementingPartner { implementingPartnerId }",
    wordsOf: (row) => textAt(row, "implementingPartner", "implementingPartner") ?? "No implementing partner",
  },
  mode: {
    ...ofText("Deployment mode", "MODE", "functionalityStatusMode"),
    wordsOf: (row) => {
      const mode = textAt(row, "functionalityStatusMode");
      return mode && modeLabels[mode as Mode];
    },
  },
  version: ofText("Library version", "LIBRARY_VERSION", "libraryVersion"),
  type: ofText("Type of facility", "FACILITY_TYPE", "facilityType"),
  owner: ofText("Owner", "FACILITY_OWNER", "facilityOwner"),
  area: {
    ...{ label: "Service area", word: "SERVICE_AREA", fields: ["serviceArea { serviceArea }"] },
    wordsOf: (row) => textAt(row, "serviceArea", "serviceArea"),
  },
  distance: {
    ...{ label: "Distance", word: "DISTANCE", fields: ["distance { from to }"] },
    wordsOf: (row) => {
      const [from, to] = [at(row, "distance", "from"), at(row, "distance", "to")] as (number | null | undefined)[];
      if (from == null) return "Position not known";
      return to == null ? `Over ${from} km` : `${from} to ${to} km`;
    },
  },
  person: { ...ofText("Person", "USER", "userName"), needs: "viewAssessments" },
  month: calendar("Month", "MONTH", "year quarter calMonth"),
  quarter: calendar("Quarter", "QUARTER", "year quarter"),
  year: calendar("Fiscal year", "YEAR", "year"),
} as const satisfies Record<string, Key>;
export type KeyName = keyof typeof keys;
/** Where distances are counted from, unless another position is given: Lusaka. */
export const usualPosition = "-15.4167,28.2833";
export const calendarKeys: readonly KeyName[] = ["month", "quarter", "year"];
