import { expect, test } from "vitest";

import { search, searchable } from "./siteSearch.ts";

const site = (facilityName: string, hmisCode: string | null = null, oldHmisCode: string | null = null) =>
  searchable({ facilityUuid: facilityName + hmisCode, facilityName, hmisCode, oldHmisCode });
const all = [
  site("Chibombo Rural Health Centre", "10010002", "5512"),
  site("Chibombo District Hospital", "10010003"),
  site("Old Chibombo Health Post", "10010011"),
  site("Ng'ombe Health Centre", "50030001"),
  site("Siavonga Hôpital", "90010001"),
  site("Lealui (Mukoko) Clinic", null, "L-17"),
  site("Kapiri Urban Clinic", "10060002"),
];
const found = (text: string) => search(all, text).map(({ facilityName }) => facilityName);

test.each([
  ["10010003", ["Chibombo District Hospital"]],
  ["5512", ["Chibombo Rural Health Centre"]],
  ["1001000", ["Chibombo District Hospital", "Chibombo Rural Health Centre"]],
  ["chibombo", ["Chibombo District Hospital", "Chibombo Rural Health Centre", "Old Chibombo Health Post"]],
  ["centre CHIBOMBO", ["Chibombo Rural Health Centre"]],
  ["ngombe", ["Ng'ombe Health Centre"]],
  ["hopital", ["Siavonga Hôpital"]],
  ["l-17", ["Lealui (Mukoko) Clinic"]],
  ["mukoko", ["Lealui (Mukoko) Clinic"]],
])("%s finds the facilities that contain all its words, the best match first", (text, names) => {
  expect(found(text)).toEqual(names);
});

test.each([
  ["chibmobo hospital", ["Chibombo District Hospital"]],
  ["siavnga", ["Siavonga Hôpital"]],
  ["kapri urban", ["Kapiri Urban Clinic"]],
  ["ngmobe", ["Ng'ombe Health Centre"]],
])("%s finds the facility despite the typo", (text, names) => {
  expect(found(text)).toEqual(names);
});

test.each(["10019999x", "zzzz", "...", "lusaka"])("%s finds nothing", (text) => {
  expect(found(text)).toEqual([]);
});
