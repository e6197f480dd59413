import { FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import { searchTextRule } from "../facility/facility.rules.ts";
import { filterArg, modePeriodTexts, PeriodInput } from "../facility/facilityFilter.graphql.ts";
import { builder } from "../graphql/builder.ts";
import { inParts } from "../graphql/inParts.ts";
import { sortEnum } from "../graphql/enums.ts";
import { parse } from "../input/parse.ts";
import {
  answersFields,
  changeFields,
  distanceField,
  type FieldBuilder,
  figureFields,
  functionalField,
  GroupKeyEnum,
  GroupShare,
  historyKeyFields,
  keyFields,
  ofField,
  measureField,
  measureOf,
  rankField,
  shareField,
  wordOf,
} from "./groupFields.graphql.ts";
import { assessmentGroupReads, facilityGroupReads, tdbGroupReads } from "./groupReads.rules.ts";
import * as groups from "./groups.ts";
import { mostGroups } from "./groupUnits.ts";
import { assessmentGroupRules, facilityGroupRules, tdbGroupRules } from "./groups.rules.ts";

/** Groups of facilities, assessments and TDBs with their counts, sums and figures. */

const answerTexts = {
  sumTrainedStaff: "Staff trained in SmartCare, added up over the facilities.",
  sumSmartCareFunctional: "Facilities where SmartCare works.",
  sumPrimaryPower: "Facilities with primary power.",
  sumPrimaryPowerWorking: "Facilities whose primary power works.",
  sumBackupPower: "Facilities with backup power.",
  sumBackupPowerWorking: "Facilities whose backup power works.",
  notRecordedSmartCareFunctional: "Facilities whose assessment does not record whether SmartCare works.",
  notRecordedPrimaryPower: "Facilities whose assessment does not record whether there is primary power.",
  notRecordedPrimaryPowerWorking: "Facilities whose assessment does not record whether primary power works.",
  notRecordedBackupPower: "Facilities whose assessment does not record whether there is backup power.",
  notRecordedBackupPowerWorking: "Facilities whose assessment does not record whether backup power works.",
  efirst: "Facilities in mode E-First.",
  efast: "Facilities in mode E-Fast.",
  elast: "Facilities in mode E-Last.",
  partial: "Facilities with a partial deployment.",
  notDeployed: "Facilities where SmartCare is not deployed.",
  notOperational: "Facilities where SmartCare is not operational.",
} as const;
type Answers = Record<keyof typeof answerTexts, number>;
const answerFields = <Row extends Answers>(t: FieldBuilder<Row>) =>
  Object.fromEntries(
    Object.entries(answerTexts).map(([name, description]) => [
      name,
      // A sum can exceed GraphQL's Int, which has 32 bits.
      t.field({
        type: name === "sumTrainedStaff" ? "Float" : "Int",
        description,
        resolve: (row) => row[name as keyof Answers],
      }),
    ]),
  );

const tdbsOnly = "Needs uploadTdbs or administrator: null with an error otherwise.";
const facilityFacts = {
  staffTrained: "Staff trained in SmartCare at a facility, by the counted assessments.",
  daysSinceLastVisit: "Days from the counted assessment of a facility to asOf, or to today.",
  daysSinceLastUpgrade: "Days from the last upgrade, by the counted assessment, to asOf, or to today.",
  clients: `Clients of a facility by its latest TDB of all time, or as at asOf. Not with a period. ${tdbsOnly}`,
  computers: `Computers of a facility that its latest TDB of all time, or as at asOf, lists. Not with a period. ${tdbsOnly}`,
  daysSinceLastTdb: `Days from the making of a facility's latest TDB to today, or to asOf, which needs uploadTdbs or administrator. Not with a period.`,
  catchmentPopulation: "People who live in the catchment area of a facility, as its record says today.",
} satisfies Record<groups.FacilityFact, string>;
const assessmentFacts = {
  staffTrained: "Staff trained in SmartCare at a facility, by its latest assessment in the group.",
  withoutPower:
    "1 of a facility where neither primary nor backup power works, 0 where either does, by its latest assessment in the group: the sum counts those without power.",
  daysBetweenVisits:
    "Of each visit in the group the days since the visit to the facility before it, whenever that was; not known of first visits. Reads every visit of the days.",
  daysToReceipt: "Of each visit in the group the days until it was received. Reads every visit of the days.",
  visitors: "People who visited a facility, each once: its visits in the group. Reads every visit of the days.",
} satisfies Record<groups.AssessmentFact, string>;
const tdbFacts = {
  clients: `Clients of a facility by its latest TDB in the group. ${tdbsOnly}`,
  daysBetweenTdbs: `Of each TDB in the group the days since the receipt of the facility's one before it, whenever that was; not known of first ones. ${tdbsOnly}`,
};
const questions = {
  smartCareFunctional: "Whether SmartCare works.",
  primaryPower: "Whether there is primary power.",
  primaryPowerWorking: "Whether primary power works.",
  backupPower: "Whether there is backup power.",
  backupPowerWorking: "Whether backup power works.",
  libraryVersionConsistent: "Whether all computers have the same library version.",
  serviceAreaFunctional:
    "With SERVICE_AREA: whether SmartCare works in that service area, by the latest assessment of each facility; null without that key.",
} satisfies Record<groups.FacilityQuestion, string>;

const beforeAbout = "With against: the same group as it was then; null where it was not in the list.";
const changeAbout = "With against: what the counts have gained (or, less than 0, lost) since before.";
const changeOf = <Row extends { before: Row | null }>(name: string, counts: readonly string[]) =>
  builder
    .objectRef<Row>(name)
    .implement({ description: "How the counts of a group changed.", fields: (t) => changeFields(t, counts) });

type Facilities = groups.ShownFacilityGroup;
const FacilityGroupChange = changeOf<Facilities>("FacilityGroupChange", groups.facilityCounts);
const FacilityGroup = builder.objectRef<Facilities>("FacilityGroup");
FacilityGroup.implement({
  description:
    "Facilities that have the keys in common. Each counts once, by its latest assessment: of the group's month, quarter or year, " +
    "of the period asked for, as at the day asked for, or (without any) of all time.",
  fields: (t) => ({
    ...keyFields(t),
    ...functionalField(t),
    ...distanceField(t),
    facilities: t.exposeInt("facilities", {
      description: "Facilities in the group; with a period or calendar key those assessed in it.",
    }),
    ...ofField(t),
    assessed: t.exposeInt("assessed", { description: "Those of them that have such an assessment." }),
    ...answerFields(t),
    ...figureFields(t, facilityFacts),
    ...answersFields(t, questions),
    completeness: t.field({
      type: GroupShare,
      nullable: true,
      description:
        "Facilities of the group that were assessed, in its period or ever, as a part of all that match the filter: of the same place, partner, owner and so on.",
      resolve: async (row) => ({ count: row.assessed, of: await row.source.matching(row) }),
    }),
    ...shareField(t),
    ...measureField(t),
    ...rankField(t),
    before: t.field({ type: FacilityGroup, nullable: true, description: beforeAbout, resolve: ({ before }) => before }),
    change: t.field({
      type: FacilityGroupChange,
      nullable: true,
      description: changeAbout,
      resolve: (row) => (row.isCompared ? row : null),
    }),
  }),
});

type Assessments = groups.ShownAssessmentGroup;
const AssessmentGroupChange = changeOf<Assessments>("AssessmentGroupChange", groups.assessmentCounts);
const AssessmentGroup = builder.objectRef<Assessments>("AssessmentGroup");
AssessmentGroup.implement({
  description:
    "Assessments that have the keys in common. The sums take each facility once, by its latest assessment in the group.",
  fields: (t) => ({
    ...keyFields(t),
    ...functionalField(t),
    ...historyKeyFields(t),
    assessments: t.exposeInt("assessments", { description: "Visits made, all of them." }),
    facilities: t.exposeInt("facilities", { description: "Facilities visited, each once." }),
    ...ofField(t),
    ...answerFields(t),
    ...figureFields(t, assessmentFacts),
    ...shareField(t),
    ...measureField(t),
    ...rankField(t),
    before: t.field({
      type: AssessmentGroup,
      nullable: true,
      description: beforeAbout,
      resolve: ({ before }) => before,
    }),
    change: t.field({
      type: AssessmentGroupChange,
      nullable: true,
      description: changeAbout,
      resolve: (row) => (row.isCompared ? row : null),
    }),
  }),
});

type Tdbs = groups.ShownTdbGroup;
const TdbGroupChange = changeOf<Tdbs>("TdbGroupChange", groups.tdbCounts);
const TdbGroup = builder.objectRef<Tdbs>("TdbGroup");
TdbGroup.implement({
  description:
    "TDBs that have the keys in common, by the day of receipt. People who may not read TDBs get the counts of places and partners by whole months, rounded, if enough facilities sent.",
  fields: (t) => ({
    ...keyFields(t),
    ...historyKeyFields(t),
    tdbCount: t.exposeInt("tdbCount", { nullable: true, description: "TDBs received." }),
    facilities: t.exposeInt("facilities", { nullable: true, description: "Facilities that sent one, each once." }),
    ...ofField(t),
    deltaTdbs: t.exposeInt("deltaTdbs", { nullable: true, description: "Those TDBs that are delta TDBs." }),
    totalPatients: t.exposeFloat("totalPatients", {
      nullable: true,
      description: "Patients of each facility's latest TDB in the group, added up.",
    }),
    fileSize: t.exposeFloat("fileSize", { nullable: true, description: "Bytes of all of them." }),
    suppressed: t.exposeBoolean("suppressed", {
      description:
        "Whether the counts are left out (null): the group is about too few facilities for people who may not read TDBs.",
    }),
    rounded: t.exposeBoolean("rounded", {
      description:
        "Whether the counts are rounded, for people who may not read TDBs: patients and bytes of each facility to one digit, TDBs down to one a facility and fives of what they sent more.",
    }),
    ...figureFields(t, tdbFacts),
    ...shareField(t),
    ...measureField(t),
    ...rankField(t),
    before: t.field({ type: TdbGroup, nullable: true, description: beforeAbout, resolve: ({ before }) => before }),
    change: t.field({
      type: TdbGroupChange,
      nullable: true,
      description: changeAbout,
      resolve: (row) => (row.isCompared ? row : null),
    }),
  }),
});

/**
 * The enum of the orders of a kind of groups: by each count, by the mean and median of each fact, by each share, by the
 * measure that is asked for.
 */
const groupSort = (name: string, counts: readonly string[], facts: object, shares: readonly string[] = []) => {
  const keys: Record<string, readonly [string, string]> = Object.fromEntries([
    ...counts.map((count) => [count, [wordOf(count), count]] as const),
    ...Object.keys(facts).flatMap((fact) =>
      (["mean", "median"] as const).map(
        (figure) => [`${fact}.${figure}`, [wordOf(`${fact}_${figure}`), `${fact}.${figure}`]] as const,
      ),
    ),
    ...shares.map((share) => [`${share}.share`, [wordOf(`${share}_share`), `${share}.share`]] as const),
    ["measure", ["MEASURE", "measure"]] as const,
    // With a change: by what the measure is now. With per: by what is counted.
    ["measure.now", ["MEASURE_NOW", "measure.now"]] as const,
    ["measure.count", ["MEASURE_COUNT", "measure.count"]] as const,
  ]);
  return sortEnum(name, "An order of groups; those without a known figure come last.", keys);
};

const FacilityGroupSort = groupSort("FacilityGroupSort", groups.facilityCounts, facilityFacts, [
  ...Object.keys(questions),
  "completeness",
]);
const AssessmentGroupSort = groupSort("AssessmentGroupSort", groups.assessmentCounts, assessmentFacts);
const TdbGroupSort = groupSort("TdbGroupSort", groups.tdbCounts, tdbFacts);

const FacilityGroupMeasure = measureOf("FacilityGroup", groups.facilityMeasures);
const AssessmentGroupMeasure = measureOf("AssessmentGroup", groups.assessmentMeasures);
const TdbGroupMeasure = measureOf("TdbGroup", groups.tdbMeasures);
const measureAbout = "A figure of your own: given as measure, and an order.";

const DistanceFrom = builder.inputType("FacilityGroupDistance", {
  description: "A position, and the bands of the distance from it.",
  fields: (t) => ({
    latitude: t.float({ required: true, description: "In degrees, south is negative." }),
    longitude: t.float({ required: true, description: "In degrees, west is negative." }),
    kilometres: t.floatList({
      description:
        "Where a band ends and the next one begins: at most 10, in order; 5, 20, 50, 100 and 200 unless given.",
    }),
  }),
});
const GroupAgainst = builder.inputType("FacilityGroupAgainst", {
  description: "What groups of facilities are compared with: a state as at a day, or a period.",
  fields: (t) => ({
    asOf: t.field({ type: "Date", description: "Each by its latest assessment up to and including this day." }),
    period: t.field({ type: PeriodInput, description: "Each by its latest assessment of this period." }),
    previous: t.boolean({ description: "true: the period before the one that is asked for, of the same kind." }),
  }),
});
const DaysAgainst = builder.inputType("GroupDays", {
  description: "Days that groups of assessments or TDBs are compared with.",
  fields: (t) => ({
    start: t.field({ type: "Date", description: "The first of these days." }),
    end: t.field({ type: "Date", description: "The last of these days, included." }),
    previous: t.boolean({
      description:
        "true, instead of start and end: the days before those that are asked for, as many; before whole months as many months.",
    }),
  }),
});
const againstDays = {
  type: DaysAgainst,
  description: "Other days to compare with: given as before and change. Not with a calendar key.",
} as const;

const about = `Every province, district, partner, mode and weekday of the scope, and every period of the days asked for, is there, with zeros where nothing was counted (a partner in the places where it supports facilities); of other keys what occurs; with several keys each combination. At most ${mostGroups} groups, in the order of their keys; with no key one group of everything.`;

builder.queryFields((t) => {
  const shared = {
    by: t.arg({ type: [GroupKeyEnum], required: true, description: "The keys; the first sorts first." }),
    first: t.arg.int({ description: "No more than this many groups: the first ones of their order." }),
    minimumSize: t.arg.int({
      description: "Only groups of at least so many facilities, assessments or TDBs; 1 leaves out empty groups.",
    }),
    minimumDenominator: t.arg.int({
      description:
        "With an order by a share, or a measure with per and no other order: only groups in which what it is a part of is so large or larger.",
    }),
    provinceId: t.arg.int({ description: "Only facilities of this province." }),
    districtId: t.arg.int({ description: "Only facilities of this district." }),
    implementingPartnerId: t.arg.int({ description: "Only facilities that this partner supports today." }),
  };
  const days = (what: string) => ({
    start: t.arg({ type: "Date", description: `First day of ${what}.` }),
    end: t.arg({ type: "Date", description: `Last day of ${what}, included.` }),
  });
  const single = {
    facilityUuid: t.arg.string({ description: "Only this facility's; needs the right to see them one by one." }),
    userUuid: t.arg.string({ description: "Only this person's; needs the right to see them one by one." }),
  };
  return {
    facilityGroups: t.field({
      extensions: { reads: facilityGroupReads },
      type: [FacilityGroup],
      nullable: true,
      description: `Facilities in groups, counted as the dashboards count. ${about} A filter on what only a record says needs viewAssessments.`,
      args: {
        ...shared,
        sort: t.arg({ type: FacilityGroupSort, description: "By the keys unless given." }),
        measure: t.arg({ type: FacilityGroupMeasure, description: measureAbout }),
        against: t.arg({
          type: GroupAgainst,
          description: "Another state or period to compare with: given as before and change. Not with a calendar key.",
        }),
        mode: t.arg({
          type: FunctionalityStatusMode,
          description: "Only those whose counted assessment found this mode.",
        }),
        period: t.arg({
          type: PeriodInput,
          description: "Only the latest assessments of this period count, or of its parts with a calendar key.",
        }),
        asOf: t.arg({
          type: "Date",
          description:
            "Instead of period: each counts by its latest assessment up to and including this day, however old it was then.",
        }),
        search: t.arg.string({ description: modePeriodTexts.search }),
        filter: t.arg(filterArg),
        distanceFrom: t.arg({ type: DistanceFrom, description: "With DISTANCE: from where, and in which bands." }),
      },
      resolve: async (_, { search, ...args }, context) => {
        const text = search == null ? null : parse(searchTextRule, search, "search");
        return inParts(await groups.listFacilityGroups(context, { ...parse(facilityGroupRules, args), search: text }));
      },
    }),
    assessmentGroups: t.field({
      extensions: { reads: assessmentGroupReads },
      type: [AssessmentGroup],
      nullable: true,
      description: `Assessments in groups. ${about} By place and calendar it reads roll-ups; with MODE, LIBRARY_VERSION, userUuid, mode, smartCareFunctional or search every assessment of the days.`,
      args: {
        ...shared,
        sort: t.arg({ type: AssessmentGroupSort, description: "By the keys unless given." }),
        measure: t.arg({ type: AssessmentGroupMeasure, description: measureAbout }),
        ...days("the visit"),
        against: t.arg(againstDays),
        ...single,
        mode: t.arg({ type: FunctionalityStatusMode, description: "Only those that found this mode." }),
        smartCareFunctional: t.arg.boolean({
          description:
            "Only those that found that SmartCare works (true) or that it does not (false). With the key SMART_CARE_FUNCTIONAL those that record neither are a group.",
        }),
        search: t.arg.string({
          description:
            "Only those with this text in a note (on power, of a service area, other issues, closing comments), in any case; at least 3 characters. Needs viewAssessments.",
        }),
      },
      resolve: async (_, args, context) =>
        inParts(await groups.listAssessmentGroups(context, parse(assessmentGroupRules, args))),
    }),
    tdbGroups: t.field({
      extensions: { reads: tdbGroupReads },
      type: [TdbGroup],
      nullable: true,
      description: `TDBs in groups. ${about}`,
      args: {
        ...shared,
        sort: t.arg({ type: TdbGroupSort, description: "By the keys unless given." }),
        measure: t.arg({ type: TdbGroupMeasure, description: measureAbout }),
        ...days("receipt"),
        against: t.arg(againstDays),
        ...single,
        delta: t.arg.boolean({ description: "Only delta TDBs, or only whole ones." }),
      },
      resolve: async (_, args, context) => inParts(await groups.listTdbGroups(context, parse(tdbGroupRules, args))),
    }),
  };
});
