import * as db from "../../db/fleet/fleet.ts";
import type { Page, PageInput } from "../../db/list/page.ts";
import type { Scope } from "../../db/list/scope.ts";
import { isVersion, compareVersions } from "../input/version.rules.ts";
import { narrowed, requireRight } from "../access/access.ts";
import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Context } from "../context.ts";
import { checkScope } from "../reference/reference.ts";
import { lastQuarters } from "../situation/situation.rules.ts";
import type { ReleasedFile } from "../download/releasePath.ts";
import { readPlan } from "./plan.ts";
import { type Rollout, shownRollout } from "./rollout.ts";
import { type FleetState, fleetStates, stuckStates } from "./fleetState.rules.ts";
import type { FleetSiteFilter } from "./rollout.rules.ts";

/**
 * Acts that read the fleet, shared by REST and GraphQL: which versions run in the country, how far each rollout is,
 * which sites need which file, and which sites need help.
 */

export type VersionCount = { version: string; facilities: number };
export type Fleet = {
  facilities: number;
  /** facilities whose version is known */
  known: number;
  versions: VersionCount[];
  quarters: { periodStart: string; versions: VersionCount[] }[];
  rollouts: ({ rollout: Rollout; covered: number; stuck: number } & Record<FleetState, number>)[];
  files: {
    file: ReleasedFile;
    needed: number;
    next: number;
    failed: number;
    applied: number;
    medianDays: number | null;
    longestDays: number | null;
  }[];
};
export type FleetSite = db.FleetSiteRow;

const newestFirst = (one: VersionCount, other: VersionCount) =>
  compareVersions(other.version, one.version) || (one.version < other.version ? -1 : 1);
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/** How many facilities run each version. */
function versionsOf(rows: readonly { presentVersion: string | null; facilities: number }[]): VersionCount[] {
  const counts = new Map<string, number>();
  for (const { presentVersion, facilities } of rows)
    if (presentVersion !== null) counts.set(presentVersion, (counts.get(presentVersion) ?? 0) + facilities);
  return [...counts].map(([version, facilities]) => ({ version, facilities })).toSorted(newestFirst);
}

/** The fleet of a part of the country. @throws Problem FORBIDDEN or NOT_FOUND */
export async function readFleet(context: Context, given: Scope): Promise<Fleet> {
  requireRight(context, "viewFleet", "somewhere");
  const scope = narrowed(context, given);
  await checkScope(context, scope);
  const starts = lastQuarters(todayIn(context.timeZone));
  const { files, rollouts, present, asked } = await readPlan(context.db, scope);
  const [states, needs, times, counts] = await Promise.all([
    db.countStates(context.db, asked),
    db.countNeeds(context.db, asked),
    db.listStepTimes(context.db, { scope }),
    db.countVersions(context.db, { scope, starts }),
  ]);
  const versions = versionsOf(present);
  return {
    facilities: sum(present, ({ facilities }) => facilities),
    known: sum(
      versions.filter(({ version }) => isVersion(version)),
      ({ facilities }) => facilities,
    ),
    versions,
    quarters: starts.map((periodStart) => ({
      periodStart,
      versions: counts
        .filter((row) => row.periodStart === periodStart)
        .map(({ version, facilities }) => ({ version, facilities }))
        .toSorted(newestFirst),
    })),
    rollouts: rollouts.map((row) => {
      const own = states.filter(({ rolloutUuid }) => rolloutUuid === row.uuid);
      const by = Object.fromEntries(
        fleetStates.map((state) => [state, own.find((each) => each.state === state)?.facilities ?? 0]),
      ) as Record<FleetState, number>;
      return {
        rollout: shownRollout(row),
        covered: sum(own, ({ facilities }) => facilities),
        stuck: sum([...stuckStates], (state) => by[state]),
        ...by,
      };
    }),
    files: files.map((file) => {
      const { needed = 0, next = 0, failed = 0 } = needs.find(({ downloadUuid }) => downloadUuid === file.uuid) ?? {};
      const {
        applied = 0,
        medianDays = null,
        longestDays = null,
      } = times.find(({ downloadUuid }) => downloadUuid === file.uuid) ?? {};
      return { file, needed, next, failed, applied, medianDays, longestDays };
    }),
  };
}

/** The sites that running rollouts cover, by name. @throws Problem FORBIDDEN or NOT_FOUND */
export async function listFleetSites(
  context: Context,
  { page, ...given }: FleetSiteFilter & { page: PageInput },
): Promise<Page<FleetSite>> {
  requireRight(context, "viewFleet", "somewhere");
  const { state, stuck, rolloutUuid, downloadUuid, version, ...scope } = narrowed(context, given);
  await checkScope(context, scope);
  const { files, asked } = await readPlan(context.db, scope);
  const states = state == null ? (stuck ? stuckStates : undefined) : [state];
  const file = downloadUuid == null ? undefined : files.find(({ uuid }) => uuid === downloadUuid.toLowerCase());
  const none = downloadUuid != null && !file;
  const found = await db.listFleetSites(context.db, {
    ...asked,
    page,
    states: none ? [] : states,
    rolloutUuid: rolloutUuid?.toLowerCase(),
    downloadUuid: file?.uuid,
    version,
  });
  return found;
}
