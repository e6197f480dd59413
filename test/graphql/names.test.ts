import { execFileSync } from "node:child_process";

import {
  buildSchema,
  findBreakingChanges,
  getNamedType,
  isEnumType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  printSchema,
} from "graphql";
import { expect, test } from "vitest";

import { schema } from "../../gateway/schema.ts";
import { bodyOf } from "../support/gateway.ts";
import { changedBy, saveQuery } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { explainedChanges } from "./explained-changes.ts";

/** Names and error codes of GraphQL: one name for one thing, and no breaking change without an explanation. */

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");

const types = Object.values(schema.getTypeMap());

test("a noun has one connection type and one edge type for all its lists", () => {
  const connections = types.filter(isObjectType).filter((type) => "pageInfo" in type.getFields());
  expect(connections.length).toBeGreaterThan(8);
  for (const type of connections) {
    const { nodes, edges } = type.getFields();
    const noun = getNamedType(nodes!.type).name;
    expect([type.name, getNamedType(edges!.type).name]).toEqual([`${noun}Connection`, `${noun}Edge`]);
  }
});

test("sort orders end in _ASC or _DESC, scalars name their specification, and deprecations name a replacement and a date", () => {
  const orders = types.filter(isEnumType).filter(({ name }) => /(Sort|SiteOrder)$/.test(name));
  expect(orders.length).toBeGreaterThan(5);
  for (const order of orders)
    for (const { name, deprecationReason } of order.getValues())
      expect([order.name, name, deprecationReason !== undefined || /_(ASC|DESC)$/.test(name)]).toEqual([
        order.name,
        name,
        true,
      ]);
  for (const scalar of types.filter(isScalarType).filter((type) => !isSpecifiedScalarType(type)))
    expect([scalar.name, scalar.specifiedByURL]).toEqual([scalar.name, expect.stringMatching(/^https:/)]);
  const reasons = [...printSchema(schema).matchAll(/@deprecated(\(reason: "([^"]+)"\))?/g)].map(
    ([, , reason]) => reason,
  );
  expect(reasons.length).toBeGreaterThan(5);
  expect(reasons.filter((reason) => !/the same.* Goes on \d+ \w+ \d{4}\.$/.test(reason ?? ""))).toEqual([]);
});

test("no field that is never null says that it is null when there is none, and every error has a code", () => {
  const fields = types
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ of: type.name, ...field })));
  const wrong = fields.filter(
    ({ type, description }) => isNonNullType(type) && /null when there/.test(description ?? ""),
  );
  expect(wrong.map(({ of, name }) => `${of}.${name}`)).toEqual([]);
  const errors = types.filter(isObjectType).find(({ name }) => name === "InputError");
  expect(Object.keys(errors?.getFields() ?? {}).toSorted()).toEqual(["code", "message", "path"]);
});

const failures: [string, object, string][] = [
  ["a malformed id", { query: '{ node(id: "nonsense") { id } }' }, "BAD_ID"],
  [
    "a variable of the wrong type",
    { query: "query ($id: Int!) { province(provinceId: $id) { name } }", variables: { id: "one" } },
    "BAD_VARIABLE",
  ],
  ["a missing variable", { query: "query ($id: Int!) { province(provinceId: $id) { name } }" }, "BAD_VARIABLE"],
  ["a query that cannot be parsed", { query: "{ provinces(" }, "BAD_SYNTAX"],
  ["an unknown field", { query: "{ provinces { nodes { nosuch } } }" }, "BAD_QUERY"],
  ["too many levels", { query: "{a".repeat(100) }, "TOO_DEEP"],
  ["too many fields", { query: `{ ${"system { today } ".repeat(600)} }` }, "TOO_WIDE"],
  ["too long a query", { query: `{ provinces { totalCount } } ${"#".repeat(70_000)}` }, "TOO_LONG"],
  [
    "too many rows",
    { query: "{ provinces { nodes { facilities { nodes { assessments { nodes { id } } } } } } }" },
    "TOO_COSTLY",
  ],
  [
    "too many ids",
    {
      query: "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }",
      variables: { ids: Array.from({ length: 101 }, () => "UHJvdmluY2U6MQ==") },
    },
    "TOO_MANY_IDS",
  ],
  ["a value out of its range", { query: "{ provinces(first: 101) { totalCount } }" }, "INVALID"],
];
test.each(failures)("%s has its error code", async (_, body, code) => {
  for (const accept of ["application/json", "application/graphql-response+json"]) {
    const answer = bodyOf(await admin.call("POST", "/graphql", body, { accept }));
    expect(answer.errors.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([code]);
  }
});

test("a saved query can be removed by its id, by its uuid and by the former argument", async () => {
  const make = async (name: string) => (await changedBy(saveQuery(admin, { name, query: "{ __typename }" }))).uuid;
  const remove =
    "mutation ($input: DeleteSavedQueryInput, $uuid: String) { deleteSavedQuery(input: $input, uuid: $uuid) { savedQuery { name } errors { path message } } }";
  const ways: [string, (uuid: string) => object][] = [
    ["by id", (uuid) => ({ input: { id: Buffer.from(`SavedQuery:${uuid}`).toString("base64") } })],
    ["by uuid", (uuid) => ({ input: { id: uuid } })],
    ["as before", (uuid) => ({ uuid })],
  ];
  for (const [name, variablesOf] of ways) {
    const { data } = await admin.graphql(remove, variablesOf(await make(name)));
    expect(data.deleteSavedQuery).toEqual({ savedQuery: { name }, errors: [] });
  }
  expect((await admin.graphql(remove, {})).data.deleteSavedQuery.errors).toEqual([
    { path: "input", message: "is required" },
  ]);
  const withdrawn = await admin.graphql('mutation { withdrawDownload(input: { id: "none" }) { errors { message } } }');
  expect(withdrawn.data.withdrawDownload.errors).toHaveLength(1);
});

test("the schema has no breaking change without an explanation", ({ skip }) => {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8", maxBuffer: 1e8 });
  const read = () => {
    try {
      const isCommitted = git("diff", "HEAD", "--name-only", "--", "schema.graphql").trim() === "";
      return git("show", `HEAD${isCommitted ? "~1" : ""}:schema.graphql`);
    } catch {
      return skip("the former schema cannot be read: there is no git history here");
    }
  };
  const broken = findBreakingChanges(buildSchema(read()), schema).map(({ description }) => description);
  expect(broken.filter((change) => !explainedChanges.some(({ change: pattern }) => pattern.test(change)))).toEqual([]);
});
