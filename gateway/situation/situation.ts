import { listSiteCounts } from "../../db/facility/silence.ts";
import * as db from "../../db/situation/situation.ts";
import { listTargetsOfMeasure } from "../../db/target/target.ts";
import { listVersions } from "../../db/situation/state.ts";
import { groupedBy } from "../reading/groupedBy.rules.ts";
import { requireViewer } from "../access/access.ts";
import { fiscalYearOf, todayIn } from "../calendar/fiscal.rules.ts";
import type { Context } from "../context.ts";
import { isOldVersion, newestVersion, visitDays } from "../facility/state.rules.ts";
import { isVersion } from "../input/version.rules.ts";
import { batched } from "../reading/batch.ts";
import { checkScope, type Scope } from "../reference/reference.ts";
import { attainmentOf, holdsFor, nearestTargets } from "../target/attainment.rules.ts";
import { siteRule } from "../tdb/silence.rules.ts";
import { type Figure, lastQuarters, type Quarter, shareChange, sumAt } from "./situation.rules.ts";

/**
 * Acts that read the situation of a part of the country, shared by REST and GraphQL. All of it are open facts: every
 * signed-in person may read them.
 */

const modeNames = {
  EFirst: "efirst",
  EFast: "efast",
  ELast: "elast",
  Partial: "partial",
  NotDeployed: "notDeployed",
  NotOperational: "notOperational",
} as const;
export type Modes = Record<(typeof modeNames)[keyof typeof modeNames] | "noneRecorded", number>;

/** A province, district or facility of the scope. Each count of a facility is 0 or 1. */
export type Unit = {
  hxId: number | null;
  facilityUuid: string | null;
  name: string;
  facilities: number;
  assessed: number;
  functional: number;
  power: number;
  notRecordedFunctional: number;
  notRecordedPower: number;
  expected: number;
  silent: number;
  knownVersion: number;
  oldVersion: number;
  modes: Modes;
  /** the change of the functional share since the end of the previous quarter, in percentage points */
  functionalShareChange: number | null;
  /**
   * the target of the functional share in the present fiscal year, and how much of it is reached; null for a facility
   */
  functionalTarget: number | null;
  functionalAttainment: number | null;
  quarters: Quarter[];
};
export type Situation = {
  scope: Scope;
  asAt: string;
  /** the first day of the present quarter: changes are since the end of the previous one */
  quarterStart: string;
  level: "province" | "district" | "facility";
  newestLibraryVersion: string | null;
  facilities: Figure;
  assessed: Figure;
  functional: Figure;
  power: Figure;
  silent: Figure;
  oldVersion: Figure;
  withoutPosition: Figure;
  stopped: number;
  lostPower: number;
  notVisited: number;
  modes: Modes;
  /** the target of the functional share in the present fiscal year */
  functionalTarget: number | null;
  quarters: Quarter[];
  units: Unit[];
};

type States = db.StateRow[];
type Versions = db.VersionRow[];
const today = (rows: States, name: keyof db.StateSums) => sumAt(rows, (row) => row[name], null);

/** The facilities of a unit by mode at the end of a quarter, or (null) today. */
export function modesOf(rows: States, facilities: number, quarter: string | null = null): Modes {
  const counted = Object.values(modeNames).map((name) => [name, sumAt(rows, (row) => row[name], quarter)] as const);
  return {
    ...(Object.fromEntries(counted) as Modes),
    noneRecorded: facilities - counted.reduce((sum, [, value]) => sum + value, 0),
  };
}

/** The facilities with a known version, and those with an old one, at the end of a quarter or (null) today. */
function versionsOf(rows: Versions, newest: string | null, quarter: string | null) {
  const count = (is: (version: string) => boolean) =>
    sumAt(
      rows.filter(({ libraryVersion }) => is(libraryVersion)),
      ({ facilities }) => facilities,
      quarter,
    );
  return { known: count(isVersion), old: count((version) => isOldVersion(version, newest)) };
}

/**
 * The states at the ends of quarters; with `now` the last one is the present quarter, because until its end more TDBs
 * become due.
 */
export const quartersOf = (
  rows: States,
  starts: readonly string[],
  now: Pick<Quarter, "expected" | "silent"> | null,
): Quarter[] =>
  starts.map((periodStart, index) => {
    const isPresent = now !== null && index === starts.length - 1;
    const end = isPresent ? null : periodStart;
    const sumOf = (name: keyof db.StateSums) => sumAt(rows, (row) => row[name], end);
    return {
      periodStart,
      assessed: sumOf("assessed"),
      functional: sumOf("functional"),
      notRecordedFunctional: sumOf("notRecordedFunctional"),
      power: sumOf("power"),
      notRecordedPower: sumOf("notRecordedPower"),
      expected: isPresent ? now.expected : sumOf("expected"),
      silent: isPresent ? now.silent : sumOf("silent"),
    };
  });

/** Rows by the unit that they are about. */
export const grouped = <Row extends { hxId: number }>(rows: readonly Row[]): Map<number, Row[]> =>
  groupedBy(rows, ({ hxId }) => hxId);

/** The counts by mode of a single facility. */
export const modesOfFacility = (mode: string | null): Modes => ({
  ...(Object.fromEntries(Object.entries(modeNames).map(([name, key]) => [key, Number(name === mode)])) as Omit<
    Modes,
    "noneRecorded"
  >),
  noneRecorded: Number(mode === null),
});

/** The facilities of a district as its units. */
async function facilityUnits(context: Context, scope: Scope, newest: string | null): Promise<Unit[]> {
  const rows = await db.listFacilityStates(context.db, { scope });
  return rows.map((row) => {
    const isAssessed = row.assessedDate !== null;
    const version = row.libraryVersion ?? "";
    return {
      hxId: null,
      facilityUuid: row.facilityUuid,
      name: row.facilityName,
      facilities: 1,
      assessed: Number(isAssessed),
      functional: Number(row.functional === true),
      power: Number(row.power === true),
      notRecordedFunctional: Number(isAssessed && row.functional === null),
      notRecordedPower: Number(isAssessed && row.power === null),
      expected: Number(row.expected),
      silent: Number(row.silent),
      knownVersion: Number(isVersion(version)),
      oldVersion: Number(isOldVersion(version, newest)),
      modes: modesOfFacility(row.functionalityStatusMode),
      functionalShareChange: null,
      functionalTarget: null,
      functionalAttainment: null,
      quarters: [],
    };
  });
}

const noDays = { functionalSince: null, powerSince: null, versionSince: null, modeSince: null };
/** Since when a facility stands as it does. Several facilities of one request are read together. */
export const loadStateSince = batched<string, Omit<db.StateSinceRow, "facilityUuid">>(
  async (context, facilityUuids) => {
    requireViewer(context);
    return new Map((await db.listStateSince(context.db, { facilityUuids })).map((row) => [row.facilityUuid, row]));
  },
  () => noDays,
);

/** The situation of a scope. @throws Problem NOT_FOUND */
export async function readSituation(context: Context, scope: Scope): Promise<Situation> {
  requireViewer(context);
  await checkScope(context, scope);
  const day = todayIn(context.timeZone);
  const starts = lastQuarters(day);
  const before = starts.at(-2)!;
  const level = scope.districtId != null || scope.provinceId != null ? "district" : "province";
  const asked = { level, scope, since: starts[0]! } as const;
  const [sites, states, versions, named, counts, targets] = await Promise.all([
    listSiteCounts(context.db, { level, scope, rule: siteRule }),
    db.listStates(context.db, asked),
    db.listVersionCounts(context.db, { ...asked, since: before }),
    listVersions(context.db),
    db.findScopeCounts(context.db, { scope, visitDays }),
    listTargetsOfMeasure(context.db, { measure: "functional", year: fiscalYearOf(day) }),
  ]);
  const newest = newestVersion(named);
  const aimOf = (unit: Scope) => nearestTargets(targets.filter((target) => holdsFor(target, unit)))[0]?.percent ?? null;
  const [statesOf, versionsIn] = [grouped(states), grouped(versions)];
  const units = sites.map((site): Unit => {
    const rows = statesOf.get(site.hxId!) ?? [];
    const { known, old } = versionsOf(versionsIn.get(site.hxId!) ?? [], newest, null);
    const quarters = quartersOf(rows, starts, { expected: site.expected, silent: site.overdue });
    const [assessed, functional] = [today(rows, "assessed"), today(rows, "functional")];
    const aim = aimOf(level === "province" ? { ...scope, provinceId: site.hxId } : { ...scope, districtId: site.hxId });
    return {
      hxId: site.hxId,
      facilityUuid: null,
      name: site.name!,
      facilities: site.facilities,
      assessed,
      functional,
      power: today(rows, "power"),
      notRecordedFunctional: today(rows, "notRecordedFunctional"),
      notRecordedPower: today(rows, "notRecordedPower"),
      expected: site.expected,
      silent: site.overdue,
      knownVersion: known,
      oldVersion: old,
      modes: modesOf(rows, site.facilities),
      functionalShareChange: shareChange(quarters),
      functionalTarget: aim,
      functionalAttainment: aim === null ? null : attainmentOf({ value: functional, assessed, percent: aim }),
      quarters,
    };
  });
  const facilities = sites.reduce((sum, site) => sum + site.facilities, 0);
  const then = (name: keyof db.StateSums) => sumAt(states, (row) => row[name], before);
  const figure = (
    name: "assessed" | "functional" | "power",
    of: number,
    ofBefore: number,
    unknown?: keyof db.StateSums,
  ): Figure => ({
    ...{
      value: today(states, name),
      of,
      notRecorded: unknown ? today(states, unknown) : null,
      before: { value: then(name), of: ofBefore },
    },
  });
  const assessed = today(states, "assessed");
  const silent = sites.reduce((sum, { overdue }) => sum + overdue, 0);
  const expected = sites.reduce((sum, site) => sum + site.expected, 0);
  const [now, earlier] = [versionsOf(versions, newest, null), versionsOf(versions, newest, before)];
  return {
    scope,
    asAt: counts.now,
    quarterStart: starts.at(-1)!,
    level: scope.districtId != null ? "facility" : level,
    newestLibraryVersion: newest,
    facilities: { value: facilities, of: null, notRecorded: null, before: null },
    assessed: figure("assessed", facilities, facilities),
    functional: figure("functional", assessed, then("assessed"), "notRecordedFunctional"),
    power: figure("power", assessed, then("assessed"), "notRecordedPower"),
    silent: {
      value: silent,
      of: expected,
      notRecorded: null,
      before: { value: then("silent"), of: then("expected") },
    },
    oldVersion: { value: now.old, of: now.known, notRecorded: null, before: { value: earlier.old, of: earlier.known } },
    withoutPosition: { value: counts.withoutPosition, of: facilities, notRecorded: null, before: null },
    stopped: today(states, "stopped"),
    lostPower: today(states, "lostPower"),
    notVisited: counts.notVisited,
    modes: modesOf(states, facilities),
    functionalTarget: aimOf(scope),
    quarters: quartersOf(states, starts, { expected, silent }),
    units: scope.districtId != null ? await facilityUnits(context, scope, newest) : units,
  };
}
