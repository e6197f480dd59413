import { expect, test } from "vitest";
import { type TargetAnswer, targetWords } from "./measures.ts";

const target: TargetAnswer = { targetUuid: "1", measure: "FUNCTIONAL", year: 2026, share: 80, unit: "National", reached: 60, attainment: 75 };

test.each<[Partial<TargetAnswer>, string]>([
  [{}, "Functional facilities: target 80% of those assessed in FY 2026 (National), reached 60%, attainment 75%."],
  [{ share: 0, attainment: null }, "Functional facilities: target 0% of those assessed in FY 2026 (National), reached 60%."],
  [{ measure: "EFIRST", unit: "Lusaka", reached: null, attainment: null }, "E-First: target 80% of those assessed in FY 2026 (Lusaka), nobody assessed."],
])("the words for a target with %j", (some, words) => {
  expect(targetWords({ ...target, ...some })).toBe(words);
});
