import { readdirSync, readFileSync } from "node:fs";

import { parse, TokenKind, visit } from "graphql";
import { expect, test } from "vitest";

import { countTokens, shapeOf } from "./documentLimits.ts";

test.each<[string, object, object?]>([
  ["{ a }", { depth: 1, fields: 1 }],
  ["query A { a { b } c }", { depth: 2, fields: 3 }],
  ["{ x: a(b: { c: { d: 1 } }) { y: z } }", { depth: 2, aliases: 2, fields: 2 }, { aliases: 2, levels: 4 }],
  ["query ($a: [Int!]! = [1] @d) @e { a @f(g: $a) }", { depth: 1, fields: 1 }, { directives: 3 }],
  ["{ ... on A { b { c } } ... @x { d } e }", { depth: 2, fields: 4 }, { directives: 1 }],
  ["{ on { on } ... on on { on } }", { depth: 2, fields: 3 }],
  [
    "{ a { ...F } ...G } fragment F on T { b { ...G } } fragment G on T { c: d }",
    { depth: 3, aliases: 2, fields: 4 },
    { aliases: 1 },
  ],
  ["{ a } fragment F on T { b { c } }", { depth: 2, fields: 2 }],
  ["{ __schema { types { name { ...F } } } } fragment F on T { a }", { depth: 1, fields: 4 }, { readsSchema: true }],
  ['{ a: __type(name: "x") { b } }', { depth: 1, aliases: 1, fields: 2 }, { readsSchema: true }],
  [
    '{ a(b: "{ c: @d \\" }", e: """ { f: "g" \\""" } """) } # { h: @i }',
    { depth: 1, fields: 1 },
    { directives: 0, levels: 2, tokens: 11 },
  ],
  ['{ a(b: "__schema") }', { depth: 1, fields: 1 }, { readsSchema: false }],
  ["{ a(b: -1.5e+3, c: $d) }", { depth: 1, fields: 1 }, { tokens: 12 }],
])("reads the shape of '%s'", (text, shape, figures = {}) => {
  expect(shapeOf(parse(text))).toEqual({ aliases: 0, ...shape });
  expect(countTokens(text)).toMatchObject(figures);
});

test.each([
  "",
  "}}}}{{{{",
  ")))(((",
  ":::",
  "@@@",
  "......",
  '"',
  '"""',
  '"""\\"""',
  "query query query",
  "\0\uD800",
  "{ a(",
  "{ ...on }",
])("reads %j without an error", (text) => {
  expect(countTokens(text).tokens).toBeGreaterThanOrEqual(0);
});

const folder = "client/explorer/examples";
test.each(readdirSync(folder))("counts %s as the parser does", (name) => {
  const text = readFileSync(`${folder}/${name}`, "utf8");
  const counted = { fields: 0, aliases: 0, directives: 0, tokens: 0, depth: 0 };
  let depth = 0;
  const document = parse(text);
  visit(document, {
    Field: {
      enter({ alias }) {
        counted.fields += 1;
        counted.aliases += alias ? 1 : 0;
        depth += 1;
        counted.depth = Math.max(counted.depth, depth);
      },
      leave: () => void (depth -= 1),
    },
    Directive: () => void (counted.directives += 1),
  });
  for (let token = document.loc!.startToken.next; token?.next; token = token.next)
    counted.tokens += token.kind === TokenKind.COMMENT ? 0 : 1;
  const { directives, tokens, aliases } = countTokens(text);
  const { fields, depth: levels } = shapeOf(document);
  expect({ fields, aliases, directives, tokens, depth: levels }).toEqual(counted);
});
