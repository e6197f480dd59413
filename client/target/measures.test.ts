import { expect, test } from "vitest";
import { type TargetAnswer, targetWords } from "./measures.ts";

const target: TargetAnswer = {
  targetUuid: "1",
  provinceId: null,
  districtId: null,
  implementingPartnerId: null,
  measure: "FUNCTIONAL",
  year: 2026,
  percent: 80,
  unit: "National",
  notRecorded: 0,
  reached: 60,
  attainment: 75,
};

test.each<[Partial<TargetAnswer>, string]>([
  [{}, "Functional facilities: target 80% of those assessed in FY 2026 (National), reached 60%, attainment 75%."],
  [
    { notRecorded: 1200 },
    "Functional facilities: target 80% of those assessed in FY 2026 (National), reached 60%, attainment 75%, 1,200 not recorded.",
  ],
  [
    { percent: 0, attainment: null },
    "Functional facilities: target 0% of those assessed in FY 2026 (National), reached 60%.",
  ],
  [
    { measure: "EFIRST", unit: "Lusaka", reached: null, attainment: null },
    "E-First: target 80% of those assessed in FY 2026 (Lusaka), nobody assessed.",
  ],
])("the words for a target with %j", (some, words) => {
  expect(targetWords({ ...target, ...some })).toBe(words);
});
