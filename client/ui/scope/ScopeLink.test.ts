import { expect, test } from "vitest";
import { withScope } from "./ScopeLink.tsx";

test.each([
  ["/districts/3", "chart=mode&chartYear=2027&partner=3", "/districts/3?partner=3&chart=mode&chartYear=2027"],
  ["/districts/3", "", "/districts/3"],
  ["/districts/3", "page=2&search=x&tab=users", "/districts/3"],
  ["/facilities?modes=Partial", "partner=3", "/facilities?modes=Partial&partner=3"],
  ["/provinces?chart=silent", "chart=mode&view=monthly", "/provinces?chart=silent&view=monthly"],
])("a link to %s from an address with the parameters '%s'", (path, here, kept) => {
  expect(withScope(path, new URLSearchParams(here))).toBe(kept);
});
