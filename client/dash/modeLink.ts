import { type ModePeriod, routes } from "../routes.ts";
import type { Mode } from "../../gateway/facility/mode.rules.ts";
import type { RowPeriod } from "./periods.ts";
import { allPartners, type OverviewScope, scopeVariables } from "./scope.ts";

/** The link to the list of the facilities that a bar of the mode chart counts: those of its mode, scope, partner and period. */
export function modeLink(mode: Mode | "none", scope: OverviewScope, partner: number, { year, quarter, calMonth }: RowPeriod): string | undefined {
  if (mode === "none") return undefined;
  const period: ModePeriod = calMonth == null ? { year, quarter } : { year, month: calMonth };
  const link = routes.facilitiesByMode(mode, scopeVariables(scope, partner), period);
  const isInPlace = scope.provinceId !== undefined || scope.districtId !== undefined;
  return isInPlace && partner !== allPartners ? `${link}&implementingPartnerId=${partner}` : link;
}
