import { expect, test } from "vitest";
import { distanceText } from "./distance.ts";

test("distances are rounded as they are said", () => {
  expect([4, 338, 994, 996, 4230, 9949, 9951, 12_400, 340_600].map(distanceText)).toEqual([
    ...["0 m", "340 m", "990 m", "1.0 km", "4.2 km", "9.9 km", "10 km", "12 km", "341 km"],
  ]);
});
