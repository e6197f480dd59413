/** Where the name of an area fits on the map. */

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
  const crossings = rings.flatMap((ring) =>
    ring.flatMap(([east, north], at) => {
      const [nextEast, nextNorth] = ring[(at + 1) % ring.length]!;
      return north > latitude === nextNorth > latitude
        ? []
        : [east + ((latitude - north) / (nextNorth - north)) * (nextEast - east)];
    }),
  );
  const sorted = crossings.toSorted((a, b) => a - b);
  return sorted.flatMap((west, at) => (at % 2 === 0 && sorted[at + 1] !== undefined ? [[west, sorted[at + 1]!]] : []));
}

/** How many latitudes are tried. */
const lines = 24;

/**
 * The middle of the widest place inside an area where a text of this height fits, and how wide it is; undefined if the
 * area is lower than the text.
 */
export function labelPlace(path: string, height: number): { east: number; north: number; width: number } | undefined {
  const rings = ringsOf(path);
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
