import { expect, test } from "vitest";
import { doneWords, undoneWords } from "./bulkWords.ts";

type Act = Parameters<typeof doneWords>[0];
test.each<[Act, string]>([
  [{ act: "ASSIGN", asked: 1, done: 1, leftOut: [] }, "Action agreed at 1 site"],
  [
    { act: "NOTE", asked: 46, done: 38, leftOut: [{ reason: "NOT_YOURS", sites: 8 }] },
    "Note saved at 38 of 46 sites: 8 are not yours",
  ],
  [
    {
      ...{ act: "SET_PARTNER", asked: 3300, done: 3298 },
      leftOut: [
        { reason: "CLOSED", sites: 1 },
        { reason: "UNCHANGED", sites: 1 },
      ],
    },
    "Partner set at 3,298 of 3,300 sites: 1 is closed, 1 was so already",
  ],
  [
    { act: "ADD_TO_FIELD_LIST", asked: 46, done: 38, leftOut: [{ reason: "NOT_YOURS", sites: 8 }] },
    "Added to the field list: 38 of 46 sites; 8 are not yours",
  ],
])("%j is told as “%s”", (act, words) => {
  expect(doneWords(act)).toBe(words);
});

test("what was undone is told with what somebody has changed since", () => {
  expect(undoneWords({ restored: 9, leftOut: [{ reason: "CHANGED_SINCE", sites: 1 }] })).toBe(
    "Undone at 9 sites: 1 was changed since",
  );
});
