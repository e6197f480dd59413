import { facilityFields } from "../../db/facility/facilityFields.rules.ts";
import { builtInSystems } from "../../db/facility/identifierSystems.rules.ts";
import type {
  ReconciliationFindingKind,
  ReconciliationState,
  ReconciliationTrend,
  RegistryImportDecision,
  RegistryImportKind,
  RegistryImportStatus,
  RegistryListCodeRepair,
  RegistryListFormat,
} from "../gql/graphql.ts";

/** The words for lists that are imported or compared: their rows, findings and fields. */

export const kindTitles: Record<RegistryImportKind, string> = {
  NEW: "New",
  CHANGED: "Changed",
  SAME: "Same",
  IDENTIFIER_CHANGE: "Identifier changes",
  DUPLICATE: "Duplicates",
  CONFLICT: "Conflicts",
  MERGE_CANDIDATE: "Merge candidates",
  UNKNOWN_PLACE: "Unknown places",
};
/** Rows of any kind that have a warning are also a list of their own. */
export const warned = "WARNED";
export const listTitles = { ...kindTitles, [warned]: "With warnings" };
export type ImportList = keyof typeof listTitles;
export const importKinds = Object.keys(kindTitles) as RegistryImportKind[];

export const statusTitles: Record<RegistryImportStatus, string> = {
  READ: "Read, not reviewed yet",
  READY: "To be reviewed",
  APPLIED: "Applied",
  REVERTED: "Reverted",
};
export const stepTitles = { read: "Read the file", review: "Review", apply: "Apply" } as const;
export const formatTitles: Record<RegistryListFormat, string> = {
  CSV: "Text (CSV)",
  XLSX: "Workbook (.xlsx)",
  GEOJSON: "GeoJSON",
  ORGANISATION_UNITS: "DHIS2 organisation units",
  FHIR: "FHIR bundle",
};
export const encodingTitles: Record<string, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 (Unicode text)",
  "utf-16be": "UTF-16, big-endian",
  "windows-1252": "Windows-1252 (Western European)",
  macintosh: "Mac OS Roman",
};
export const repairTitles: Record<RegistryListCodeRepair, string> = {
  DECIMALS: "With decimals",
  FORMULA: "As a formula",
  APOSTROPHE: "After an apostrophe",
  INVISIBLE: "With invisible marks",
  SHORTENED: "Shortened by a spreadsheet: the code is lost",
};

export const decisionTitles: Record<RegistryImportDecision, string> = {
  UNDECIDED: "Undecided",
  ACCEPTED: "Accepted",
  REJECTED: "Rejected",
};

export const findingTitles: Record<ReconciliationFindingKind, string> = {
  DIFFERS: "Differing",
  ONLY_HERE: "Only here",
  ONLY_THERE: "Only there",
  UNCLEAR: "Unclear",
};
export const findingKinds = Object.keys(findingTitles) as ReconciliationFindingKind[];

export const findingStateTitles: Record<ReconciliationState, string> = {
  OPEN: "Open",
  DONE: "Done",
  IGNORED: "Ignored",
};
export const findingStates = Object.keys(findingStateTitles) as ReconciliationState[];

export const trendTitles: Record<ReconciliationTrend, string> = {
  NEW: "New",
  CHANGED: "Changed since",
  STILL: "As before",
  GONE: "Gone",
};

const titles: Record<string, string | undefined> = {
  facilityUuid: "Facility UUID",
  facilityName: "Name",
  province: "Province",
  district: "District",
  position: "Position",
  uuid: "UUID",
  implementingPartner: "Implementing partner",
  serviceAreas: "Service areas",
  closed: "Closed from",
  ...Object.fromEntries(Object.entries(facilityFields).map(([field, { label }]) => [field, label])),
  ...Object.fromEntries(builtInSystems.map(({ system, name }) => [system, name])),
};

/**
 * The name of a field of a list that is compared or imported; systems that administrators added have their own name.
 */
export const fieldTitle = (field: string): string => titles[field] ?? field;
