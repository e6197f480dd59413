import Fastify from "fastify";
import { getNamedType, GraphQLInt, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { z } from "zod";

import { routes } from "../gateway/faces.ts";
import { schema } from "../gateway/schema.ts";
import { facilityUuidRule } from "../gateway/facility/facility.rules.ts";
import { sentBackRule, uuidTextRule } from "../gateway/input/page.rules.ts";
import { importForm } from "../gateway/registry/importRow.rules.ts";
import { restServer } from "../gateway/rest/rest.ts";

/** Every text, number and list that comes in has a kind that bounds it, and texts come out in their form. */

type Def = {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  items?: z.ZodType[];
  rest?: z.ZodType | null;
  options?: z.ZodType[];
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
};
const defOf = (rule: z.ZodType) => rule.def as object as Def;

/** The rules of the parts of a list or an object, each with its name. */
function partsOf(rule: z.ZodType): [name: string, part: z.ZodType][] {
  const { shape, element, keyType, valueType, items, rest, options } = defOf(rule);
  if (shape) return Object.entries(shape).map(([name, part]) => [`.${name}`, part]);
  if (element) return [["[]", element]];
  if (keyType && valueType) return [keyType, valueType].map((part) => ["{}", part]);
  return [...(items ?? []), ...(rest ? [rest] : []), ...(options ?? [])].map((part) => ["", part]);
}
/** The rule that a value meets first or last, within `nullish`, `describe`, `pipe` and the like. */
function within(rule: z.ZodType, end: "in" | "out"): z.ZodType {
  const def = defOf(rule);
  const next = def.innerType ?? def[end];
  return next ? within(next, end) : rule;
}

const long = ["a", "1", "é", " a"].map((text) => text.repeat(70_000));
const unstorable = ["a\0bc", "4.1\0", "1\0", "abcd\uD800", "\uDC00abc"];
const outOfForm = ["cafe\u0301 abc", "abc\u202Edef", "abc\u200Bdef", "abc\u0007def", "\u2066abc\u2069"];
const isInForm = (text: string) => text === text.normalize("NFC") && !/[\p{Cf}\p{Cc}]/u.test(text);
const numbers = [1e300, -1e300, 2 ** 60, -(2 ** 60)];

/** Facilities and people are named by texts of any kind that are only looked up. */
const names = new Set([facilityUuidRule, uuidTextRule].map(defOf));
/** These are compared, run or given back as they are. */
const verbatim =
  /(assword|assword\w*Rule|\.code|codeRule|\.cursor|\.after|\.before|\.since|\.dbKey|\.query|\.operationName)$/;
/** Answers, whose types stand among the rules. */
const answers = /^(setAside \w+Body|tdb (tdbReceiptRules|unfinishedUploadRules|uploadHashesRules))\b/;

/** What a value that is no list and no object takes, and should not. */
function faultsOf(rule: z.ZodType, path: string): string[] {
  const takes = (value: unknown) => rule.safeParse(value).success;
  const formed = outOfForm.map((text) => rule.safeParse(text).data);
  return [
    ...(long.some(takes) ? ["a text of any length"] : []),
    ...(numbers.some(takes) ? ["a number of any size"] : []),
    ...(verbatim.test(path) || names.has(defOf(within(rule, "out")))
      ? []
      : [
          ...(unstorable.some(takes) ? ["a text that cannot be stored"] : []),
          ...(formed.some((text) => typeof text === "string" && !isInForm(text)) ? ["a text out of its form"] : []),
        ]),
  ].map((fault) => `${path} takes ${fault}`);
}

const known = new Map<z.ZodType, boolean>();
/** The faults of a rule and of all rules in it; not of what is only sent back. A rule without faults is looked at once. */
function faultsWithin(rule: z.ZodType, path: string): string[] {
  const first = within(rule, "in");
  if (known.get(rule) || rule.description === sentBackRule.description) return [];
  // As a whole it may have 20,000 characters as JSON.
  if (path.endsWith(".variables")) return [];
  const parts = partsOf(first);
  const isLimited = (first.def.checks ?? []).some(({ _zod: { def } }) =>
    /^(max_length|length_equals)$/.test(def.check),
  );
  const faults = [
    ...(defOf(first).type === "array" && !isLimited ? [`${path} takes a list of any length`] : []),
    ...(parts.length > 0 ? parts.flatMap(([name, part]) => faultsWithin(part, path + name)) : faultsOf(rule, path)),
  ];
  if (!verbatim.test(path)) known.set(rule, faults.length === 0);
  return faults;
}

test("every value of a REST call is bounded, and in its form", async () => {
  const server = Fastify();
  const found: string[] = [];
  server.addHook("onRoute", ({ method, url, schema }) => {
    for (const part of ["params", "querystring", "body"] as const)
      if (schema?.[part]) found.push(...faultsWithin(schema[part] as z.ZodType, `${String(method)} ${url} ${part}`));
  });
  await server.register(async (scope) => restServer(scope, routes), { prefix: "/api/v1" });
  await server.ready();
  expect(found).toEqual([]);
});

const modules = import.meta.glob<Record<string, unknown>>(["../gateway/**/*.rules.ts", "!../gateway/backup/**"], {
  eager: true,
});
/** An exported rule, or the rules of an exported object, such as those of the rows of each CSV file. */
const rulesIn = (name: string, exported: unknown): [name: string, rule: z.ZodType][] =>
  exported instanceof z.ZodType
    ? [[name, exported]]
    : Object.entries(exported instanceof Object && !Array.isArray(exported) ? exported : {}).flatMap(([part, rule]) =>
        rule instanceof z.ZodType ? [[`${name}.${part}`, rule] as [string, z.ZodType]] : [],
      );
test("every rule bounds what it takes, and puts texts in their form", () => {
  const columns = { "importRow.rules.ts": { column: importForm([]).rule.shape } };
  const found = [...Object.entries(modules), ...Object.entries(columns)].flatMap(([file, exported]) =>
    Object.entries(exported)
      .flatMap(([name, each]) => rulesIn(name, each))
      .flatMap(([name, rule]) => {
        const path = `${file.split("/").at(-1)!.replace(".rules.ts", "")} ${name}`;
        return answers.test(path) ? [] : faultsWithin(rule, path);
      }),
  );
  expect(found).toEqual([]);
});

test("no sum is a 32-bit integer in GraphQL", () => {
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith("__"))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ ...field, of: type.name })));
  const sums = fields.filter(
    ({ name, description }) =>
      !/^(Facilities|Rows) /.test(description ?? "") &&
      (/^sum[A-Z]/.test(name) || /\b(sum|added up|bytes)\b/i.test(description ?? "")),
  );
  expect(sums.length).toBeGreaterThan(10);
  expect(
    sums
      .filter(({ type }) => getNamedType(type) === GraphQLInt)
      .map(({ of, name, description }) => `${of}.${name}: ${description}`),
  ).toEqual([]);
});
