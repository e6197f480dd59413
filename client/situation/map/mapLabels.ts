/** Where the names of areas stand on the map. */

type Point = readonly [east: number, north: number];

/** The rings of a path of outlines, which consists of absolute and relative moves and lines. */
export function ringsOf(path: string): Point[][] {
  const rings: Point[][] = [];
  let [east, north] = [0, 0];
  for (const [, command, numbers] of path.matchAll(/([MmLlHhVvZz])([^A-Za-z]*)/g)) {
    const values = (numbers!.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
    const isRelative = command === command!.toLowerCase();
    const kind = command!.toUpperCase();
    const step = kind === "H" || kind === "V" ? 1 : 2;
    for (let at = 0; at < values.length; at += step) {
      const [x, y] =
        kind === "H" ? [values[at]!, undefined] : kind === "V" ? [undefined, values[at]!] : values.slice(at);
      east = x === undefined ? east : isRelative ? east + x : x;
      north = y === undefined ? north : isRelative ? north + y : y;
      if (kind === "M" && at === 0) rings.push([]);
      rings.at(-1)?.push([east, north]);
    }
    const first = rings.at(-1)?.[0];
    if (kind === "Z" && first) [east, north] = first;
  }
  return rings;
}

/** The parts of the line at this latitude that are inside the rings. */
function insideAt(rings: readonly Point[][], latitude: number): [west: number, east: number][] {
  // A loop: thousands of points, for each line of each name.
  const crossings: number[] = [];
  for (const ring of rings) {
    let [lastEast, lastNorth] = ring.at(-1)!;
    for (const [east, north] of ring) {
      if (north > latitude !== lastNorth > latitude)
        crossings.push(lastEast + ((latitude - lastNorth) / (north - lastNorth)) * (east - lastEast));
      [lastEast, lastNorth] = [east, north];
    }
  }
  const sorted = crossings.toSorted((a, b) => a - b);
  return sorted.flatMap((west, at) => (at % 2 === 0 && sorted[at + 1] !== undefined ? [[west, sorted[at + 1]!]] : []));
}

/** How many latitudes are tried. */
const lines = 24;

/**
 * The middle of the widest place inside an area where a text of this height fits, and how wide it is; undefined if the
 * area is lower than the text.
 */
export function labelPlace(
  rings: readonly Point[][],
  height: number,
): { east: number; north: number; width: number } | undefined {
  const norths = rings.flat().map(([, north]) => north);
  const [south, top] = [Math.min(...norths) + height / 2, Math.max(...norths) - height / 2];
  let widest: ReturnType<typeof labelPlace>;
  if (rings.length === 0 || south > top) return widest;
  for (let line = 0; line <= lines; line += 1) {
    const north = south + ((top - south) * line) / lines;
    const [middle, low, high] = [north, north - height / 2, north + height / 2].map((at) => insideAt(rings, at));
    for (const part of middle!)
      for (const below of low!)
        for (const above of high!) {
          const west = Math.max(part[0], below[0], above[0]);
          const east = Math.min(part[1], below[1], above[1]);
          if (east - west > (widest?.width ?? 0)) widest = { east: (west + east) / 2, north, width: east - west };
        }
  }
  return widest;
}

/** The width of a letter, and the heights that are tried, as parts of the height of a name. */
const letterWidth = 0.66;
const heights = [1, 0.85];

type Label = { name: string; east: number; north: number; height: number };

const isOver = (one: Label, other: Label, squeeze: number): boolean =>
  Math.abs(one.north - other.north) < (one.height + other.height) / 2 &&
  Math.abs(one.east - other.east) * squeeze < (widthOf(one) + widthOf(other)) / 2;
const widthOf = ({ name, height }: Pick<Label, "name" | "height">): number => name.length * height * letterWidth;

/**
 * The names of areas: within each where it fits, if need be smaller. The others may reach beyond their area, above or
 * below its middle too, but over no other name. Degrees of longitude are shortened by `squeeze`.
 */
export function placeNames(
  areas: readonly { name: string; path: string }[],
  fullHeight: number,
  squeeze: number,
): Label[] {
  const fitting = (name: string, rings: readonly Point[][]): Label | undefined => {
    for (const part of heights) {
      const height = part * fullHeight;
      const place = labelPlace(rings, height);
      if (place && place.width * squeeze >= widthOf({ name, height }))
        return { name, height, east: place.east, north: place.north };
    }
    return undefined;
  };
  const named = areas.map(({ name, path }) => {
    const rings = ringsOf(path);
    return { name, rings, label: fitting(name, rings) };
  });
  const placed = named.flatMap(({ label }) => label ?? []);
  for (const { name, rings, label } of named) {
    const height = heights.at(-1)! * fullHeight;
    const middle = label ? undefined : labelPlace(rings, 0);
    if (!middle) continue;
    const free = [0, 0.7, -0.7, 1.4, -1.4]
      .map((by): Label => ({ name, height, east: middle.east, north: middle.north + by * height }))
      .find((each) => placed.every((other) => !isOver(each, other, squeeze)));
    if (free) placed.push(free);
  }
  return placed;
}
