import { type CredentialState, stateNames } from "../../gateway/machine/siteCredential.rules.ts";
import { type Filters, isAny, isId, isOneOf } from "../ui/filter/wrongFilter.ts";
import { idInPath } from "../ui/list/idInPath.ts";

/** The filter of the list of site credentials, as it is in the address. */
export type CredentialFilter = {
  state: CredentialState | null;
  search: string | null;
  provinceId: number | null;
  districtId: number | null;
  implementingPartnerId: number | null;
};

/** The address parameters of the filter. */
const filters = {
  state: isOneOf(...stateNames),
  search: isAny,
  place: (text: string) => {
    const [, id] = /^(?:province|district)-(\d+)$/.exec(text) ?? [];
    return isId(id ?? "");
  },
  partner: isId,
} satisfies Filters;
export const credentialFilterNames = Object.keys(filters);
/** What the address may have. */
export const credentialFilters: Filters = { ...filters, tab: isAny };

const numberOf = (text: string | null | undefined): number | null => idInPath(text) ?? null;

export function readCredentialFilter(url: URLSearchParams): CredentialFilter {
  const [, kind, id] = /^(province|district)-(\d+)$/.exec(url.get("place") ?? "") ?? [];
  return {
    state: stateNames.find((name) => name === url.get("state")) ?? null,
    search: url.get("search")?.slice(0, 128) || null,
    provinceId: kind === "province" ? numberOf(id) : null,
    districtId: kind === "district" ? numberOf(id) : null,
    implementingPartnerId: numberOf(url.get("partner")),
  };
}

/** A place as it is in the address. */
export function placeValue({
  provinceId,
  districtId,
}: {
  provinceId?: number | null;
  districtId?: number | null;
}): string {
  if (districtId != null) return `district-${districtId}`;
  return provinceId == null ? "" : `province-${provinceId}`;
}

export const isFiltered = (filter: CredentialFilter): boolean => Object.values(filter).some((value) => value !== null);
