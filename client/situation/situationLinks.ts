import type { WorklistKind } from "../../db/situation/state.rules.ts";
import { type ModeScope, routes } from "../routes.ts";

/** The links of the figures of a situation: each leads to the list that it counts. */

/** The filters of the facility list that give what a figure counts. */
const matches = {
  facilities: {},
  assessed: { assessed: "yes" },
  neverAssessed: { assessed: "no" },
  withoutPosition: { position: "no" },
  functional: { functional: "yes" },
  notFunctional: { functional: "no" },
  power: { power: "yes" },
  recent: { silent: "no" },
  withoutPower: { power: "no" },
  notRecordedFunctional: { functional: "notRecorded" },
  notRecordedPower: { power: "notRecorded" },
  oldVersion: { oldVersion: "yes" },
} as const;

export type FigureName = keyof typeof matches | "silent";

/** The list that a figure counts. */
export const figureLink = (name: FigureName, scope: ModeScope): string =>
  name === "silent" ? worklistLink(name, scope, "all") : routes.facilityList({ ...matches[name], ...scope });

export const worklistLink = (kind: WorklistKind, scope: ModeScope, show?: "snoozed" | "all"): string =>
  routes.worklist(kind, { ...scope, show });

type Unit = { hxId?: number | null | undefined; facilityUuid?: string | null | undefined };
/** What identifies a unit in the table, on the map and in the address. */
export const unitKey = ({ hxId, facilityUuid }: Unit): string => facilityUuid ?? String(hxId);

/** The scope that a province or district is. */
export const placeOf = (level: string, { hxId }: Unit): ModeScope =>
  level === "DISTRICT" ? { districtId: hxId! } : { provinceId: hxId! };

/** The list that a figure of a unit counts; undefined for a facility, which is not a list. */
export function unitFigureLink(
  name: FigureName,
  level: string,
  unit: Unit,
  implementingPartnerId: number | undefined,
): string | undefined {
  if (unit.facilityUuid != null) return undefined;
  return figureLink(name, {
    ...placeOf(level, unit),
    ...(implementingPartnerId === undefined ? {} : { implementingPartnerId }),
  });
}

/**
 * The page of a province, district or facility of the table and the map. A place keeps the partner of the situation.
 */
export function unitLink(level: string, unit: Unit, implementingPartnerId: number | undefined): string {
  if (unit.facilityUuid != null) return routes.facility(unit.facilityUuid);
  const place = level === "DISTRICT" ? routes.facilitiesOfDistrict(unit.hxId!) : routes.districts(unit.hxId!);
  return implementingPartnerId === undefined ? place : `${place}?partner=${implementingPartnerId}`;
}
