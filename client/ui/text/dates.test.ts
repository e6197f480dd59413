import { expect, test } from "vitest";
import { daysAfter, formatDate, formatTime, mondayOf, readDay } from "./dates.ts";

test.each([
  ["2026-11-03", "03 Nov 2026"],
  ["2025-01-31", "31 Jan 2025"],
  ["2024-02-29", "29 Feb 2024"],
  ["2025-12-31", "31 Dec 2025"],
  ["1900-01-02", "02 Jan 1900"],
  ["1900-01-01", ""],
  ["2026-13-01", ""],
  ["", ""],
  [null, ""],
  [undefined, ""],
])("the date %s is shown as '%s'", (date, shown) => {
  expect(formatDate(date)).toBe(shown);
});

test.each([
  ["07:05", "07:05"],
  ["16:40:59", "16:40"],
  ["", ""],
  [null, ""],
])("the time %s is shown as '%s'", (time, shown) => {
  expect(formatTime(time)).toBe(shown);
});

test.each([
  ["2026-11-22", 90, "2027-02-20"],
  ["2026-12-31", 1, "2027-01-01"],
  ["2028-02-28", 1, "2028-02-29"],
  ["2026-11-22", 0, "2026-11-22"],
])("%s plus %i days is %s", (date, days, after) => {
  expect(daysAfter(date, days)).toBe(after);
});

test.each([
  ["2026-11-23", "2026-11-23"],
  ["2026-11-25", "2026-11-23"],
  ["2026-11-29", "2026-11-23"],
  ["2027-01-01", "2026-12-28"],
])("the Monday of the week of %s is %s", (date, monday) => {
  expect(mondayOf(date)).toBe(monday);
});

test.each([
  ["22 Nov 2026", "2026-11-22"],
  ["2026-11-22", "2026-11-22"],
  [" 3 november 2026 ", "2026-11-03"],
  ["03-Nov-2026", "2026-11-03"],
  ["31 Nov 2026", undefined],
  ["2026-02-29", undefined],
  ["22 Nox 2026", undefined],
  ["22 Nov 26", undefined],
  ["22/11/2026", undefined],
  ["", undefined],
])("the typed text '%s' is read as the day %s", (typed, day) => {
  expect(readDay(typed)).toBe(day);
});
