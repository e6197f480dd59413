import { expect, test } from "vitest";

import { namesApart } from "./namesApart.ts";

const name = (word: string, x: number, y: number, share: number) => ({ word, x, y, share });

test.each([
  ["far apart", [name("a", 10, 10, 20), name("b", 60, 10, 30)], ["b", "a"]],
  ["above each other", [name("a", 10, 10, 20), name("b", 12, 30, 30)], ["b", "a"]],
  ["touching", [name("a", 10, 10, 20), name("b", 20, 12, 30)], ["b"]],
  ["the one between is left out", [name("a", 0, 0, 20), name("b", 0, 6, 12), name("c", 0, 12, 15)], ["a", "c"]],
])("names that do not touch stay: %s", (_, names, kept) => {
  expect(namesApart(names, { x: 17, y: 9 }).map(({ word }) => word)).toEqual(kept);
});
