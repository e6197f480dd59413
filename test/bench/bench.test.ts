import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

import { countQuestions } from "./countQuestions.ts";
import { dashQuestions } from "./dashQuestions.ts";
import { placeQuestions } from "./placeQuestions.ts";
import { BadOption, readOptions } from "./options.ts";
import { withoutTypeNames } from "./same.ts";
import { readSamples, type Samples } from "./samples.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Checks that what `npm run bench` compares is equal: the product's answers and those of the floor's statements, on the
 * demonstration country.
 */

let samples: Samples;

const gateway = await gatewayOfFile();
const floor = new pg.Client({ ...gateway.database.connection, options: "-c TimeZone=Africa/Lusaka" });
beforeAll(async () => {
  await floor.connect();
  samples = await readSamples(gateway.database.connection);
});
afterAll(async () => {
  await floor.end();
});

test.each([...placeQuestions, ...dashQuestions, ...countQuestions])(
  "$name: the product gives the same answers as the floor",
  async (question) => {
    const admin = await gateway.as("admin");
    const statements = new Map(question.floor.map(({ name, sql }) => [name, sql]));
    const operations = question.operations(samples).slice(0, 20);
    expect(operations.length).toBeGreaterThan(0);
    for (const { product, floor: call } of operations) {
      const { status, body } = await admin.call(product.method, product.path, product.body, {
        ...product.headers,
        "content-type": "application/json",
      });
      expect(status).toBe(200);
      const { rows } = await floor.query<string[]>({
        text: statements.get(call.name)!,
        values: call.values,
        rowMode: "array",
      });
      const expected = JSON.parse(rows[0]![0]!) as object;
      expect(withoutTypeNames((body as { data: unknown }).data)).toEqual(withoutTypeNames(expected));
    }
  },
);

test.each([
  [["--wrong", "1"], "Unknown option '--wrong'."],
  [["upload"], "Unexpected argument 'upload'."],
  [["--tdbs"], "Option '--tdbs <value>' argument missing."],
  [["--seconds", "soon"], '--seconds: "soon" is not a whole number.'],
  [["--questions", "save,serach"], "--questions: there is no serach."],
])("a wrong command line is refused with a message: %j", (args, message) => {
  const read = () => readOptions(args, ["save", "search"]);
  expect(read).toThrow(BadOption);
  expect(read).toThrow(message);
});
