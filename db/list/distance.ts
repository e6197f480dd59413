import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Distances along the surface of a sphere (haversine formula). */

type Degrees = RawBuilder<unknown>;
/** A position, and the least and the most kilometres from it. One of these is given. */
export type Circle = {
  latitude: number;
  longitude: number;
  kilometres?: number | null | undefined;
  fromKilometres?: number | null | undefined;
};

/** The mean radius of the earth in metres, as the International Union of Geodesy and Geophysics defines it (R1). */
const earthRadius = 6_371_008.8;

/** Metres between two positions in degrees; null if one is not known. */
export function metresBetween(
  one: { latitude: Degrees; longitude: Degrees },
  other: { latitude: Degrees; longitude: Degrees },
): RawBuilder<number> {
  const squared = sql`
    sin(radians(${one.latitude} - ${other.latitude}) / 2) ^ 2
    + cos(radians(${one.latitude})) * cos(radians(${other.latitude})) * sin(radians(${one.longitude} - ${other.longitude}) / 2) ^ 2`;
  // Rounding can make it more than 1. Of null, `least` would make 1.
  return sql`2 * ${sql.lit(earthRadius)} * asin(sqrt(case when ${squared} > 1 then 1 else ${squared} end))`;
}

/** The `facility` of the query, and a position. */
const facility = { latitude: sql.ref("facility.latitude"), longitude: sql.ref("facility.longitude") };
const positionOf = ({ latitude, longitude }: Pick<Circle, "latitude" | "longitude">) => ({
  latitude: sql`${latitude}::double precision`,
  longitude: sql`${longitude}::double precision`,
});

/** A position, and the distances from it at which a band ends and the next one begins, the shortest first. */
export type Bands = { latitude: number; longitude: number; kilometres: readonly number[] };
/**
 * In which band of distances the `facility` of the query lies: from and to how many kilometres. Null where its position
 * is not known; the last band has no end.
 */
export function bandOfFacility({ kilometres, ...centre }: Bands) {
  const from = sql`${[0, ...kilometres]}::double precision[]`;
  const to = sql`${[...kilometres, null]}::double precision[]`;
  const band = sql`1 + width_bucket(${metresBetween(facility, positionOf(centre))} / 1000, ${[...kilometres]}::double precision[])`;
  return { distanceFrom: sql`(${from})[${band}]`, distanceTo: sql`(${to})[${band}]` };
}

const kilometresPerDegree = 111.195;
/**
 * Whether the `facility` of the query is known to lie within a distance, or beyond one. A box is compared first, because
 * an index serves it, then the distance.
 */
export function isFacilityNear({ latitude, longitude, kilometres, fromKilometres }: Circle): RawBuilder<SqlBool> {
  const metres = metresBetween(facility, positionOf({ latitude, longitude }));
  const isBeyond = fromKilometres == null ? sql`` : sql`${metres} >= ${1000 * fromKilometres}`;
  if (kilometres == null) return sql`(${isBeyond})`;
  const tall = kilometres / kilometresPerDegree;
  const wide = tall / Math.max(0.01, Math.cos((Math.min(89, Math.abs(latitude) + tall) * Math.PI) / 180));
  return sql`(facility.latitude between ${latitude - tall} and ${latitude + tall}
    and facility.longitude between ${longitude - wide} and ${longitude + wide}
    and ${metres} <= ${1000 * kilometres} ${fromKilometres == null ? sql`` : sql`and ${isBeyond}`})`;
}
