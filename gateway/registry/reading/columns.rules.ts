import type { z } from "zod";

import { fold, personForm } from "../../input/identity.rules.ts";
import { cutTo } from "../../input/text.rules.ts";
import { fieldFinder, type Form, type Header, readHeader } from "../../reference/load/load.rules.ts";
import type { ColumnManner } from "./reading.rules.ts";

/** Which field each column of a list fills: by its heading, as other systems name it, or as a person chose. */

/** Headings of other systems by field, as letters and digits in lower case. */
const otherHeadings: Record<string, string> = {
  facilityName:
    "name nameoffacility facility facilities healthfacility healthfacilityname nameofhealthfacility hfname " +
    "site sitename clinic hospital orgunit orgunitname organisationunit organisationunitname organizationunit " +
    "officialname establishment structure nomdelastructure nombre nom formationsanitaire fosa " +
    "nomfosa nomdelafosa etablissement nometablissement nombredelestablecimiento establecimiento nome " +
    "nomedaunidadesanitaria unidadesanitaria",
  province:
    "provincename nameofprovince region regionname adm1 adm1en adm1name admin1 admin1name state statename " +
    "orgunitlevel2 provincia departamento departement",
  district:
    "districtname nameofdistrict healthdistrict commune adm2 adm2en adm2name admin2 admin2name county countyname lga " +
    "subcounty subcountyname orgunitlevel3 districtsanitaire zonedesante distrito municipio",
  hmisCode:
    "code facilitycode facilitycodes hmis hmisid hmisnumber hmisfacilitycode mfl mflcode mflid mflnumber nhfrid " +
    "healthfacilitycode hfcode masterfacilitylistcode organisationunitcode codigo codigodelestablecimiento codefosa",
  dhis2:
    "dhisid dhisuid dhis2code dhis2orgunit dhis2orgunitid organisationunitid organizationunitid orgunitid orgunituid",
  smartcare: "smartcareuuid",
  latitude: "lat latdd latitudedd gpslatitude gpslat latitud ylat ycoord ycoordinate",
  longitude: "lon lng long longdd longitudedd gpslongitude gpslong gpslon longitud xlong xcoord xcoordinate",
  position:
    "latlong latlon latlng latitudelongitude longlat lonlat lnglat longitudelatitude xy gps gpscoordinates " +
    "gpslatlong gpslatitudelongitude coordinateslatlong coordinateslatitudelongitude gpscoordinate gpslocation gpsposition coordinate coordinates coords geopoint geolocation coordonnees coordenadas " +
    "coordonneesgps coordenadasgps wkt geom geometry",
  facilityType: "type typeoffacility facilitylevel leveloffacility levelofcare amenity typedestructure tipo",
  facilityOwner: "owner ownershiptype typeofownership managingauthority operatortype",
  implementingPartner: "partner partnername ip ipname",
};
/** Columns of OpenStreetMap. A column `uuid` beside them, as of healthsites.io, is not the uuid of this registry. */
const ofOpenStreetMap = new Set(["osmid", "osmtype", "changesetid"]);
const guesses = new Map(
  Object.entries(otherHeadings).flatMap(([field, words]) => words.split(" ").map((word) => [word, field] as const)),
);
const bare = (text: string): string =>
  fold(text)
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

/** A byte order mark that a spreadsheet took for three letters. */
const misreadMark = /^\u00EF\u00BB\u00BF/;

/** The heading of a column of counties. */
const isCounty = (heading: string): boolean => /^county(name)?$/.test(bare(heading));

/** A heading such as `Location / latitude` or `addr:district` has parts. */
const partsOf = (heading: string): string[] => {
  const parts = heading.split(/[/:>|]/);
  return parts.length > 1 ? [...parts.slice(-1), ...parts.slice(0, 1)] : [];
};

/** Makes a function that tells the field of a heading and how it is known; nothing if it is not known. */
export function headingReader(form: Form): (heading: string) => { field: string; manner: ColumnManner } | undefined {
  const fieldOf = fieldFinder(form);
  const alike = (heading: string): string | undefined => {
    const guess = guesses.get(bare(heading));
    return guess !== undefined && guess in form.rule.shape ? guess : undefined;
  };
  return (given) => {
    const heading = given.replace(misreadMark, "");
    const known = fieldOf(heading);
    if (known !== undefined) return { field: known, manner: "known" };
    const guess =
      alike(heading) ??
      partsOf(heading)
        .map((part) => fieldOf(part) ?? alike(part))
        .find((one) => one !== undefined);
    return guess === undefined ? undefined : { field: guess, manner: "alike" };
  };
}

export type AssignedColumn = { heading: string; field: string | null; manner: ColumnManner };

/** The headings, each one once: an empty one is named by its place, a repeated one gets a number. */
function distinctHeadings(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name, index) => {
    const heading = cutTo(240, personForm(name)) || `(column ${index + 1}, without a name)`;
    const before = seen.get(heading) ?? 0;
    seen.set(heading, before + 1);
    return before === 0 ? heading : `${heading} (${before + 1})`;
  });
}

/**
 * Assigns a field to each column. What was chosen for a heading counts; then the names of the fields; then other
 * systems' headings, as long as no column has that field yet. `fixed`: the fields of columns that a format defines.
 */
export function assignColumns(
  form: Form,
  names: readonly string[],
  chosen: Record<string, string>,
  fixed?: readonly (string | undefined)[],
): { header: Header; columns: AssignedColumn[] } {
  const read = headingReader(form);
  const headings = distinctHeadings(names);
  const columns: AssignedColumn[] = headings.map((heading) => ({ heading, field: null, manner: "leftOut" }));
  const isTaken = (field: string) => columns.some((column) => column.field === field);
  const give = (index: number, field: string, manner: ColumnManner) =>
    void (columns[index] = { ...columns[index]!, field: field === "" ? null : field, manner });
  headings.forEach((heading, index) => {
    if (Object.hasOwn(chosen, heading)) give(index, chosen[heading]!, "chosen");
  });
  const isOpen = (index: number) => columns[index]!.manner === "leftOut";
  const bareNames = names.map(bare);
  const isOpenStreetMap = bareNames.some((name) => ofOpenStreetMap.has(name));
  const isPlane = bareNames.includes("x") && bareNames.includes("y");
  const hasCoordinates = isPlane || names.some((name) => read(name)?.field === "latitude");
  const means = names.map((name, index) => {
    if (fixed) return fixed[index] && { field: fixed[index], manner: "known" as const };
    const one = bareNames[index]!;
    if (one === "uuid" && isOpenStreetMap) return undefined;
    if (isPlane && (one === "x" || one === "y"))
      return { field: one === "x" ? "longitude" : "latitude", manner: "alike" as const };
    const found = read(name);
    // A column with both coordinates is not needed beside those of each.
    return found?.field === "position" && hasCoordinates ? undefined : found;
  });
  // A county lies above the districts or sub-counties of a list; in a list without them it is read as the district.
  const isUpper = means.some((one, index) => one && one.field === "district" && !isCounty(names[index]!));
  means.forEach((one, index) => {
    if (one && isUpper && isCounty(names[index]!)) one.field = "province";
  });
  for (const manner of ["known", "alike"] as const)
    means.forEach((found, index) => {
      if (!found || found.manner !== manner || !isOpen(index)) return;
      // Two columns that both have the name of a field are an error that names both.
      if (
        manner === "known"
          ? !columns.some((one) => one.field === found.field && one.manner === "chosen")
          : !isTaken(found.field)
      )
        give(index, found.field, manner);
    });
  return {
    header: readHeader(
      form,
      headings,
      columns.map(({ field }) => field ?? undefined),
    ),
    columns,
  };
}

/** The fields that a column can be taken for. */
export const fieldsOf = ({ rule }: { rule: z.ZodObject }): string[] => Object.keys(rule.shape);
