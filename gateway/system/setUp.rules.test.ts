import { expect, test } from "vitest";

import { stepsOf } from "./setUp.rules.ts";

const nothing = {
  places: 0,
  outlines: 0,
  facilities: 0,
  linked: 0,
  versions: 0,
  serviceAreas: 0,
  people: 1,
  fieldLists: 0,
};
const undone = (counts: Partial<typeof nothing>) =>
  stepsOf({ ...nothing, ...counts }).flatMap(({ step, isDone }) => (isDone ? [] : [step]));

test.each([
  [{}, ["places", "outlines", "facilities", "partners", "versions", "serviceAreas", "people", "fieldLists"]],
  [
    { places: 126, outlines: 125 },
    ["outlines", "facilities", "partners", "versions", "serviceAreas", "people", "fieldLists"],
  ],
  [
    { places: 126, outlines: 126, facilities: 10, linked: 5, people: 2 },
    ["partners", "versions", "serviceAreas", "fieldLists"],
  ],
  [
    { places: 126, outlines: 126, facilities: 10, linked: 6, versions: 1, serviceAreas: 1, people: 2, fieldLists: 1 },
    [],
  ],
])("of a country with %o, %o is left to do", (counts, left) => {
  expect(undone(counts)).toEqual(left);
});
