import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { stranger, testGateway } from "../support/gateway.ts";

/** The alert rules: each has its heading in the runbook, and reads figures that a gateway gives. */

const rules = readFileSync("deploy/observability/alerts.yaml", "utf8");
const alerts = [...rules.matchAll(/- alert: (\w+)\n\s+expr: (.+)/g)].map(([, name, expression]) => ({ name: name!, expression: expression! }));

test("each alert has its heading in the runbook, and no heading is of no alert", () => {
  const headings = [...readFileSync("docs/runbook.md", "utf8").matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading);
  expect(alerts.map(({ name }) => name)).toEqual(headings);
  for (const { name } of alerts) expect(rules).toContain(`runbook: docs/runbook.md#${name.toLowerCase()}`);
});

test("each figure that an alert reads is given by a gateway", async () => {
  const gateway = await testGateway("empty");
  await gateway.db.insertInto("setting").values({ name: "last_backup", value: JSON.stringify({ takenAt: "2026-11-01T00:00:00Z", sha256: "", checkedAt: "2026-11-01T00:00:00Z" }) }).execute();
  const someone = stranger(gateway.url);
  await someone.get("/healthz");
  await someone.call("POST", "/api/v1/auth", { login: "nobody", password: "wrong-password" });
  const given = (await someone.get("/metrics")).text;
  await gateway.stop();
  // Given only where a replica is set up: test/system/replica.test.ts.
  const elsewhere = new Set(["platform_replica_read"]);
  const read = new Set(alerts.flatMap(({ expression }) => expression.match(/\b(?:platform|process)_\w+/g) ?? []));
  expect(read.size).toBeGreaterThan(9);
  for (const name of read) if (!elsewhere.has(name)) expect(given).toMatch(new RegExp(`^${name}[ {]`, "m"));
  expect(given).toMatch(/^platform_disk_free_bytes \d{6,}/m);
});
