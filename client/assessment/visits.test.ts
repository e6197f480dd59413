import { expect, test } from "vitest";
import type { KeptWork } from "./keptWork.ts";
import type { Receipt } from "./receipts.ts";
import { shortInstant, visitsOf, visitText } from "./visits.ts";

const zone = "Africa/Lusaka";
const now = new Date("2026-11-28T14:30:00Z");
const work = (workId: string, more: Partial<KeptWork>): KeptWork =>
  ({
    ...{ workId, facilityUuid: `f-${workId}`, facilityName: workId, assessmentUuid: `a-${workId}`, isNew: true },
    ...{ status: "draft", reason: null, savedAt: null, keptAt: "2026-11-28T08:00:00.000Z" },
    ...more,
  }) as KeptWork;
const receipt = (name: string, receivedAt: string): Receipt => ({
  ...{ facilityUuid: `f-${name}`, facilityName: name, assessmentUuid: `a-${name}`, savedAt: receivedAt },
  receivedAt,
});

test.each([
  ["2026-11-28T14:02:00Z", "16:02"],
  ["2026-11-27T22:05:00Z", "00:05"],
  ["2026-11-27T21:59:00Z", "27 Nov 23:59"],
  ["2025-11-28T14:02:00Z", "28 Nov 16:02"],
])("%s is said as %s", (instant, text) => expect(shortInstant(instant, zone, now)).toBe(text));

test("what came back is first, then what waits, drafts, and what was received, the newest first", () => {
  const isFinal = { message: "No right to do this.", isFinal: true } as KeptWork["reason"];
  const visits = visitsOf(
    [
      work("draft", {}),
      work("waiting", { status: "waiting", savedAt: "2026-11-28T09:00:00.000Z" }),
      work("back", { status: "waiting", reason: isFinal }),
    ],
    [receipt("earlier", "2026-11-20T10:00:00.000Z"), receipt("later", "2026-11-28T10:00:00.000Z")],
  );
  expect(visits.map((visit) => [visit.facilityName, visitText(visit, zone, now)])).toEqual([
    ["back", "Came back, to be corrected"],
    ["waiting", "Waiting since 11:00"],
    ["draft", "Draft of 10:00"],
    ["later", "Received 12:00, ref. A-LATER"],
    ["earlier", "Received 20 Nov 12:00, ref. -EARLIER"],
  ]);
});

test("a correction that waits stands for the visit that was received", () =>
  expect(
    visitsOf([work("same", { status: "waiting", isNew: false })], [receipt("same", "2026-11-28T10:00:00.000Z")]).map(
      ({ state }) => state,
    ),
  ).toEqual(["waiting"]));
