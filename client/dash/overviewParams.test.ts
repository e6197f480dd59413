import { expect, test } from "vitest";
import { readSettings, settingParams } from "./overviewParams.ts";

const today = "2026-11-21";
const byDefault = {
  view: "quarterly",
  partner: -1,
  year: 2026,
  quarter: -1,
  years: 1,
  isShares: undefined,
  hasTable: false,
};

test.each([
  ["", byDefault],
  ["page=3&year=2021&quarter=2&month=4", byDefault],
  ["view=monthly&table=1", { ...byDefault, view: "monthly", hasTable: true }],
  ["chartYear=2027&chartQuarter=1&partner=4", { ...byDefault, year: 2027, quarter: 1, partner: 4 }],
  ["years=8&figures=shares", { ...byDefault, years: 8, isShares: true }],
  ["figures=numbers", { ...byDefault, isShares: false }],
  ["years=3&figures=parts", byDefault],
  ["chartYear=2018&chartQuarter=5&partner=x&view=daily", byDefault],
  ["partner=0", byDefault],
])("the settings of ?%s", (search, settings) => {
  expect(readSettings(new URLSearchParams(search), today)).toEqual(settings);
});

test("default settings are left out of the address", () => {
  const settings = {
    ...readSettings(new URLSearchParams("chartYear=2021&view=monthly&figures=shares"), today),
    year: 2026,
    quarter: 2,
  };
  const usual = { chartYear: undefined, partner: undefined, years: undefined, table: undefined };
  expect(settingParams(settings, today)).toEqual({ ...usual, view: "monthly", chartQuarter: 2, figures: "shares" });
});
