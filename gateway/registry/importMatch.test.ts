import { expect, test } from "vitest";

import { resultOf } from "../reference/load/match.rules.ts";
import {
  identifierKey,
  kilometres,
  type Known,
  likeness,
  matchImport,
  type MatchRow,
  type MatchStored,
} from "./importMatch.rules.ts";

type Row = Partial<Omit<MatchRow, "values">>;
type Facility = {
  uuid: string;
  name?: string;
  code?: string;
  district?: number;
  at?: [number, number];
  ids?: [system: string, value: string][];
  former?: [system: string, value: string][];
};

const rowOf = (row: Row, index: number): MatchRow => ({
  line: index + 2,
  facilityName: "Clinic",
  districtId: 1,
  identifiers: [],
  values: {},
  hmisCode: row.identifiers?.find(({ system }) => system === "hmis")?.value ?? null,
  ...row,
});
const storedOf = ({ uuid, name = "Clinic", code, district = 1, at }: Facility): MatchStored => ({
  facilityUuid: uuid,
  facilityName: name,
  hmisCode: code ?? null,
  districtId: district,
  latitude: at?.[0] ?? null,
  longitude: at?.[1] ?? null,
});
const idsOf = ({ code, ids = [] }: Facility) =>
  [...(code ? [["hmis", code] as const] : []), ...ids].map(([system, value]) => ({ system, value }));

function match(rows: Row[], facilities: Facility[], survivors: Record<string, string> = {}) {
  const known: Known = {
    holders: new Map(facilities.flatMap((one) => idsOf(one).map((id) => [identifierKey(id), one.uuid] as const))),
    weakHolders: new Map(
      facilities.flatMap(({ uuid, former = [] }) =>
        former.map(([system, value]) => [identifierKey({ system, value }), uuid] as const),
      ),
    ),
    survivors: new Map(Object.entries(survivors)),
    isUnique: (system) => system !== "formerHmis",
    nameOf: (system) => system,
  };
  const given = rows.map(rowOf);
  const found = resultOf(
    matchImport(given, facilities.map(storedOf), known, (uuid) =>
      facilities.filter((one) => one.uuid === uuid).flatMap(idsOf),
    ),
  );
  return given.map((row) => {
    const { stored, doubt, acceptable, score } = found.get(row)!;
    return [stored?.facilityUuid ?? null, doubt ?? (stored ? "match" : "new"), acceptable, score];
  });
}
const hmis = (value: string) => [{ system: "hmis", value }];
const dhis2 = (value: string) => [{ system: "dhis2", value }];
const far = { facilityName: "Elsewhere Post", districtId: 2 };

test.each<[string, Row[], Facility[], unknown[]]>([
  ["no facility is similar", [far], [{ uuid: "a" }], [[null, "new", true, null]]],
  ["by its uuid", [{ ...far, facilityUuid: "a" }], [{ uuid: "a" }], [["a", "match", true, 1]]],
  [
    "by its code, although its name differs",
    [{ ...far, identifiers: hmis("1") }],
    [{ uuid: "a", code: "1" }],
    [["a", "match", true, 1]],
  ],
  [
    "by another system's identifier",
    [{ ...far, identifiers: dhis2("x") }],
    [{ uuid: "a", ids: [["dhis2", "x"]] }],
    [["a", "match", true, 0.95]],
  ],
  [
    "by a former identifier",
    [{ ...far, identifiers: dhis2("old") }],
    [{ uuid: "a", former: [["dhis2", "old"]] }],
    [["a", "match", true, 0.95]],
  ],
  [
    "a former code of a facility is a conflict",
    [{ ...far, identifiers: hmis("old") }],
    [{ uuid: "a", code: "new", former: [["hmis", "old"]] }],
    [[null, "conflict", false, null]],
  ],
  ["by name and district", [{}], [{ uuid: "a" }], [["a", "match", true, 0.85]]],
  [
    "by name and district, nearby",
    [{ latitude: -15, longitude: 28 }],
    [{ uuid: "a", at: [-15, 28.001] }],
    [["a", "match", true, 0.9]],
  ],
  [
    "by name and district, but far away",
    [{ latitude: -15, longitude: 28 }],
    [{ uuid: "a", at: [-15, 29] }],
    [["a", "match", true, 0.7]],
  ],
  [
    "by a similar name nearby",
    [{ facilityName: "Chilenje Hlth Post", districtId: 2, latitude: -15, longitude: 28 }],
    [{ uuid: "a", name: "Chilenje Health Post", at: [-15, 28.001] }],
    [["a", "match", true, 0.75]],
  ],
  [
    "not by a similar name far away",
    [{ facilityName: "Chilenje Hlth Post", districtId: 2, latitude: -15, longitude: 28 }],
    [{ uuid: "a", name: "Chilenje Health Post", at: [-15.2, 28] }],
    [[null, "new", true, null]],
  ],
  [
    "not by a similar name with another code",
    [{ facilityName: "Chilenje Hlth Post", districtId: 2, latitude: -15, longitude: 28, identifiers: hmis("2") }],
    [{ uuid: "a", code: "1", name: "Chilenje Health Post", at: [-15, 28] }],
    [[null, "new", true, null]],
  ],
  [
    "identifiers of two facilities",
    [{ identifiers: [...hmis("1"), ...dhis2("y")] }],
    [
      { uuid: "a", code: "1" },
      { uuid: "b", name: "Other", ids: [["dhis2", "y"]] },
    ],
    [["a", "conflict", false, null]],
  ],
  [
    "an identifier of a facility with another code",
    [{ ...far, identifiers: [...hmis("2"), ...dhis2("x")] }],
    [{ uuid: "a", code: "1", ids: [["dhis2", "x"]] }],
    [[null, "conflict", false, null]],
  ],
  [
    "one code on two rows",
    [{ identifiers: hmis("1") }, { ...far, identifiers: hmis("1") }],
    [{ uuid: "a", code: "1" }],
    [
      ["a", "match", true, 1],
      [null, "duplicate", false, null],
    ],
  ],
  [
    "one identifier on rows of two facilities",
    [{ identifiers: [...hmis("1"), ...dhis2("x")] }, { ...far, identifiers: [...hmis("2"), ...dhis2("x")] }],
    [
      { uuid: "a", code: "1" },
      { uuid: "b", code: "2", name: "Elsewhere Post", district: 2 },
    ],
    [
      ["a", "match", true, 1],
      ["b", "duplicate", true, 1],
    ],
  ],
  [
    "one name twice without identifiers",
    [{}, {}],
    [],
    [
      [null, "new", true, null],
      [null, "duplicate", true, null],
    ],
  ],
  [
    "one name twice with different codes",
    [{ identifiers: hmis("1") }, { identifiers: hmis("2") }],
    [],
    [
      [null, "new", true, null],
      [null, "new", true, null],
    ],
  ],
  ["two stored facilities with the name", [{}], [{ uuid: "a" }, { uuid: "b" }], [["a", "mergeCandidate", true, 0.5]]],
  [
    "found by code, and another facility has the name and no code",
    [{ identifiers: hmis("1") }],
    [{ uuid: "a", code: "1" }, { uuid: "b" }],
    [["a", "mergeCandidate", true, 1]],
  ],
  [
    "found by code, and another facility has the name and another code",
    [{ identifiers: hmis("1") }],
    [
      { uuid: "a", code: "1" },
      { uuid: "b", code: "2" },
    ],
    [["a", "match", true, 1]],
  ],
])("%s", (_name, rows, facilities, expected) => expect(match(rows, facilities)).toEqual(expected));

test("the uuid of a merged facility finds the one that it was merged into", () =>
  expect(match([{ ...far, facilityUuid: "gone" }], [{ uuid: "a" }], { gone: "a" })).toEqual([
    ["a", "match", true, 0.95],
  ]));

test("computes distances, and the similarity of names", () => {
  expect(kilometres({ latitude: -15, longitude: 28 }, { latitude: -16, longitude: 28 })).toBeCloseTo(111.2, 1);
  expect(likeness("Chilenje Clinic", "chilenje  clinic")).toBe(1);
  expect(likeness("Chilenje", "Matero")).toBe(0);
});
