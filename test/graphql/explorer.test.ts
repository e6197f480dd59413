import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

import { buildSchema } from "graphql";
import { beforeAll, expect, test } from "vitest";

import { type Example, readExample } from "../../client/explorer/examples.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";
import { findToday } from "../../db/system/system.ts";
import { checkQuestion } from "../../gateway/graphql/limits/check.ts";
import { insertLostBackupPower } from "../dash/dash-data.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The queries that the project publishes: the explorer's example questions and those in its documents. */

const folder = "client/explorer/examples";
const names = readdirSync(folder).filter((name) => name.endsWith(".graphql"));
const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
const read = (name: string, today: string): Example =>
  readExample(name, readFileSync(`${folder}/${name}`, "utf8"), today);

const gateway = await gatewayOfFile();
const today = await findToday(gateway.db);
beforeAll(async () => {
  await insertLostBackupPower(gateway.db);
  await rebuildRollups(gateway.db);
});

test("there are at least 12 example questions, each with its own title", () => {
  const titles = names.map((name) => read(name, today).title);
  expect(titles.length).toBeGreaterThanOrEqual(12);
  expect(new Set(titles).size).toBe(titles.length);
  for (const title of titles) expect(title).toMatch(/\?( \(.*\))?$/);
});

/** Whether an answer has no rows, no texts and no figures but 0. */
const isBare = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isBare)
    : value !== null && typeof value === "object"
      ? Object.values(value).every(isBare)
      : value === null || value === 0;

test.each(names)("%s has an answer in the demonstration's data", async (name) => {
  const { query, variables } = read(name, today);
  expect(checkQuestion(schema, { query, variables })).toEqual([]);
  const admin = await gateway.as("admin");
  const { data, errors } = await admin.graphql(query, variables);
  expect(errors).toBeUndefined();
  expect(isBare(data), JSON.stringify(data)).toBe(false);
  const csv = await admin.call("POST", "/graphql?pages=all", { query, variables }, { accept: "text/csv" });
  expect(csv.status).toBe(200);
});

test("variables that depend on today's date are filled in", () => {
  const text =
    '# Title?\n# variables {"a": "@fiscalYear", "b": "@threeMonthsAgo", "c": "@fiscalYearStart", "d": "plain", "e": "@lastFiscalYear"}\n{ __typename }\n';
  expect(readExample("one", text, "2026-01-31")).toEqual({
    ...{ name: "one", title: "Title?", query: "# Title?\n{ __typename }\n" },
    variables: { a: 2026, b: "2025-10-01", c: "2025-10-01", d: "plain", e: 2025 },
  });
  expect(readExample("one", text, "2025-12-01").variables).toMatchObject({ a: 2026, b: "2025-09-01" });
  expect(() => readExample("none", "{ __typename }", today)).toThrow("no title");
});

test("every query in the documents is valid against the schema", () => {
  const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    encoding: "utf8",
  })
    .trim()
    .split("\n");
  const broken = documents.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^```graphql\n([^]*?)^```/gm)].flatMap(([, query]) =>
      checkQuestion(schema, { query: query! })
        .filter(({ path }) => path === "query")
        .map(({ message }) => `${file}: ${message}`),
    ),
  );
  expect(broken).toEqual([]);
});
