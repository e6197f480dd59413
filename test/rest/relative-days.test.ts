import { expect, test } from "vitest";

import { todayIn } from "../../gateway/calendar/fiscal.rules.ts";
import { rangeOf } from "../../gateway/calendar/rangeDays.rules.ts";
import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Wherever days are taken, a relative range is taken too: as a start its first day, as an end or `asOf` its last. */

const gateway = await gatewayOfFile("demo");

const daysOf = (range: string) => rangeOf(range, todayIn("Africa/Lusaka"));

test.each([
  ["LAST_12_MONTHS", (start: string, end: string) => `/tdb/count/${start}/${end}`],
  ["PREVIOUS_QUARTER", (start: string, end: string) => `/tdb/meta/list/all/${start}/${end}?limit=20`],
  ["LAST_90_DAYS", (start: string, end: string) => `/dash/tdbHistory/province/${start}/${end}`],
  ["THIS_YEAR", (start: string, end: string) => `/assessment/csv/${start}/${end}`],
  ["THIS_WEEK", (start: string, end: string) => `/audit/csv?start=${start}&end=${end}&action=session.sign-in`],
  ["PREVIOUS_MONTH", (_: string, end: string) => `/tdb/silent?asOf=${end}&limit=20`],
])("REST takes %s as days", async (range, path) => {
  const admin = await gateway.as("admin");
  const { start, end } = daysOf(range);
  const [relative, plain] = [
    await admin.get(`/api/v1${path(range, range)}`),
    await admin.get(`/api/v1${path(start, end)}`),
  ];
  expect([relative.status, plain.status], relative.text.slice(0, 300)).toEqual([200, 200]);
  expect(relative.text).toBe(plain.text);
});

test("GraphQL takes relative ranges as days, as enum or text", async () => {
  const admin = await gateway.as("admin");
  const ask = (query: string) => admin.graphql<{ groups: unknown[]; sites: { totalCount: number } }>(query);
  const text = (start: string, end: string, asOf: string) => `{
    groups: assessmentGroups(by: [PROVINCE], start: ${start}, end: ${end}) { province { name } facilities }
    sites: silentSites(asOf: ${asOf}) { totalCount }
  }`;
  const { start, end } = daysOf("LAST_4_QUARTERS");
  const plain = await ask(text(`"${start}"`, `"${end}"`, `"${daysOf("PREVIOUS_MONTH").end}"`));
  expect(plain.data.groups.length).toBeGreaterThan(5);
  expect(await ask(text("LAST_4_QUARTERS", '"LAST_4_QUARTERS"', "PREVIOUS_MONTH"))).toEqual(plain);
});

test("a word that is no range is refused with the field's name", async () => {
  const answer = await (await gateway.as("admin")).get("/api/v1/tdb/count/LAST_0_DAYS/2026-10-01");
  expect([answer.status, errorsOf(answer)]).toEqual([422, [{ path: "start", message: "must be a date, YYYY-MM-DD" }]]);
  expect(bodyOf(await (await gateway.as("admin")).get("/api/v1/tdb/count/2026-10-01/LAST_2_YEARS"))).toBeDefined();
});
