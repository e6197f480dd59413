import { type CredentialState, stateNames } from "../../gateway/machine/siteCredential.rules.ts";

/** The filter of the list of site credentials, as it is in the address. */
export type CredentialFilter = {
  state: CredentialState | null;
  search: string | null;
  provinceId: number | null;
  districtId: number | null;
  implementingPartnerId: number | null;
};

/** The address parameters of the filter. */
export const credentialFilterNames = ["state", "search", "place", "partner"];

const numberOf = (text: string | null | undefined): number | null =>
  text && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** Invalid parameters in the address are ignored. */
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
