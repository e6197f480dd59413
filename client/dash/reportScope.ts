import { type Filters, isId, isPartner } from "../ui/filter/wrongFilter.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { allPartners, type OverviewScope } from "./scope.ts";

/** The scope of a report or of a list of changes, as its address gives it. */
export type ReportScope = { scope: OverviewScope; partner: number };

/** What the address may have. */
export const scopeFilters: Filters = { provinceId: isId, districtId: isId, partner: isPartner };

/** The place and the partner of an address. Without a place, the partner is the scope. */
export function readReportScope(params: URLSearchParams): ReportScope {
  const id = (name: string) => idInPath(params.get(name));
  const [provinceId, districtId, partner] = [id("provinceId"), id("districtId"), id("partner")];
  if (districtId !== undefined) return { scope: { districtId }, partner: partner ?? allPartners };
  if (provinceId !== undefined) return { scope: { provinceId }, partner: partner ?? allPartners };
  return partner === undefined
    ? { scope: {}, partner: allPartners }
    : { scope: { implementingPartnerId: partner }, partner: allPartners };
}

/** The scope of an overview as parameters of such an address. */
export function reportParams({ provinceId, districtId, implementingPartnerId }: OverviewScope, partner: number) {
  const narrowed = implementingPartnerId ?? (partner === allPartners ? undefined : partner);
  return {
    ...(districtId === undefined ? (provinceId === undefined ? {} : { provinceId }) : { districtId }),
    ...(narrowed === undefined ? {} : { partner: narrowed }),
  };
}
