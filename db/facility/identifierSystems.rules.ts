/**
 * The systems that have their own identifiers for facilities. These are built in; administrators add others. An
 * identifier of a unique system belongs to one facility at a time. Identifiers are case-sensitive.
 */

export type IdentifierSystem = {
  /** its technical name, used in requests and files */
  system: string;
  name: string;
  /** a regular expression that a whole value matches; null: any text */
  pattern: string | null;
  isUnique: boolean;
};

/** `columns`: further column names for its identifiers in a list of facilities. */
type BuiltIn = IdentifierSystem & { uri: string; columns: readonly string[] };

export const builtInSystems: readonly BuiltIn[] = [
  { system: "hmis", name: "HMIS code", pattern: ".{1,32}", isUnique: true, uri: "urn:zm:hmis", columns: [] },
  {
    system: "formerHmis",
    name: "Former HMIS code",
    pattern: ".{1,32}",
    isUnique: false,
    uri: "urn:zm:hmis:former",
    columns: ["formerHmisCode"],
  },
  {
    system: "dhis2",
    name: "DHIS2 UID",
    pattern: "[A-Za-z][A-Za-z0-9]{10}",
    isUnique: true,
    uri: "urn:zm:dhis2",
    columns: ["dhis2Uid", "dhis2Id"],
  },
  {
    system: "smartcare",
    name: "SmartCare GUID",
    pattern: null,
    isUnique: true,
    uri: "urn:zm:smartcare",
    columns: ["smartcareId"],
  },
  { system: "ihris", name: "iHRIS id", pattern: null, isUnique: true, uri: "urn:zm:ihris", columns: ["ihrisId"] },
  {
    system: "elmis",
    name: "eLMIS id",
    pattern: null,
    isUnique: true,
    uri: "urn:zm:elmis",
    columns: ["elmisId", "elmisCode"],
  },
];

/** The longest value of an identifier. */
export const identifierMaximum = 128;

/** Whether a value, as a whole, matches the pattern of its system. */
export const hasForm = (value: string, { pattern }: Pick<IdentifierSystem, "pattern">): boolean =>
  pattern === null || new RegExp(`^(?:${pattern})$`, "u").test(value);
