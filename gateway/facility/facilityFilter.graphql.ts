import { builder } from "../graphql/builder.ts";
import { byField, columnOf, fieldFilters, sortNames } from "../../db/facility/facilityFields.rules.ts";
import { sortEnum } from "../graphql/enums.ts";
import { relativePeriods, type RelativePeriod } from "../calendar/fiscal.rules.ts";
import { FunctionalityStatusMode } from "./facility.graphql.ts";
import type { answers } from "./facilityFilter.rules.ts";
import {
  listedModeLabels,
  type ListedMode,
  listedModes,
  type ListParameterName,
  type notRecordedNames,
  parameterOf,
} from "./listFilter.rules.ts";

/** Input types for filtering and ordering facilities, which lists and groupings share. */

const RelativePeriodEnum = builder.enumType("RelativePeriod", {
  description: "A period of the fiscal calendar by its distance from today, in the ministry's zone.",
  values: Object.fromEntries(
    Object.entries(relativePeriods).map(([name, [kind, back]]) => [
      name,
      {
        description: `The ${{ month: "calendar month", quarter: "fiscal quarter", year: "fiscal year" }[kind]} ${back ? "before the present one" : "that today lies in"}.`,
      },
    ]),
  ) as Record<RelativePeriod, { description: string }>,
});

export const PeriodInput = builder.inputType("PeriodInput", {
  description: "A period of the fiscal calendar: by year (and quarter or month), or relative to today.",
  fields: (t) => ({
    year: t.int({ description: "Fiscal year: year Y runs from 1 October Y-1 to 30 September Y." }),
    quarter: t.int({ description: "Fiscal quarter 1 (October to December) to 4; -1 or none for the entire year." }),
    month: t.int({ description: "Calendar month 1 to 12 within the fiscal year." }),
    relative: t.field({ type: RelativePeriodEnum, description: "Instead of year, quarter and month." }),
  }),
});

export const FacilityAnswerEnum = builder.enumType("FacilityAnswer", {
  description: "A question of an assessment that is answered yes or no. Where no answer is recorded, it is neither.",
  values: {
    SMART_CARE_FUNCTIONAL: { value: "smartCareFunctional", description: "SmartCare works." },
    PRIMARY_POWER: { value: "primaryPower", description: "There is primary power." },
    PRIMARY_POWER_WORKING: { value: "primaryPowerWorking", description: "Primary power works." },
    BACKUP_POWER: { value: "backupPower", description: "There is backup power." },
    BACKUP_POWER_WORKING: { value: "backupPowerWorking", description: "Backup power works." },
    LIBRARY_VERSION_CONSISTENT: {
      value: "libraryVersionConsistent",
      description:
        "All computers have the same library version. Needs viewAssessments, editAssessments or administrator.",
    },
  } satisfies Record<string, { value: (typeof answers)[number]; description: string }>,
});

const NotRecordedEnum = builder.enumType("FacilityNotRecorded", {
  description: "What may not be recorded of a facility: neither yes nor no.",
  values: {
    functional: { description: "Whether SmartCare works, by the latest assessment." },
    power: { description: "Whether primary or backup power works, by the latest assessment." },
    connectivityPresent: { description: "Whether it is connected to a network." },
    mobileCoverage: { description: "Whether there is mobile coverage." },
  } satisfies Record<(typeof notRecordedNames)[number], object>,
});

const noMeans = "false: an answer no was recorded. Assessments without an answer match neither: see notRecorded.";
const needsRight = " Needs viewAssessments, editAssessments or administrator.";
const AssessmentMatchInput = builder.inputType("FacilityAssessmentFilter", {
  description:
    "What a facility's latest assessment of a period says, as the dashboards count it, or its latest as at a day, however old; without either its latest of all time. " +
    "All that is given must hold. Facilities without an assessment there never match, but for exists: false.",
  fields: (t) => ({
    period: t.field({
      type: PeriodInput,
      description: "Only the period's latest assessment is looked at; of all time without it.",
    }),
    asOf: t.field({
      type: "Date",
      description:
        "Instead of period: the latest assessment up to and including this day is looked at, however old it was then.",
    }),
    exists: t.boolean({ description: "true: any assessment there. false: none there." }),
    mode: t.field({ type: [FunctionalityStatusMode], description: "It found one of these modes." }),
    smartCareFunctional: t.boolean({ description: `SmartCare works; ${noMeans}` }),
    primaryPower: t.boolean({ description: `There is primary power; ${noMeans}` }),
    primaryPowerWorking: t.boolean({ description: `Primary power works; ${noMeans}` }),
    backupPower: t.boolean({ description: `There is backup power; ${noMeans}` }),
    backupPowerWorking: t.boolean({ description: `Backup power works; ${noMeans}` }),
    libraryVersionConsistent: t.boolean({
      description: `All computers have the same library version; ${noMeans}${needsRight}`,
    }),
    notRecorded: t.field({
      type: [FacilityAnswerEnum],
      description: "It records no answer to any of these questions: neither yes nor no.",
    }),
    libraryVersion: t.string({ description: "It found this library version." }),
    staffTrainedFrom: t.int({ description: `It counted at least so many trained staff.${needsRight}` }),
    staffTrainedTo: t.int({ description: `It counted at most so many trained staff.${needsRight}` }),
    libraryVersionBelow: t.string({
      description: "It found a library version older than this one: 2.9 is older than 2.10.",
    }),
    libraryVersionFrom: t.string({ description: "It found this library version or a newer one." }),
    upgradedBefore: t.field({
      type: "Date",
      description: `Its last upgrade was before this day; where that is not known, never.${needsRight}`,
    }),
    upgradedFrom: t.field({ type: "Date", description: `Its last upgrade was on this day or later.${needsRight}` }),
    assessedBefore: t.field({ type: "Date", description: "It was made before this day." }),
    assessedFrom: t.field({ type: "Date", description: "It was made on this day or later." }),
  }),
});

const ChangeInput = builder.inputType("FacilityChangeFilter", {
  description:
    "What differs between a facility's states as at two days: each by its latest assessment up to and including that day, however old. All that is given " +
    "must hold. Facilities that were not assessed yet on the first day never match.",
  fields: (t) => ({
    from: t.field({ type: "Date", description: "The first of the two days." }),
    fromEndOf: t.field({ type: PeriodInput, description: "Instead of from: the last day of this period." }),
    to: t.field({ type: "Date", description: "The second day; today without it." }),
    movedFrom: t.field({
      type: [FunctionalityStatusMode],
      description: "It had one of these modes and now has another one.",
    }),
    movedTo: t.field({
      type: [FunctionalityStatusMode],
      description: "It has one of these modes now and had another one.",
    }),
    lost: t.field({ type: [FacilityAnswerEnum], description: "All of these were yes then, and are no now." }),
    gained: t.field({ type: [FacilityAnswerEnum], description: "All of these were no then, and are yes now." }),
    clientsFell: t.boolean({
      description:
        "true: its latest TDB counted fewer clients than the one as at the first day. false: not fewer. Needs uploadTdbs or administrator.",
    }),
  }),
});

/** The values of filters by present mode. */
export const PresentMode = builder.enumType("PresentMode", {
  description: "A facility's present mode, or that it has none.",
  values: Object.fromEntries(
    listedModes.map((mode) => [
      mode,
      { value: mode, description: mode === "none" ? "None recorded: nobody assessed it." : listedModeLabels[mode] },
    ]),
  ) as Record<ListedMode, { value: ListedMode; description: string }>,
});

/**
 * The description of a parameter of addresses and REST, changed for GraphQL: "yes" becomes "true", "no" becomes
 * "false".
 */
const descriptionOf = (name: ListParameterName): string => {
  const { about } = parameterOf(name);
  return about
    .replace(/^yes:/, "true:")
    .replace(" no:", " false:")
    .replace(" notRecorded:", " With notRecorded:")
    .replace("assessed=yes", "assessed: true")
    .replace("silent=yes", "`silent: true`");
};

const NearInput = builder.inputType("FacilityNear", {
  description: "A position and a distance from it.",
  fields: (t) => ({
    latitude: t.float({ required: true, description: "In degrees, south is negative." }),
    longitude: t.float({ required: true, description: "In degrees, west is negative." }),
    kilometres: t.float({
      description: "At most so far from it: more than 0, at most 1,000. Needed without fromKilometres.",
    }),
    fromKilometres: t.float({ description: "At least so far from it, at most 1,000." }),
  }),
});

const InARowInput = builder.inputType("FacilityInARow", {
  description: "The same answer at several visits in a row, up to the latest one.",
  fields: (t) => ({
    visits: t.int({ required: true, description: "How many visits, 2 to 12. Facilities with fewer never match." }),
    answer: t.field({ type: FacilityAnswerEnum, required: true, description: "The question." }),
    said: t.boolean({ required: true, description: "What each of them answered: yes (true) or no (false)." }),
  }),
});

const FacilityFilterInput = builder.inputType("FacilityFilter", {
  description: "Which facilities are meant, beside the scope: all that is given must hold.",
  fields: (t) => ({
    province: t.string({ description: "Of the province with this name, in any case." }),
    district: t.string({ description: "Of the districts with this name, in any case." }),
    implementingPartner: t.string({ description: "Supported today by the partner with this name, in any case." }),
    provinceIds: t.intList({ description: "Of one of these provinces." }),
    districtIds: t.intList({ description: "Of one of these districts." }),
    implementingPartnerIds: t.intList({ description: "Supported today by one of these partners." }),
    serviceAreaId: t.int({ description: "With this service area active." }),
    ...Object.fromEntries(
      fieldFilters.map(({ argument, compare, about: description }) => [
        argument,
        compare === "same" ? t.string({ description }) : t.int({ description }),
      ]),
    ),
    hasHmisCode: t.boolean({ description: "With a code of the national facility list, or without." }),
    hasImplementingPartner: t.boolean({ description: "Supported by a partner, or by none." }),
    connectivityPresent: t.boolean({
      description: "Connected to a network; false: not connected. Where it is not recorded, neither.",
    }),
    mobileCoverage: t.boolean({
      description: "With mobile coverage; false: without. Where it is not recorded, neither.",
    }),
    hasPosition: t.boolean({ description: descriptionOf("position") }),
    positionOutside: t.floatList({ description: descriptionOf("outside") }),
    near: t.field({
      type: NearInput,
      description: "Its coordinates are known and lie within a distance of a position, or beyond one.",
    }),
    assessed: t.boolean({ description: descriptionOf("assessed") }),
    assessedBefore: t.field({ type: "Date", description: descriptionOf("assessedBefore") }),
    functional: t.boolean({ description: descriptionOf("functional") }),
    power: t.boolean({ description: descriptionOf("power") }),
    notRecorded: t.field({
      type: [NotRecordedEnum],
      description: "Nothing is recorded of any of these. Facilities that nobody assessed are asked by assessed.",
    }),
    silent: t.boolean({ description: descriptionOf("silent") }),
    noTdbSince: t.field({ type: "Date", description: descriptionOf("noTdbSince") }),
    hasSentTdb: t.boolean({ description: descriptionOf("sent") }),
    oldVersion: t.boolean({ description: descriptionOf("oldVersion") }),
    libraryVersion: t.string({ description: descriptionOf("libraryVersion") }),
    modes: t.field({ type: [PresentMode], description: descriptionOf("modes") }),
    closed: t.boolean({
      description: "true: closed ones only. Without it open ones, or with a period those that were counted in it.",
    }),
    fieldList: t.string({ description: descriptionOf("fieldList") }),
    lastAssessedBefore: t.field({
      type: "Date",
      description:
        "Its latest assessment was made before this day; those never assessed are asked by latestAssessment: { exists: false }.",
      deprecationReason: "assessedBefore with assessed: true is the same. Goes on 1 July 2027.",
    }),
    upgradedBefore: t.field({
      type: "Date",
      description:
        "Its last upgrade, by the latest assessment, was before this day; where that is not known, never. Needs viewAssessments, editAssessments or administrator.",
    }),
    latestAssessment: t.field({
      type: AssessmentMatchInput,
      description: "What the latest assessment says, of all time or of a period.",
    }),
    earlierAssessment: t.field({
      type: AssessmentMatchInput,
      description:
        "What another one says too: that of a period, for sites visited in it, or that as at a day. What was lost or gained since is better asked by change.",
    }),
    change: t.field({
      type: ChangeInput,
      description: "What differs between two days: moved from one mode to another, lost or gained.",
    }),
    inARow: t.field({ type: InARowInput, description: "Its latest visits all gave the same answer." }),
  }),
});

const FacilitySort = sortEnum("FacilitySort", "An order of facilities; equal ones by name.", {
  name: ["NAME", "name"],
  ...byField(sortNames, (name, { sort }) => [columnOf(name).toUpperCase(), sort!] as const),
  district: ["DISTRICT", "name of the district"],
  province: ["PROVINCE", "name of the province"],
  implementingPartner: ["IMPLEMENTING_PARTNER", "name of the partner, those without first"],
  mode: ["MODE", "present mode, never assessed ones first"],
  lastAssessed: ["LAST_ASSESSED", "time of the latest assessment, never assessed ones first"],
});

export const filterArg = {
  type: FacilityFilterInput,
  description: "Which facilities are meant, beside the scope.",
} as const;
export const sortArg = {
  type: FacilitySort,
  description: "By name unless given; with search the best match first.",
} as const;
export const modePeriodTexts = {
  search: "At least 3 characters of the name or code: best match first.",
  mode: "Facilities with this mode: their present one, or with year (and quarter or month) that of their latest assessment in that period.",
  year: "Fiscal year: year Y runs from 1 October Y-1 to 30 September Y.",
  quarter: "Fiscal quarter 1 to 4, -1 for the entire year.",
  month: "Calendar month 1 to 12.",
  asOf: "With mode, instead of year: the day as at which they had it, by their latest assessment up to and including that day, however old.",
};
