/**
 * The catalogue of a facility's plain fields: those that are one value of its row. The facility page and its form,
 * REST, GraphQL, the files, the load, the filters, the sorts and the sites that devices keep all follow from it.
 *
 * A field has one name: in REST and GraphQL, as the heading in CSV, as the column of a list that is loaded, and, in
 * snake case, as the column of the table. The catalogue is in `db/` because SQL needs it, and is a rules file because
 * the client needs it too.
 */

type Common = {
  /** on the facility's page and in its form */
  label: string;
  /** in the descriptions of both interfaces */
  about: string;
  /** The capability that may change it, together with the facility's settings. Without one, only a load changes it. */
  editableWith?: "editFacility";
  /** Further names of its column in a list that is loaded. */
  alsoCalled?: readonly string[];
  /**
   * Where the compact site list holds it: in the dictionary of kinds, with other values that many facilities share, or
   * in a separate column.
   */
  site: "kind" | "column";
  /** Set if lists of facilities may be ordered by it: the description of that order. */
  sort?: string;
};
type Text = {
  type: "text";
  /** characters */ most: number;
  /** Whether it identifies the facility: then it has the form of codes. */ isCode?: true;
  /** set if facilities can be filtered by it: the description of the filter */ filter?: string;
};
type Choice = { type: "choice"; values: readonly [string, ...string[]]; /** as of a text */ filter?: string };
/** A whole number, 0 or more. */
type Count = {
  type: "count";
  most: number;
  /** set if facilities can be filtered by its least and its most: the description of what is counted */ filter?: string;
};
type Degrees = { type: "degrees"; most: 90 | 180 };
export type FacilityField = Common & (Text | Choice | Count | Degrees);

const codeFields = {
  hmisCode: {
    type: "text",
    most: 32,
    isCode: true,
    label: "HMIS code",
    about: "Its code in the national facility list.",
    site: "column",
    sort: "code of the national facility list, those without first",
  },
  oldHmisCode: {
    type: "text",
    most: 32,
    isCode: true,
    label: "Old HMIS code",
    about: "Its former code.",
    site: "column",
  },
} as const satisfies Record<string, FacilityField>;

const kindFields = {
  facilityOwner: {
    type: "text",
    most: 128,
    label: "Facility owner",
    about: "Who owns it.",
    alsoCalled: ["ownership"],
    site: "kind",
    filter: "Of this owner, in any case.",
  },
  healthCenterType: {
    type: "text",
    most: 128,
    label: "Health centre type",
    about: "What type of health centre it is.",
    site: "kind",
    filter: "Of this type of health centre, in any case.",
  },
  facilityType: {
    type: "text",
    most: 128,
    label: "Facility type",
    about: "What type of facility it is.",
    site: "kind",
    filter: "Of this type, in any case.",
  },
  laboratoryLevel: {
    type: "text",
    most: 128,
    label: "Laboratory level",
    about: "The level of its laboratory.",
    site: "kind",
    filter: "With this level of laboratory, in any case.",
  },
} as const satisfies Record<string, FacilityField>;

const locationFields = {
  latitude: { type: "degrees", most: 90, label: "Latitude", about: "Degrees north.", site: "column" },
  longitude: { type: "degrees", most: 180, label: "Longitude", about: "Degrees east.", site: "column" },
} as const satisfies Record<string, FacilityField>;

/** Add a new field here, at the end. In the CSV of facilities it stands before the closing, the identifiers and the state. */
const laterFields = {
  catchmentPopulation: {
    type: "count",
    most: 999_999_999,
    label: "Catchment population",
    about: "How many people live in its catchment area.",
    editableWith: "editFacility",
    site: "column",
    filter: "people in its catchment area",
    sort: "population of the catchment area, those not known first",
  },
  operationStatus: {
    type: "choice",
    values: ["Operational", "Under Construction"],
    label: "Operation status",
    about: "Whether it operates, in the words of the national facility list.",
    editableWith: "editFacility",
    site: "kind",
    filter: "With this operation status, in any case.",
    sort: "operation status, those not known first",
  },
} as const satisfies Record<string, FacilityField>;

const fields = { ...codeFields, ...kindFields, ...locationFields, ...laterFields };
type Fields = typeof fields;
export type FieldName = keyof Fields;
export const facilityFields: Record<FieldName, FacilityField> = fields;

type NamesOf<Trait> = { [Name in FieldName]: Fields[Name] extends Trait ? Name : never }[FieldName];
const named = <Name extends FieldName>(list: Record<Name, unknown>) => Object.keys(list) as Name[];
const namesWhere = <Trait>(has: (field: FacilityField) => boolean) =>
  fieldNames.filter((name) => has(facilityFields[name])) as NamesOf<Trait>[];

export const fieldNames = named(fields);
/** The fields in the groups in which pages and files show them. */
export const fieldGroups = {
  codes: named(codeFields),
  kinds: named(kindFields),
  location: named(locationFields),
  later: named(laterFields),
};

export const editableNames = namesWhere<{ editableWith: string }>(({ editableWith }) => editableWith !== undefined);
export type EditableName = (typeof editableNames)[number];
export const siteKindNames = namesWhere<{ site: "kind" }>(({ site }) => site === "kind");
export const siteColumnNames = namesWhere<{ site: "column" }>(({ site }) => site === "column");
export const sortNames = namesWhere<{ sort: string }>(({ sort }) => sort !== undefined);

/**
 * The filters of facilities by these fields: a text by its exact value, a count by its least (`…From`) and its most
 * (`…To`).
 */
export type FieldMatch = { [Name in NamesOf<{ type: "text" | "choice"; filter: string }>]?: string | null } & {
  [Name in `${NamesOf<{ type: "count"; filter: string }>}${"From" | "To"}`]?: number | null;
};
type FieldFilter = { argument: keyof FieldMatch; name: FieldName; compare: "same" | "least" | "most"; about: string };
/** The filters by plain fields, by the name of their argument. */
export const fieldFilters = fieldNames.flatMap((name): FieldFilter[] => {
  const field = facilityFields[name];
  if (!("filter" in field) || field.filter === undefined) return [];
  if (field.type !== "count")
    return [{ argument: name as keyof FieldMatch, name, compare: "same", about: field.filter }];
  return [
    { argument: `${name}From` as keyof FieldMatch, name, compare: "least", about: `At least so many ${field.filter}.` },
    { argument: `${name}To` as keyof FieldMatch, name, compare: "most", about: `At most so many ${field.filter}.` },
  ];
});

/** The values of these fields by name; null: not known. */
export type ValuesOf<Name extends FieldName> = {
  [One in Name]: (Fields[One]["type"] extends "text" | "choice" ? string : number) | null;
};

/** An object with a value for each of these fields, by name. */
export const byField = <Name extends FieldName, Made>(
  names: readonly Name[],
  make: (name: Name, field: FacilityField) => Made,
) => Object.fromEntries(names.map((name) => [name, make(name, facilityFields[name])])) as Record<Name, Made>;

/** The column of a field in the table. */
export const columnOf = (name: FieldName): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An object with only these fields of a row. */
export const valuesOf = <Name extends FieldName, Row extends Partial<Record<FieldName, unknown>>>(
  names: readonly Name[],
  row: Row,
) => Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name & keyof Row>;
