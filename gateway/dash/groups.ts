import { findSearchMatch } from "../../db/facility/facilitySearch.ts";
import * as db from "../../db/dash/groups.ts";
import { countSites } from "../../db/dash/groupUnits.ts";
import * as history from "../../db/dash/historyGroups.ts";
import { requireRight, requireViewer } from "../access/access.ts";
import { checkFilter } from "../assessment/assessment.ts";
import type { Context } from "../context.ts";
import type { FacilityMatch } from "../../db/facility/facilityFilter.ts";
import { readFacility, resolveFilter } from "../facility/facility.ts";
import { dayBefore, monthsIn, namedPeriodOf, periodBefore, periodEnd, todayIn } from "../calendar/fiscal.rules.ts";
import { rangeBefore } from "../calendar/rangeDays.rules.ts";
import { invalid } from "../problem.ts";
import { checkScope } from "../reference/reference.ts";
import { mostGroups, tooMany, withEmptyGroups } from "./groupUnits.ts";
import {
  arranged,
  type Measured,
  requireTdbFigures,
  type SortValue,
  sourced,
  type Source,
  sourceOf,
  type Sourced,
} from "./groupFigures.ts";
import { figureCounts, withMeasure } from "./groupMeasure.ts";
import { monthOfDays, roundedTdbs } from "./smallGroups.rules.ts";
import {
  exactly,
  type IsShown,
  never,
  seesExactly,
  shownInMonth,
  shownOnDays,
  suppressUnless,
  type Suppressible,
} from "./smallGroups.ts";
import {
  type AssessmentGroupsAsked,
  calendarOf,
  type FacilityGroupsAsked,
  type GroupKey,
  isTdbFact,
  kindOf,
  type TdbGroupsAsked,
} from "./groups.rules.ts";

/**
 * Groups of facilities, assessments and TDBs with counts, sums and figures. The rules of the dashboards apply: every
 * signed-in person may read them. Groups by single facilities or people, or filtered by them, show the same as the
 * lists, so they need the right to read the lists.
 */

export type Group<Row> = Row & ReturnType<typeof calendarOf>;

const wrong = (path: string, message: string) => invalid([{ path, message }]);
const isCalendar = (key: GroupKey): key is "month" | "quarter" | "year" =>
  key === "month" || key === "quarter" || key === "year";

/** A grouping's keys as the database takes them. */
const grouping = (by: readonly GroupKey[]) => ({
  by: [...new Set(by.map((key) => (isCalendar(key) ? "period" : key)))],
  kind: kindOf(by),
  limit: mostGroups + 1,
});

/**
 * The groups of a list with those in which nothing was counted (`none`), unless only groups with something are asked
 * for.
 */
async function finish<Row extends db.GroupKeys>(
  context: Context,
  { minimumSize, ...asked }: Parameters<typeof withEmptyGroups>[1] & { minimumSize?: number | null },
  counted: readonly Row[],
  none: object,
): Promise<Group<Row>[]> {
  if (counted.length > mostGroups) throw tooMany();
  const rows = (minimumSize ?? 0) > 0 ? counted : await withEmptyGroups(context, asked, counted, none);
  if (rows.length > mostGroups) throw tooMany();
  const kind = kindOf(asked.by);
  // There may be thousands of rows with many columns, so they are changed in place instead of copied.
  return rows.map((row) => Object.assign(row, calendarOf(row.periodStart, kind)));
}

/** Whether the figure is a part of the sites that there are. */
const isOfWhole = (measure: FacilityGroupsAsked["measure"], sort: string | null | undefined): boolean =>
  measure?.per === "of" || measure?.per === "ofAssessed" || sort?.endsWith("completeness.share") === true;

/**
 * The figure by which groups are sorted: a count of the row, the mean or median of a fact, the share of those that say
 * yes among those that answer a question, the completeness, or the measure that is asked for.
 */
function valueOf<Fact extends string, Question extends string>(source: Source<Fact, Question>) {
  return async (name: string, row: db.GroupKeys & { measure: Measured | null }): Promise<SortValue> => {
    if (name === "measure") return { value: row.measure?.value ?? null, of: row.measure?.of ?? null };
    if (name === "measure.now") return { value: row.measure?.now ?? null, of: row.measure?.of ?? null };
    if (name === "measure.count") return { value: row.measure?.count ?? null, of: row.measure?.of ?? null };
    const [, what, figure] = /^(\w+)\.(mean|median|share)$/.exec(name) ?? [];
    if (what === undefined) return { value: (row as Record<string, unknown>)[name] as number | null, of: null };
    if (figure !== "share")
      return { value: (await source.figures(what as Fact, row))[figure as "mean" | "median"], of: null };
    if (what === "completeness")
      return shareOf((row as Record<string, unknown>)["assessed"] as number, await source.matching(row));
    const answers = await source.answers(what as Question, row);
    return answers ? shareOf(answers.yes, answers.yes + answers.no) : { value: null, of: null };
  };
}
const shareOf = (count: number, of: number): SortValue => ({ value: of === 0 ? null : count / of, of });

export type ShownFacilityGroup = Sourced<Group<db.FacilityGroup>, db.FacilityFact, db.FacilityQuestion>;

/** @throws Problem NOT_FOUND, FORBIDDEN or INVALID */
export async function listFacilityGroups(
  context: Context,
  {
    sort,
    first,
    minimumSize,
    minimumDenominator,
    measure,
    against,
    ...asked
  }: FacilityGroupsAsked & { search?: string | null },
): Promise<ShownFacilityGroup[]> {
  requireViewer(context);
  const { by } = asked;
  const sizeOf = ({ facilities }: db.FacilityGroup) => facilities;
  const list = async (question: Awaited<ReturnType<typeof facilityQuestion>>) => {
    const { filter, within } = question;
    const scope = { ...filter, ...placesOf(filter.match) };
    const days = within && { start: within.start, end: dayBefore(within.end) };
    const at = { distance: question.distance, asOf: filter.asOf };
    const rows = await finish(
      context,
      { ...{ by, scope, mode: filter.mode, days, minimumSize, isOfWhole: isOfWhole(measure, sort) }, ...at },
      await db.listFacilityGroups(context.db, question),
      noneOf(facilityCounts),
    );
    const source = sourceOf<Group<db.FacilityGroup>, db.FacilityFact, db.FacilityQuestion>({
      rows,
      sizeOf,
      figures: (fact) => {
        if (isTdbFact(fact)) {
          if (fact !== "daysSinceLastTdb" || question.filter.asOf != null) requireTdbFigures(context);
          if (question.kind ?? question.filter.period)
            throw wrong(
              "period",
              `cannot be given for ${fact}, nor MONTH, QUARTER or YEAR: it is a state, so ask by asOf`,
            );
        }
        return db.listFacilityFigures(context.db, { ...question, fact });
      },
      answers: (name) => db.listFacilityAnswers(context.db, { ...question, question: name }),
      isAskable: (name) => name !== "serviceAreaFunctional" || by.includes("serviceArea"),
      of: () => countSites(context.db, { by: question.by, scope, ...at }),
      assessed: async () => {
        const read = await db.listFacilityGroups(context.db, {
          ...question,
          by: question.by.filter((key) => key === "period" || !ofVisits.has(key)),
          filter: { ...filter, mode: null, match: apartFromFound(filter.match) },
        });
        return read.map((row) => Object.assign(row, { facilities: row.assessed }));
      },
      matching: () =>
        db.listFacilityGroups(context.db, {
          ...question,
          by: question.by.filter((key) => !ofVisits.has(key)),
          kind: null,
          filter: { ...filter, mode: null, period: null },
        }),
    });
    return { rows, source };
  };
  if (against && kindOf(by)) throw notBesideCalendar();
  const now = await list(await facilityQuestion(context, asked));
  const before = against
    ? await list(await facilityQuestion(context, { ...asked, ...earlierOf(context, asked, against) }, "against."))
    : null;
  return arranged(
    await withMeasure(sourced(now, before, facilityCounts), measure, kindOf(by)),
    { sort, first, minimumSize, minimumDenominator },
    { sizeOf, valueOf: valueOf(now.source) },
  );
}
const noneOf = (counts: readonly string[]) => Object.fromEntries(counts.map((name) => [name, 0]));
const placesOf = (match: FacilityMatch | null | undefined) => ({
  provinceIds: match?.provinceIds,
  districtIds: match?.districtIds,
  implementingPartnerIds: match?.implementingPartnerIds,
});
/** Conditions on what visits and TDBs found. */
const found: ReadonlySet<string> = new Set([
  ...["assessed", "assessedBefore", "functional", "power", "silent", "noTdbSince", "hasSentTdb", "libraryVersions"],
  ...["modes", "latestAssessment", "earlierAssessment", "change", "inARow", "last"],
]);
/** A filter without the conditions on what visits and TDBs found. */
const apartFromFound = (match: FacilityMatch | null | undefined): FacilityMatch | null =>
  match
    ? {
        ...Object.fromEntries(Object.entries(match).filter(([name]) => !found.has(name))),
        notRecorded: match.notRecorded?.filter((name) => name !== "functional" && name !== "power") ?? null,
      }
    : null;
/** Keys that belong to a visit. Facilities have the other keys even without one. */
const ofVisits: ReadonlySet<string> = new Set(["mode", "libraryVersion", "smartCareFunctional", "period"]);
const notBesideCalendar = () => wrong("against", "cannot be given together with MONTH, QUARTER or YEAR");
export const facilityCounts = [
  ...[
    "facilities",
    "assessed",
    "sumTrainedStaff",
    "sumSmartCareFunctional",
    "sumPrimaryPower",
    "sumPrimaryPowerWorking",
    "sumBackupPower",
    "sumBackupPowerWorking",
  ],
  ...[
    "notRecordedSmartCareFunctional",
    "notRecordedPrimaryPower",
    "notRecordedPrimaryPowerWorking",
    "notRecordedBackupPower",
    "notRecordedBackupPowerWorking",
  ],
  ...["efirst", "efast", "elast", "partial", "notDeployed", "notOperational"],
] as const;

/** The state or period that facilities are compared with. */
function earlierOf(
  context: Context,
  { period }: Pick<FacilityGroupsAsked, "period">,
  { previous, ...against }: NonNullable<FacilityGroupsAsked["against"]>,
): Pick<FacilityGroupsAsked, "period" | "asOf"> {
  if (previous !== true) return { period: null, asOf: null, ...against };
  if (!period) throw wrong("against.previous", "needs period: the period before it is meant");
  const { kind, start } = periodBefore(namedPeriodOf(period, todayIn(context.timeZone)));
  const { year, quarter, calMonth } = calendarOf(start, kind);
  return { period: { year, ...(kind === "month" ? { month: calMonth } : { quarter }) }, asOf: null };
}

/** The days that assessments or TDBs are compared with. */
function daysBefore(
  filter: { start?: string | null; end?: string | null },
  { start, end, previous }: NonNullable<TdbGroupsAsked["against"]>,
) {
  if (previous !== true) return { start, end };
  const days = daysOf(filter);
  if (!days) throw wrong("against.previous", "needs start and end: the days before them are meant");
  return rangeBefore(days);
}

/** The counts of facilities of which an answer is recorded, yes or no. */
const recordedCounts = facilityCounts.flatMap((name) =>
  name.startsWith("notRecorded") ? [name.replace("notRecorded", "recorded")] : [],
);
/** What a measure can be made of. */
export const facilityMeasures = [...facilityCounts, ...recordedCounts, "of", "ofAssessed", ...figureCounts.facilities];

/** The facilities that are read from the database. */
async function facilityQuestion(
  context: Context,
  {
    by,
    period: named,
    filter: match,
    search,
    distanceFrom,
    ...rest
  }: Omit<FacilityGroupsAsked, "sort"> & { search?: string | null },
  path = "",
) {
  const period = named ? namedPeriodOf(named, todayIn(context.timeZone)) : null;
  const kind = kindOf(by);
  if (period && kind && monthsIn[kind] > monthsIn[period.kind])
    throw wrong("by", `a ${period.kind} cannot be grouped by ${kind}: give a longer period, or none`);
  const filter = { ...(await resolveFilter(context, { ...rest, match })), period: kind ? null : period };
  if (filter.asOf != null && (period ?? kind) != null)
    throw wrong(
      `${path}asOf`,
      "cannot be given together with period, MONTH, QUARTER or YEAR: these count visits, asOf is about states",
    );
  const within = period && { start: period.start, end: periodEnd(period) };
  const matching =
    search == null ? null : await findSearchMatch(context.db, { search, filter: { ...filter, mode: null } });
  return { ...grouping(by), distance: distanceFrom, filter, within, search: matching };
}

export type ShownAssessmentGroup = Sourced<Group<history.AssessmentGroup>, history.AssessmentFact>;
/** The days of a filter, if it limits both ends. */
const daysOf = ({ start, end }: { start?: string | null; end?: string | null }) =>
  start == null || end == null ? null : { start, end };
export const assessmentCounts = ["assessments", ...facilityCounts.filter((name) => name !== "assessed")];
export const assessmentMeasures = [...assessmentCounts, ...recordedCounts, "of", ...figureCounts.assessments];

/** @throws Problem NOT_FOUND, FORBIDDEN or INVALID */
export async function listAssessmentGroups(
  context: Context,
  { by, sort, first, minimumSize, minimumDenominator, measure, against, ...filter }: AssessmentGroupsAsked,
): Promise<ShownAssessmentGroup[]> {
  requireViewer(context);
  if ((filter.facilityUuid ?? filter.userUuid ?? filter.search) != null || by.includes("user"))
    requireRight(context, "viewAssessments");
  await checkFilter(context, filter);
  if (against && kindOf(by)) throw notBesideCalendar();
  const sizeOf = ({ assessments }: history.AssessmentGroup) => assessments;
  const of = () => countSites(context.db, { by: grouping(by).by, scope: filter });
  const list = async (days: object) => {
    const question = { ...grouping(by), filter: { ...filter, ...days } };
    const rows = await finish(
      context,
      {
        ...{ by, scope: filter, mode: filter.mode, days: daysOf(question.filter), minimumSize },
        isOfWhole: isOfWhole(measure, sort),
      },
      await history.listAssessmentGroups(context.db, question),
      noneOf(assessmentCounts),
    );
    const figures = (fact: history.AssessmentFact) => history.listAssessmentFigures(context.db, { ...question, fact });
    return {
      rows,
      source: sourceOf<Group<history.AssessmentGroup>, history.AssessmentFact>({ rows, sizeOf, figures, of }),
    };
  };
  const now = await list({});
  const before = against ? await list(daysBefore(filter, against)) : null;
  return arranged(
    await withMeasure(sourced(now, before, assessmentCounts), measure, kindOf(by)),
    { sort, first, minimumSize, minimumDenominator },
    { sizeOf, valueOf: valueOf(now.source) },
  );
}

export const tdbCounts = ["tdbCount", "facilities", "deltaTdbs", "totalPatients", "fileSize"] as const;
type PlainTdbGroup = Suppressible<Group<history.TdbGroup>, (typeof tdbCounts)[number]>;
export const tdbMeasures = [...tdbCounts, "of"];
export type ShownTdbGroup = Sourced<PlainTdbGroup, history.TdbFact>;

/** @throws Problem NOT_FOUND, FORBIDDEN or INVALID */
export async function listTdbGroups(
  context: Context,
  { by, sort, first, minimumSize, minimumDenominator, measure, against, ...filter }: TdbGroupsAsked,
): Promise<ShownTdbGroup[]> {
  requireViewer(context);
  if ((filter.facilityUuid ?? filter.userUuid) != null || by.includes("user")) requireRight(context, "viewTdbs");
  await checkScope(context, filter);
  if (filter.facilityUuid != null) await readFacility(context, filter.facilityUuid);
  if (against && kindOf(by)) throw notBesideCalendar();
  const sizeOf = ({ tdbCount }: PlainTdbGroup) => tdbCount;
  const of = () => countSites(context.db, { by: grouping(by).by, scope: filter });
  const list = async (days: object) => {
    const rows = await listShownTdbGroups(context, { by, minimumSize, measure, sort, ...filter, ...days });
    const figures = (fact: history.TdbFact) => {
      requireTdbFigures(context);
      return history.listTdbFigures(context.db, { ...grouping(by), filter: { ...filter, ...days }, fact });
    };
    return { rows, source: sourceOf<PlainTdbGroup, history.TdbFact>({ rows, sizeOf, figures, of }) };
  };
  const now = await list({});
  const before = against ? await list(daysBefore(filter, against)) : null;
  // Sorted and limited by the shown figures only: an order by hidden or exact figures would reveal them.
  return arranged(
    await withMeasure(sourced(now, before, tdbCounts), measure, kindOf(by)),
    { sort, first, minimumSize, minimumDenominator },
    { sizeOf, valueOf: valueOf(now.source) },
  );
}

async function listShownTdbGroups(
  context: Context,
  { by, minimumSize, measure, sort, ...filter }: TdbGroupsAsked,
): Promise<PlainTdbGroup[]> {
  const groups = await finish(
    context,
    { by, scope: filter, days: daysOf(filter), minimumSize, isOfWhole: isOfWhole(measure, sort) },
    await history.listTdbGroups(context.db, { ...grouping(by), filter, rounded: !seesExactly(context) }),
    noneOf(tdbCounts),
  );
  if (seesExactly(context)) return groups.map((group) => exactly(group));
  const shownOf = shownFor(context, { by, ...filter });
  return Promise.all(
    groups.map(async (group) => {
      const isShown = await shownOf(group);
      return suppressUnless(
        { ...group, ...roundedTdbs(group) },
        tdbCounts,
        isShown({
          provinceId: filter.provinceId ?? group.provinceId,
          districtId: filter.districtId ?? group.districtId,
          implementingPartnerId:
            filter.implementingPartnerId ??
            (by.includes("implementingPartner") ? (group.implementingPartnerId ?? 0) : null),
        }),
      );
    }),
  );
}

/**
 * Which groups of TDBs are shown to people who may not read TDBs: by place, partner and month, with no other key or
 * filter (smallGroups.rules.ts).
 */
function shownFor(
  context: Context,
  { by, start, end, delta }: TdbGroupsAsked,
): (group: Group<history.TdbGroup>) => Promise<IsShown> {
  const nothing = () => Promise.resolve(never);
  if (
    delta != null ||
    !by.every((key) => ["province", "district", "implementingPartner", "month", "quarter", "year"].includes(key))
  )
    return nothing;
  if (!by.includes("month")) {
    if (by.includes("quarter") || by.includes("year") || start == null || end == null) return nothing;
    const found = shownOnDays(context, { start, end });
    return () => found;
  }
  // The first and the last month must be whole.
  const today = todayIn(context.timeZone);
  const isWhole =
    (start == null || start.endsWith("-01")) &&
    (end == null || monthOfDays({ start: `${end.slice(0, 7)}-01`, end }, today) !== null || end >= today);
  return isWhole ? (group) => shownInMonth(context, group.periodStart!) : nothing;
}

export type { FacilityFact, FacilityGroup, FacilityQuestion, GroupKeys } from "../../db/dash/groups.ts";
export type { AssessmentFact, AssessmentGroup, TdbGroup } from "../../db/dash/historyGroups.ts";
