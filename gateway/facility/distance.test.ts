import { expect, test } from "vitest";
import { metresBetween } from "./distance.rules.ts";

// A degree of latitude is 111,195 m on a sphere of the earth's mean radius; one of longitude is as much at the equator.
test.each([
  [-13, 28, -13, 28, 0],
  [-13, 28, -14, 28, 111_195],
  [0, 179.5, 0, -179.5, 111_195],
  [60, 10, 60, 11, 55_596],
  [0, 0, 0, 180, 20_015_115],
])("%d, %d and %d, %d are %i m apart", (latitude, longitude, otherLatitude, otherLongitude, metres) => {
  const other = { latitude: otherLatitude, longitude: otherLongitude };
  expect(Math.abs(metresBetween({ latitude, longitude }, other) - metres)).toBeLessThan(10);
});
