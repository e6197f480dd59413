import type { Params } from "react-router-dom";
import { firstYear, isMonth, isQuarter, lastYear } from "../../gateway/calendar/fiscal.rules.ts";
import { periodFaults } from "../../gateway/facility/listPeriod.rules.ts";
import { type Mode, modes } from "../../gateway/facility/mode.rules.ts";
import { listMatch, listParameters, type ListTexts, nearWords } from "../../gateway/facility/listFilter.rules.ts";
import type { FacilityFilter as FacilityMatch, FacilitySort } from "../gql/graphql.ts";
import { placeFilters } from "../reference/placeFilter.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import type { Chip } from "../ui/filter/Chips.tsx";
import { orderAndPage, sortIn } from "../ui/filter/listSort.ts";
import { chipsOf as chipsOfTexts, filtersOf, textsOf } from "../ui/filter/listTexts.ts";
import { besideListParams } from "../ui/scope/ScopeLink.tsx";
import { type Filters, isAny, isPartner, wrongFilterIn } from "../ui/filter/wrongFilter.ts";
import { searchTextIn } from "./searchAddress.ts";

const listModes: ReadonlySet<string> = new Set(modes);

/** Reads each part of an address. The gateway's rules for the same values agree. */
const partReaders = {
  provinceId: idInPath,
  districtId: idInPath,
  implementingPartnerId: idInPath,
  mode: (text: string) => (listModes.has(text) ? (text as Mode) : undefined),
  year: (text: string) => whole(text, (year) => year >= firstYear && year <= lastYear()),
  quarter: (text: string) => whole(text, isQuarter),
  month: (text: string) => whole(text, isMonth),
};
const partNames = Object.keys(partReaders) as (keyof typeof partReaders)[];

/** The filter in an address of a facility list: a place or partner, and a mode with its period. */
export type ListFilter = { [Name in keyof typeof partReaders]?: ReturnType<(typeof partReaders)[Name]> };

function whole(text: string, isRight: (value: number) => boolean): number | undefined {
  return /^-?\d{1,4}$/.test(text) && isRight(Number(text)) ? Number(text) : undefined;
}

/**
 * The partner of the scope in the address (client/ui/scope/ScopeLink.tsx): it filters a list that names no partner
 * itself. An invalid id is ignored.
 */
const ofScope = "partner";
export function scopePartnerIn(url: URLSearchParams): string | undefined {
  const partner = url.get(ofScope) ?? undefined;
  return !url.has("implementingPartnerId") && idInPath(partner) !== undefined ? partner : undefined;
}

/**
 * The place and partner in the search parameters, in addition to those of the path. -1 means all partners, "none" means
 * facilities without one.
 */
function placesIn(url: URLSearchParams): Params {
  const partner = url.get("implementingPartnerId");
  return {
    provinceId: url.get("provinceId") ?? undefined,
    districtId: url.get("districtId") ?? undefined,
    implementingPartnerId: partner === "-1" || partner === noPartner ? undefined : (partner ?? scopePartnerIn(url)),
  };
}

/** The period that a chart's bar adds to the address. */
function periodIn(url: URLSearchParams): Params {
  const given = (name: string) => url.get(name) ?? undefined;
  return { year: given("year"), quarter: given("quarter"), month: given("month") };
}

/** The value of the partner in an address for facilities that no partner supports. */
export const noPartner = "none";
/** Whether the list is for facilities that no partner supports. */
const isWithoutPartner = (params: Params, url: URLSearchParams): boolean =>
  params["implementingPartnerId"] === undefined && url.get("implementingPartnerId") === noPartner;

/** The filters in the address, without places and partner. */
const textsIn = (url: URLSearchParams): ListTexts => textsOf(listParameters, url);

/** What the address may have. A period is for the lists of a mode, and is read there. */
const filters: Filters = {
  ...placeFilters,
  implementingPartnerId: (text) => text === noPartner || isPartner(text),
  [ofScope]: isPartner,
  ...{ year: isAny, quarter: isAny, month: isAny, search: isAny, nearName: isAny },
  ...filtersOf(listParameters),
  ...Object.fromEntries(besideListParams.map((name) => [name, isAny])),
};

/** The first part that the list does not understand, as it is in the address. */
export const wrongIn = (url: URLSearchParams) => wrongFilterIn(url, filters);

/** The orders of lists of facilities. */
export const facilityOrders = {
  name: "Name",
  hmisCode: "HMIS code",
  district: "District",
  province: "Province",
  implementingPartner: "Partner",
  mode: "Present mode",
  lastAssessed: "Last visit",
  catchmentPopulation: "Catchment population",
} as const;

type Named = {
  province?: { name: string } | null;
  district?: { name: string } | null;
  implementingPartner?: { implementingPartner: string } | null;
  fieldList?: { name: string } | null;
};

/** The filters of the list in words, without those of its path. */
export function chipsOf(params: Params, url: URLSearchParams, named: Named): Chip[] {
  const places = placesIn(url);
  const place = (name: string, label: string, words: string | undefined, dropped = name): Chip[] =>
    params[name] === undefined && places[name] !== undefined
      ? [{ name: dropped, words: `${label}: ${words ?? places[name]}` }]
      : [];
  return [
    ...place("provinceId", "Province", named.province?.name),
    ...place("districtId", "District", named.district?.name),
    ...place(
      "implementingPartnerId",
      "Partner",
      named.implementingPartner?.implementingPartner,
      scopePartnerIn(url) === undefined ? undefined : ofScope,
    ),
    ...(isWithoutPartner(params, url) ? [{ name: "implementingPartnerId", words: "Partner: none" }] : []),
    ...chipsOfTexts(listParameters, url).map((chip) => {
      if (chip.name === "near") return { ...chip, words: nearWords(chip.words, url.get("nearName")), also: "nearName" };
      return chip.name === "fieldList" && named.fieldList
        ? { ...chip, words: `Field list: ${named.fieldList.name}` }
        : chip;
    }),
  ];
}

/** The filters and the order of this list, as search parameters of the server's CSV file. */
export const exportQuery = (params: Params, url: URLSearchParams, filter: ListFilter) => ({
  ...filter,
  ...(isWithoutPartner(params, url) ? { implementingPartnerId: noPartner } : {}),
  ...textsIn(url),
  search: searchTextIn(url, "search"),
  sort: sortIn(url, facilityOrders),
});

/** Reads the filter from a facility list's address; undefined if the address is invalid. */
export function readFilter(params: Params, url: URLSearchParams): ListFilter | undefined {
  const spelt: Params = { ...placesIn(url), ...(params["mode"] === undefined ? {} : periodIn(url)), ...params };
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

/** The variables of the list's query: the filter, the places and partner to name, the text, the order and the page. */
export function readVariables(params: Params, filter: ListFilter, url: URLSearchParams) {
  const { provinceId, districtId, implementingPartnerId } = filter;
  const match = {
    ...(isWithoutPartner(params, url) ? { hasImplementingPartner: false } : {}),
    ...listMatch(textsIn(url)),
  };
  return {
    ...filter,
    search: searchTextIn(url, "search"),
    filter: Object.keys(match).length > 0 ? (match as FacilityMatch) : undefined,
    ...orderAndPage<FacilitySort>(url, facilityOrders),
    inProvince: provinceId !== undefined,
    namedProvince: provinceId,
    inDistrict: districtId !== undefined,
    namedDistrict: districtId,
    ofPartner: implementingPartnerId !== undefined,
    namedPartner: implementingPartnerId,
    ...(url.has("fieldList") ? { onFieldList: true, namedFieldList: url.get("fieldList") } : {}),
  };
}
