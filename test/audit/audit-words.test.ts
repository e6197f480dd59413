import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { events, wordsOf } from "../../gateway/audit/events.rules.ts";

/** Every event that the gateway can write to the audit has words, and nothing else has. The types hold it for the acts; this looks at the sources as a whole. */

const catalogue = "audit/events.rules.ts";
const sources = readdirSync("gateway", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== catalogue)
  .map((path) => readFileSync(`gateway/${path}`, "utf8"))
  .join("\n");

test("each event that is named in the gateway has words of its own", () => {
  const written = [...sources.matchAll(/\baction(?::| =) "([a-z-]+(?:\.[a-z-]+)+)"/g)].map(([, action]) => action!);
  expect(written.length).toBeGreaterThan(40);
  for (const action of written) expect([action, Object.hasOwn(events, action)]).toEqual([action, true]);
  expect(new Set(Object.values(events)).size).toBe(Object.keys(events).length);
});

test("each of the words belongs to an event that is written", () => {
  for (const action of Object.keys(events)) expect([action, sources.includes(`"${action}"`)]).toEqual([action, true]);
});

test("an event of a later version is shown by its name", () => {
  expect([wordsOf("second-factor.on"), wordsOf("moon.landing"), wordsOf("toString")]).toEqual(["Switched a second factor on", "moon.landing", "toString"]);
});
