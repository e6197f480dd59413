import type { Boundaries, Outline } from "../ui/map/boundaries.ts";
import { perDegree } from "../ui/map/boundaries.ts";
import type { ChartChoice } from "./answerChart.ts";
import type { AnswerTable, Cell } from "./answerTable.ts";

/** A table as a map: rows with a position are points, rows that name a province or district are its area. */

/** A row on the map. `value` is null if the row has no figure, and for all rows if no figure is drawn. */
export type MapMark = { label: string; value: number | null } & ({ path: string } | { east: number; north: number });
/** A class of figures, with its depth in the palette. */
export type MapClass = { label: string; depth: number; count: number };
export type AnswerMap = {
  marks: (MapMark & { depth: number | undefined })[];
  /** in the order of the legend; empty if no figure is drawn */
  classes: MapClass[];
  without: number;
  /** outlines behind the points, and outlines of places without a row */
  ground: Outline[];
  /** the bounds of what is drawn [west, south, east, north], in steps of the outlines */
  boxes: (readonly number[])[];
  /** the names of rows that are not on the map */
  missing: string[];
};

const depths = 5;

const endsWith = (name: string, ...ends: string[]) => ends.some((end) => name === end || name.endsWith(`.${end}`));
const find = ({ columns }: AnswerTable, ...ends: string[]) => columns.findIndex(({ name, isNumeric }) => isNumeric && endsWith(name, ...ends));

/** The columns of positions (in degrees), if the table has them. */
export function positionsOf(table: AnswerTable): { latitude: number; longitude: number } | undefined {
  const [latitude, longitude] = [find(table, "latitude"), find(table, "longitude")];
  return latitude < 0 || longitude < 0 ? undefined : { latitude, longitude };
}

/** The columns of figures by which a map of this table can be coloured. */
export const mapFiguresOf = ({ columns }: AnswerTable): string[] =>
  columns.filter(({ name, isNumeric }) => isNumeric && !endsWith(name, "latitude", "longitude")).map(({ name }) => name);

/** Of the columns that name a row, the one with places: districts before provinces, otherwise the first column. */
export const placeColumn = (by: readonly string[]): string =>
  by.findLast((name) => endsWith(name, "district", "district.name")) ?? by.findLast((name) => endsWith(name, "province", "province.name")) ?? by[0]!;

const folded = (cell: Cell | undefined) => String(cell ?? "").trim().toLowerCase();

/** Whether most of the table's places have one of these outlines. */
export function areAmong(table: AnswerTable, column: string, { outlines }: Boundaries): boolean {
  const at = table.columns.findIndex(({ name }) => name === column);
  const names = new Set(outlines.map(({ name }) => folded(name)));
  const places = new Set(table.rows.map((row) => folded(row[at])).filter((place) => place !== ""));
  return [...places].filter((place) => names.has(place)).length * 2 > places.size;
}

/** The next round number from 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundUp(step: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const found = [1, 2, 2.5, 5, 10].map((times) => times * power).find((round) => round >= step * (1 - 1e-9) && (!isWhole || Number.isInteger(round)));
  return found ?? 1;
}

const number = (value: number) => (Math.round(value * 1000) / 1000).toLocaleString("en");

/** At most five classes of equal width with round bounds. Shares have five classes of 20 percent. */
export function classesOf(values: readonly number[], isShares: boolean): { depthOf: (value: number) => number; classes: Omit<MapClass, "count">[] } {
  if (isShares) {
    const classes = Array.from({ length: depths }, (_, depth) => ({ depth, label: depth === 4 ? "80 to 100 %" : `${20 * depth} to ${20 * depth + 19} %` }));
    return { depthOf: (value) => Math.min(depths - 1, Math.floor(value * depths + 1e-9)), classes };
  }
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const isWhole = values.every(Number.isInteger);
  let step = roundUp(Math.max((most - least) / depths, isWhole ? 1 : 1e-6), isWhole);
  const startOf = () => Math.floor(least / step + 1e-9) * step;
  const countOf = () => Math.floor((most - startOf()) / step + 1e-9) + 1;
  while (countOf() > depths) step = roundUp(step * 1.01, isWhole);
  const [start, count] = [startOf(), countOf()];
  const label = (from: number) => (!isWhole ? `${number(from)} to under ${number(from + step)}` : step === 1 ? number(from) : `${number(from)} to ${number(from + step - 1)}`);
  // If there are only a few classes, their depths are as different as possible.
  const depthAt = (place: number) => (count === 1 ? 3 : Math.round((place * (depths - 1)) / (count - 1)));
  return {
    depthOf: (value) => depthAt(Math.floor((value - start) / step + 1e-9)),
    classes: Array.from({ length: count }, (_, place) => ({ depth: depthAt(place), label: label(start + place * step) })),
  };
}

/**
 * The map of a table.
 *
 * @param boundaries the outlines of the places that the rows name; behind points, those of the provinces
 * @returns the map, or the reason why there is none
 */
export function mapOf(table: AnswerTable, { by, of }: Pick<ChartChoice, "by" | "of">, boundaries: Boundaries): AnswerMap | string {
  const at = (name: string | undefined) => table.columns.findIndex((column) => column.name === name);
  const positions = positionsOf(table);
  const figure = at(of.find((name) => mapFiguresOf(table).includes(name)));
  const valueOf = (row: readonly Cell[]) => (typeof row[figure] === "number" ? row[figure] : null);
  const marks: MapMark[] = [];
  const missing: string[] = [];
  const drawn = new Set<string>();
  if (positions) {
    const names = by.map(at);
    for (const row of table.rows) {
      const label = names.map((place) => row[place] ?? "none").join(" · ");
      const [latitude, longitude] = [row[positions.latitude], row[positions.longitude]];
      if (typeof latitude === "number" && typeof longitude === "number") marks.push({ label, value: valueOf(row), east: longitude * perDegree, north: latitude * perDegree });
      else missing.push(label);
    }
  } else {
    const column = placeColumn(by);
    const place = at(column);
    const outlines = new Map(boundaries.outlines.map((outline) => [folded(outline.name), outline]));
    for (const row of table.rows) {
      const name = folded(row[place]);
      const label = String(row[place] ?? "none");
      if (drawn.has(name)) return `A map needs one row for each place, and ${label} has several. Ask for groups by ${column.replace(/\.name$/, "")} alone, or choose another kind of chart.`;
      drawn.add(name);
      const outline = outlines.get(name);
      if (outline) marks.push({ label, value: valueOf(row), path: outline.path });
      else missing.push(label);
    }
  }
  if (marks.length === 0) return positions ? "No row has a position." : "No row is named by a province or district that has an outline. Ask for the name of the province or district, or for latitude and longitude.";
  const values = marks.flatMap(({ value }) => (value === null ? [] : [value]));
  const isShares = endsWith(table.columns[figure]?.name ?? "", "share") && values.every((value) => value <= 1);
  const { depthOf, classes } = values.length > 0 ? classesOf(values, isShares) : { depthOf: () => 3, classes: [] };
  const depthsOf = marks.map((mark) => ({ ...mark, depth: figure < 0 ? 3 : mark.value === null ? undefined : depthOf(mark.value) }));
  return {
    marks: depthsOf,
    classes: classes.map((each) => ({ ...each, count: depthsOf.filter(({ depth }) => depth === each.depth).length })),
    without: figure < 0 ? 0 : marks.length - values.length,
    ground: positions ? boundaries.outlines : boundaries.outlines.filter(({ name }) => !drawn.has(folded(name))),
    boxes: [...boundaries.outlines.map(({ box }) => box), ...marks.flatMap((mark) => ("east" in mark ? [[mark.east, mark.north, mark.east, mark.north]] : []))],
    missing,
  };
}
