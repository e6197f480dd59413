import { visitStates } from "../assessment/visits.ts";
import type { Visit, VisitState } from "../assessment/visits.ts";
import type { KeptSite } from "../facility/fieldSites.ts";
import { metresBetween } from "../../gateway/facility/distance.rules.ts";
import type { Place } from "../../gateway/facility/distance.rules.ts";

/** The rows of "My sites": a row for each visit that this device holds or has sent, and one for each other site. */

export type SiteState = VisitState | "todo";

export type SiteRow = {
  key: string;
  facilityUuid: string;
  facilityName: string;
  state: SiteState;
  visit?: Visit;
  /** undefined if the site was not taken along */
  site?: KeptSite | undefined;
  /** the day of the last visit, YYYY-MM-DD, if it is on the device */
  lastVisit?: string | undefined;
  place?: Place | undefined;
};

/** The choices of the states that are shown, with their states. */
export const shows: Record<string, { title: string; states: readonly SiteState[] }> = {
  todo: { title: "To do", states: ["todo"] },
  draft: { title: "Draft", states: ["draft"] },
  waiting: { title: "Waiting", states: ["waiting", "returned"] },
  received: { title: "Received", states: ["received"] },
};

const placeOf = ({ latitude, longitude }: KeptSite): Place | undefined =>
  latitude === null || longitude === null ? undefined : { latitude, longitude };

/** @param lastDays the days of the last visits, by facility */
export function rowsOf(
  sites: readonly KeptSite[],
  visits: readonly Visit[],
  lastDays: ReadonlyMap<string, string>,
): SiteRow[] {
  const byUuid = new Map(sites.map((site) => [site.facilityUuid, site]));
  const visited = new Set(visits.map(({ facilityUuid }) => facilityUuid));
  const rowOf = (facilityUuid: string) => {
    const site = byUuid.get(facilityUuid);
    return { facilityUuid, site, lastVisit: lastDays.get(facilityUuid), place: site && placeOf(site) };
  };
  return [
    ...visits.map((visit): SiteRow => {
      const { key, facilityUuid, facilityName, state } = visit;
      return { ...rowOf(facilityUuid), key, facilityName, state, visit };
    }),
    ...sites
      .filter(({ facilityUuid }) => !visited.has(facilityUuid))
      .map(({ facilityUuid, facilityName }): SiteRow => {
        return { ...rowOf(facilityUuid), key: facilityUuid, facilityName, state: "todo" };
      }),
  ];
}

/** In metres; undefined if one of the places is not known. */
export const distanceOf = ({ place }: SiteRow, from: Place | undefined): number | undefined =>
  place && from && metresBetween(from, place);

/** The nearest first; sites without a position are last. */
export const byDistance = (rows: readonly SiteRow[], from: Place): SiteRow[] =>
  rows
    .map((row) => ({ row, metres: distanceOf(row, from) ?? Infinity }))
    .toSorted((one, other) => (one.metres < other.metres ? -1 : one.metres > other.metres ? 1 : 0))
    .map(({ row }) => row);

const lastOf = ({ state, visit, lastVisit }: SiteRow): string => (state === "received" ? visit!.at : (lastVisit ?? ""));
const rankOf = ({ state }: SiteRow): number =>
  state === "todo" || state === "received" ? visitStates.length : visitStates.indexOf(state);

/** Unfinished visits first, then the site whose last visit is longest ago; no visit is longer ago than any. */
export const byLastVisit = (rows: readonly SiteRow[]): SiteRow[] =>
  rows.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      (lastOf(one) < lastOf(other) ? -1 : lastOf(one) > lastOf(other) ? 1 : 0) ||
      (one.facilityName < other.facilityName ? -1 : 1),
  );
