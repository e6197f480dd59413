import { findSearchMatch } from "../../db/facility.ts";
import * as db from "../../db/groups.ts";
import * as history from "../../db/historyGroups.ts";
import { requireRight, requireViewer } from "../access/access.ts";
import { checkFilter } from "../assessment/assessment.ts";
import type { Context } from "../context.ts";
import { readFacility, resolveFilter } from "../facility/facility.ts";
import { monthsIn, namedPeriodOf, periodEnd, todayIn } from "../calendar/fiscal.rules.ts";
import { invalid } from "../problem.ts";
import { checkScope } from "../reference/reference.ts";
import { monthOfDays } from "./smallGroups.rules.ts";
import { seesSmallGroups, type Told, tellableInMonth, tellableOnDays, told } from "./smallGroups.ts";
import { type AssessmentGroupsAsked, calendarOf, type FacilityGroupsAsked, type GroupKey, kindOf, type TdbGroupsAsked } from "./groups.rules.ts";

/**
 * Groups of facilities, assessments and TDBs with counts and sums, by the rules of the dashboards and like them for every signed-in person.
 * Narrowed to single facilities or persons they would show what the lists show, so that needs the lists' right.
 */

export const mostGroups = 10_000;

export type Group<Row> = Row & ReturnType<typeof calendarOf>;

const wrong = (path: string, message: string) => invalid([{ path, message }]);

/** A grouping's keys as the database takes them. */
const grouping = (by: readonly GroupKey[]) => ({
  by: [...new Set(by.map((key) => (key === "month" || key === "quarter" || key === "year" ? "period" : key)))],
  kind: kindOf(by),
  limit: mostGroups + 1,
});

function finish<Row extends db.GroupKeys>(by: readonly GroupKey[], rows: Row[]): Group<Row>[] {
  if (rows.length > mostGroups)
    throw wrong("by", `makes more than ${mostGroups} groups: group by fewer keys, or narrow the scope or the days`);
  const kind = kindOf(by);
  // Thousands of rows, each of many columns: they are added to, not copied.
  return rows.map((row) => Object.assign(row, calendarOf(row.periodStart, kind)));
}

/** @throws Problem NOT_FOUND, FORBIDDEN or INVALID */
export async function listFacilityGroups(
  context: Context,
  { by, period: named, filter: match, search, ...rest }: FacilityGroupsAsked & { search?: string | null },
): Promise<Group<db.FacilityGroup>[]> {
  requireViewer(context);
  if (search != null) requireRight(context, "viewAssessments");
  const period = named ? namedPeriodOf(named, todayIn(context.timeZone)) : null;
  const kind = kindOf(by);
  if (period && kind && monthsIn[kind] > monthsIn[period.kind])
    throw wrong("by", `a ${period.kind} cannot be grouped by ${kind}: give a longer period, or none`);
  const filter = { ...(await resolveFilter(context, { ...rest, match })), period: kind ? null : period };
  if (filter.asOf != null && (period ?? kind) != null)
    throw wrong("asOf", "cannot be given together with period, MONTH, QUARTER or YEAR: these count visits, asOf tells states");
  const within = period && { start: period.start, end: periodEnd(period) };
  const matching = search == null ? null : await findSearchMatch(context.db, { search, filter: { ...filter, mode: null } });
  return finish(by, await db.listFacilityGroups(context.db, { ...grouping(by), filter, within, search: matching }));
}

/** @throws Problem NOT_FOUND, FORBIDDEN or INVALID */
export async function listAssessmentGroups(context: Context, { by, ...filter }: AssessmentGroupsAsked): Promise<Group<history.AssessmentGroup>[]> {
  requireViewer(context);
  if ((filter.facilityUuid ?? filter.userUuid) != null) requireRight(context, "viewAssessments");
  await checkFilter(context, filter);
  return finish(by, await history.listAssessmentGroups(context.db, { ...grouping(by), filter }));
}

/** @throws Problem NOT_FOUND, FORBIDDEN or INVALID */
export async function listTdbGroups(context: Context, { by, ...filter }: TdbGroupsAsked): Promise<TdbGroupTold[]> {
  requireViewer(context);
  if ((filter.facilityUuid ?? filter.userUuid) != null) requireRight(context, "viewTdbs");
  await checkScope(context, filter);
  if (filter.facilityUuid != null) await readFacility(context, filter.facilityUuid);
  const groups = finish(by, await history.listTdbGroups(context.db, { ...grouping(by), filter }));
  if (seesSmallGroups(context)) return groups.map((group) => told(group, tdbCounts, true));
  const mayTell = await tellableGroups(context, { by, ...filter });
  return Promise.all(groups.map(async (group) => told(group, tdbCounts, await mayTell(group))));
}

const tdbCounts = ["tdbCount", "facilities", "deltaTdbs", "totalPatients", "fileSize"] as const;
export type TdbGroupTold = Told<Group<history.TdbGroup>, (typeof tdbCounts)[number]>;

/** Which groups of TDBs are shown to callers who may not read TDBs: only those by place and month (smallGroups.rules.ts). */
async function tellableGroups(context: Context, { by, start, end, ...filter }: TdbGroupsAsked): Promise<(group: Group<history.TdbGroup>) => Promise<boolean>> {
  const never = () => Promise.resolve(false);
  const isPlain = by.every((key) => ["province", "district", "month", "quarter", "year"].includes(key)) && filter.delta == null && filter.implementingPartnerId == null;
  if (!isPlain) return never;
  const placeOf = ({ provinceId, districtId }: Group<history.TdbGroup>) => ({
    provinceId: filter.provinceId ?? provinceId,
    districtId: filter.districtId ?? districtId,
  });
  if (!by.includes("month")) {
    if (by.includes("quarter") || by.includes("year") || start == null || end == null) return never;
    const mayTell = await tellableOnDays(context, filter, { start, end });
    return (group) => Promise.resolve(mayTell(placeOf(group)));
  }
  // The first and the last month must be whole.
  const today = todayIn(context.timeZone);
  const isWhole = (start == null || start.endsWith("-01")) && (end == null || monthOfDays({ start: `${end.slice(0, 7)}-01`, end }, today) !== null || end >= today);
  return isWhole ? async (group) => (await tellableInMonth(context, group.periodStart!))(placeOf(group)) : never;
}

export type { FacilityGroup, GroupKeys } from "../../db/groups.ts";
export type { AssessmentGroup, TdbGroup } from "../../db/historyGroups.ts";
