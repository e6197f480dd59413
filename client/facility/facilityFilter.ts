import type { Params } from "react-router-dom";
import { facilityFilterRules, searchTextRule } from "../../gateway/facility/facility.rules.ts";
import type { FacilityFilter } from "../../gateway/facility/facility.rules.ts";
import { idInPath } from "../reference/idInPath.ts";
import { offsetOf } from "../reference/pageOffset.ts";
import type { ListMode } from "../routes.ts";

const listModes: readonly string[] = ["EFirst", "EFast", "ELast"] satisfies ListMode[];

/** What an address of a facility list may be narrowed to: a place or partner, and a mode with its period. */
export type ListFilter = FacilityFilter & { mode?: ListMode };

/** What a chart's bar adds to the address; -1 stands for all partners. */
function fromChart(url: URLSearchParams) {
  const given = (name: string) => url.get(name) ?? undefined;
  const partner = given("implementingPartnerId");
  return {
    year: given("year"),
    quarter: given("quarter"),
    month: given("month"),
    implementingPartnerId: partner === "-1" ? undefined : partner,
  };
}

/** Reads the filter from a facility list's address; undefined where the address makes no sense. */
export function readFilter(params: Params, url: URLSearchParams): ListFilter | undefined {
  const { mode, provinceId, districtId, implementingPartnerId } = params;
  const spelt = Object.entries({ provinceId, districtId, implementingPartnerId }).filter(([, text]) => text !== undefined);
  if (spelt.some(([, text]) => idInPath(text) === undefined)) return undefined;
  const place = Object.fromEntries(spelt);
  if (mode === undefined) return facilityFilterRules.safeParse(place).data as ListFilter | undefined;
  if (!listModes.includes(mode)) return undefined;
  return facilityFilterRules.safeParse({ ...fromChart(url), ...place, mode }).data as ListFilter | undefined;
}

/** The variables of the list's query: the filter, what is to be named, the text and the page. */
export function readVariables(filter: ListFilter, url: URLSearchParams) {
  const { provinceId, districtId, implementingPartnerId } = filter;
  return {
    ...filter,
    search: searchTextRule.safeParse(url.get("search") ?? "").data,
    offset: offsetOf(url),
    inProvince: provinceId != null,
    namedProvince: provinceId ?? undefined,
    inDistrict: districtId != null,
    namedDistrict: districtId ?? undefined,
    ofPartner: implementingPartnerId != null,
    namedPartner: implementingPartnerId ?? undefined,
  };
}
