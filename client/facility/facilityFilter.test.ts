import { expect, test } from "vitest";
import { overviewParams } from "../dash/overviewParams.ts";
import { chipsOf, exportQuery, readFilter, readVariables, wrongIn } from "./facilityFilter.ts";

const read = (params: Record<string, string>, search = "") => readFilter(params, new URLSearchParams(search));

test.each([
  [{}, "", {}],
  [{ districtId: "7" }, "", { districtId: 7 }],
  [{ provinceId: "7" }, "year=2026&quarter=1", { provinceId: 7 }],
  [{ mode: "EFirst" }, "", { mode: "EFirst" }],
  [{ mode: "ELast" }, "year=2026&quarter=-1", { mode: "ELast", year: 2026, quarter: -1 }],
  [
    { mode: "EFast", provinceId: "3" },
    "year=2026&month=12&implementingPartnerId=2",
    { mode: "EFast", provinceId: 3, year: 2026, month: 12, implementingPartnerId: 2 },
  ],
  [
    { mode: "EFast", implementingPartnerId: "4" },
    "implementingPartnerId=2",
    { mode: "EFast", implementingPartnerId: 4 },
  ],
  [{ mode: "EFast", districtId: "4" }, "implementingPartnerId=-1", { mode: "EFast", districtId: 4 }],
  [{ mode: "Partial" }, "year=2026&quarter=2", { mode: "Partial", year: 2026, quarter: 2 }],
])("%j with ?%s is a valid list", (params, search, filter) => {
  expect(read(params, search)).toEqual(filter);
});

test.each([
  [{ mode: "efirst" }, ""],
  [{ mode: "Unknown" }, ""],
  [{ mode: "EFirst", districtId: "x" }, ""],
  [{ districtId: "0" }, ""],
  [{ provinceId: "99999999999" }, ""],
  [{ mode: "EFirst" }, "quarter=1"],
  [{ mode: "EFirst" }, "month=1"],
  [{ mode: "EFirst" }, "year=1999"],
  [{ mode: "EFirst" }, "year=2026&quarter=5"],
  [{ mode: "EFirst" }, "year=2026&month=13"],
  [{ mode: "EFirst" }, "year=2026&quarter=1&month=2"],
])("%j with ?%s is not a valid list", (params, search) => {
  expect(read(params, search)).toBeUndefined();
});

const none = {};
test.each([
  [none, "provinceId=3&districtId=4", { provinceId: 3, districtId: 4 }],
  [none, "implementingPartnerId=none", {}],
  [{ provinceId: "7" }, "provinceId=3", { provinceId: 7 }],
  [none, "partner=3", { implementingPartnerId: 3 }],
  [{ districtId: "7" }, "partner=3&chart=mode", { districtId: 7, implementingPartnerId: 3 }],
  [none, "partner=3&implementingPartnerId=4", { implementingPartnerId: 4 }],
  [none, "partner=3&implementingPartnerId=none", {}],
  [none, "partner=3&implementingPartnerId=-1", {}],
  [{ implementingPartnerId: "5", mode: "EFirst" }, "partner=3", { implementingPartnerId: 5, mode: "EFirst" }],
  [none, "partner=-1", {}],
  [none, "partner=some", {}],
])("the places and partner that %j with ?%s filters by", (params, search, filter) => {
  expect(read(params, search)).toEqual(filter);
});

test.each([
  ["assessed=yes&modes=EFirst,none", undefined],
  ["assessed=maybe", { name: "assessed", text: "maybe" }],
  ["modes=", { name: "modes", text: "" }],
  ["provinceId=abc", { name: "provinceId", text: "abc" }],
  ["implementingPartnerId=none&search=a&columns=x", undefined],
  [`${Object.values(overviewParams).join("=1&")}=1`, undefined],
  ["colour=red", { name: "colour", text: "red" }],
  ["assessedBefore=2026-02-30", { name: "assessedBefore", text: "2026-02-30" }],
])("the wrong parameter of ?%s: %j", (search, wrong) => expect(wrongIn(new URLSearchParams(search))).toEqual(wrong));

test("chips describe the filters of the query string, but not those of the path", () => {
  const url = new URLSearchParams(
    "provinceId=3&implementingPartnerId=none&functional=no&assessedBefore=2026-10-01&noTdbSince=LAST_90_DAYS&near=-15,28,,200&inARow=SMART_CARE_FUNCTIONAL.2.no&page=2&sort=name",
  );
  expect(chipsOf(none, url, { province: { name: "Lusaka" } }).map(({ name, words }) => [name, words])).toEqual([
    ["provinceId", "Province: Lusaka"],
    ["implementingPartnerId", "Partner: none"],
    ["assessedBefore", "Not visited: since 01 Oct 2026"],
    ["functional", "SmartCare: does not work"],
    ["noTdbSince", "No TDB made: in the last 90 days"],
    ["near", "Distance: over 200 km from -15, 28"],
    ["inARow", "Last visits: 2 × SmartCare did not work"],
  ]);
  const near = new URLSearchParams("near=-15,28,20&nearName=Kabwe+District");
  expect(chipsOf(none, near, {})[0]).toMatchObject({ words: "Distance: within 20 km of Kabwe District" });
  expect(chipsOf({ provinceId: "3" }, new URLSearchParams("provinceId=3"), none)).toEqual([]);
});

test("filters by a field of the catalogue have its label, as the facility's page has it", () => {
  const url = new URLSearchParams("healthCenterType=Rural&catchmentPopulationFrom=5000&catchmentPopulationTo=9000");
  expect(chipsOf(none, url, none).map(({ words }) => words)).toEqual([
    "Health centre type: Rural",
    "Catchment population, at least: 5000",
    "Catchment population, at most: 9000",
  ]);
});

test.each([
  [none, "partner=3", [["partner", "Partner: Partner A"]]],
  [none, "partner=3&implementingPartnerId=4", [["implementingPartnerId", "Partner: Partner A"]]],
  [none, "partner=3&implementingPartnerId=none", [["implementingPartnerId", "Partner: none"]]],
  [{ implementingPartnerId: "5" }, "partner=3", []],
  [none, "partner=-1", []],
])("the chip of %j with ?%s names the parameter that sets the filter", (params, search, chips) => {
  const found = chipsOf(params, new URLSearchParams(search), {
    implementingPartner: { implementingPartner: "Partner A" },
  });
  expect(found.map(({ name, words }) => [name, words])).toEqual(chips);
});

test("the export and the GraphQL query have the same filters", () => {
  const url = new URLSearchParams(
    "silent=yes&modes=none&implementingPartnerId=none&search=clinic&sort=-district&rows=25&page=3",
  );
  const filter = readFilter({ provinceId: "7" }, url)!;
  expect(exportQuery({ provinceId: "7" }, url, filter)).toEqual({
    ...{
      provinceId: 7,
      implementingPartnerId: "none",
      silent: "yes",
      modes: "none",
      search: "clinic",
      sort: "-district",
    },
  });
  expect(readVariables({ provinceId: "7" }, filter, url)).toMatchObject({
    ...{
      provinceId: 7,
      filter: { hasImplementingPartner: false, silent: true, modes: ["none"] },
      search: "clinic",
      sort: "DISTRICT_DESC",
      first: 25,
      offset: 50,
    },
  });
});

test("the list is ordered by catchment population, in the query and in the file", () => {
  const url = new URLSearchParams("sort=-catchmentPopulation");
  expect(readVariables(none, {}, url).sort).toBe("CATCHMENT_POPULATION_DESC");
  expect(exportQuery(none, url, {}).sort).toBe("-catchmentPopulation");
});
