import { may } from "../../gateway/access/access.rules.ts";
import type { Privileges } from "../../gateway/access/access.rules.ts";
import { worklistHeads, type WorklistKind } from "../../db/state.rules.ts";
import { routes } from "../routes.ts";
import type { ModeScope } from "../routes.ts";

/** The links of the figures of a situation: each leads to the list that it counts, for people who may see it. */

/** The filters of the facility list that give what a figure counts: for everybody, and for people who may see assessments. */
const openMatches = { facilities: {}, assessed: { assessed: "yes" }, neverAssessed: { assessed: "no" }, withoutPosition: { position: "no" } } as const;
const visitMatches = {
  functional: { functional: "yes" },
  notFunctional: { functional: "no" },
  power: { power: "yes" },
  withoutPower: { power: "no" },
  notRecordedFunctional: { functional: "notRecorded" },
  notRecordedPower: { power: "notRecorded" },
  oldVersion: { oldVersion: "yes" },
} as const;

export type FigureName = keyof typeof openMatches | keyof typeof visitMatches | "silent";

/** The list that a figure counts; undefined for people who may not see it. */
export function figureLink(name: FigureName, scope: ModeScope, privileges: Privileges): string | undefined {
  if (name === "silent") return worklistLink(name, scope, privileges, "all");
  if (name in openMatches) return routes.facilityList({ ...openMatches[name as keyof typeof openMatches], ...scope });
  return may(privileges, "viewAssessments") ? routes.facilityList({ ...visitMatches[name as keyof typeof visitMatches], ...scope }) : undefined;
}

export function worklistLink(kind: WorklistKind, scope: ModeScope, privileges: Privileges, show?: "snoozed" | "all"): string | undefined {
  return may(privileges, worklistHeads[kind].needs) ? routes.worklist(kind, { ...scope, show }) : undefined;
}

type Unit = { hxId?: number | null; facilityUuid?: string | null };
const placeOf = (level: string, { hxId }: Unit): ModeScope => (level === "DISTRICT" ? { districtId: hxId! } : { provinceId: hxId! });

/** The list that a figure of a unit counts; undefined for a facility, which is not a list, and for people who may not see it. */
export function unitFigureLink(name: FigureName, level: string, unit: Unit, implementingPartnerId: number | undefined, privileges: Privileges): string | undefined {
  if (unit.facilityUuid != null) return undefined;
  return figureLink(name, { ...placeOf(level, unit), ...(implementingPartnerId === undefined ? {} : { implementingPartnerId }) }, privileges);
}

/** The page of a province, district or facility of the table and the map. A place keeps the partner of the situation. */
export function unitLink(level: string, unit: Unit, implementingPartnerId: number | undefined): string {
  if (unit.facilityUuid != null) return routes.facility(unit.facilityUuid);
  const place = level === "DISTRICT" ? routes.facilitiesOfDistrict(unit.hxId!) : routes.districts(unit.hxId!);
  return implementingPartnerId === undefined ? place : `${place}?partner=${implementingPartnerId}`;
}
