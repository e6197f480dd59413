import { readFileSync } from "node:fs";

import { buildSchema, isObjectType, parse, validate } from "graphql";
import { expect, test } from "vitest";

import { chooseField, chosenFields } from "./chooseFields.ts";

const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
const flat = (query: string | null) => query?.replaceAll(/\s+/g, " ").trim();
const add = (query: string, type: string, field: string) => chooseField(schema, query, { type, field, isChosen: true });
const remove = (query: string, type: string, field: string) => chooseField(schema, query, { type, field, isChosen: false });

test.each([
  ["a field of a type that is asked for", "{ facilities { nodes { facilityName } } }", "Facility", "hmisCode", "{ facilities { nodes { facilityName hmisCode } } }"],
  ["a list, with the names of what it holds", "", "Query", "facilities", "{ facilities { nodes { facilityName } } }"],
  ["the way to a type that is not asked for yet", "{ provinces { nodes { name } } }", "Facility", "hmisCode", "{ provinces { nodes { name } } facilities { nodes { hmisCode } } }"],
  ["an object, by its name", "{ facilities { nodes { facilityName } } }", "Facility", "district", "{ facilities { nodes { facilityName district { name } } } }"],
  ["what must be told as a variable", "", "Query", "summarySheet", expect.stringMatching(/^\{ summarySheet \{ \w+ \} \}$/)],
  ["a field that is there once", "{ provinces { nodes { name } } }", "Province", "name", "{ provinces { nodes { name } } }"],
])("puts in %s", (_, query, type, field, wanted) => {
  const made = add(query, type, field);
  expect(flat(made)).toEqual(wanted);
  expect(chosenFields(schema, made!, type)?.has(field)).toBe(true);
});

test("takes out a field, what it needed, and leaves no empty place", () => {
  expect(flat(remove("{ provinces { nodes { name provinceId } } }", "Province", "name"))).toBe("{ provinces { nodes { provinceId } } }");
  expect(flat(remove("{ provinces { nodes { name } } }", "Province", "name"))).toBe("{ provinces { nodes { __typename } } }");
  expect(flat(add("{ provinces { nodes { __typename } } }", "Province", "provinceId"))).toBe("{ provinces { nodes { provinceId } } }");
  const chart = add("# Modes\n{ provinces { nodes { name } } }", "Query", "deploymentMode")!;
  expect(chart).toMatch(/^# Modes\n/);
  expect(flat(chart)).toContain("query ($year: Int!) {");
  expect(flat(remove(chart, "Query", "deploymentMode"))).toBe("# Modes { provinces { nodes { name } } }");
});

test("every field that can be reached makes a query that the schema accepts", () => {
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

test("a query that cannot be read is left alone", () => {
  expect(add("{ facilities {", "Facility", "hmisCode")).toBe(null);
  expect(chosenFields(schema, "{ facilities {", "Facility")).toBe(null);
  expect(add("", "Nosuch", "field")).toBe(null);
});
