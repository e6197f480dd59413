import { readdirSync, readFileSync } from "node:fs";

import { parse, TokenKind, visit } from "graphql";
import { expect, test } from "vitest";

import { readShape } from "./documentShape.ts";

const most = 10_000;
const definition = (more: object) => ({ name: null, isFragment: false, depth: 0, aliases: 0, fields: 0, spreads: [], ...more });

test.each<[string, object[], object?]>([
  ["", []],
  ["{ a }", [definition({ depth: 1, fields: 1 })]],
  ["query A { a { b } c }", [definition({ name: "A", depth: 2, fields: 3 })]],
  ["{ x: a(b: { c: { d: 1 } }) { y: z } }", [definition({ depth: 2, aliases: 2, fields: 2 })], { aliases: 2, levels: 4 }],
  ["query ($a: [Int!]! = [1] @d) @e { a @f(g: $a) }", [definition({ depth: 1, fields: 1 })], { directives: 3 }],
  ["{ ... on A { b { c } } ... @x { d } e }", [definition({ depth: 2, fields: 4 })], { directives: 1 }],
  ["{ on { on } ... on on { on } }", [definition({ depth: 2, fields: 3 })]],
  ["{ a { ...F } ...G } fragment F on T { b { ...G } }", [definition({ depth: 1, fields: 1, spreads: [{ name: "F", around: 1 }, { name: "G", around: 0 }] }), definition({ name: "F", isFragment: true, depth: 1, fields: 1, spreads: [{ name: "G", around: 1 }] })]],
  ["{ __schema { types { name { ...F } } } }", [definition({ depth: 1, fields: 3, spreads: [{ name: "F", around: null }] })], { readsSchema: true }],
  ["{ a: __type(name: \"x\") { b } }", [definition({ depth: 1, aliases: 1, fields: 2 })], { readsSchema: true }],
  ['{ a(b: "{ c: @d \\" }", e: """ { f: "g" \\""" } """) } # { h: @i }', [definition({ depth: 1, fields: 1 })], { directives: 0, levels: 2, tokens: 11 }],
  ["{ a(b: -1.5e+3, c: $d) }", [definition({ depth: 1, fields: 1 })], { tokens: 12 }],
])("reads the shape of '%s'", (text, definitions, figures = {}) => {
  expect(readShape(text, most)).toMatchObject({ definitions, ...figures });
});

test.each(["}}}}{{{{", ")))(((", ":::", "@@@", "......", '"', '"""', '"""\\"""', "query query query", "\0\uD800", "{ a(", "{ ...on }"])("reads %j without an error", (text) => {
  expect(readShape(text, most).tokens).toBeGreaterThan(0);
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
  for (let token = document.loc!.startToken.next; token?.next; token = token.next) counted.tokens += token.kind === TokenKind.COMMENT ? 0 : 1;
  const { definitions, directives, tokens } = readShape(text, most);
  const sum = (key: "fields" | "aliases") => definitions.reduce((all, each) => all + each[key], 0);
  expect({ fields: sum("fields"), aliases: sum("aliases"), directives, tokens, depth: Math.max(...definitions.map((each) => each.depth)) }).toEqual(counted);
});
