import { fold } from "../input/identity.rules.ts";
import type { Header } from "../reference/load/load.rules.ts";

/** Reads DHIS2's organisation units (JSON of its API, or CSV) as rows of a list of facilities. */

/**
 * The names of a unit's keys in the files that DHIS2 makes. Upper or lower case, spaces, dots and underscores do not
 * matter.
 */
const names = {
  id: ["id", "uid", "organisationunitid", "orgunitid"],
  code: ["code", "organisationunitcode"],
  name: ["name", "displayname", "organisationunitname"],
  level: ["level"],
  path: ["path"],
  parentId: ["parent", "parentid", "parentuid"],
  parentName: ["parentname", "parentdisplayname"],
  closedDate: ["closeddate"],
  geometry: ["geometry", "coordinates"],
  latitude: ["latitude"],
  longitude: ["longitude"],
} as const;
type Key = keyof typeof names;
const columnKey = (text: string): string =>
  fold(text)
    .toLowerCase()
    .replaceAll(/[\s_.]/g, "");
const keyOf = new Map(
  Object.entries(names).flatMap(([key, called]) => called.map((one) => [one as string, key as Key])),
);

export type Unit = {
  /** its place in the list, from 1 on; the line in a file */
  line: number;
  id: string;
  code: string;
  name: string;
  /** the ids of the units above, the top first, as far as they are given */
  above: string[];
  parentName: string;
  level: number | undefined;
  /** the day of closing; "" if the unit is open, undefined if not given */
  closed: string | undefined;
  latitude: string;
  longitude: string;
};

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

/** Latitude and longitude of a point: GeoJSON, its text, or DHIS2's former "[longitude,latitude]". */
function pointOf(given: unknown): { latitude: string; longitude: string } {
  const none = { latitude: "", longitude: "" };
  let value = given;
  if (typeof value === "string" && value.trim() !== "") {
    try {
      value = JSON.parse(value);
    } catch {
      // Not JSON: the text is returned, so that the check of numbers refuses it with its usual message.
      return { latitude: value as string, longitude: value as string };
    }
  }
  if (value === null || value === undefined || value === "") return none;
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  const pair = Array.isArray(value) ? (value as unknown[]) : type === "Point" ? coordinates : undefined;
  // An outline (nested arrays) is not a position.
  if (!Array.isArray(pair) || pair.length < 2 || pair.some((one) => typeof one === "object")) return none;
  return { latitude: String(pair[1]), longitude: String(pair[0]) };
}

function unitOf(line: number, value: (key: Key) => unknown): Unit {
  const id = textOf(value("id"));
  const path = textOf(value("path"))
    .split("/")
    .filter((part) => part !== "");
  const parent = value("parentId");
  const parentId =
    typeof parent === "object" && parent !== null ? textOf((parent as { id?: unknown }).id) : textOf(parent);
  const { name, displayName } = (typeof parent === "object" && parent !== null ? parent : {}) as {
    name?: unknown;
    displayName?: unknown;
  };
  const level = Number(textOf(value("level")) || Number.NaN);
  const closed = value("closedDate");
  const point = pointOf(value("geometry"));
  return {
    ...{
      line,
      id,
      code: textOf(value("code")),
      name: textOf(value("name")),
      parentName: textOf(name ?? displayName ?? value("parentName")),
    },
    above: path.length > 0 ? path.slice(0, -1) : parentId === "" ? [] : [parentId],
    level: Number.isInteger(level) ? level : path.length > 0 ? path.length : undefined,
    closed: closed === undefined ? undefined : textOf(closed).slice(0, 10),
    latitude: textOf(value("latitude")) || point.latitude,
    longitude: textOf(value("longitude")) || point.longitude,
  };
}

/** The units of a JSON content, or why it is not a list of organisation units. */
export function unitsOfJson(content: unknown): { units: Unit[]; why?: undefined } | { units?: undefined; why: string } {
  const { organisationUnits, pager } = (content ?? {}) as {
    organisationUnits?: unknown;
    pager?: { page?: unknown; pageCount?: unknown };
  };
  if (!Array.isArray(organisationUnits)) {
    const keys =
      typeof content === "object" && content !== null && !Array.isArray(content)
        ? Object.keys(content).slice(0, 5).join(", ")
        : "";
    return {
      why: `the JSON is no list of organisation units: it lacks organisationUnits${keys ? ` (it has ${keys.slice(0, 100)})` : ""}`,
    };
  }
  if (Number(pager?.pageCount) > 1)
    return {
      why: `this is page ${Number(pager?.page) || 1} of ${Number(pager?.pageCount)}: ask DHIS2 for all units, with paging=false`,
    };
  const given = organisationUnits as unknown[];
  const ids = new Set(given.map((one) => (one as { id?: unknown } | null)?.id));
  const isNested = given.some((one) => {
    const children = (one as { children?: unknown } | null)?.children;
    return (
      Array.isArray(children) &&
      (children as unknown[]).some((child) => !ids.has((child as { id?: unknown } | null)?.id))
    );
  });
  if (isNested) {
    const fields = "id,code,name,level,path,geometry,closedDate";
    return {
      why: `the units are nested (children): ask DHIS2 for a flat list, with paging=false and fields=${fields}`,
    };
  }
  const odd = given.findIndex((one) => typeof one !== "object" || one === null || Array.isArray(one));
  if (odd >= 0) return { why: `organisationUnits has something at place ${odd + 1} that is no unit` };
  return {
    units: given.map((one, index) => {
      const unit = new Map(
        Object.entries(one as object).flatMap(([name, value]) =>
          keyOf.has(columnKey(name)) ? [[keyOf.get(columnKey(name))!, value as unknown] as const] : [],
        ),
      );
      return unitOf(index + 1, (key) => unit.get(key));
    }),
  };
}

/** Whether the columns are those of DHIS2's organisation units, and not of a list of facilities. */
export const isUnitHeader = (header: readonly string[]): boolean => {
  const keys = new Set(header.map(columnKey));
  return (
    names.id.some((name) => keys.has(name)) &&
    names.name.some((name) => keys.has(name)) &&
    !keys.has("district") &&
    !keys.has("hmiscode")
  );
};

/** Makes a function that reads a line of a CSV file of organisation units. `ignored`: the unknown columns. */
export function unitReader(header: readonly string[]): {
  read: (line: number, cells: readonly string[]) => Unit;
  ignored: string[];
} {
  const at = new Map<Key, number>();
  const ignored: string[] = [];
  header.forEach((column, index) => {
    const key = keyOf.get(columnKey(column));
    if (key === undefined || at.has(key)) ignored.push(fold(column) || `(column ${index + 1}, without a name)`);
    else at.set(key, index);
  });
  return { read: (line, cells) => unitOf(line, (key) => (at.has(key) ? cells[at.get(key)!] : undefined)), ignored };
}

/**
 * The header for rows that are made of units: for each field the key of the unit, which errors name. The order is that
 * of the cells.
 */
export const unitHeader: Header = {
  fields: new Map(
    (
      [
        ["facilityName", "name"],
        ["dhis2", "id"],
        ["hmisCode", "code"],
        ["district", "parent"],
        ["province", "parent"],
        ["latitude", "geometry"],
        ["longitude", "geometry"],
      ] as const
    ).map(([field, column], index) => [field, { index, column }]),
  ),
  ignored: [],
  errors: [],
};

const most = (values: readonly number[]): number | undefined =>
  values.reduce<number | undefined>((found, one) => (found === undefined || one > found ? one : found), undefined);
const mostOfCode = 32;

type UnitRow = {
  line: number;
  cells: string[];
  closed: string | undefined;
  warnings: { column: string; message: string }[];
};

/**
 * The units that are facilities, as rows: those of the level `wanted`, or by default of the deepest level. Their places
 * are the names of the units above.
 */
export function facilitiesOf(
  units: readonly Unit[],
  wanted: number | undefined,
): { rows: UnitRow[]; columns: string[]; notes: string[] } {
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const parents = new Set(units.flatMap(({ above }) => above.slice(-1)));
  const chain = (unit: Unit): Unit[] => {
    const found: Unit[] = [];
    for (
      let next = byId.get(unit.above.at(-1) ?? "");
      next && found.length < 10 && !found.includes(next);
      next = byId.get(next.above.at(-1) ?? "")
    )
      found.push(next);
    return found;
  };
  const levelOf = (unit: Unit): number | undefined =>
    unit.level ?? (unit.above.length > 0 || parents.has(unit.id) ? chain(unit).length + 1 : undefined);
  const level = wanted ?? most(units.flatMap((unit) => levelOf(unit) ?? []));
  const chosen = units.filter((unit) => level === undefined || levelOf(unit) === level);
  const others = units.length - chosen.length;
  const notes =
    level === undefined
      ? []
      : [
          `${chosen.length} units of level ${level} are compared as facilities${others > 0 ? `, ${others} of other levels are not` : ""}.`,
        ];
  const rows = chosen.map((unit): UnitRow => {
    const [district, province] = [
      unit.above.map((id) => byId.get(id)?.name).at(-1) || unit.parentName,
      byId.get(unit.above.at(-2) ?? chain(unit)[1]?.id ?? "")?.name,
    ];
    const isPlaced = Boolean(district) && Boolean(province);
    const warnings =
      [...unit.code].length > mostOfCode
        ? [{ column: "code", message: `'${unit.code.slice(0, 40)}' is too long for an HMIS code: not compared` }]
        : [];
    return {
      ...{ line: unit.line, closed: unit.closed, warnings },
      cells: [
        unit.name,
        unit.id,
        warnings.length > 0 ? "" : unit.code,
        isPlaced ? district! : "",
        isPlaced ? province! : "",
        unit.latitude,
        unit.longitude,
      ],
    };
  });
  // A field that no unit has is not compared, because the list was made without it.
  const columns = [...unitHeader.fields].flatMap(([field, { index }]) =>
    field === "dhis2" || rows.some(({ cells }) => cells[index] !== "") ? [field] : [],
  );
  if (rows.some(({ closed }) => closed !== undefined)) columns.push("closed");
  return { rows, columns, notes };
}
