import { expect, test } from "vitest";
import { readSettings, writeSettings } from "./overviewParams.ts";

const today = "2026-11-21";
const byDefault = { view: "quarterly", partner: -1, year: 2026, quarter: -1, years: 1, isShares: false, hasTable: false };

test.each([
  ["", byDefault],
  ["page=3&year=2021&quarter=2&month=4", byDefault],
  ["view=monthly&table=1", { ...byDefault, view: "monthly", hasTable: true }],
  ["chartYear=2027&chartQuarter=1&partner=4", { ...byDefault, year: 2027, quarter: 1, partner: 4 }],
  ["years=8&figures=shares", { ...byDefault, years: 8, isShares: true }],
  ["years=3&figures=parts", byDefault],
  ["chartYear=2018&chartQuarter=5&partner=x&view=daily", byDefault],
  ["partner=0", byDefault],
])("the settings of ?%s", (search, settings) => {
  expect(readSettings(new URLSearchParams(search), today)).toEqual(settings);
});

test("default settings are removed from the URL, unknown parameters stay", () => {
  const params = new URLSearchParams("page=3&chartYear=2021&view=monthly");
  const settings = { ...readSettings(params, today), year: 2026, quarter: 2 };
  expect(writeSettings(params, settings, today).toString()).toBe("page=3&view=monthly&chartQuarter=2");
});
