import { matchRoutes } from "react-router-dom";
import { expect, test } from "vitest";
import { routes } from "./routes.ts";
import { namedScreens } from "./screens.ts";

const rows = namedScreens.map(([id, { path }]) => ({ id, path }));
const match = (link: string) => {
  const found = matchRoutes(rows, link)?.at(-1);
  return found && [found.route.id, found.params];
};

test("each link matches its route", () => {
  expect(match(routes.districts(4))).toEqual(["districtsOfProvince", { provinceId: "4" }]);
  expect(match(routes.facilitiesOfDistrict(7))).toEqual(["facilitiesOfDistrict", { districtId: "7" }]);
  expect(match(routes.facility("a b/c"))).toEqual(["facility", { facilityUuid: "a b/c" }]);
  expect(match(routes.user())).toEqual(["ownUser", {}]);
  expect(match(routes.addUser())).toEqual(["addUser", {}]);
  expect(match(routes.user("0199"))).toEqual(["user", { userUuid: "0199" }]);
  expect(match(routes.assessment("f"))).toEqual(["newAssessment", { facilityUuid: "f" }]);
  expect(match(routes.assessment("f", "a"))).toEqual(["assessment", { facilityUuid: "f", assessmentUuid: "a" }]);
});

test("the address of a list by mode contains its scope and its period", () => {
  expect(routes.facilitiesByMode("EFirst")).toBe("/facilities/implementation/EFirst/all");
  expect(routes.facilitiesByMode("ELast", { provinceId: 2 }, { year: 2026, quarter: 3 })).toBe(
    "/facilities/implementation/ELast/province/2?year=2026&quarter=3",
  );
  expect(routes.facilitiesByMode("EFast", { implementingPartnerId: 5 }, { year: 2026, month: 1 })).toBe(
    "/facilities/implementation/EFast/ip/5?year=2026&month=1",
  );
});

test("the search text is encoded", () => {
  expect(routes.search("St. Paul's & Co")).toBe("/search?text=St.+Paul%27s+%26+Co");
});
