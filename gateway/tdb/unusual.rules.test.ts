import { expect, test } from "vitest";

import { unusualPatients } from "./unusual.rules.ts";

test.each([
  // patients now, in the TDB before, why it is held
  [0, null, null],
  [500_000, null, null],
  [500_001, null, "500,001 patients in the first TDB"],
  [600_000, 590_000, null],
  [20_000, 2_000, null],
  [20_001, 2_000, "20,001 patients, 2,000 in the TDB before"],
  [199, 2_000, "199 patients, 2,000 in the TDB before"],
  [200, 2_000, null],
  [999, 0, null],
  [1_000, 0, "1,000 patients, 0 in the TDB before"],
  [1, 1_000, null],
  [1, 1_001, "1 patients, 1,001 in the TDB before"],
])("%s patients after %s", (now, before, why) => {
  expect(unusualPatients(now, before)).toBe(why);
});
