import { expect, test } from "vitest";
import { worksAfter } from "./power.ts";

type Answer = boolean | null;
test.each<[said: Answer, isThere: Answer, works: Answer, expected: Answer]>([
  // ticked: what was said about its working stays; what only followed from its absence does not
  [true, null, null, null],
  [true, false, false, null],
  [true, true, true, true],
  [true, true, false, false],
  // unticked: what is absent does not work
  [false, true, true, false],
  [false, true, null, false],
  [false, null, null, false],
  // cleared
  [null, true, true, null],
  [null, true, false, null],
  [null, false, false, null],
])(
  "power said to be there: %s, before: there %s and working %s, then working: %s",
  (said, isThere, works, expected) => {
    expect(worksAfter(said, { isThere, works })).toBe(expected);
  },
);
