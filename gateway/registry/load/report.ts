import {
  type FacilityField,
  facilityFields,
  fieldGroups,
  type FieldName,
} from "../../../db/facility/facilityFields.rules.ts";
import { builtInSystems } from "../../../db/facility/identifierSystems.rules.ts";
import type { Finding } from "../../reference/load/csv.ts";
import { type Kind, kinds } from "../../reference/load/load.rules.ts";
import type { Load } from "./load.ts";

const called = (name: FieldName, { alsoCalled }: FacilityField) =>
  alsoCalled ? `${name} (or ${alsoCalled.join(", ")})` : name;
/** The columns of plain fields, a line for each of their groups. */
const plainColumns = Object.values(fieldGroups).map((names) =>
  names.map((name) => called(name, facilityFields[name])).join(", "),
);

/** The columns of identifiers of other systems. */
const identifierColumns = builtInSystems
  .flatMap(({ system, columns }) => (columns.length > 0 ? [`${system} (or ${columns.join(", ")})`] : []))
  .join(", ");

/** The title of each kind of list, the option that gives its files, and its columns. */
export const options: Record<Kind, { option: string; title: string; columns: string }> = {
  provinces: { option: "provinces", title: "Provinces", columns: "province (or name)" },
  districts: { option: "districts", title: "Districts", columns: "province, district" },
  partners: { option: "partners", title: "Implementing partners", columns: "name; active" },
  serviceAreas: { option: "service-areas", title: "Service areas", columns: "serviceArea (or name)" },
  versions: { option: "versions", title: "SmartCare versions", columns: "libraryVersion, databaseVersion" },
  connectivityTypes: { option: "connectivity-types", title: "Connectivity types", columns: "type (or name)" },
  connectivityProviders: {
    option: "connectivity-providers",
    title: "Connectivity providers",
    columns: "provider (or name)",
  },
  facilities: {
    option: "facilities",
    title: "Facilities",
    columns:
      "facilityName (or name), province, district; facilityUuid (or uuid, smartcareGuid),\n" +
      `      ${plainColumns.join(",\n      ")},\n` +
      `      ${identifierColumns},\n` +
      "      implementingPartner (a name), serviceAreas (names separated by ;)",
  },
};

export const help = `Loads provinces, districts, partners, service areas, SmartCare versions, connectivity lists and facilities from CSV files.

  npm run load -- --districts districts.csv --facilities facilities.csv [--dry-run]

Options (each may be repeated; the order does not matter) and the columns of their files (after ; they may be missing):
${kinds.map((kind) => `  --${options[kind].option} FILE\n      ${options[kind].columns}`).join("\n")}
  --boundaries FILE
      GeoJSON: a FeatureCollection of polygons in degrees, each with its name in properties.province, of districts also
      properties.district; "credit" of the file is shown on the map. Small enough for slow lines: see the limits in the errors
  --add-places
      lets facilities bring provinces and districts into a country that has some already
  --change-identifiers
      lets facilities change or remove identifiers of stored facilities; without it, each such row is an error
  --dry-run
      does everything, reports it, and keeps nothing
  --help

All or nothing: an error in any row of any file is named as file:line column: reason, and nothing is changed (exit code 1).
Warnings name what is odd and loaded all the same. Loading the same files again changes nothing.

Files are CSV as spreadsheets save it: with commas or semicolons, in UTF-8 or Windows-1252; the first line names the columns (their case does not matter, others are ignored).
A line sep=; before it names the separator. A row may end after its last filled cell.
- An empty cell never erases what is stored, nor does a missing column; (erase) in a cell does. A position outside Zambia is kept with a warning, unless one inside is
  stored already.
- A row finds its facility by uuid, then by HMIS code, then by another system's identifier, then by name and district. Two different uuids from outside are two
  facilities, whatever their names. Rows that repeat a name in a district are different facilities. A district whose name is unique needs no province.
- A code is read without invisible marks and in the forms of spreadsheets: 123.0, ="0123" and '0123 are 123, 0123 and 0123. A code that a spreadsheet shortened
  (9.9111E+07) is an error. A placeholder (#N/A, N/A, -, NULL, none, TBD, 0 and the like) identifies nothing: it counts as empty, with a warning.
- A row that would change or remove the HMIS code, the old code, the uuid or another unique identifier of a stored facility is an error, unless the load has
  --change-identifiers. An empty cell removes none.
- Identifiers of other systems are kept. One that another facility has is not taken, with a warning that names both.
- A facility without a uuid gets one: its SmartCare GUID, if it has one. It takes the uuid of a later list as long as nothing was recorded about it (assessments,
  TDBs, the audit log); after that it keeps the one it has, and the report counts such rows.
- Facilities bring their provinces and districts into an empty country. Where some are stored, an unknown one is an error: load it by its own list
  (--provinces, --districts), or add it with --add-places, with a warning. One that is almost called like a stored one is an error all the same, and so is any that is
  missing where the load carries their list. An unknown partner or service area is an error: load it by its own list.
- Facilities that are not in the file stay as they are.
- A file of facilities becomes an import with a page of its own (Registry, Imports), as if it had been sent there and every row accepted. It can be reverted there as a whole
  while nothing newer touched its rows; places, partners and other lists stay. A file that changes nothing leaves none. What somebody would have to decide there is an error.

The database is DATABASE_URL, or the embedded one under DATA_DIR (which may be running).
`;

/** An error or warning as a line of the report. */
export const say = ({ file, line, column, reason }: Finding): string =>
  `${file}${line > 0 ? `:${line}` : ""}${column ? ` ${column}` : ""}: ${reason}`;

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** The report of a load as text, for the person who ran it. */
export function formatReport({ outcome, counts, warnings, notes, errors, imports, seconds }: Load): string {
  const rows = kinds
    .filter((kind) => counts[kind].files > 0 || counts[kind].added > 0)
    .map((kind) => {
      const { rows, added, changed, unchanged, warnings } = counts[kind];
      return [options[kind].title, ...[rows, added, changed, unchanged, warnings].map(String)];
    });
  const table = [["", "rows", "added", "changed", "unchanged", "warnings"], ...rows].map(([title, ...cells]) =>
    [title!.padEnd(24), ...cells.map((text) => text.padStart(10))].join(""),
  );
  const parts = [
    ...(warnings.length > 0
      ? [`Warnings (${warnings.length}):`, ...warnings.map((warning) => `  ${say(warning)}`)]
      : []),
    ...(errors.length > 0 ? [] : table),
    ...notes.map((note) => `Note: ${note}`),
    ...imports.map(
      ({ file, importUuid }) =>
        `Note: ${file} is the import ${importUuid}: Registry, Imports shows it and can revert it`,
    ),
    {
      loaded: `Loaded in ${seconds.toFixed(1)} s.`,
      tried: `Dry run, ${seconds.toFixed(1)} s: this is what a load would do. Nothing was changed.`,
      refused: [...errors.map(say), `${many(errors.length, "error")}: nothing was changed.`].join("\n"),
    }[outcome],
  ];
  return parts.join("\n");
}
