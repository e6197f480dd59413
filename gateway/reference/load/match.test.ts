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
  [
    "the uuid is tried before the code",
    [{ uuid: "x", code: "1" }],
    [
      { uuid: own(1), code: "1" },
      { uuid: "x", name: "B" },
    ],
    ["x by uuid"],
  ],
  [
    "the code is tried before the name",
    [{ code: "1" }],
    [{ uuid: own(1) }, { uuid: own(2), code: "1", name: "B", district: 2 }],
    [`${own(2)} by code`],
  ],
  [
    "by name in the district, without regard to case, spaces and kinds of apostrophe",
    [{ name: "Ng’ombe  CLINIC" }],
    [{ uuid: own(1), name: "ng'ombe clinic" }],
    [`${own(1)} by name`],
  ],
  ["the same name in another district does not match", [{ district: 2 }], [{ uuid: own(1) }], [null]],
  ["each facility is matched once", [{}, {}], [{ uuid: own(1) }], [`${own(1)} by name`, null]],
  [
    "a row's code has priority over an earlier row's name",
    [{}, { code: "1" }],
    [{ uuid: own(1), code: "1" }],
    [null, `${own(1)} by code`],
  ],
  [
    "repeated names match in order",
    [{}, {}, {}],
    [{ uuid: own(1) }, { uuid: own(2) }],
    [`${own(1)} by name`, `${own(2)} by name`, null],
  ],
  [
    "repeated names: rows match the facilities with the same values",
    [{ type: "Hospital" }, { type: "Post" }],
    [
      { uuid: own(1), type: "Post" },
      { uuid: own(2), type: "Hospital" },
    ],
    [`${own(2)} by name`, `${own(1)} by name`],
  ],
  [
    "repeated names: a row with an empty cell gets the facility that the others leave",
    [{ type: null }, { type: "Post" }],
    [{ uuid: own(1), type: "Post" }, { uuid: own(2) }],
    [`${own(2)} by name`, `${own(1)} by name`],
  ],
  [
    "a row with an external uuid matches a facility with a uuid of the product",
    [{ uuid: "x" }],
    [{ uuid: own(1) }],
    [`${own(1)} by name`],
  ],
  ["different external uuids are different facilities", [{ uuid: "x" }], [{ uuid: "y" }], [null]],
  [
    "different external uuids with the same code are one facility",
    [{ uuid: "x", code: "1" }],
    [{ uuid: "y", code: "1" }],
    ["y by code"],
  ],
  ["a row with another code matches by name", [{ code: "2" }], [{ uuid: own(1), code: "1" }], [`${own(1)} by name`]],
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

test("matches thousands of facilities with one name in one district", () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({
    uuid: `01900000-0000-7000-8000-${String(index).padStart(12, "0")}`,
  }));
  expect(
    resultOf(
      matchFacilities(
        many.map(() => listed({})),
        many.map(stored),
      ),
    ).size,
  ).toBe(5000);
});
