import { readFile } from "node:fs/promises";

import {
  getNamedType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from "graphql";
import type { FastifyRequest } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";

import { FacilitiesScreenQueryDocument } from "../../client/gql/graphql.ts";
import type { RevisedNoun } from "../../db/derived/revision.ts";
import { listedTypes, nounsOfDocument } from "../../gateway/reading/nounsOfDocument.ts";
import { usualKeptBytes } from "../../gateway/reading/kept.ts";
import { listedRoutes, nounsOfCall } from "../../gateway/rest/answersFrom.ts";
import { schema } from "../../gateway/schema.ts";
import { type SampleFacility, sampleFacility } from "../support/assessment-data.ts";
import { type Person, stranger, testGateway, type TestGateway } from "../support/gateway.ts";
import { findNounsRead, type NounsRead } from "../support/nounsRead.ts";
import { addPathValues, type PathValues } from "../support/pathValues.ts";
import { statementsOf } from "../support/statements.ts";
import { graphql, type KeptQuestion, lasting, logins } from "./keptQuestions.ts";

/**
 * All types and routes that are listed in `reading/nounsOfDocument.ts` and `rest/answersFrom.ts`: their statements read the
 * nouns that are listed only, and no person gets another person's answer.
 */

let here: TestGateway;
let twin: TestGateway;
let facility: SampleFacility;
let values: PathValues;
let nounsRead: NounsRead;
let userUuid: string;
const people = new Map<string, Person>();

beforeAll(async () => {
  here = await testGateway("demo", { keptAnswerBytes: usualKeptBytes });
  twin = await testGateway("empty", { db: here.db, dataDir: here.dataDir, keptAnswerBytes: 0 });
  for (const login of logins) people.set(login, await here.as(login));
  facility = await sampleFacility(here.db, 0);
  values = await addPathValues(here.db, people.get("admin")!, here.url);
  nounsRead = await findNounsRead(here.db);
  userUuid = (
    await people.get("admin")!.graphql<{ viewer: { user: { uuid: string } } }>("{ viewer { user { uuid } } }")
  ).data.viewer.user.uuid;
});
afterAll(async () => {
  await twin?.stop();
  await here?.stop();
});

const isListed = ({ name }: GraphQLNamedType): boolean =>
  listedTypes.includes(name) || listedTypes.includes(name.replace(/(Connection|Edge)$/, ""));

/** Values of an argument, as they are written in a query: all values of a list of choices, one of everything else. */
function literals(name: string, type: GraphQLInputType): string[] {
  if (isNonNullType(type)) return literals(name, type.ofType);
  if (isListType(type)) return literals(name, type.ofType).map((each) => `[${each}]`);
  if (isEnumType(type)) return type.getValues().map((value) => value.name);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).flatMap((field) =>
      literals(field.name, field.type).map((each) => `{ ${field.name}: ${each} }`),
    );
  const day = { start: "2026-01-01", end: "2026-10-31" }[name] ?? "2026-10-01";
  const known: Record<string, unknown> = {
    ...{ facilityUuid: facility.facilityUuid, assessmentUuid: values.valueOf("", "assessmentUuid"), userUuid },
    ...{ system: "hmis", value: "1", quarter: -1, year: 2026, search: "clinic", minimumSize: 5 },
  };
  return [JSON.stringify(known[name] ?? { Int: 1, Float: 1, Boolean: true, Date: day }[type.name] ?? "1")];
}
const needed = (field: GraphQLField<unknown, unknown>) =>
  field.args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
const written = (given: string[]) => (given.length > 0 ? `(${given.join(", ")})` : "");
/** The arguments that a field needs, and a short page. */
const least = (field: GraphQLField<unknown, unknown>) =>
  [...needed(field), ...field.args.filter(({ name }) => name === "first")].map(
    ({ name, type }) => `${name}: ${name === "first" ? 2 : literals(name, type)[0]!}`,
  );

/** All values of a type and of the listed types that it links to, `steps` levels deep. */
function selectionOf(type: GraphQLOutputType, steps: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return "";
  const fields = Object.values(named.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) return [`${field.name}${written(least(field))}`];
    const isWalked = steps > 0 && isListed(inner);
    return isWalked
      ? [
          `${field.name}${written(least(field))}${selectionOf(inner, steps - (/(Connection|Edge)$/.test(inner.name) ? 0 : 1))}`,
        ]
      : [];
  });
  return ` { __typename ${fields.join(" ")} }`;
}

type Walked = { question: KeptQuestion; nouns: readonly RevisedNoun[] | undefined };
const byQuery = (query: string): Walked => ({ question: graphql(query), nouns: nounsOfDocument(schema, parse(query)) });
const roots = () =>
  Object.values(schema.getQueryType()!.getFields()).filter((field) => isListed(getNamedType(field.type)));
/** A query for each field of the root, and one for each field of a listed type that links to another one. */
const queries = (): Walked[] =>
  roots().map((field) => byQuery(`{ ${field.name}${written(least(field))}${selectionOf(field.type, 1)} }`));
/** A query for each argument of each list and figure. */
const narrowed = (): Walked[] =>
  roots().flatMap((field) =>
    field.args
      // Answers about one's own tasks (mine) are not kept.
      .filter(({ name }) => !["first", "last", "after", "before", "asOf", "mine", "fieldList"].includes(name))
      .flatMap(({ name, type }) =>
        literals(name, type)
          // Nor are answers about a field list, which may be one's own.
          .filter((each) => !each.includes("fieldList:"))
          .map((each) =>
            byQuery(
              `{ ${field.name}${written([...least(field).filter((one) => !one.startsWith(`${name}:`)), `${name}: ${each}`])}${selectionOf(field.type, 0)} }`,
            ),
          ),
      ),
  );
const described = (
  JSON.parse(await readFile("gateway/openapi.json", "utf8")) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  }
).paths;
type Parameter = { name?: string; in?: string; schema?: { type?: string; enum?: string[] } };
const pathOf = (route: string) => route.replaceAll(/:(\w+)/g, "{$1}");
const nounsOf = (url: string, query: object = {}) => nounsOfCall({ routeOptions: { url }, query } as FastifyRequest);
/** A call for each listed route. */
const calls = (): Walked[] =>
  listedRoutes.map((route) => ({ question: { path: values.filled(pathOf(route)) }, nouns: nounsOf(route) }));
/** A call for each query parameter of each listed route. */
const narrowedCalls = (): Walked[] =>
  listedRoutes.flatMap((route) =>
    (described[pathOf(route)]?.get?.parameters ?? [])
      // GeoJSON is sent as a stream, which is not kept.
      .filter(
        (parameter) =>
          parameter.in === "query" && !["asOf", "format", "mine", "fieldList"].includes(parameter.name ?? ""),
      )
      .flatMap(({ name = "", schema: rule }) =>
        (rule?.enum ?? [{ integer: "1", boolean: "true" }[rule?.type ?? ""] ?? "clinic"]).map((value) => ({
          question: { path: `${values.filled(pathOf(route))}?${name}=${value}` },
          nouns: nounsOf(route),
        })),
      ),
  );

const ask = (person: Person, { path, body }: KeptQuestion) => person.call(body ? "POST" : "GET", path, body);
/** Statements that a gateway sends before it answers: they find the caller. */
const isOfCaller = (text: string) => /"?\brevision\b"?|reltuples/.test(text);

/** What a question's statements read although it is not listed. */
async function unlisted(person: Person, { question, nouns }: Walked): Promise<string[]> {
  const name = JSON.stringify(question.body ?? question.path);
  if (!nouns) return [`${name} is not kept`];
  const texts = await statementsOf(async () => {
    const { status, text } = await ask(person, question);
    if (status >= 500) throw new Error(`${name}: ${status} ${text}`);
  });
  return texts
    .filter((text) => !isOfCaller(text))
    .flatMap((text) => {
      const read = nounsRead(text);
      if (!read) return [`${name} must not be kept, because of ${text.slice(0, 300)}`];
      return read.filter((noun) => !nouns.includes(noun)).map((noun) => `${name} reads ${noun}: ${text.slice(0, 100)}`);
    });
}

test("listed types and routes exist", async () => {
  expect(listedTypes.filter((name) => !schema.getType(name))).toEqual([]);
  expect(listedRoutes.filter((route) => !described[pathOf(route)]?.get)).toEqual([]);
});

test("what is not listed is not kept, nor mutations and figures as at an earlier day", () => {
  const nounsOfQuery = (query: string) => nounsOfDocument(schema, parse(query));
  expect(nounsOfQuery("{ provinces { nodes { name districts { totalCount } } } }")).toEqual(["reference"]);
  expect(nounsOfQuery("{ targets { totalCount } }")).toContain("target");
  expect(nounsOfQuery("{ __typename provinces { __typename } }")).toEqual(["reference"]);
  for (const query of [
    ...[
      "{ viewer { privileges { administrator } } }",
      "{ system { today } }",
      "{ auditActions }",
      '{ tdbCount(start: "2026-01-01", end: "2026-01-02") }',
    ],
    ...[
      "{ provinces { totalCount } savedViews { totalCount } }",
      "{ __schema { queryType { name } } }",
      '{ silentSites(asOf: "2026-01-01") { totalCount } }',
      "{ actions(mine: true) { totalCount } }",
    ],
    ...[
      "query a { provinces { totalCount } } query b { users { totalCount } }",
      "{ assessments { nodes { user { primaryEmail } } } }",
      '{ node(id: "x") { id } }',
    ],
    ...[
      'mutation { deleteTarget(uuid: "x") { errors { message } } }',
      "{ ...part } fragment part on Query { viewer { user { bio } } }",
    ],
  ])
    expect(nounsOfQuery(query), query).toBeUndefined();
  expect(nounsOf("/api/v1/tdb/silent", { asOf: "2026-01-01" })).toBeUndefined();
  expect(nounsOf("/api/v1/user/me")).toBeUndefined();
});

test("the client's list is kept, unless it names a field list", () => {
  const nouns = (values: object) => nounsOfDocument(schema, FacilitiesScreenQueryDocument, { ...values });
  expect(nouns({})).toContain("facility");
  expect(nouns({ onFieldList: false })).toContain("facility");
  expect(nouns({ onFieldList: true, namedFieldList: "x" })).toBeUndefined();
  const spread = (usual: string) =>
    parse(`fragment part on Query { viewer @include(if: $own) { user { bio } } }
      query ($own: Boolean! ${usual}) { ...part provinces { totalCount } }`);
  expect(nounsOfDocument(schema, spread("= false"))).toEqual(["reference"]);
  for (const usual of ["= true", ""]) expect(nounsOfDocument(schema, spread(usual))).toBeUndefined();
});

test("answers come from the listed nouns only, with any argument", async () => {
  const found: string[] = [];
  const walked = [...queries(), ...narrowed(), ...calls(), ...narrowedCalls()];
  expect(walked.length).toBeGreaterThan(300);
  for (const each of walked) found.push(...(await unlisted(people.get("admin")!, each)));
  expect(found).toEqual([]);
});

test("every person gets the twin's answer, first and again", async () => {
  const found: string[] = [];
  const sent = async () =>
    Number(/^platform_kept_answers_sent (\d+)/m.exec((await stranger(here.url).get("/metrics")).text)![1]);
  const before = await sent();
  for (const { question } of [...queries(), ...calls()])
    for (const [login, person] of people) {
      const atTwin = stranger(twin.url);
      for (const [name, value] of person.cookies) atTwin.cookies.set(name, value);
      const fresh = await ask(atTwin, question);
      for (const kept of [await ask(person, question), await ask(person, question)])
        if (kept.status !== fresh.status || lasting(kept.text) !== lasting(fresh.text))
          found.push(
            `${login} ${JSON.stringify(question)}: ${kept.status} ${kept.text.slice(0, 300)} but ${fresh.status} ${fresh.text.slice(0, 300)}`,
          );
    }
  expect(found).toEqual([]);
  expect(await sent()).toBeGreaterThan(before + 300);
});
