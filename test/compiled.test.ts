import { readdirSync, readFileSync } from "node:fs";

import { afterAll, beforeAll, expect, test } from "vitest";

import { readExample } from "../client/explorer/examples.ts";
import { findToday } from "../db/system.ts";
import { type Person, stranger, type TestGateway, testGateway } from "./gateway.ts";

/** A query is executed as any other at first and by code compiled for it later: answers and errors are the same, to the byte. */

let gateway: TestGateway;
let people: Person[];

beforeAll(async () => {
  gateway = await testGateway();
  people = [...(await Promise.all(["admin", "plain"].map((login) => gateway.as(login)))), stranger(gateway.url)];
});
afterAll(() => gateway.stop());

const folder = "client/explorer/examples";
const examples = readdirSync(folder).filter((name) => name.endsWith(".graphql"));

const json = "application/json";
/** The two forms of an answer, and one that is left to Yoga's own HTTP half. */
const forms = [json, "application/graphql-response+json", "text/event-stream, application/json;q=0.5"];

let texts = 0;

/** Asks three times with each set of variables, each by a text that was never asked before: the answers of each time. */
async function askThrice(query: string, variables: object[], accepted = forms): Promise<unknown[][]> {
  const times: unknown[][] = [[], [], []];
  for (const person of people)
    for (const accept of accepted)
      for (const given of variables) {
        const unknown = `${query}\n# ${(texts += 1)}`;
        for (const answers of times) {
          const { status, headers, text } = await person.call("POST", "/graphql", { query: unknown, variables: given }, { accept });
          answers.push([status, headers.get("content-type"), text]);
        }
      }
  return times;
}

test.each(examples)("%s", async (name) => {
  const { query, variables } = readExample(name, readFileSync(`${folder}/${name}`, "utf8"), await findToday(gateway.db));
  const [first, second, third] = await askThrice(query, [variables ?? {}], [json]);
  expect([second, third]).toEqual([first, first]);
});

const page = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
const cases: Record<string, [string, ...object[]]> = {
  "what is not there": ["query ($id: Int!) {\r\n  province(provinceId: $id) { name }\n  system { appName }\n}", { id: 99_999 }, { id: 1 }, { id: null }, { id: "one" }, {}],
  "what only some may see": ["{ auditEvents(first: 2) { nodes { action } } provinces { totalCount } }"],
  "rights within rows": ["{ facilities(first: 3) { nodes { id assessments(first: 2) { totalCount nodes { id closingComments } } tdbs(first: 1) { nodes { sha256 } } } } }"],
  "global ids": ["query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Province { name } ... on District { name } } }", { ids: ["UHJvdmluY2U6MQ==", "RGlzdHJpY3Q6MQ==", "UHJvdmluY2U6OTk5"] }, { ids: ["x"] }, { ids: [] }],
  "a node": ["query ($id: ID!) { node(id: $id) { ...P } } fragment P on Node { id __typename ... on Province { provinceId } }", { id: "UHJvdmluY2U6Mg==" }, { id: "nothing" }],
  directives: ["query ($yes: Boolean! = true, $no: Boolean!) { a: system @include(if: $yes) { today } b: system @skip(if: $no) { appName ...V @include(if: $no) } } fragment V on System { appVersion }", { no: true }, { no: false, yes: false }, {}],
  "a fragment spread under several conditions": [
    `query ($yes: Boolean!, $no: Boolean!) { ...F @include(if: $no) ...F @include(if: $yes) a: system @include(if: $no) { ...V } b: system { ...V } }
      fragment F on Query { provinces(first: 1) { totalCount } } fragment V on System { appVersion }`,
    ...[true, false].flatMap((yes) => [true, false].map((no) => ({ yes, no }))),
  ],
  "a field asked for twice, once under a condition": [
    `query ($yes: Boolean!) { system @include(if: $yes) { ... on System { appName } ...V } system { today } ... @skip(if: $yes) { provinces(first: 1) { nodes { id } } }
      districts(first: 1) { totalCount } provinces(first: 1) { totalCount } } fragment V on System { appVersion }`,
    { yes: true },
    { yes: false },
  ],
  "an order that a condition decides": ["query ($yes: Boolean!) { a: __typename @include(if: $yes) b: __typename a: __typename }", { yes: true }, { yes: false }],
  pages: [`query ($first: Int, $last: Int, $before: String) { districts(first: $first, last: $last, before: $before) { totalCount ${page} edges { cursor node { id } } } }`, { first: 2 }, { last: 2 }, { first: 101 }, { first: -1 }, { before: "x" }],
  enums: ["query ($mode: FunctionalityStatusMode) { facilities(mode: $mode, first: 2) { nodes { functionalityStatusMode } } }", { mode: "EFirst" }, { mode: "Nothing" }, { mode: null }],
  dates: ["query ($start: Date!, $end: Date!) { tdbHistoryFacilities(start: $start, end: $end) { facilityId } }", { start: "2026-01-01", end: "2026-12-31" }, { start: "2026-01-01", end: "yesterday" }],
  "objects given": ["query ($filter: FacilityFilter) { facilities(filter: $filter, first: 2) { totalCount nodes { id } } }", { filter: { provinceIds: [1, 2] } }, { filter: { nothing: 1 } }, { filter: null }],
  "what the schema says of itself": ['{ __type(name: "Province") { name fields { name type { kind ofType { name } } } } __typename }'],
};
test.each(Object.entries(cases))("%s", async (_, [query, ...variables]) => {
  const [first, second, third] = await askThrice(query, variables.length ? variables : [{}]);
  expect([second, third]).toEqual([first, first]);
});
