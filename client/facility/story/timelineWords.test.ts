import { expect, test } from "vitest";
import { changesLine } from "./timelineWords.ts";

const line = (field: string, from: string | null, to: string | null, compared = true) =>
  changesLine({ compared, changes: [{ field, from, to }] });

test.each([
  [line("smartCareFunctional", "true", "false"), "Works: yes → no"],
  [line("power", "true", null), "Power: yes → not recorded"],
  [line("libraryVersion", "4.2.5", "4.3.1"), "Library version: 4.2.5 → 4.3.1"],
  [line("hmisCode", "123", "124"), "HMIS code: 123 → 124"],
  [line("functionalityStatusMode", "EFirst", "Partial"), "Mode: E-First → Partial Deployment"],
  [line("dueDay", null, "2026-12-12", false), "Due: 12 Dec 2026"],
  [line("totalPatients", "999", "12345"), "Clients: 999 → 12,345"],
  [line("serviceAreaAssessments.3.libraryVersion", "1", "2"), "Service area: Library version: 1 → 2"],
])("a difference is told as %s", (told, words) => {
  expect(told).toBe(words);
});

test("a line tells three differences and how many more there are", () => {
  const changes = ["hmisCode", "oldHmisCode", "facilityOwner", "facilityType", "power"].map((field) => ({
    field,
    from: "1",
    to: "2",
  }));
  expect(changesLine({ changes, compared: true })).toBe(
    "HMIS code: 1 → 2 · Old HMIS code: 1 → 2 · Facility owner: 1 → 2 · and 2 more",
  );
});
