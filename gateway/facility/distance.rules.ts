/** A place in degrees. */
export type Place = { latitude: number; longitude: number };

/** The mean radius of the earth in metres, as in db/list/distance.ts. */
const earthRadius = 6_371_008.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The distance of two places in metres, along the surface of a sphere (haversine formula). */
export function metresBetween(one: Place, other: Place): number {
  const [north, east] = [radians(one.latitude - other.latitude), radians(one.longitude - other.longitude)];
  const squared =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(squared)));
}
