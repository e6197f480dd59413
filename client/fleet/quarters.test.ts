import { expect, test } from "vitest";

import { quarterOf, versionsFinding } from "./quarters.ts";

test.each([
  ["2025-10-01", "2026 QTR 1"],
  ["2026-01-01", "2026 QTR 2"],
  ["2026-04-01", "2026 QTR 3"],
  ["2026-07-01", "2026 QTR 4"],
])("the quarter that begins on %s is %s", (start, name) => {
  expect(quarterOf(start)).toBe(name);
});

const counts = (one: number, other: number) => [
  { version: "4.3.1", facilities: one },
  { version: "4.3.0", facilities: other },
];
test.each([
  [[], [], undefined],
  [counts(1, 3), [{ periodStart: "2026-07-01", versions: [] }], ""],
  [counts(1, 3), [{ periodStart: "2026-07-01", versions: counts(1, 9) }], " (10 % at the end of 2026 QTR 4)"],
])("what the chart of versions says: %j, %j", (today, earlier, since) => {
  expect(versionsFinding(today, earlier)?.replaceAll("\u00a0", " ")).toBe(
    since === undefined ? undefined : `25 % of the sites with a known version run 4.3.1, the newest among them${since}`,
  );
});
