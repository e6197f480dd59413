import { fold } from "../input/identity.rules.ts";
import type { Header } from "../reference/load/load.rules.ts";
import { cutTo } from "../input/text.rules.ts";

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
  ancestors: ["ancestors"],
  parentName: ["parentname", "parentdisplayname"],
  closedDate: ["closeddate"],
  geometry: ["geometry"],
  coordinates: ["coordinates"],
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
  /** the names of units above that the list may not have itself, by id */
  aboveNames?: ReadonlyMap<string, string>;
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

type Nested = { id?: unknown; name?: unknown; displayName?: unknown; parent?: unknown; children?: unknown };
const isNested = (value: unknown): value is Nested =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** How deep units may lie in each other: no country has more levels. */
const mostLevels = 20;

/** The units above, the top first, of a parent that is given as an object, possibly with its own parent. */
function parentsOf(parent: unknown): { id: string; name: string }[] {
  const chain: { id: string; name: string }[] = [];
  for (let next = parent; isNested(next) && chain.length < mostLevels; next = next.parent) {
    const id = textOf(next.id);
    if (id !== "") chain.unshift({ id, name: textOf(next.name ?? next.displayName) });
  }
  return chain;
}

/** DHIS2 also gives children by their ids alone, beside the units themselves. */
const hasName = (unit: unknown): boolean => isNested(unit) && (unit.name ?? unit.displayName) !== undefined;

/** Units that lie in each other (children), as a flat list: each with its parents. */
function flattened(units: readonly unknown[]): unknown[] {
  const flat: unknown[] = [];
  const add = (unit: unknown, parent: Nested | undefined, level: number): void => {
    if (!isNested(unit) || level > mostLevels) return void flat.push(unit);
    const { children, ...own } = unit;
    const placed: Nested = parent && own.parent === undefined ? { ...own, parent } : own;
    flat.push(placed);
    if (Array.isArray(children)) for (const child of children as unknown[]) add(child, placed, level + 1);
  };
  for (const unit of units) add(unit, undefined, 1);
  // A unit can be given both in its parent and by itself.
  const withParent = new Set(
    flat.filter((one) => isNested(one) && isNested(one.parent)).map((one) => (one as Nested).id),
  );
  const seen = new Set<unknown>();
  return flat.filter((one) => {
    if (!isNested(one) || one.id === undefined) return true;
    if ((withParent.has(one.id) && !isNested(one.parent)) || seen.has(one.id)) return false;
    seen.add(one.id);
    return true;
  });
}

function unitOf(line: number, value: (key: Key) => unknown): Unit {
  const id = textOf(value("id"));
  const path = textOf(value("path"))
    .split("/")
    .filter((part) => part !== "");
  const parent = value("parentId");
  const ancestors = value("ancestors");
  const chain = Array.isArray(ancestors)
    ? (ancestors as unknown[]).flatMap((one) => parentsOf(one).slice(-1))
    : parentsOf(parent);
  const above = chain.length > 0 ? chain.map(({ id: one }) => one) : textOf(parent) === "" ? [] : [textOf(parent)];
  const level = Number(textOf(value("level")) || Number.NaN);
  const closed = value("closedDate");
  const point = pointOf(value("geometry") || value("coordinates"));
  return {
    ...{
      line,
      id,
      code: textOf(value("code")),
      name: textOf(value("name")),
      parentName: chain.at(-1)?.name || textOf(value("parentName")),
    },
    above: path.length > 0 ? path.slice(0, -1) : above,
    ...(chain.length > 0 ? { aboveNames: new Map(chain.map(({ id: one, name }) => [one, name])) } : {}),
    level: Number.isInteger(level) ? level : path.length > 0 ? path.length : undefined,
    closed: closed === undefined ? undefined : textOf(closed).slice(0, 10),
    latitude: textOf(value("latitude")) || point.latitude,
    longitude: textOf(value("longitude")) || point.longitude,
  };
}

/** DHIS2 also gives one unit with those below it, the units alone, and units as features of GeoJSON. */
function listOf(content: unknown): unknown {
  if (Array.isArray(content)) {
    const isUnits = (content as object[]).some(
      (one) => Array.isArray((one as Nested)?.children) || tellsLevels(Object.keys(one ?? {})),
    );
    return isUnits && content.every(hasName) ? { organisationUnits: content } : content;
  }
  if (!isNested(content)) return content;
  if (Array.isArray(content.children) && hasName(content)) return { organisationUnits: [content] };
  const { features } = content as { features?: unknown };
  const units = (Array.isArray(features) ? (features as unknown[]) : []).map((feature) => {
    const { id, properties, geometry } = (feature ?? {}) as { id?: unknown; properties?: Nested; geometry?: unknown };
    const { parentGraph } = (properties ?? {}) as { parentGraph?: unknown };
    return typeof parentGraph === "string" && { ...properties, id, geometry, path: `${parentGraph}/${textOf(id)}` };
  });
  return units.length > 0 && units.every(Boolean) ? { organisationUnits: units } : content;
}

/** The units of a JSON content, or why it is not a list of organisation units. */
export function unitsOfJson(given: unknown): { units: Unit[]; why?: undefined } | { units?: undefined; why: string } {
  const content = listOf(given);
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
  const listed = organisationUnits as unknown[];
  const isTree = listed.some((one) => isNested(one) && Array.isArray(one.children) && one.children.some(hasName));
  const flat = isTree ? flattened(listed) : listed;
  const odd = flat.findIndex((one) => typeof one !== "object" || one === null || Array.isArray(one));
  if (odd >= 0) return { why: `organisationUnits has something at place ${odd + 1} that is no unit` };
  return {
    units: flat.map((one, index) => {
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

/** Whether the columns tell levels or parents, which no plain list of facilities has. */
export const tellsLevels = (header: readonly string[]): boolean =>
  header.some((column) => {
    const key = keyOf.get(columnKey(column));
    return key === "level" || key === "path" || key === "parentId" || key === "parentName" || key === "ancestors";
  });

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

/** The level of each unit, as far as it can be told, and the one that is taken as that of the facilities. */
export function levelsOf(units: readonly Unit[], wanted: number | undefined) {
  const { levelOf, level } = unitLevels(units, wanted);
  const levels = new Map<number, Unit[]>();
  for (const unit of units) {
    const own = levelOf(unit);
    if (own === undefined) continue;
    const others = levels.get(own);
    if (others) others.push(unit);
    else levels.set(own, [unit]);
  }
  return { levels: [...levels].toSorted(([a], [b]) => a - b), level };
}

function unitLevels(units: readonly Unit[], wanted: number | undefined) {
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
    unit.level ??
    (unit.above.length > 0 || parents.has(unit.id) ? Math.max(chain(unit).length, unit.above.length) + 1 : undefined);
  return { byId, chain, levelOf, level: wanted ?? most(units.flatMap((unit) => levelOf(unit) ?? [])) };
}

export type UnitRow = {
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
  const { byId, chain, levelOf, level } = unitLevels(units, wanted);
  const outside = new Map(units.flatMap(({ aboveNames }) => [...(aboveNames ?? [])]));
  const nameOf = (id: string): string | undefined => byId.get(id)?.name ?? outside.get(id);
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
      unit.above.map(nameOf).at(-1) || unit.parentName,
      nameOf(unit.above.at(-2) ?? chain(unit)[1]?.id ?? ""),
    ];
    const warnings =
      [...unit.code].length > mostOfCode
        ? [{ column: "code", message: `'${cutTo(40, unit.code)}' is too long for an HMIS code: not compared` }]
        : [];
    return {
      ...{ line: unit.line, closed: unit.closed, warnings },
      cells: [
        unit.name,
        unit.id,
        warnings.length > 0 ? "" : unit.code,
        district || "",
        (district && province) || "",
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
