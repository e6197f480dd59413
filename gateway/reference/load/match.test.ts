import { expect, test } from "vitest";

import { type ListedFacility, matchFacilities, resultOf, type StoredFacility } from "./match.rules.ts";

type Brief = { uuid?: string; code?: string; name?: string; district?: number; type?: string | null };

const own = (digit: number) => `01900000-0000-7000-8000-00000000000${digit}`;

const listed = ({ uuid, code, name = "A", district = 1, type }: Brief): ListedFacility => ({
  facilityUuid: uuid,
  hmisCode: code,
  facilityName: name,
  districtId: district,
  values: { facilityName: name, hmisCode: code, districtId: district, facilityType: type },
});
const stored = ({ uuid, code, name = "A", district = 1, type }: Brief): StoredFacility => ({
  facilityUuid: uuid!,
  facilityName: name,
  hmisCode: code ?? null,
  districtId: district,
  facilityType: type ?? null,
});

test.each<[string, Brief[], Brief[], (string | null)[]]>([
  ["uuid before code", [{ uuid: "x", code: "1" }], [{ uuid: own(1), code: "1" }, { uuid: "x", name: "B" }], ["x by uuid"]],
  ["code before name", [{ code: "1" }], [{ uuid: own(1) }, { uuid: own(2), code: "1", name: "B", district: 2 }], [`${own(2)} by code`]],
  ["name in the district, case and spaces folded", [{ name: "Ng’ombe  CLINIC" }], [{ uuid: own(1), name: "ng'ombe clinic" }], [`${own(1)} by name`]],
  ["not the same name in another district", [{ district: 2 }], [{ uuid: own(1) }], [null]],
  ["each facility is claimed once", [{}, {}], [{ uuid: own(1) }], [`${own(1)} by name`, null]],
  ["a code claims before an earlier row's name", [{}, { code: "1" }], [{ uuid: own(1), code: "1" }], [null, `${own(1)} by code`]],
  ["repeated names in order", [{}, {}, {}], [{ uuid: own(1) }, { uuid: own(2) }], [`${own(1)} by name`, `${own(2)} by name`, null]],
  ["repeated names: those that agree find each other", [{ type: "Hospital" }, { type: "Post" }], [{ uuid: own(1), type: "Post" }, { uuid: own(2), type: "Hospital" }], [`${own(2)} by name`, `${own(1)} by name`]],
  ["repeated names: an empty cell leaves the choice to others", [{ type: null }, { type: "Post" }], [{ uuid: own(1), type: "Post" }, { uuid: own(2) }], [`${own(2)} by name`, `${own(1)} by name`]],
  ["a uuid from outside may replace our own", [{ uuid: "x" }], [{ uuid: own(1) }], [`${own(1)} by name`]],
  ["two uuids from outside are two facilities", [{ uuid: "x" }], [{ uuid: "y" }], [null]],
  ["but one code is one facility", [{ uuid: "x", code: "1" }], [{ uuid: "y", code: "1" }], ["y by code"]],
  ["a facility may get another code", [{ code: "2" }], [{ uuid: own(1), code: "1" }], [`${own(1)} by name`]],
])("%s", (_name, rows, facilities, expected) => {
  const given = rows.map(listed);
  const matches = resultOf(matchFacilities(given, facilities.map(stored)));
  expect(
    given.map((row) => {
      const match = matches.get(row);
      return match ? `${match.stored.facilityUuid} by ${match.by}` : null;
    }),
  ).toEqual(expected);
});

test("thousands of one name in one district take no time", () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({ uuid: `01900000-0000-7000-8000-${String(index).padStart(12, "0")}` }));
  expect(resultOf(matchFacilities(many.map(() => listed({})), many.map(stored))).size).toBe(5000);
});
