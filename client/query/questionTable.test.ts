import { expect, test } from "vitest";
import { questionIn } from "./question.ts";
import { daysOf, fileRowsOf } from "./questionTable.ts";

test.each([
  [
    "a count is a number, and a month is of the calendar",
    "subject=visits&by=partner&and=month&measure=visits&order=name",
    [
      { implementingPartner: null, year: 2026, quarter: 1, calMonth: 11, assessments: 1204 },
      { implementingPartner: { implementingPartner: "ZAM" }, year: 2026, quarter: 2, calMonth: 1, assessments: 3 },
    ],
    [
      ["Implementing partner", "Month", "Visits"],
      ["No implementing partner", "Nov 2025", 1204],
      ["ZAM", "Jan 2026", 3],
    ],
  ],
  [
    "a change of a share has points without a plus, and nothing where nothing was before",
    "subject=visits&by=province&measure=works&way=difference&range=PREVIOUS_QUARTER&order=highest",
    [
      { rank: 1, province: { name: "Lusaka" }, measure: { value: 0.125, count: 6, of: 8, now: 0.75, before: 0.625 } },
      { rank: 2, province: { name: "Copperbelt" }, measure: { value: null, count: 6, of: 8, now: 0.75, before: null } },
    ],
    [
      ["Rank", "Province", "Change of share of visited sites that work", "Now", "Before", "Of"],
      [1, "Lusaka", "12.5 points", "75 %", "62.5 %", "6 of 8"],
      [2, "Copperbelt", "", "75 %", "", "6 of 8"],
    ],
  ],
])("in a file %s", (_, address, rows, table) =>
  expect(fileRowsOf(questionIn(new URLSearchParams(address)), rows)).toEqual(table),
);

test.each([
  [
    "subject=sites&measure=working&way=difference&range=LAST_QUARTER",
    ["2026-07-01 2026-09-30", "2026-04-01 2026-06-30"],
  ],
  ["subject=visits&way=percent&range=LAST_4_QUARTERS", ["2025-10-01 2026-09-30", "2024-10-01 2025-09-30"]],
  ["subject=visits&way=difference&by=quarter&range=LAST_4_QUARTERS", ["2025-10-01 2026-09-30"]],
  ["subject=visits&range=THIS_CALENDAR_YEAR", ["2026-01-01 2026-11-30"]],
  ["subject=sites", []],
])("the days of %s, and those before them", (address, wanted) => {
  const days = daysOf(questionIn(new URLSearchParams(address)), "2026-11-30");
  expect([days, days?.before].flatMap((one) => (one ? [`${one.start} ${one.end}`] : []))).toEqual(wanted);
});
