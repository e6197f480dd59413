import { expect, test } from "vitest";
import { distanceText, metresText } from "./positionText.ts";

test.each([
  [0, "0 m"],
  [340.4, "340 m"],
  [999, "999 m"],
  [1234, "1.2 km"],
  [9949, "9.9 km"],
  [12_400, "12 km"],
  [680_000, "680 km"],
])("%d metres are %s", (metres, text) => {
  expect(metresText(metres)).toBe(text);
  expect(distanceText(metres)).toBe(`${text} from the registered position.`);
});

test.each([[null], [undefined]])("a distance that is %s says nothing", (metres) =>
  expect(distanceText(metres)).toBe(""),
);
