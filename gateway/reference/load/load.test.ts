import { expect, test } from "vitest";

import { whyOutside } from "../country.rules.ts";
import { fold, nameKey } from "../../input/identity.rules.ts";
import { isAlmost, type Kind, readHeader, readRow } from "./load.rules.ts";

const read = (kind: Kind, columns: string[], cells: string[]) => readRow(kind, readHeader(kind, columns), cells);
const facility = (columns: string[], cells: string[]) =>
  read("facilities", ["name", "province", "district", ...columns], ["A", "Lusaka", "Kafue", ...cells]);

test.each<[Kind, string[], string[], string[]]>([
  [
    "facilities",
    ["HMISCODE", " Name ", "province", "District", "facility_type"],
    [],
    ["hmisCode", "facilityName", "province", "district", "facilityType"],
  ],
  [
    "facilities",
    ["smartcareGuid", "facilityName", "province", "district", "ownership", "rawName"],
    ["rawName"],
    ["facilityUuid", "facilityName", "province", "district", "facilityOwner"],
  ],
  [
    "facilities",
    ["uuid", "Facility Name", "province", "district", "", "x"],
    ["(column 5, without a name)", "x"],
    ["facilityUuid", "facilityName", "province", "district"],
  ],
  ["partners", ["name", "role"], ["role"], ["name"]],
  ["provinces", ["Province"], [], ["name"]],
  ["districts", ["district", "province"], [], ["district", "province"]],
  ["serviceAreas", ["serviceArea"], [], ["name"]],
  ["versions", ["databaseVersion", "libraryVersion"], [], ["databaseVersion", "libraryVersion"]],
  ["connectivityTypes", ["type"], [], ["name"]],
  ["connectivityProviders", ["provider"], [], ["name"]],
])("%s: header %j", (kind, header, ignored, fields) => {
  const result = readHeader(kind, header);
  expect(result.errors).toEqual([]);
  expect(result.ignored).toEqual(ignored);
  expect([...result.fields.keys()]).toEqual(fields);
});

test.each<[Kind, string[], string[]]>([
  ["facilities", ["name", "district"], ["province"]],
  ["facilities", ["name", "province", "district", "latitude"], ["longitude"]],
  ["facilities", ["name", "facilityName", "province", "district"], ["facilityName"]],
  ["districts", ["name"], ["province", "district"]],
  ["versions", ["libraryVersion"], ["databaseVersion"]],
  ["facilities", ["name;province;district"], ["facilityName", "province", "district", "name;province;district"]],
])("%s: header %j lacks or repeats %j", (kind, header, columns) => {
  expect(readHeader(kind, header).errors.map(({ column }) => column)).toEqual(columns);
});

test.each<[string, unknown]>([
  ["hmisCode= 8007XX52 ", "8007XX52"],
  ["hmisCode=", null],
  ["facilityType=Health   Post", "Health Post"],
  ["latitude=-15.5", -15.5],
  ["serviceAreas=ART; art ;;PMTCT", ["art", "PMTCT"]],
  ["serviceAreas= ; ", null],
])("reads %s", (pair, value) => {
  const [column, cell] = pair.split("=") as [string, string];
  const columns = column === "latitude" ? ["latitude", "longitude"] : [column];
  const { row } = facility(columns, [cell, "28.1"].slice(0, columns.length));
  expect(row).toHaveProperty(column, value);
  expect(row).not.toHaveProperty("oldHmisCode");
});

test.each<[string, string[], string[], string]>([
  [
    "text that is not a number",
    ["latitude", "longitude"],
    ["-15,5", "28"],
    "latitude: '-15,5' is not a number (digits, with a point for decimals)",
  ],
  [
    "text that is not a number",
    ["latitude", "longitude"],
    ["1e1", "28"],
    "latitude: '1e1' is not a number (digits, with a point for decimals)",
  ],
  [
    "text that is not a number",
    ["latitude", "longitude"],
    ["-15", "1e1"],
    "longitude: '1e1' is not a number (digits, with a point for decimals)",
  ],
  ["out of bounds", ["latitude", "longitude"], ["-90.1", "28"], "latitude: -90.1 is outside of -90 to 90"],
  ["out of bounds", ["Latitude", "Long itude"], ["-15", "180.5"], "Long itude: 180.5 is outside of -180 to 180"],
  ["too long", ["hmisCode"], ["1".repeat(33)], "hmisCode: is too long: at most 32 characters"],
  ["too long", ["uuid"], ["x".repeat(65)], "uuid: is too long: at most 64 characters"],
  ["a NUL character", ["ownership"], ["G\0RZ"], "ownership: holds a NUL character"],
  ["a control character", ["ownership"], ["G\u0007RZ"], "ownership: holds a control character (U+0007)"],
  ["another encoding", ["ownership"], ["Caf\u{FFFD}"], "ownership: is not UTF-8: save the file as CSV in UTF-8"],
])("refuses %s (%j %j)", (_name, columns, cells, message) => {
  expect(facility(columns, cells).errors.map(({ column, reason }) => `${column}: ${reason}`)).toEqual([message]);
});

test("reports every wrong cell of a row", () => {
  const { row, errors } = read(
    "facilities",
    ["name", "province", "district", "latitude", "longitude"],
    ["", " ", "", "x", "200"],
  );
  expect(row).toBeUndefined();
  expect(errors.map(({ column }) => column)).toEqual(["name", "province", "district", "latitude", "longitude"]);
});

test("counts characters, not code units", () => {
  expect(facility(["hmisCode"], ["😀".repeat(32)]).errors).toEqual([]);
});

test.each([
  ["yes", true],
  ["TRUE", true],
  ["1", true],
  ["no", false],
  ["inactive", false],
  ["", null],
])("reads active=%j as %j", (cell, active) => {
  expect(read("partners", ["name", "active"], ["P", cell]).row).toEqual({ name: "P", active });
});

test("refuses active=maybe", () => {
  expect(read("partners", ["name", "active"], ["P", "maybe"]).errors).toEqual([
    { column: "active", reason: "'maybe' is neither true nor false" },
  ]);
});

test.each<[number, number, string | undefined]>([
  [-15.4, 28.3, undefined],
  [28.3, -15.4, "swapped"],
  [15.4, 28.3, "minus sign of the latitude"],
  [28.3, 15.4, "swapped and the minus sign"],
  [0, 0, "zero"],
  [-18.4082, 28.2872, "28.2872 is outside Zambia"],
])("why the location %d, %d is outside: %s", (latitude, longitude, reason) => {
  const why = whyOutside(latitude, longitude);
  if (reason === undefined) expect(why).toBeUndefined();
  else expect(why).toContain(reason);
});

test.each([
  ["Lusakaa", "Lusaka", true],
  ["North-Western", "North Western", true],
  ["Eastern Province", "Eastern", true],
  ["Shangombo", "Shang'ombo", true],
  ["Chibombbo", "Chibombo", true],
  ["Chome", "Choma", true],
  ["Eastern", "Western", false],
  ["Northern", "North Western", false],
  ["Lunga", "Lunte", false],
])("%s and %s are similar names: %j", (name, other, expected) => {
  expect(isAlmost(name, other)).toBe(expected);
  expect(isAlmost(other, name)).toBe(expected);
});

test("folds spaces, case and apostrophes", () => {
  expect(fold("  A\u00a0 b\t\nc ")).toBe("A b c");
  expect(nameKey("Shang’OMBO ")).toBe(nameKey("shang'ombo"));
});
