import { expect, test } from "vitest";
import { readFilter } from "./facilityFilter.ts";

const read = (params: Record<string, string>, search = "") => readFilter(params, new URLSearchParams(search));

test.each([
  [{}, "", {}],
  [{ districtId: "7" }, "", { districtId: 7 }],
  [{ provinceId: "7" }, "year=2026&quarter=1", { provinceId: 7 }],
  [{ mode: "EFirst" }, "", { mode: "EFirst" }],
  [{ mode: "ELast" }, "year=2026&quarter=-1", { mode: "ELast", year: 2026, quarter: -1 }],
  [{ mode: "EFast", provinceId: "3" }, "year=2026&month=12&implementingPartnerId=2", { mode: "EFast", provinceId: 3, year: 2026, month: 12, implementingPartnerId: 2 }],
  [{ mode: "EFast", implementingPartnerId: "4" }, "implementingPartnerId=2", { mode: "EFast", implementingPartnerId: 4 }],
  [{ mode: "EFast", districtId: "4" }, "implementingPartnerId=-1", { mode: "EFast", districtId: 4 }],
  [{ mode: "Partial" }, "year=2026&quarter=2", { mode: "Partial", year: 2026, quarter: 2 }],
])("%j with ?%s is a list", (params, search, filter) => {
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
])("%j with ?%s is no list", (params, search) => {
  expect(read(params, search)).toBeUndefined();
});
