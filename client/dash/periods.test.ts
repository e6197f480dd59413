import { describe, expect, test } from "vitest";
import {
  inFiscalOrder,
  newerFiscalYear,
  periodWords,
  quarterOptions,
  rowLabel,
  rowWords,
  yearOptions,
} from "./periods.ts";

test.each([
  ["2026-11-21", [2027, 2026, 2025, 2024, 2023, 2022, 2021, 2020, 2019]],
  ["2027-01-01", [2028, 2027, 2026, 2025, 2024, 2023, 2022, 2021, 2020]],
])("on %s the options are the next year, the current one and the seven before", (today, years) => {
  expect(yearOptions(today)).toEqual(years);
});

test.each([
  ["2026-09-30", undefined],
  ["2026-10-01", 2027],
  ["2026-12-31", 2027],
  ["2027-01-01", undefined],
])("on %s the newer fiscal year is %s", (today, year) => {
  expect(newerFiscalYear(today)).toBe(year);
});

test.each([
  [2026, -1, "FY 2026: Oct 2025 to Sep 2026"],
  [2026, 1, "FY 2026 quarter 1: Oct to Dec 2025"],
  [2026, 2, "FY 2026 quarter 2: Jan to Mar 2026"],
  [2026, 3, "FY 2026 quarter 3: Apr to Jun 2026"],
  [2026, 4, "FY 2026 quarter 4: Jul to Sep 2026"],
])("year %s quarter %s is described as '%s'", (year, quarter, words) => {
  expect(periodWords(year, quarter)).toBe(words);
});

test.each([
  [{ year: 2026, quarter: 1, calMonth: null }, "QTR 1", "Oct to Dec 2025"],
  [{ year: 2026, quarter: 4 }, "QTR 4", "Jul to Sep 2026"],
  [{ year: 2026, quarter: -1 }, "FY 2026", "FY 2026"],
  [{ year: 2026, quarter: 1, calMonth: 10 }, "OCT", "Oct 2025"],
  [{ year: 2026, quarter: 2, calMonth: 1 }, "JAN", "Jan 2026"],
  [{ year: 2026, quarter: 4, calMonth: 9 }, "SEP", "Sep 2026"],
])("row %j has the label %s and the words %s", (row, label, words) => {
  expect([rowLabel(row), rowWords(row)]).toEqual([label, words]);
});

describe("fiscal order", () => {
  test("months run from October to September", () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({ year: 2026, quarter: 0, calMonth: index + 1 }));
    expect(inFiscalOrder(rows).map((row) => rowLabel(row))).toEqual(
      "OCT NOV DEC JAN FEB MAR APR MAY JUN JUL AUG SEP".split(" "),
    );
  });
  test("quarters run from 1 to 4", () => {
    expect(inFiscalOrder([4, 2, 1, 3].map((quarter) => ({ year: 2026, quarter }))).map((row) => rowLabel(row))).toEqual(
      ["QTR 1", "QTR 2", "QTR 3", "QTR 4"],
    );
  });
});

test("the option for the entire year is quarter -1", () => {
  expect(quarterOptions.map(({ value, label }) => `${value} ${label}`)).toEqual([
    "1 Quarter 1",
    "2 Quarter 2",
    "3 Quarter 3",
    "4 Quarter 4",
    "-1 Entire Year",
  ]);
});
