import type { ChartSettings } from "./overviewParams.ts";
import { yearOptions } from "./periods.ts";
import type { OverviewScope } from "./scope.ts";

/** What an overview is compared with, as the address says it: `year-2025`, `province-3`, `district-14`, `partner-2`. */

/** A place or partner and the settings of its chart. */
export type Side = { scope: OverviewScope; settings: ChartSettings };

/** The address's words for a scope that names one unit. */
export const comparedUnit = {
  province: (id: number) => `province-${id}`,
  district: (id: number) => `district-${id}`,
  partner: (id: number) => `partner-${id}`,
  year: (year: number) => `year-${year}`,
};

/** The other side of a comparison; undefined where the address names none, or the same. */
export function otherSide({ scope, settings }: Side, compared: string | null, today: string): Side | undefined {
  const [, kind, digits] = /^(year|province|district|partner)-(\d{1,9})$/.exec(compared ?? "") ?? [];
  const id = Number(digits);
  if (kind === "year") return id === settings.year || !yearOptions(today).includes(id) ? undefined : { scope, settings: { ...settings, year: id } };
  if (kind === "province") return id === scope.provinceId && scope.districtId === undefined ? undefined : { scope: { provinceId: id }, settings };
  if (kind === "district") return id === scope.districtId ? undefined : { scope: { districtId: id }, settings };
  if (kind === "partner") return id === scope.implementingPartnerId ? undefined : { scope: { implementingPartnerId: id }, settings };
  return undefined;
}
