import { expect, test } from "vitest";
import { pagesToShow } from "./pages.ts";

test("shows every page of a short list", () => {
  expect(pagesToShow(1, 1)).toEqual([1]);
  expect(pagesToShow(2, 4)).toEqual([1, 2, 3, 4]);
});

test("leaves gaps in a long list, but never a gap of one page", () => {
  expect(pagesToShow(1, 12)).toEqual([1, 2, "later", 12]);
  expect(pagesToShow(6, 12)).toEqual([1, "earlier", 5, 6, 7, "later", 12]);
  expect(pagesToShow(4, 12)).toEqual([1, 2, 3, 4, 5, "later", 12]);
  expect(pagesToShow(12, 12)).toEqual([1, "earlier", 11, 12]);
});
