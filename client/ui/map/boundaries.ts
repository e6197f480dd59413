import { type FetchedPart, fetchedPart } from "../network/fetchedPart.ts";
import { heardFetch } from "../network/heardFetch.ts";

/**
 * Outlines of provinces and districts from the server: SVG paths in steps of 1/500 degree, to the east and to the
 * north.
 */

type Outline = { id: number; name: string; path: string; box: readonly number[] };
export type Boundaries = { credit: string | null; outlines: Outline[] };

const known = new Map<string, FetchedPart<Boundaries>>();

async function fetchBoundaries(path: string): Promise<Boundaries> {
  const answer = await heardFetch(path, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as Boundaries;
}

/** The outlines at an address of the server, fetched once. */
export function boundariesAt(path: string): FetchedPart<Boundaries> {
  const part = known.get(path) ?? fetchedPart(() => fetchBoundaries(path));
  known.set(path, part);
  return part;
}

/** The number of steps in a degree. */
export const perDegree = 500;
type Frame = { viewBox: string; squeeze: number; size: number };

/**
 * The equirectangular projection of boxes [west, south, east, north] in steps. Degrees of longitude are shortened by
 * the cosine of the middle latitude (`squeeze`).
 */
export function frameOf(boxes: readonly (readonly number[])[]): Frame {
  const [west, south] = [0, 1].map((at) => Math.min(...boxes.map((box) => box[at]!))) as [number, number];
  const [east, north] = [2, 3].map((at) => Math.max(...boxes.map((box) => box[at]!))) as [number, number];
  const squeeze = Math.cos((((south + north) / 2 / perDegree) * Math.PI) / 180);
  const size = Math.max((east - west) * squeeze, north - south, 1);
  const edge = size * 0.03;
  const place = [west * squeeze - edge, -north - edge, (east - west) * squeeze + 2 * edge, north - south + 2 * edge];
  return { viewBox: place.map((value) => value.toFixed(1)).join(" "), squeeze, size };
}

/** A position in the steps of the outlines. */
export type Position = { east: number; north: number };
type Box = readonly number[];

const span = (values: readonly number[]): [least: number, most: number] => [Math.min(...values), Math.max(...values)];

/** The range of the middle half of some numbers. */
function middleOf(values: readonly number[]): [least: number, most: number] {
  const sorted = values.toSorted((a, b) => a - b);
  const out = Math.floor((sorted.length - 1) / 4);
  return [sorted[out]!, sorted[sorted.length - 1 - out]!];
}

const widened = ([least, most]: [number, number], by: number): [number, number] => [least - by, most + by];

/** In degrees: more than distances within a country, less than the error by a wrong sign of a latitude. */
const leastReach = 6;

/** West, south, east and north in degrees, as the filter `outside` of a list takes them. */
type Reach = [west: number, south: number, east: number, north: number];

export const isWithin = ([west, south, east, north]: Reach, position: Position): boolean =>
  position.east >= west * perDegree &&
  position.east <= east * perDegree &&
  position.north >= south * perDegree &&
  position.north <= north * perDegree;

/**
 * The area that the map shows: around the outlines or, without any, around the middle half of the positions. Without
 * this limit, one position with a forgotten minus sign, or with latitude and longitude exchanged, would shrink the
 * country to a spot.
 */
export function reachOf(outlines: readonly Box[], positions: readonly Position[]): Reach | undefined {
  if (outlines.length === 0 && positions.length === 0) return undefined;
  const axis = (low: number, high: number, of: (position: Position) => number) => {
    if (outlines.length === 0) {
      const middle = middleOf(positions.map(of));
      return widened(middle, Math.max(2 * (middle[1] - middle[0]), leastReach * perDegree));
    }
    const whole = span(outlines.flatMap((box) => [box[low]!, box[high]!]));
    return widened(whole, (whole[1] - whole[0]) / 2);
  };
  const [west, east] = axis(0, 2, (position) => position.east);
  const [south, north] = axis(1, 3, (position) => position.north);
  return [west, south, east, north].map((steps) => Number((steps / perDegree).toFixed(4))) as Reach;
}
