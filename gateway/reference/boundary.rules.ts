import { z } from "zod";

import { idRule } from "../input/page.rules.ts";

/**
 * Outlines for maps: SVG paths whose unit is 1/500 degree (about 200 m); x is east, y is north. A browser draws a path
 * without computing anything for its points: it only scales it by the cosine of the latitude.
 */

export const stepsPerDegree = 500;
/**
 * The most bytes, compressed, of the outlines of all provinces, and of all districts: they are fetched over slow lines.
 */
export const mostBytes = { provinces: 12_000, districts: 48_000 };

export const districtBoundaryRules = z.strictObject({ provinceId: idRule.nullish(), districtId: idRule.nullish() });

type Point = readonly [longitude: number, latitude: number, ...rest: number[]];
const point = z
  .tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
  .rest(z.number().min(-100_000).max(100_000));
const most = 1_000_000;
const polygon = z.array(z.array(point).min(4).max(most)).min(1).max(most);
/** The geometries of GeoJSON that can be an outline. */
export const geometryRules = z.discriminatedUnion("type", [
  z.object({ type: z.literal("Polygon"), coordinates: polygon }),
  z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(polygon).min(1).max(most) }),
]);

/** The corners of a ring in units of a path, without repeated ones. */
function cornersOf(ring: readonly Point[]): [number, number][] {
  const corners: [number, number][] = [];
  for (const [longitude, latitude] of ring) {
    const corner: [number, number] = [Math.round(longitude * stepsPerDegree), Math.round(latitude * stepsPerDegree)];
    const last = corners.at(-1);
    if (!last || last[0] !== corner[0] || last[1] !== corner[1]) corners.push(corner);
  }
  const [first, last] = [corners[0], corners.at(-1)];
  if (corners.length > 1 && first![0] === last![0] && first![1] === last![1]) corners.pop();
  return corners;
}

/** A geometry as a path; empty if it is smaller than one unit. */
export function pathOf(geometry: z.output<typeof geometryRules>): string {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  return polygons
    .flat()
    .map(cornersOf)
    .filter((corners) => corners.length >= 3)
    .map((corners) => {
      const steps = corners.slice(1).map(([x, y], index) => `${x - corners[index]![0]} ${y - corners[index]![1]}`);
      return `M${corners[0]!.join(" ")}l${steps.join(" ")}z`.replaceAll(" -", "-");
    })
    .join("");
}

/** The bounding box of a path. */
export function boxOf(path: string): { west: number; south: number; east: number; north: number } {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const ring of path.split("z").filter(Boolean)) {
    const numbers = (ring.match(/-?\d+/g) ?? []).map(Number);
    let [x, y] = [0, 0];
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      [x, y] = [x + numbers[at]!, y + numbers[at + 1]!];
      box.west = Math.min(box.west, x);
      box.east = Math.max(box.east, x);
      box.south = Math.min(box.south, y);
      box.north = Math.max(box.north, y);
    }
  }
  return box;
}

type Ring = [longitude: number, latitude: number][];
/** Twice the area of a ring: positive if it runs anticlockwise. */
const areaOf = (ring: Ring): number =>
  ring.slice(1).reduce((sum, [x, y], index) => sum + ring[index]![0] * y - x * ring[index]![1], 0);
const directed = (ring: Ring, isOuter: boolean): Ring => (areaOf(ring) > 0 === isOuter ? ring : ring.toReversed());
const holds = (ring: Ring, [x, y]: Ring[number]): boolean =>
  ring.slice(1).reduce((inside, [x2, y2], index) => {
    const [x1, y1] = ring[index]!;
    return y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1 ? !inside : inside;
  }, false);

/** The rings of a path, closed, in degrees. */
function ringsOf(path: string): Ring[] {
  return path
    .split("z")
    .filter(Boolean)
    .map((text) => {
      const numbers = (text.match(/-?\d+/g) ?? []).map(Number);
      const ring: Ring = [];
      let [x, y] = [0, 0];
      for (let at = 0; at + 1 < numbers.length; at += 2) {
        [x, y] = [x + numbers[at]!, y + numbers[at + 1]!];
        ring.push([x / stepsPerDegree, y / stepsPerDegree]);
      }
      return [...ring, ring[0]!];
    });
}

/** A path as GeoJSON (RFC 7946). A ring within another one is a hole in it. */
export function outlineOf(path: string): { type: "MultiPolygon"; coordinates: Ring[][] } {
  const rings = ringsOf(path);
  const around = rings.map((ring) => rings.filter((other) => other !== ring && holds(other, ring[0]!)));
  const outer = rings.filter((_, index) => around[index]!.length % 2 === 0);
  const smallest = (some: Ring[]) => some.toSorted((one, other) => Math.abs(areaOf(one)) - Math.abs(areaOf(other)))[0];
  const holesOf = (ring: Ring) =>
    rings.filter((_, index) => around[index]!.length % 2 === 1 && smallest(around[index]!) === ring);
  return {
    type: "MultiPolygon",
    coordinates: outer.map((ring) => [directed(ring, true), ...holesOf(ring).map((hole) => directed(hole, false))]),
  };
}
