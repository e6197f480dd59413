import { expect, test } from "vitest";
import { sortIn, sortValue } from "./listSort.ts";

test.each([
  ["sort=name", "name"],
  ["sort=-hmisCode", "-hmisCode"],
  ["sort=colour", undefined],
  ["sort=--name", undefined],
  ["sort=", undefined],
  ["", undefined],
])("the sort key of ?%s is %s", (search, by) =>
  expect(sortIn(new URLSearchParams(search), { name: "Name", hmisCode: "HMIS code" })).toBe(by),
);

test.each([
  ["name", "NAME_ASC"],
  ["-hmisCode", "HMIS_CODE_DESC"],
  ["implementingPartner", "IMPLEMENTING_PARTNER_ASC"],
])("%s is sent to the server as %s", (by, value) => expect(sortValue(by)).toBe(value));
