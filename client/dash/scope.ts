/** The part of the country, or the partner, that an overview is about; the whole nation if it names none. */
export type OverviewScope = { provinceId?: number; districtId?: number; implementingPartnerId?: number };

/** The value of the partner filter for all partners. */
export const allPartners = -1;

/** The country, as the way to a place begins. */
export const country = "Zambia";

type ScopeKind = "nation" | "province" | "district" | "partner";

function kindOf({ provinceId, districtId, implementingPartnerId }: OverviewScope): ScopeKind {
  if (districtId !== undefined) return "district";
  if (provinceId !== undefined) return "province";
  return implementingPartnerId === undefined ? "nation" : "partner";
}

const headings: Record<ScopeKind, string> = {
  nation: "National Overview",
  province: "Provincial Overview",
  district: "District Overview",
  partner: "IP Level",
};

/** The heading of the overview block. */
export const overviewHeading = (scope: OverviewScope): string => headings[kindOf(scope)];

/** Whether the scope can be filtered by partner: everywhere except on a partner's own page. */
export const hasPartnerFilter = (scope: OverviewScope): boolean => kindOf(scope) !== "partner";

/** Whether the scope is a province or within one. Its units are then districts. */
export const isWithinProvince = (scope: OverviewScope): boolean =>
  kindOf(scope) === "province" || kindOf(scope) === "district";

/** The scope as variables of a query, with the chosen partner. */
export function scopeVariables(scope: OverviewScope, partner: number = allPartners): OverviewScope {
  const kind = kindOf(scope);
  if (kind === "partner") return { implementingPartnerId: scope.implementingPartnerId };
  return {
    ...(kind === "district" ? { districtId: scope.districtId } : {}),
    ...(kind === "province" ? { provinceId: scope.provinceId } : {}),
    ...(partner === allPartners ? {} : { implementingPartnerId: partner }),
  };
}

/** The one place or partner whose targets apply to the scope; the whole country if it names none. */
export function targetUnit(scope: OverviewScope, partner: number): OverviewScope {
  const { provinceId, districtId, implementingPartnerId } = scopeVariables(scope, partner);
  if (districtId !== undefined) return { districtId };
  if (provinceId !== undefined) return { provinceId };
  return implementingPartnerId === undefined ? {} : { implementingPartnerId };
}

/** The noun for a "not found" message. */
export function scopeWhat(scope: OverviewScope, partner: number = allPartners): string {
  const kind = kindOf(scope);
  if (kind === "partner" || partner !== allPartners) return "implementing partner";
  return kind === "nation" ? "overview" : kind;
}

/** The scope's name for a picture. */
export function scopeTitle(scope: OverviewScope, name: string | undefined): string | undefined {
  const kind = kindOf(scope);
  if (kind === "nation") return "National";
  if (name === undefined) return undefined;
  return kind === "partner" ? name : `${name} ${kind === "province" ? "Province" : "District"}`;
}
