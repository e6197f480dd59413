import { expect, test } from "vitest";

import { cellStyles, dayText } from "./workbookDays.ts";

test.each<[number: string, from: Parameters<typeof dayText>[1], day: string | null]>([
  ["46355", "1899-12-30", "2026-11-29"],
  ["61", "1899-12-30", "1900-03-01"],
  // Excel has a 29 February 1900: what is before it has another day with other programs.
  ["60", "1899-12-30", null],
  ["46355.5", "1899-12-30", "2026-11-29T12:00:00"],
  ["44893", "1904-01-01", "2026-11-29"],
  ["", "1899-12-30", null],
  ["x", "1899-12-30", null],
  ["2958466", "1899-12-30", null],
])("number %s, counted from %3$s, is the day %s", (number, from, day) => {
  expect(dayText(number, from)).toBe(day);
});

test("a style shows a day if its format has a year or a day outside quotes", () => {
  const styles = cellStyles();
  for (const [id, code] of [
    ["164", "yyyy\\-mm\\-dd"],
    ["165", '0.0" days"'],
    ["166", "[Red]0"],
    ["167", "d mmm"],
  ])
    styles.open("numFmt", { numFmtId: id!, formatCode: code! });
  styles.open("xf", { numFmtId: "14" });
  styles.open("cellXfs", {});
  for (const id of ["0", "14", "164", "165", "166", "167", "21"]) styles.open("xf", { numFmtId: id });
  styles.close("cellXfs");
  styles.open("xf", { numFmtId: "14" });
  expect([...styles.days]).toEqual([1, 2, 5]);
});
