import { FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import type { Mode } from "../facility/facility.rules.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { District, ImplementingPartner, Province, ServiceArea } from "../reference/reference.graphql.ts";
import type { Answers, Figures, Measured, Source } from "./groupFigures.ts";
import { isFigureCount } from "./groupMeasure.ts";
import type * as groups from "./groups.ts";
import { type GroupKey, groupKeys, keyColumns, type measureChanges } from "./groups.rules.ts";

/** What the three kinds of groups have in common: their keys, figures, answers and shares. */

export type FieldBuilder<Row> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

/** The word of a name in an enum: `sumTrainedStaff` is SUM_TRAINED_STAFF. */
export const wordOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
export const GroupKeyEnum = builder.enumType("GroupKey", {
  description:
    "What things are grouped by. Of several calendar keys the finest counts: a month lies in its quarter and year.",
  values: Object.fromEntries(
    Object.entries(groupKeys).map(([value, description]) => [wordOf(value), { value: value as GroupKey, description }]),
  ) as Record<string, { value: GroupKey; description: string }>,
});

const texts = {
  facilityOwner: "FACILITY_OWNER: who owns the facilities",
  facilityType: "FACILITY_TYPE: their type",
  healthCenterType: "HEALTH_CENTER_TYPE: their type of health centre",
  laboratoryLevel: "LABORATORY_LEVEL: the level of their laboratory",
  operationStatus: "OPERATION_STATUS: whether they operate",
  connectivityType: "CONNECTIVITY_TYPE: how they are connected",
} as const;
const flags = {
  connectivityPresent: "CONNECTIVITY_PRESENT: whether they are connected to a network",
  mobileCoverage: "MOBILE_COVERAGE: whether there is mobile coverage",
} as const;

/** The keys of a group; null for a key that was not asked for, or that has no value. */
export const keyFields = <Row extends groups.Group<groups.GroupKeys>>(t: FieldBuilder<Row>) => ({
  province: t.field({
    type: Province,
    nullable: true,
    description: "With PROVINCE or DISTRICT: the province.",
    resolve: ({ provinceId, province: name }) => (provinceId == null ? null : { provinceId, name: name! }),
  }),
  district: t.field({
    type: District,
    nullable: true,
    description: "With DISTRICT: the district.",
    resolve: ({ districtId, district: name, provinceId, province }) =>
      districtId == null ? null : { districtId, name: name!, provinceId: provinceId!, province: province! },
  }),
  implementingPartner: t.field({
    type: ImplementingPartner,
    nullable: true,
    description: "With IMPLEMENTING_PARTNER: the partner; null for facilities without one.",
    resolve: ({ implementingPartnerId, implementingPartner, implementingPartnerActive: active }) =>
      implementingPartnerId == null
        ? null
        : { implementingPartnerId, implementingPartner: implementingPartner!, active: active ?? false },
  }),
  functionalityStatusMode: t.field({
    type: FunctionalityStatusMode,
    nullable: true,
    description: "With MODE: the deployment mode; null for facilities never assessed.",
    resolve: ({ mode }) => (mode ?? null) as Mode | null,
  }),
  libraryVersion: t.string({
    nullable: true,
    description: "With LIBRARY_VERSION: the version; null where none is named.",
    resolve: ({ libraryVersion }) => libraryVersion ?? null,
  }),
  serviceArea: t.field({
    type: ServiceArea,
    nullable: true,
    description: "With SERVICE_AREA: the active service area; null for facilities without any.",
    resolve: ({ serviceAreaId, serviceArea }) =>
      serviceAreaId == null ? null : { serviceAreaId, serviceArea: serviceArea! },
  }),
  ...Object.fromEntries(
    Object.entries(texts).map(([name, about]) => [
      name,
      t.string({
        nullable: true,
        description: `With ${about}; null where that is not stated.`,
        resolve: (row) => row[name as keyof typeof texts] ?? null,
      }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(flags).map(([name, about]) => [
      name,
      t.boolean({
        nullable: true,
        description: `With ${about}; null where that is not stated.`,
        resolve: (row) => row[name as keyof typeof flags] ?? null,
      }),
    ]),
  ),
  year: t.int({
    nullable: true,
    description: "With YEAR, QUARTER or MONTH: the fiscal year.",
    resolve: ({ year }) => year,
  }),
  quarter: t.int({
    nullable: true,
    description: "With QUARTER or MONTH: the fiscal quarter, 1 to 4.",
    resolve: ({ quarter }) => quarter,
  }),
  calMonth: t.int({
    nullable: true,
    description: "With MONTH: the calendar month, 1 to 12.",
    resolve: ({ calMonth }) => calMonth,
  }),
  periodStart: t.field({
    type: "Date",
    nullable: true,
    description: "With a calendar key: the first day of the period.",
    resolve: ({ periodStart }) => periodStart,
  }),
});

const DistanceBand = builder.objectRef<{ from: number; to: number | null }>("GroupDistance").implement({
  description: "A band of distances from the position that is asked for, in kilometres.",
  fields: (t) => ({
    from: t.exposeFloat("from", { description: "Where it begins." }),
    to: t.exposeFloat("to", { nullable: true, description: "Where it ends; null of the last one." }),
  }),
});
/** With DISTANCE: how far the facilities lie from the position that is asked for. */
export const distanceField = <Row extends groups.Group<groups.GroupKeys>>(t: FieldBuilder<Row>) => ({
  distance: t.field({
    type: DistanceBand,
    nullable: true,
    description: "With DISTANCE: how far they are; null where their position is not known.",
    resolve: ({ distanceFrom: from, distanceTo: to }) => (from == null ? null : { from, to: to ?? null }),
  }),
});

/** With SMART_CARE_FUNCTIONAL: what the counted assessments found. */
export const functionalField = <Row extends groups.Group<groups.GroupKeys>>(t: FieldBuilder<Row>) => ({
  functional: t.boolean({
    nullable: true,
    description:
      "With SMART_CARE_FUNCTIONAL: whether SmartCare was found functional; null where that is not recorded, or nothing was assessed.",
    resolve: ({ smartCareFunctional }) => smartCareFunctional ?? null,
  }),
});

/** The keys of things with a time and an author: assessments and TDBs. */
export const historyKeyFields = <Row extends groups.Group<groups.GroupKeys>>(t: FieldBuilder<Row>) => ({
  userUuid: t.string({
    nullable: true,
    description: "With USER: who made or sent them.",
    resolve: ({ userUuid }) => userUuid ?? null,
  }),
  userName: t.string({
    nullable: true,
    description: "With USER: the user name of who made or sent them.",
    resolve: ({ userName }) => userName ?? null,
  }),
  weekday: t.int({
    nullable: true,
    description: "With WEEKDAY: 1 (Monday) to 7.",
    resolve: ({ weekday }) => weekday ?? null,
  }),
});

const GroupFigures = builder.objectRef<Figures>("GroupFigures").implement({
  description: "Figures of a number over the members of a group for which it is known.",
  fields: (t) => ({
    known: t.exposeInt("known", { description: "Of how many it is known: the figures are about these." }),
    notStated: t.exposeInt("notStated", { description: "How many have no known value." }),
    sum: t.exposeFloat("sum", { nullable: true, description: "All added up; null where it is known of none." }),
    mean: t.exposeFloat("mean", { nullable: true, description: "The arithmetic mean." }),
    median: t.exposeFloat("median", {
      nullable: true,
      description: "Half of them have less; between the two middle ones where they are even in number.",
    }),
    p90: t.exposeFloat("p90", { nullable: true, description: "Nine tenths have less." }),
    min: t.exposeFloat("min", { nullable: true, description: "The least." }),
    max: t.exposeFloat("max", { nullable: true, description: "The most." }),
  }),
});

const GroupAnswers = builder.objectRef<Answers>("GroupAnswers").implement({
  description: "What the counted assessments of a group answer. Where no answer is recorded, it is neither yes nor no.",
  fields: (t) => ({
    yes: t.exposeInt("yes", { description: "Those that say yes." }),
    no: t.exposeInt("no", { description: "Those that say no." }),
    notStated: t.exposeInt("notStated", { description: "Those that record no answer." }),
    of: t.int({
      description: "All of them: the facilities that were assessed.",
      resolve: ({ yes, no, notStated }) => yes + no + notStated,
    }),
    share: t.float({
      nullable: true,
      description: "yes, as a part of yes and no; null where neither was recorded.",
      resolve: ({ yes, no }) => (yes + no === 0 ? null : yes / (yes + no)),
    }),
  }),
});

export const GroupShare = builder.objectRef<{ count: number; of: number }>("GroupShare").implement({
  description: "A group as a part of others.",
  fields: (t) => ({
    count: t.exposeInt("count", { description: "How many the group has." }),
    of: t.exposeInt("of", { description: "How many these groups have together." }),
    share: t.float({
      nullable: true,
      description: "count as a part of of, 0 to 1; null where there are none.",
      resolve: ({ count, of }) => (of === 0 ? null : count / of),
    }),
  }),
});

type Sourced<Fact extends string, Question extends string> = groups.GroupKeys & { source: Source<Fact, Question> };

/** A field for each fact of a group. */
export const figureFields = <Fact extends string, Row extends Sourced<Fact, never>>(
  t: FieldBuilder<Row>,
  facts: Record<Fact, string>,
) =>
  Object.fromEntries(
    Object.entries<string>(facts).map(([fact, description]) => [
      fact,
      t.field({
        type: GroupFigures,
        nullable: true,
        description,
        resolve: (row) => row.source.figures(fact as Fact, row),
      }),
    ]),
  );

/** A field for each question that assessments answer. */
export const answersFields = <Question extends string, Row extends Sourced<never, Question>>(
  t: FieldBuilder<Row>,
  questions: Record<Question, string>,
) =>
  Object.fromEntries(
    Object.entries<string>(questions).map(([question, description]) => [
      question,
      t.field({
        type: GroupAnswers,
        nullable: true,
        description,
        resolve: (row) => row.source.answers(question as Question, row),
      }),
    ]),
  );

export const ofField = <Row extends Sourced<never, never>>(t: FieldBuilder<Row>) => ({
  of: t.int({
    description:
      "Of how many: facilities of the group's place, partner, type and so on that are there today, or were as at asOf, whatever was found in them.",
    resolve: (row) => row.source.of(row),
  }),
});

export const shareField = <Row extends Sourced<never, never>>(t: FieldBuilder<Row>) => ({
  share: t.field({
    type: GroupShare,
    nullable: true,
    description:
      "The group as a part of all groups, or of those that have some keys in common with it. Null if one of these groups is withheld.",
    args: {
      within: t.arg({
        type: [GroupKeyEnum],
        description: "Only groups with the same values of these keys, which must be among the keys.",
      }),
    },
    resolve: (row, { within }) => {
      // The argument has the keys of all groups; `share` refuses those that this group does not have.
      const columns = (within ?? []).flatMap((key) => keyColumns[key] as never);
      return row.source.share(columns, row);
    },
  }),
});

const MeasureChange = builder.enumType("GroupMeasureChange", {
  description: "How the change of a measure is said.",
  values: {
    DIFFERENCE: { value: "difference", description: "Now, less before; of shares a part of 1." },
    PERCENT: { value: "percent", description: "The difference in percent of before; not known where that was 0." },
  } satisfies Record<string, { value: (typeof measureChanges)[number]; description: string }>,
});

function countText(name: string): string {
  if (name === "of") return "Facilities that are there.";
  if (name === "ofAssessed")
    return "Facilities that were assessed, in the period or ever, without the conditions of the filter on what visits and TDBs found.";
  if (name.startsWith("recorded"))
    return `Facilities whose assessment records the answer: those assessed, less ${name.replace("recorded", "notRecorded")}.`;
  return `Counted as the field ${isFigureCount(name) ? `${name}.sum` : name} of the group says.`;
}

/** The input that describes a measure, made of these counts. */
export const measureOf = (group: string, counts: readonly string[]) => {
  const Count = builder.enumType(`${group}Count`, {
    description: "What a measure is made of.",
    values: Object.fromEntries(counts.map((name) => [wordOf(name), { value: name, description: countText(name) }])),
  });
  return builder.inputType(`${group}Measure`, {
    description: "A figure of your own: a count, alone or for each of another count, its change, or its running total.",
    fields: (t) => ({
      count: t.field({ type: Count, required: true, description: "What is counted." }),
      per: t.field({ type: Count, description: "count is divided by this one. Where it is 0, the measure is null." }),
      each: t.int({ description: "For each so many of per, at most 1,000,000; 1 unless given." }),
      change: t.field({
        type: MeasureChange,
        description:
          "How the measure changed: since against, or with MONTH, QUARTER or YEAR since the group's period before, if the list has it.",
      }),
      running: t.boolean({
        description:
          "With MONTH, QUARTER or YEAR: what was counted in the list's periods up to the group's, added up. Not with per or change.",
      }),
    }),
  });
};

const GroupMeasure = builder.objectRef<Measured>("GroupMeasure").implement({
  description: "The measure of a group that was asked for.",
  fields: (t) => ({
    value: t.exposeFloat("value", { nullable: true, description: "The measure; null where it is not known." }),
    count: t.exposeFloat("count", { nullable: true, description: "What was counted in the group." }),
    of: t.exposeFloat("of", { nullable: true, description: "With per: by what it is divided." }),
    now: t.exposeFloat("now", {
      nullable: true,
      description: "What it is now: count, or each times count divided by of.",
    }),
    before: t.exposeFloat("before", { nullable: true, description: "With change: what it was before." }),
  }),
});

/** The measure of a group. */
export const measureField = <Row extends { measure: Measured | null }>(t: FieldBuilder<Row>) => ({
  measure: t.field({
    type: GroupMeasure,
    nullable: true,
    description: "With measure: the figure that it describes.",
    resolve: ({ measure }) => measure,
  }),
});

/** The place of a group in the order that was asked for, and how many share it. */
export const rankField = <Row extends { rank: number | null; tied: number | null }>(t: FieldBuilder<Row>) => ({
  rank: t.int({
    nullable: true,
    resolve: ({ rank }) => rank,
    description:
      "With sort: the group's place in that order, from 1; groups with the same figure share a place. Null where the figure is not known.",
  }),
  tied: t.int({
    nullable: true,
    resolve: ({ tied }) => tied,
    description: "With rank: how many groups share it, with those that first leaves out.",
  }),
});

/** How a count changed since `before`. */
export const changeFields = <Row extends { before: Row | null }>(t: FieldBuilder<Row>, counts: readonly string[]) =>
  Object.fromEntries(
    counts.map((name) => [
      name,
      t.float({
        nullable: true,
        description: `${name}, less ${name} before.`,
        resolve: (row) => {
          // `name` is one of the row's counts, which only the list of fields knows.
          const [now, then] = [row, row.before].map((each) =>
            each === null ? 0 : ((each as Record<string, number | null>)[name] ?? null),
          );
          return now === null || now === undefined || then === null || then === undefined ? null : now - then;
        },
      }),
    ]),
  );
