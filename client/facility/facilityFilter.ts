import type { Params } from "react-router-dom";
import { firstYear, isMonth, isQuarter, lastYear } from "../../gateway/calendar/fiscal.rules.ts";
import type { FacilityFilter } from "../../gateway/facility/facility.rules.ts";
import { periodFaults } from "../../gateway/facility/listPeriod.rules.ts";
import { isSearchText } from "../../gateway/facility/searchText.rules.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import type { ListMode } from "../routes.ts";

const listModes: readonly string[] = ["EFirst", "EFast", "ELast", "Partial", "NotDeployed", "NotOperational"] satisfies ListMode[];

/** What an address of a facility list may be narrowed to: a place or partner, and a mode with its period. */
export type ListFilter = FacilityFilter & { mode?: ListMode };

/** The text that is to be searched for, undefined where none can be. */
export function searchTextIn(url: URLSearchParams, name: string): string | undefined {
  const text = url.get(name)?.trim() ?? "";
  return isSearchText(text) ? text : undefined;
}

/** How each part of an address reads; the gateway's rules say the same of what is asked by it. */
const partReaders = {
  provinceId: idInPath,
  districtId: idInPath,
  implementingPartnerId: idInPath,
  mode: (text: string) => (listModes.includes(text) ? (text as ListMode) : undefined),
  year: (text: string) => whole(text, (year) => year >= firstYear && year <= lastYear()),
  quarter: (text: string) => whole(text, isQuarter),
  month: (text: string) => whole(text, isMonth),
};
const partNames = Object.keys(partReaders) as (keyof typeof partReaders)[];

function whole(text: string, isRight: (value: number) => boolean): number | undefined {
  return /^-?\d{1,4}$/.test(text) && isRight(Number(text)) ? Number(text) : undefined;
}

/** What a chart's bar adds to the address; -1 stands for all partners. */
function fromChart(url: URLSearchParams): Params {
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
  const spelt: Params = { ...(params["mode"] === undefined ? {} : fromChart(url)), ...params };
  const filter: ListFilter = {};
  for (const name of partNames) {
    const text = spelt[name];
    if (text === undefined) continue;
    const value = partReaders[name](text);
    if (value === undefined) return undefined;
    Object.assign(filter, { [name]: value });
  }
  return periodFaults(filter).length === 0 ? filter : undefined;
}

/** The variables of the list's query: the filter, what is to be named, the text and the page. */
export function readVariables(filter: ListFilter, url: URLSearchParams) {
  const { provinceId, districtId, implementingPartnerId } = filter;
  return {
    ...filter,
    search: searchTextIn(url, "search"),
    offset: offsetOf(url),
    inProvince: provinceId != null,
    namedProvince: provinceId ?? undefined,
    inDistrict: districtId != null,
    namedDistrict: districtId ?? undefined,
    ofPartner: implementingPartnerId != null,
    namedPartner: implementingPartnerId ?? undefined,
  };
}
