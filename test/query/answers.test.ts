import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { readExample } from "../../client/explorer/examples.ts";
import { tableOfAnswer } from "../../client/query/answerTable.ts";
import { findToday } from "../../db/system/system.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { statementsOf } from "../support/statements.ts";

/** What the explorer shows of a query: its cost before it runs, and its answer as a table. */

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const today = await findToday(gateway.db);

const folder = "client/explorer/examples";
const examples = readdirSync(folder).filter((name) => name.endsWith(".graphql"));

/** The cells of the first line of a CSV without quoted commas. */
const headerOf = (csv: string) => csv.replace("\uFEFF", "").split("\r\n")[0]!.split(",");
const rowsOf = (csv: string) => csv.trim().split("\r\n").length - 1;

/** The columns and rows of the answer as a table, and of its CSV. */
async function compared(query: string, variables: Record<string, unknown>) {
  const { data, errors, extensions } = (await admin.graphql(query, variables)) as {
    data: unknown;
    errors?: unknown;
    extensions?: { cost: { cost: number } };
  };
  expect(errors).toBeUndefined();
  const { text } = await admin.call("POST", "/graphql", { query, variables }, { accept: "text/csv" });
  const table = tableOfAnswer(data);
  const header = headerOf(text);
  const names = table.columns.map(({ name }) => name);
  const check = await admin.call("POST", "/api/v1/query/check", { query, variables });
  expect(check.body).toMatchObject({ errors: [], mostCost: 100_000, mostNodes: 20_000, cost: extensions!.cost.cost });
  // Columns without any value are not in the answer.
  return {
    table: [names, table.rows.length],
    csv: [names.length === 0 ? [] : header.filter((name) => names.includes(name)), rowsOf(text)],
  };
}

test.each(examples)("%s: the table of the answer has the rows and columns of its CSV", async (name) => {
  const { query, variables } = readExample(name, readFileSync(`${folder}/${name}`, "utf8"), today);
  const { table, csv } = await compared(query, variables);
  expect(table).toEqual(csv);
});

test("the check returns the cost of a query, also of one that would be refused, and its errors, without running the query", async () => {
  const check = async (body: object, person = admin) => {
    const answer = await person.call("POST", "/api/v1/query/check", body);
    return [answer.status, answer.body] as [
      number,
      { cost: number | null; nodes: number | null; errors: { path: string; message: string }[] },
    ];
  };
  const large =
    "{ provinces(first: 100) { nodes { facilities(first: 100) { nodes { facilityName district { facilities(first: 100) { nodes { facilityName } } } } } } } }";
  const [, over] = await check({ query: large });
  expect(over.nodes).toBeGreaterThan(20_000);
  expect(over.errors[0]).toMatchObject({
    path: "query",
    message: expect.stringContaining("the limit is 20,000") as string,
  });
  for (const [query, message] of [
    ["{ no }", "Cannot query field"],
    ["{", "Syntax Error"],
    ["mutation { signOut { errors { path } } }", "not a mutation"],
  ])
    expect((await check({ query }))[1]).toMatchObject({
      cost: null,
      nodes: null,
      errors: [{ path: "query", message: expect.stringContaining(message!) as string }],
    });
  const [, missing] = await check({ query: "query ($year: Int!) { libraryVersion(year: $year) { param } }" });
  expect([missing.errors[0]!.path, missing.cost !== null]).toEqual(["variables", true]);
  expect((await check({ query: " " }))[0]).toBe(422);
  // A check sends no statements but those that identify the caller.
  const query = "{ provinces(first: 3) { nodes { name facilities(first: 2) { nodes { facilityName } } } } }";
  const signedIn = await statementsOf(() => check({ query: "{ __typename }" }));
  for (const text of [query, large])
    expect(await statementsOf(async () => expect((await check({ query: text }))[0]).toBe(200))).toEqual(signedIn);
  expect((await statementsOf(() => admin.graphql(query))).length).toBeGreaterThan(signedIn.length);
  expect((await check({ query: "{ __typename }", other: 1 }))[0]).toBe(422);
  expect(
    (
      await fetch(`${gateway.url}/api/v1/query/check`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"query": "{ __typename }"}',
      })
    ).status,
  ).toBe(401);
});
