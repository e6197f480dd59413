import { expect, test } from "vitest";

import { scopeIn } from "./rolloutWords.ts";

const districts = ["Chadiza", "Chipata", "Katete", "Lundazi"].map((name, at) => ({ id: at + 1, name }));
const places = {
  provinces: [
    { id: 1, name: "Eastern", districts },
    { id: 2, name: "Lusaka", districts: [] },
  ],
  partners: [{ id: 1, name: "Partner A" }],
};
const all = {
  channel: "GENERAL",
  provinceIds: [],
  districtIds: [],
  implementingPartnerIds: [],
  facilities: null,
  percentage: 100,
};

test.each([
  [{}, "all sites"],
  [{ provinceIds: [1, 2], percentage: 20, channel: "PILOT" }, "20 %, Eastern, Lusaka, pilot"],
  [{ districtIds: [1, 2, 3, 4], implementingPartnerIds: [1] }, "4 districts, Partner A"],
  [{ provinceIds: [1], districtIds: [99] }, "Eastern, 1 district"],
  [{ facilities: 1 }, "1 named facility"],
])("the scope %j is described as '%s'", (scope, words) => expect(scopeIn({ ...all, ...scope }, places)).toBe(words));
