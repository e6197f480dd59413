import { expect, test } from "vitest";

import { quarterOf } from "./quarters.ts";

test.each([
  ["2025-10-01", "2026 QTR 1"],
  ["2026-01-01", "2026 QTR 2"],
  ["2026-04-01", "2026 QTR 3"],
  ["2026-07-01", "2026 QTR 4"],
])("the quarter that begins on %s is %s", (start, name) => {
  expect(quarterOf(start)).toBe(name);
});
