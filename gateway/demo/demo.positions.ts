import { outlineOf } from "../reference/boundary.rules.ts";
import { outlines } from "./demo.outlines.ts";

/** A point in the middle four fifths of a length, so that no position is at the border. */
const inMiddle = (from: number, to: number, share: number): number => from + (0.1 + 0.8 * share) * (to - from);
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/**
 * A position within a district's outline. `up`: the share (0 to 1) of the way from its southern to its northern end.
 * `across`: the share of the way across its widest part at that latitude. The same shares give the same position, so
 * that the demonstration is the same at each start.
 */
export function positionWithin(
  province: string,
  district: string,
  up: number,
  across: number,
): { latitude: number; longitude: number } {
  const rings = outlineOf(outlines[`${province}/${district}`]!).coordinates.flat();
  const latitudes = rings.flat().map(([, latitude]) => latitude);
  const latitude = rounded(inMiddle(Math.min(...latitudes), Math.max(...latitudes), up));
  const crossings = rings
    .flatMap((ring) =>
      ring.slice(1).flatMap(([east, north], index) => {
        const [west, south] = ring[index]!;
        return south > latitude === north > latitude
          ? []
          : [west + ((latitude - south) / (north - south)) * (east - west)];
      }),
    )
    .toSorted((one, other) => one - other);
  const spans = crossings.flatMap((west, index) => (index % 2 === 0 ? [{ west, east: crossings[index + 1]! }] : []));
  const widest = spans.reduce((best, span) => (span.east - span.west > best.east - best.west ? span : best));
  return { latitude, longitude: rounded(inMiddle(widest.west, widest.east, across)) };
}
