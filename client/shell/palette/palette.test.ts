import { expect, test } from "vitest";
import type { PaletteQueryQuery } from "../../gql/graphql.ts";
import { groupsOf, isNamed } from "./palette.ts";

test.each([
  ["TDB Upload", "tdb", true],
  ["TDB Upload", "up td", true],
  ["Prepare for the field", "field", true],
  ["IP's", "ip", true],
  ["Downloads", "loads", false],
  ["Users", "user directory", false],
])("%s is found by %j: %s", (title, text, isFound) => expect(isNamed(title, text)).toBe(isFound));

test("empty groups are left out, and each hit links to its screen", () => {
  const answer: PaletteQueryQuery = {
    __typename: "Query",
    savedViews: {
      __typename: "SavedViewConnection",
      nodes: [
        {
          __typename: "SavedView",
          id: "v",
          name: "Silent",
          address: "/facilities?silent=yes",
          missing: "province",
          closed: null,
        },
        {
          __typename: "SavedView",
          id: "w",
          name: "Works",
          address: "/facilities?functional=yes",
          missing: null,
          closed: "district",
        },
      ],
    },
    savedQueries: {
      __typename: "SavedQueryConnection",
      nodes: [
        { __typename: "SavedQuery", id: "q", uuid: "7", name: "Power", ownerUserName: "ada", own: false },
        { __typename: "SavedQuery", id: "r", uuid: "8", name: "Staff", ownerUserName: "me", own: true },
      ],
    },
    provinces: {
      __typename: "ProvinceConnection",
      nodes: [{ __typename: "Province", id: "p", provinceId: 3, name: "Lusaka" }],
    },
  };
  expect(groupsOf([], answer)).toEqual([
    { name: "Places", hits: [{ id: "p", title: "Lusaka Province", to: "/facilities/province/3" }] },
    {
      name: "Saved questions",
      hits: [
        { id: "q", title: "Power", note: "Shared by ada", to: "/query/7" },
        { id: "r", title: "Staff", note: undefined, to: "/query/8" },
      ],
    },
    {
      name: "Saved views",
      hits: [
        { id: "v", title: "Silent", note: "Its province is not there any more", to: "/facilities?silent=yes" },
        { id: "w", title: "Works", note: "Its district was closed", to: "/facilities?functional=yes" },
      ],
    },
  ]);
  expect(groupsOf([], undefined)).toEqual([]);
});
