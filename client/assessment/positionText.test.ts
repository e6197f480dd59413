import { expect, test } from "vitest";
import { registeredText } from "./positionText.ts";

test.each([
  [0, "0 m from the registered position."],
  [1234, "1.2 km from the registered position."],
  [null, ""],
  [undefined, ""],
])("a distance of %s is said as %j", (metres, text) => expect(registeredText(metres)).toBe(text));
