import { expect, test } from "vitest";
import { csvAddress, readAuditList, wrongIn } from "./auditList.ts";

const of = (query: string) => new URLSearchParams(query);

test.each([
  ["", { first: 10, offset: 0 }],
  [
    "who=admin&action=user.create&outcome=done",
    { who: "admin", action: "user.create", outcome: "done", first: 10, offset: 0 },
  ],
  [
    "start=2026-01-01&end=2026-01-01&sort=-who&rows=25&page=3",
    { start: "2026-01-01", end: "2026-01-01", sort: "WHO_DESC", first: 25, offset: 50 },
  ],
  ["sort=colour", { first: 10, offset: 0 }],
])("?%s is read as query variables", (query, wanted) => expect(readAuditList(of(query))).toEqual(wanted));

test.each([
  ["who=admin&sort=what&rows=25&page=2", "/api/v1/audit/csv?who=admin&sort=what"],
  ["outcome=failed&sort=colour", "/api/v1/audit/csv?outcome=failed"],
  ["", "/api/v1/audit/csv"],
])("the CSV address for ?%s is %s", (query, wanted) => expect(csvAddress(of(query))).toBe(wanted));

test.each([
  ["outcome=maybe", { name: "outcome", text: "maybe" }],
  ["action=user.fly", { name: "action", text: "user.fly" }],
  ["start=soon", { name: "start", text: "soon" }],
  ["start=2026-02-02&end=2026-02-01", { name: "end", text: "2026-02-01" }],
  ["who=", { name: "who", text: "" }],
  [`about=${"x".repeat(129)}`, { name: "about", text: "x".repeat(129) }],
  ["who=admin&outcome=done&start=2026-02-01&end=2026-02-01", undefined],
])("the wrong parameter of ?%s", (query, wanted) => expect(wrongIn(of(query))).toEqual(wanted));
