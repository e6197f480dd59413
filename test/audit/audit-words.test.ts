import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { events, wordsOf } from "../../gateway/audit/events.rules.ts";

/**
 * Every audit event that the gateway can write has a text, and every text has an event. Types check this for each act,
 * these tests for all sources.
 */

const catalogue = "audit/events.rules.ts";
const sources = readdirSync("gateway", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== catalogue)
  .map((path) => readFileSync(`gateway/${path}`, "utf8"))
  .join("\n");

test("each event that the gateway names has its own text", () => {
  const written = [...sources.matchAll(/\baction(?::| =) "([a-z-]+(?:\.[a-z-]+)+)"/g)].map(([, action]) => action!);
  expect(written.length).toBeGreaterThan(40);
  for (const action of written) expect([action, Object.hasOwn(events, action)]).toEqual([action, true]);
  expect(new Set(Object.values(events)).size).toBe(Object.keys(events).length);
});

test("each text belongs to an event that the gateway names", () => {
  for (const action of Object.keys(events)) expect([action, sources.includes(`"${action}"`)]).toEqual([action, true]);
});

test("an event of a later version is shown by its name", () => {
  expect([wordsOf("second-factor.on"), wordsOf("moon.landing"), wordsOf("toString")]).toEqual([
    "Switched a second factor on",
    "moon.landing",
    "toString",
  ]);
});
