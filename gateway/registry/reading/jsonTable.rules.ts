import { builtInSystems } from "../../../db/facility/identifierSystems.rules.ts";
import { facilitiesOf, levelsOf, type Unit, unitHeader, unitsOfJson } from "../organisationUnits.rules.ts";
import type { ListFormat, Reading } from "./reading.rules.ts";

/** Lists in JSON as tables: GeoJSON points, DHIS2's organisation units, and FHIR bundles. */

export type JsonTable = {
  format: ListFormat;
  headings: string[];
  /** the fields of the columns, where the format defines them */
  fields?: (string | undefined)[];
  rows: { line: number; cells: string[] }[];
  notes: string[];
  levels: Reading["levels"];
};
type Made = { table: JsonTable; why?: undefined } | { table?: undefined; why: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "";
const counted = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`;

const mostColumns = 200;
const mostExamples = 3;

function geoTable(features: readonly unknown[]): Made {
  const names = new Map<string, number>();
  for (const feature of features)
    for (const name of Object.keys(
      (isObject(feature) && isObject(feature["properties"]) && feature["properties"]) || {},
    ))
      if (!names.has(name) && names.size < mostColumns) names.set(name, names.size);
  const headings = [...names.keys()];
  const hasOwn = headings.some((name) => /^lat(itude)?$/i.test(name));
  let shapes = 0;
  const rows = features.map((feature, index) => {
    const { properties, geometry } = (isObject(feature) ? feature : {}) as {
      properties?: unknown;
      geometry?: { type?: unknown; coordinates?: unknown } | null;
    };
    const { type, coordinates } = geometry ?? {};
    const many = Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
    const point = type === "MultiPoint" && many.length === 1 ? many[0] : type === "Point" ? many : undefined;
    const pair = Array.isArray(point) ? (point as unknown[]) : [];
    if (geometry && !point) shapes += 1;
    const own = headings.map((name) => textOf(isObject(properties) ? properties[name] : undefined));
    return { line: index + 2, cells: hasOwn ? own : [...own, textOf(pair[1]), textOf(pair[0])] };
  });
  return {
    table: {
      format: "geojson",
      headings: hasOwn ? headings : [...headings, "latitude", "longitude"],
      rows,
      levels: [],
      notes:
        shapes > 0
          ? [`${counted(shapes, "feature")} with an outline instead of a point: read without a position.`]
          : [],
    },
  };
}

/** An answer of OpenStreetMap's Overpass API as the features of GeoJSON. */
const overpassFeatures = (elements: readonly unknown[]): unknown[] =>
  elements.filter(isObject).flatMap(({ type, id, lat, lon, center, tags }) => {
    const at = isObject(center) ? center : { lat, lon };
    const geometry = at["lat"] === undefined ? null : { type: "Point", coordinates: [at["lon"] as unknown, at["lat"]] };
    return isObject(tags) ? [{ properties: { "@id": `${textOf(type)}/${textOf(id)}`, ...tags }, geometry }] : [];
  });

/** A table of organisation units: those of one level, each with the names of the two units above. */
export function unitTable(units: readonly Unit[], level: number | undefined): JsonTable {
  const { rows, notes } = facilitiesOf(units, level);
  const { levels, level: taken } = levelsOf(units, level);
  const closed = rows.filter((row) => row.closed !== undefined && row.closed !== "").length;
  const long = rows.filter(({ warnings }) => warnings.length > 0).length;
  return {
    format: "organisationUnits",
    headings: ["name", "id", "code", "unit above", "unit above that", "latitude", "longitude"],
    fields: [...unitHeader.fields.keys()],
    rows: rows.map(({ line, cells }) => ({ line, cells })),
    notes: [
      ...notes,
      ...(closed > 0 ? [`${counted(closed, "unit")} of them closed: an import closes nothing.`] : []),
      ...(long > 0 ? [`${counted(long, "code")} too long for an HMIS code: not taken.`] : []),
    ],
    levels: levels.map(([one, members]) => ({
      level: one,
      units: members.length,
      examples: members.slice(0, mostExamples).map(({ name }) => name),
      isChosen: one === taken,
    })),
  };
}

type Resource = {
  resourceType?: unknown;
  id?: unknown;
  name?: unknown;
  status?: unknown;
  active?: unknown;
  identifier?: unknown;
  position?: { latitude?: unknown; longitude?: unknown } | null;
  address?: unknown;
  partOf?: { reference?: unknown; display?: unknown } | null;
  physicalType?: { coding?: unknown } | null;
};
const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];

function fhirTable(entries: readonly unknown[]): Made {
  const resources = entries.flatMap((entry): Resource[] => {
    const resource = isObject(entry) && isObject(entry["resource"]) ? (entry["resource"] as Resource) : undefined;
    return resource?.resourceType === "Location" || resource?.resourceType === "Organization" ? [resource] : [];
  });
  if (resources.length === 0)
    return { why: "the FHIR bundle has no Location and no Organization: ask for one of them" };
  // A bundle with both has each facility twice. The locations have the positions.
  const type = resources.some(({ resourceType }) => resourceType === "Location") ? "Location" : "Organization";
  const own = resources.filter(({ resourceType }) => resourceType === type);
  const byReference = new Map(own.map((one) => [`${type}/${textOf(one.id)}`, one]));
  // A reference may be the whole address of a resource, with its version.
  const referenceOf = (one: Resource | undefined) =>
    /[^/]+\/[^/]+$/.exec(textOf(one?.partOf?.reference).replace(/\/_history\/.*$/, ""))?.[0] ?? "";
  const parentOf = (one: Resource | undefined) => byReference.get(referenceOf(one));
  const parents = new Set(own.map(referenceOf));
  const isPlace = (one: Resource): boolean =>
    parents.has(`${type}/${textOf(one.id)}`) || list(one.physicalType?.coding).some(({ code }) => code === "jdn");
  const sites = own.filter((one) => !isPlace(one));
  const uris = [
    ...new Set(sites.flatMap(({ identifier }) => list(identifier).map(({ system }) => textOf(system)))),
  ].slice(0, mostColumns);
  const systemOf = (uri: string): string | undefined => {
    const system = builtInSystems.find((one) => one.uri === uri)?.system;
    if (uri === "urn:zm:platform:facility") return "facilityUuid";
    return system === "hmis" ? "hmisCode" : system;
  };
  const rows = sites.map((one, index) => {
    const [address] = isObject(one.address) ? [one.address] : list(one.address);
    const identifiers = list(one.identifier).filter(({ use }) => use !== "old");
    const above = parentOf(one);
    return {
      line: index + 2,
      cells: [
        textOf(one.name),
        textOf(one.id),
        textOf(address?.["district"]) || textOf(above?.name) || textOf(one.partOf?.display),
        textOf(address?.["state"]) || textOf(parentOf(above)?.name) || textOf(above?.partOf?.display),
        textOf(one.position?.latitude),
        textOf(one.position?.longitude),
        ...uris.map((uri) => textOf(identifiers.find(({ system }) => textOf(system) === uri)?.["value"])),
      ],
    };
  });
  const others = own.length - sites.length;
  return {
    table: {
      format: "fhir",
      headings: [
        "name",
        "id",
        "district",
        "province",
        "latitude",
        "longitude",
        ...uris.map((uri) => `identifier ${uri}`),
      ],
      fields: ["facilityName", undefined, "district", "province", "latitude", "longitude", ...uris.map(systemOf)],
      rows,
      levels: [],
      notes: [
        `${counted(sites.length, type)} read as facilities${others > 0 ? `, ${others} that others are part of as places` : ""}.`,
      ],
    },
  };
}

/** The table of a content in JSON, or why it has none. */
export function jsonTable(content: unknown, level: number | undefined): Made {
  const given = isObject(content) ? content : {};
  if (given["resourceType"] === "Bundle") {
    const hasMore = list(given["link"]).some(({ relation }) => relation === "next");
    if (hasMore) return { why: "this is one page of a FHIR search: ask for all resources, with a larger _count" };
    return fhirTable(Array.isArray(given["entry"]) ? given["entry"] : []);
  }
  if (Array.isArray(given["elements"])) return geoTable(overpassFeatures(given["elements"]));
  const { units, why } = unitsOfJson(content);
  if (why === undefined) return { table: unitTable(units, level) };
  if (given["type"] === "FeatureCollection" && Array.isArray(given["features"])) return geoTable(given["features"]);
  return {
    why: Array.isArray(given["organisationUnits"])
      ? why
      : "the JSON is neither GeoJSON (FeatureCollection), nor DHIS2's organisationUnits, nor a FHIR Bundle: save the list as one of them, or as CSV",
  };
}
