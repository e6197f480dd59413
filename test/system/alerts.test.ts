import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { connect } from "../../db/engine/connect.ts";
import { openReplica } from "../../db/engine/replica/replica.ts";
import { testDatabase } from "../support/database.ts";
import { stranger, testGateway } from "../support/gateway.ts";

/**
 * The alert rules and the dashboard: each alert has a heading in the runbook, and both read metrics that a gateway
 * exposes.
 */

const rules = readFileSync("deploy/observability/alerts.yaml", "utf8");
const alerts = [...rules.matchAll(/- alert: (\w+)\n\s+expr: (.+)/g)].map(([, name, expression]) => ({
  name: name!,
  expression: expression!,
}));

test("each alert has a heading in the runbook, and each heading has an alert", () => {
  const headings = [...readFileSync("docs/runbook.md", "utf8").matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading);
  expect(alerts.map(({ name }) => name)).toEqual(headings);
  for (const { name } of alerts) expect(rules).toContain(`runbook: docs/runbook.md#${name.toLowerCase()}`);
});

test("promtool has a case for each alert in which the alert fires", () => {
  const cases = readFileSync("deploy/observability/alerts.test.yaml", "utf8");
  const firing = [...cases.matchAll(/- alertname: (\w+)\n\s+eval_time: \w+\n\s+exp_alerts: \[\{ exp_labels: /g)].map(
    ([, name]) => name!,
  );
  expect([...new Set(firing)].toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});

type Panel = {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
};
const { panels, templating } = JSON.parse(readFileSync("deploy/observability/dashboard.json", "utf8")) as {
  panels: Panel[];
  templating: { list: { name: string; query: string }[] };
};
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

test("the dashboard's panels do not overlap, have a query, and refer to existing headings of the runbook", () => {
  expect(panels.length).toBeGreaterThan(20);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  expect(panels.filter(({ type, targets = [] }) => type !== "row" && targets.length === 0)).toEqual([]);
  const named = panels.flatMap(({ description = "" }) =>
    [...description.matchAll(/Runbook: (\w+)/g)].map(([, name]) => name!),
  );
  expect(alerts.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  expect(named.length).toBeGreaterThan(8);
  // Panels that filter by "$instance" need this variable.
  expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "instance"]);
});

/** The metrics of an expression with the labels that it filters by, without those that Prometheus adds. */
const metricsOf = (expression: string): [string, string[]][] =>
  [...expression.matchAll(/\b((?:platform|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(([, name, labels = ""]) => [
    name!,
    [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)]
      .map(([, label]) => label!)
      .filter((label) => label !== "instance" && label !== "job"),
  ]);

test("a gateway exposes each metric that an alert or the dashboard reads, with its labels", async () => {
  const other = await testDatabase("bare");
  // This is no standby, so the metrics report that it is not read.
  const replica = await openReplica({
    primary: other.db,
    replica: connect(other.connection, "Africa/Lusaka", () => {}),
    mostLagSeconds: 10,
  });
  const gateway = await testGateway("empty", { replica });
  await gateway.db
    .insertInto("setting")
    .values({
      name: "last_backup",
      value: JSON.stringify({ takenAt: "2026-11-01T00:00:00Z", sha256: "", checkedAt: "2026-11-01T00:00:00Z" }),
    })
    .execute();
  const someone = stranger(gateway.url);
  await someone.get("/healthz");
  await someone.call("POST", "/api/v1/auth", { login: "nobody", password: "wrong-password" });
  const exposed = (await someone.get("/metrics")).text;
  await gateway.stop();
  await replica.close();
  await other.drop();
  const read = [
    ...alerts.map(({ expression }) => expression),
    ...expressions,
    ...templating.list.map(({ query }) => query),
  ].flatMap(metricsOf);
  expect(new Set(read.map(([name]) => name)).size).toBeGreaterThan(24);
  for (const [name, labels] of read) {
    const line = exposed.split("\n").find((each) => new RegExp(`^${name}[ {]`).test(each));
    expect([name, line !== undefined]).toEqual([name, true]);
    for (const label of labels) expect(line).toMatch(new RegExp(`[{,]${label}="`));
  }
  expect(exposed).toMatch(/^platform_disk_free_bytes \d{6,}/m);
});
