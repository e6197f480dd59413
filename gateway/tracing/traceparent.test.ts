import { expect, test } from "vitest";

import { summaryOf } from "./statement.rules.ts";
import { traceOf, traceparentOf } from "./traceparent.rules.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

test.each([
  [`00-${traceId}-${spanId}-01`, { traceId, spanId, isSampled: true }],
  [`00-${traceId}-${spanId}-00`, { traceId, spanId, isSampled: false }],
  [`00-${traceId}-${spanId}-03`, { traceId, spanId, isSampled: true }],
  [`01-${traceId}-${spanId}-01-later`, { traceId, spanId, isSampled: true }],
  [`00-${traceId}-${spanId}-01-later`, undefined],
  [`ff-${traceId}-${spanId}-01`, undefined],
  [`00-${"0".repeat(32)}-${spanId}-01`, undefined],
  [`00-${traceId}-${"0".repeat(16)}-01`, undefined],
  [`00-${traceId.toUpperCase()}-${spanId}-01`, undefined],
  [`00-${traceId}-${spanId}`, undefined],
  ["", undefined],
  [undefined, undefined],
  [["00", "00"], undefined],
])("the trace in the caller's header: %s", (header, trace) => {
  expect(traceOf(header)).toEqual(trace);
});

test("a trace keeps its state, and is written as it was read", () => {
  expect(traceOf(`00-${traceId}-${spanId}-01`, "vendor=1")).toMatchObject({ state: "vendor=1" });
  for (const header of [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-00`])
    expect(traceparentOf(traceOf(header)!)).toBe(header);
});

test.each([
  ['select "uuid" from "facility" where "uuid" = $1', "select facility"],
  ['insert into "audit_event" ("action") values ($1)', "insert audit_event"],
  ['update "tdb" as "t" set "a" = $1', "update tdb"],
  ['delete from "session"', "delete session"],
  ["  select pg_notify($1, '')", "select"],
  ['with "found" as (select 1 from "facility") select 1 from "found"', "with facility"],
  ["select count(*) from (select 1 from district) as d", "select district"],
  ["begin", "begin"],
  ["", "statement"],
])("the summary of the statement '%s'", (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});
