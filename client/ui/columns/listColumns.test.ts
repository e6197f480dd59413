import { expect, test } from "vitest";
import { columnsIn, columnsText } from "./listColumns.ts";

const known = ["name", "place", "works", "mode"];
const usual = ["name", "place", "works"];

test.each([
  ["", [], usual],
  ["columns=works", [], ["works"]],
  ["columns=mode,works", [], ["works", "mode"]],
  ["columns=nothing", [], usual],
  ["columns=works,nothing", [], ["works"]],
  ["", ["mode"], known],
  ["columns=works", ["mode"], ["works", "mode"]],
])("the address “%s” with the filter's columns %j shows %j", (address, added, shown) => {
  expect(columnsIn(new URLSearchParams(address), known, usual, added)).toEqual(shown);
});

test.each([
  [usual, ""],
  [["works", "name", "place"], ""],
  [["works"], "works"],
  [known, "name,place,works,mode"],
])("the columns %j are written as “%s”", (shown, text) => {
  expect(columnsText(shown, usual)).toBe(text);
});
