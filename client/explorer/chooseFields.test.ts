import { readFileSync } from "node:fs";

import { buildSchema, isObjectType, parse, validate } from "graphql";
import { expect, test } from "vitest";

import { chooseField, chosenFields } from "./chooseFields.ts";

const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
const flat = (query: string | null) => query?.replaceAll(/\s+/g, " ").trim();
const add = (query: string, type: string, field: string) => chooseField(schema, query, { type, field, isChosen: true });
const remove = (query: string, type: string, field: string) => chooseField(schema, query, { type, field, isChosen: false });

test.each([
  ["a field of a type that the query already selects", "{ facilities { nodes { facilityName } } }", "Facility", "hmisCode", "{ facilities { nodes { facilityName hmisCode } } }"],
  ["a list, with the names of its entries", "", "Query", "facilities", "{ facilities { nodes { facilityName } } }"],
  ["the path to a type that the query does not select yet", "{ provinces { nodes { name } } }", "Facility", "hmisCode", "{ provinces { nodes { name } } facilities { nodes { hmisCode } } }"],
  ["an object, with its name", "{ facilities { nodes { facilityName } } }", "Facility", "district", "{ facilities { nodes { facilityName district { name } } } }"],
  ["a field with optional arguments, without arguments", "", "Query", "summarySheet", expect.stringMatching(/^\{ summarySheet \{ \w+ \} \}$/)],
  ["a field only once", "{ provinces { nodes { name } } }", "Province", "name", "{ provinces { nodes { name } } }"],
])("adds %s", (_, query, type, field, wanted) => {
  const made = add(query, type, field);
  expect(flat(made)).toEqual(wanted);
  expect(chosenFields(schema, made!, type)?.has(field)).toBe(true);
});

test("removes a field with its variables, and leaves no empty selection", () => {
  expect(flat(remove("{ provinces { nodes { name provinceId } } }", "Province", "name"))).toBe("{ provinces { nodes { provinceId } } }");
  expect(flat(remove("{ provinces { nodes { name } } }", "Province", "name"))).toBe("{ provinces { nodes { __typename } } }");
  expect(flat(add("{ provinces { nodes { __typename } } }", "Province", "provinceId"))).toBe("{ provinces { nodes { provinceId } } }");
  const chart = add("# Modes\n{ provinces { nodes { name } } }", "Query", "deploymentMode")!;
  expect(chart).toMatch(/^# Modes\n/);
  expect(flat(chart)).toContain("query ($year: Int!) {");
  expect(flat(remove(chart, "Query", "deploymentMode"))).toBe("# Modes { provinces { nodes { name } } }");
});

test("adding any reachable field gives a valid query", () => {
  let count = 0;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.keys(type.getFields())) {
      const made = add("", type.name, field);
      if (made === null) continue;
      count += 1;
      expect([made, validate(schema, parse(made)).map(({ message }) => message)]).toEqual([made, []]);
    }
  }
  expect(count).toBeGreaterThan(300);
});

test("returns null for a query that cannot be parsed, and for an unknown type", () => {
  expect(add("{ facilities {", "Facility", "hmisCode")).toBe(null);
  expect(chosenFields(schema, "{ facilities {", "Facility")).toBe(null);
  expect(add("", "Nosuch", "field")).toBe(null);
});
