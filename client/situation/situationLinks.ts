import { may } from "../../gateway/access/access.rules.ts";
import type { Privileges } from "../../gateway/access/access.rules.ts";
import type { WorklistKind } from "../../db/state.rules.ts";
import { routes } from "../routes.ts";
import type { ModeScope } from "../routes.ts";

/** Where the figures of a situation lead: to the list that each counts, for who may see it. */

export type FigureName = "facilities" | "assessed" | "functional" | "power" | "silent" | "oldVersion" | "withoutPosition";

/** The list that a figure counts; undefined for who may not see it. */
export function figureLink(name: FigureName, scope: ModeScope, privileges: Privileges): string | undefined {
  switch (name) {
    case "facilities":
      return routes.facilityList(scope);
    case "assessed":
      return routes.facilityList({ assessed: "yes", ...scope });
    case "functional":
      return may(privileges, "viewAssessments") ? routes.facilityList({ functional: "yes", ...scope }) : undefined;
    case "power":
      return may(privileges, "viewAssessments") ? routes.facilityList({ power: "yes", ...scope }) : undefined;
    case "withoutPosition":
      return routes.facilityList({ position: "no", ...scope });
    case "oldVersion":
      return may(privileges, "viewAssessments") ? routes.facilityList({ oldVersion: "yes", ...scope }) : undefined;
    case "silent":
      return worklistLink(name, scope, privileges, "all");
  }
}

export function worklistLink(kind: WorklistKind, scope: ModeScope, privileges: Privileges, show?: "snoozed" | "all"): string | undefined {
  return may(privileges, kind === "silent" ? "viewTdbs" : "viewAssessments") ? routes.worklist(kind, { ...scope, show }) : undefined;
}

type Unit = { hxId?: number | null; facilityUuid?: string | null };
const placeOf = (level: string, { hxId }: Unit): ModeScope => (level === "DISTRICT" ? { districtId: hxId! } : { provinceId: hxId! });

/** The list that a figure of a unit counts; undefined for a facility, which is no list, and for who may not see it. */
export function unitFigureLink(name: FigureName, level: string, unit: Unit, implementingPartnerId: number | undefined, privileges: Privileges): string | undefined {
  if (unit.facilityUuid != null) return undefined;
  return figureLink(name, { ...placeOf(level, unit), ...(implementingPartnerId === undefined ? {} : { implementingPartnerId }) }, privileges);
}

/** A province, district or facility of the table and the map; a place with the partner that the situation is narrowed to. */
export function unitLink(level: string, unit: Unit, implementingPartnerId: number | undefined): string {
  if (unit.facilityUuid != null) return routes.facility(unit.facilityUuid);
  const place = level === "DISTRICT" ? routes.facilitiesOfDistrict(unit.hxId!) : routes.districts(unit.hxId!);
  return implementingPartnerId === undefined ? place : `${place}?partner=${implementingPartnerId}`;
}
