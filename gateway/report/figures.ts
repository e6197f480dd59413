import type { Handle } from "../../db/engine/connect.ts";
import { listSiteCounts } from "../../db/facility/silence.ts";
import type { ReportCounts, ReportFigures, ReportUnit } from "../../db/report/report.ts";
import * as db from "../../db/situation/situation.ts";
import { listTargetsOfMeasure } from "../../db/target/target.ts";
import { dayBefore, periodEnd, todayIn } from "../calendar/fiscal.rules.ts";
import type { Context } from "../context.ts";
import type { Scope } from "../reference/reference.ts";
import { grouped, modesOf, modesOfFacility, quartersOf } from "../situation/situation.ts";
import { lastQuarters } from "../situation/situation.rules.ts";
import { holdsFor, nearestTargets } from "../target/attainment.rules.ts";
import { siteRule } from "../tdb/silence.rules.ts";
import type { ReportAsked } from "./report.rules.ts";
import { daysOfQuarter } from "./reportQuarter.rules.ts";

/**
 * The counts of a facility. Whether it was overdue at an earlier day is a closed fact, so a report has that in sums
 * only.
 */
const count = (
  row: Record<Exclude<keyof ReportCounts, "facilities" | "expected" | "silent">, boolean>,
): ReportCounts => ({
  facilities: 1,
  assessed: Number(row.assessed),
  functional: Number(row.functional),
  notRecordedFunctional: Number(row.notRecordedFunctional),
  power: Number(row.power),
  notRecordedPower: Number(row.notRecordedPower),
  expected: 0,
  silent: 0,
});

/** The facilities of a district as they stood at the end of the quarter; of the running one, as they stand today. */
async function facilityUnits(
  handle: Handle,
  scope: Scope,
  { start, day, isRunning }: { start: string; day: string; isRunning: boolean },
): Promise<ReportUnit[]> {
  const rows = isRunning
    ? (await db.listFacilityStates(handle, { scope })).map((row) => {
        const assessed = row.assessedDate !== null;
        return {
          ...row,
          assessed,
          functional: row.functional === true,
          notRecordedFunctional: assessed && row.functional === null,
          power: row.power === true,
          notRecordedPower: assessed && row.power === null,
        };
      })
    : await db.listFacilityQuarters(handle, { scope, periodStart: start, day });
  return rows.map((row) => ({
    hxId: null,
    facilityUuid: row.facilityUuid,
    name: row.facilityName,
    ...count(row),
    modes: modesOfFacility(row.functionalityStatusMode),
  }));
}

/**
 * Counts a scope as it stood at the end of a quarter, by the latest visit and TDB of each facility up to then; the
 * running quarter as it stands today. The quarter must have begun.
 */
export async function countFigures(
  { timeZone }: Context,
  handle: Handle,
  { year, quarter, ...scope }: ReportAsked,
): Promise<ReportFigures> {
  const today = todayIn(timeZone);
  const { start, end } = daysOfQuarter({ year, quarter });
  const isRunning = end >= today;
  const day = isRunning ? today : end;
  const starts = lastQuarters(start);
  const ends = starts.map((each) => (each === start ? day : dayBefore(periodEnd({ kind: "quarter", start: each }))));
  const level = scope.districtId != null || scope.provinceId != null ? "district" : "province";
  const [states, open, sites, targets, { now }] = await Promise.all([
    db.listStates(handle, { level, scope, since: starts[0]! }),
    db.listOpenCounts(handle, { level, scope, days: ends }),
    listSiteCounts(handle, { level, scope, rule: siteRule }),
    listTargetsOfMeasure(handle, { measure: "functional", year }),
    db.findScopeCounts(handle, { scope, visitDays: 0 }),
  ]);
  const [statesOf, openOf] = [grouped(states), grouped(open)];
  const countsAt = (rows: typeof states, opens: typeof open, present: { expected: number; silent: number }) => {
    const quarters = quartersOf(rows, starts, isRunning ? present : null);
    return quarters.map((each, index) => ({
      ...each,
      facilities: opens.filter((row) => row.day === ends[index]).reduce((sum, row) => sum + row.facilities, 0),
    }));
  };
  const units = sites.map(({ hxId, name, expected, overdue }): ReportUnit => {
    const rows = statesOf.get(hxId!) ?? [];
    const present = { expected, silent: overdue };
    const { periodStart, ...counts } = countsAt(rows, openOf.get(hxId!) ?? [], present).at(-1)!;
    const modes = modesOf(rows, counts.facilities, isRunning ? null : periodStart);
    return { hxId, facilityUuid: null, name: name!, ...counts, modes };
  });
  const sum = (name: "expected" | "overdue") => sites.reduce((total, site) => total + site[name], 0);
  return {
    asAt: now,
    day,
    level: scope.districtId != null ? "facility" : level,
    target: nearestTargets(targets.filter((target) => holdsFor(target, scope)))[0]?.percent ?? null,
    quarters: countsAt(states, open, { expected: sum("expected"), silent: sum("overdue") }),
    units: scope.districtId != null ? await facilityUnits(handle, scope, { start, day, isRunning }) : units,
  };
}
