import { readFileSync } from "node:fs";

import { buildSchema } from "graphql";
import { expect, test } from "vitest";

import { indexOf, searchDocs } from "./docsSearch.ts";

const index = indexOf(buildSchema(readFileSync("schema.graphql", "utf8")));

test.each([
  ["median", "GroupFigures.median"],
  ["E-First", "FacilityGroup.efirst"],
  ["e first", "FacilityGroup.efirst"],
  ["gap", "TdbGroup.daysBetweenTdbs"],
  ["gaps between TDBs", "TdbGroup.daysBetweenTdbs"],
  ["average", "GroupFigures.mean"],
  ["patients", "FacilityGroup.clients"],
  ["coverage", "FacilityGroup.completeness"],
  ["ip", "ImplementingPartner"],
  ["not visited", "WorklistKind.NOT_VISITED"],
  ["who made the visit", "Assessment.userName"],
])("“%s” finds %s", (text, title) => {
  expect(searchDocs(index, text, 200).map((entry) => entry.title)).toEqual(expect.arrayContaining([expect.stringContaining(title)]));
});

test("a field ranks before sort values, and nonsense finds nothing", () => {
  const [first] = searchDocs(index, "median");
  expect(first!.title).toBe("GroupFigures.median");
  expect([searchDocs(index, "xyzzy"), searchDocs(index, "  ")]).toEqual([[], []]);
});

test("descriptions are searched, and special characters are accepted", () => {
  const found = searchDocs(index, "upgrade library", 200);
  expect(found.length).toBeGreaterThan(0);
  for (const text of ["(", "a.b*", "\\"]) expect(Array.isArray(searchDocs(index, text))).toBe(true);
});
