import { FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import { type Mode, searchTextRule } from "../facility/facility.rules.ts";
import { filterArg, modePeriodTexts, PeriodInput } from "../facility/facilityFilter.graphql.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { inParts } from "../graphql/inParts.ts";
import { parse } from "../input/parse.ts";
import { District, ImplementingPartner, Province } from "../reference/reference.graphql.ts";
import { assessmentGroupReads, facilityGroupReads, tdbGroupReads } from "./groupReads.rules.ts";
import * as groups from "./groups.ts";
import { assessmentGroupRules, facilityGroupRules, type GroupKey, groupKeys, tdbGroupRules } from "./groups.rules.ts";

/** Groups of facilities, assessments and TDBs with their counts and sums. */

const words: Record<GroupKey, string> = {
  province: "PROVINCE",
  district: "DISTRICT",
  implementingPartner: "IMPLEMENTING_PARTNER",
  mode: "MODE",
  libraryVersion: "LIBRARY_VERSION",
  month: "MONTH",
  quarter: "QUARTER",
  year: "YEAR",
};
const GroupKeyEnum = builder.enumType("GroupKey", {
  description: "What things are grouped by. Of several calendar keys the finest counts: a month lies in its quarter and year.",
  values: Object.fromEntries(
    Object.entries(groupKeys).map(([value, description]) => [words[value as GroupKey], { value: value as GroupKey, description }]),
  ) as Record<string, { value: GroupKey; description: string }>,
});

type FieldBuilder<Row> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

/** The keys of a group; null for a key that was not asked for, or that is unknown. */
const keyFields = <Row extends groups.Group<groups.GroupKeys>>(t: FieldBuilder<Row>) => ({
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
      implementingPartnerId == null ? null : { implementingPartnerId, implementingPartner: implementingPartner!, active: active ?? false },
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
  year: t.int({ nullable: true, description: "With YEAR, QUARTER or MONTH: the fiscal year.", resolve: ({ year }) => year }),
  quarter: t.int({ nullable: true, description: "With QUARTER or MONTH: the fiscal quarter, 1 to 4.", resolve: ({ quarter }) => quarter }),
  calMonth: t.int({ nullable: true, description: "With MONTH: the calendar month, 1 to 12.", resolve: ({ calMonth }) => calMonth }),
  periodStart: t.field({
    type: "Date",
    nullable: true,
    description: "With a calendar key: the first day of the period.",
    resolve: ({ periodStart }) => periodStart,
  }),
});

const answerTexts = {
  sumTrainedStaff: "Staff trained in SmartCare, added up over the facilities.",
  sumSmartCareFunctional: "Facilities where SmartCare works.",
  sumPrimaryPower: "Facilities with primary power.",
  sumPrimaryPowerWorking: "Facilities whose primary power works.",
  sumBackupPower: "Facilities with backup power.",
  sumBackupPowerWorking: "Facilities whose backup power works.",
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
      t.int({ description, resolve: (row) => row[name as keyof Answers] }),
    ]),
  );

const FacilityGroup = builder.objectRef<groups.Group<groups.FacilityGroup>>("FacilityGroup").implement({
  description:
    "Facilities that have the keys in common. Each counts once, by its latest assessment: of the group's month, quarter or year, " +
    "of the period asked for, as at the day asked for, or (without any) of all time.",
  fields: (t) => ({
    ...keyFields(t),
    facilities: t.exposeInt("facilities", { description: "Facilities in the group; with a period or calendar key those assessed in it." }),
    assessed: t.exposeInt("assessed", { description: "Those of them that have such an assessment." }),
    ...answerFields(t),
  }),
});

const AssessmentGroup = builder.objectRef<groups.Group<groups.AssessmentGroup>>("AssessmentGroup").implement({
  description: "Assessments that have the keys in common. The sums take each facility once, by its latest assessment in the group.",
  fields: (t) => ({
    ...keyFields(t),
    assessments: t.exposeInt("assessments", { description: "Visits made, all of them." }),
    facilities: t.exposeInt("facilities", { description: "Facilities visited, each once." }),
    ...answerFields(t),
  }),
});

const TdbGroup = builder.objectRef<groups.TdbGroupTold>("TdbGroup").implement({
  description:
    "TDBs that have the keys in common, by the day of receipt. Who may not read TDBs is told the counts of places by whole months, where enough facilities sent.",
  fields: (t) => ({
    ...keyFields(t),
    tdbCount: t.exposeInt("tdbCount", { nullable: true, description: "TDBs received." }),
    facilities: t.exposeInt("facilities", { nullable: true, description: "Facilities that sent one, each once." }),
    deltaTdbs: t.exposeInt("deltaTdbs", { nullable: true, description: "Those TDBs that are delta TDBs." }),
    totalPatients: t.exposeInt("totalPatients", { nullable: true, description: "Patients of each facility's latest TDB in the group, added up." }),
    fileSize: t.exposeFloat("fileSize", { nullable: true, description: "Bytes of all of them." }),
    suppressed: t.exposeBoolean("suppressed", {
      description: "Whether the counts are left out (null): the group is about too few facilities for who may not read TDBs.",
    }),
  }),
});

const about = `At most ${groups.mostGroups} groups, in the order of their keys; with no key one group of everything.`;

builder.queryFields((t) => {
  const shared = {
    by: t.arg({ type: [GroupKeyEnum], required: true, description: "The keys; the first sorts first." }),
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
      description: `Facilities in groups, counted as the dashboards count. ${about} Filters on assessments and search need viewAssessments.`,
      args: {
        ...shared,
        mode: t.arg({ type: FunctionalityStatusMode, description: "Only those whose counted assessment found this mode." }),
        period: t.arg({ type: PeriodInput, description: "Only the latest assessments of this period count, or of its parts with a calendar key." }),
        asOf: t.arg({ type: "Date", description: "Instead of period: each counts by its latest assessment up to and including this day, however old it was then." }),
        search: t.arg.string({ description: modePeriodTexts.search }),
        filter: t.arg(filterArg),
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
      description: `Assessments in groups. ${about} By place and calendar it reads roll-ups; with MODE, LIBRARY_VERSION, userUuid, mode or smartCareFunctional every assessment of the days.`,
      args: {
        ...shared,
        ...days("the visit"),
        ...single,
        mode: t.arg({ type: FunctionalityStatusMode, description: "Only those that found this mode." }),
        smartCareFunctional: t.arg.boolean({ description: "Only those that found SmartCare functional (true) or not (false)." }),
      },
      resolve: async (_, args, context) => inParts(await groups.listAssessmentGroups(context, parse(assessmentGroupRules, args))),
    }),
    tdbGroups: t.field({
      extensions: { reads: tdbGroupReads },
      type: [TdbGroup],
      nullable: true,
      description: `TDBs in groups. ${about}`,
      args: {
        ...shared,
        ...days("receipt"),
        ...single,
        delta: t.arg.boolean({ description: "Only delta TDBs, or only whole ones." }),
      },
      resolve: async (_, args, context) => inParts(await groups.listTdbGroups(context, parse(tdbGroupRules, args))),
    }),
  };
});
