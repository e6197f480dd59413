import { expect, test } from "vitest";
import { readReportPeriod } from "./reportPeriod.ts";

test.each([
  ["", { year: 2026, quarter: 4 }],
  ["year=2026", { year: 2026, quarter: 4 }],
  ["year=2025&quarter=-1", { year: 2025, quarter: 4 }],
  ["year=2027", { year: 2026, quarter: 4 }],
  ["chartYear=2025&chartQuarter=2", { year: 2025, quarter: 2 }],
  ["year=2027&quarter=1&chartYear=2025", { year: 2027, quarter: 1 }],
  ["chartQuarter=3", { year: 2026, quarter: 3 }],
  ["year=2025&quarter=3", { year: 2025, quarter: 3 }],
  ["year=1999&quarter=7", { year: 2026, quarter: 4 }],
])("the quarter of ?%s", (search, period) => {
  expect(readReportPeriod(new URLSearchParams(search), "2026-11-23")).toEqual(period);
});

test.each([
  ["2026-10-01", { year: 2026, quarter: 4 }],
  ["2026-12-31", { year: 2026, quarter: 4 }],
  ["2027-01-01", { year: 2027, quarter: 1 }],
  ["2026-06-30", { year: 2026, quarter: 2 }],
])("on %s the default is the last quarter that is over", (today, period) => {
  expect(readReportPeriod(new URLSearchParams(), today)).toEqual(period);
});
