import { expect, test } from "vitest";

import { positionIn } from "./position.rules.ts";

const here = [-14.65, 28.05];
const unclear = "may be latitude and longitude or the reverse: write them in two columns";
const unreadable = "is not a latitude and a longitude: write them in two columns";

test.each<[cell: string, heading: string, expected: number[] | string]>([
  ["-14.65, 28.05", "lat, long", here],
  ["28.05,-14.65", "Long/Lat", here],
  ["28.05 -14.65", "X Y", here],
  ["-14.65,28.05", "Coordinates", here],
  ["28.05, -14.65", "GPS", here],
  ["(-14.65; 28.05)", "GPS", here],
  ["[28.05, -14.65]", "Coordinates", here],
  ["-14.65 / 28.05", "Coordinates", here],
  ["-14,65; 28,05", "Coordinates", here],
  ["-14,65, 28,05", "Coordinates", here],
  ["-14.65 28.05 1180.2 4.5", "geopoint", here],
  ["POINT (28.05 -14.65)", "geom", here],
  [`14°39'00.0"S 28°03'00.0"E`, "GPS", here],
  ["28.05 E, 14.65 S", "lat, long", here],
  ["S14.65 E28.05", "GPS", here],
  // The heading counts, even if the place is elsewhere: a warning tells that.
  ["52.1, 4.3", "lat, long", [52.1, 4.3]],
  ["52.1, 4.3", "Coordinates", unclear],
  ["-14,65,28,05", "lat, long", unreadable],
  ["-14.65, 28.05, 1180", "lat, long", unreadable],
  ["-14.65", "GPS", unreadable],
  ["near the school", "Coordinates", unreadable],
])("%s under %s", (cell, heading, expected) => {
  const found = positionIn(cell, heading);
  if (typeof expected === "string") expect(found).toEqual({ why: expect.stringContaining(expected) });
  else expect("why" in found ? found.why : [Number(found.latitude), Number(found.longitude)]).toEqual(expected);
});
