import { expect, test } from "vitest";
import { otherSide } from "./compared.ts";
import { readSettings } from "./overviewParams.ts";

const today = "2026-11-23";
const settings = readSettings(new URLSearchParams(), today);

test.each([
  ["year-2025", { provinceId: 1 }, { scope: { provinceId: 1 }, settings: { ...settings, year: 2025 } }],
  ["province-2", { provinceId: 1 }, { scope: { provinceId: 2 }, settings }],
  ["province-1", { districtId: 4, provinceId: 1 }, { scope: { provinceId: 1 }, settings }],
  ["district-5", { districtId: 4 }, { scope: { districtId: 5 }, settings }],
  ["partner-2", { implementingPartnerId: 1 }, { scope: { implementingPartnerId: 2 }, settings }],
  ["province-1", { provinceId: 1 }, undefined],
  [`year-${settings.year}`, {}, undefined],
  ["year-1990", {}, undefined],
  ["province-x", {}, undefined],
  ["galaxy-1", {}, undefined],
  [null, {}, undefined],
])("compared with %s, a page of %j has the other side %j", (compared, scope, other) => {
  expect(otherSide({ scope, settings }, compared, today)).toEqual(other);
});
