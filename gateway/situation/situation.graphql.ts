import { Facility, FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import type { Mode } from "../facility/facility.rules.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder } from "../graphql/builder.ts";
import { parse } from "../input/parse.ts";
import { type Reads, weights } from "../reading/reads.rules.ts";
import { District, Province } from "../reference/reference.graphql.ts";
import { readDistrict, readProvince } from "../reference/reference.ts";
import { type FacilityState, loadFacilityState } from "../facility/siteState.ts";
import * as situation from "./situation.ts";
import { type Figure, type Quarter, partOf, percentOf, quartersShown, situationScopeRules } from "./situation.rules.ts";

/** GraphQL types and fields of the situation of a part of the country. */

const SituationFigure = builder.objectRef<Figure>("SituationFigure").implement({
  description: "A count with its denominator, and the same at the end of the quarter before.",
  fields: (t) => ({
    value: t.exposeInt("value", { description: "How many." }),
    of: t.exposeInt("of", { nullable: true, description: "Of how many; null where it is the whole itself." }),
    notRecorded: t.exposeInt("notRecorded", {
      nullable: true,
      description:
        "Of those, facilities whose latest assessment records no answer: neither yes nor no. Null where the count is about no answer.",
    }),
    share: t.float({
      nullable: true,
      description: "value as a part of of, 0 to 1; null of nothing.",
      resolve: ({ value, of }) => (of === null ? null : partOf(value, of)),
    }),
    percent: t.float({
      nullable: true,
      description: "The share in percent, with one decimal; null of nothing.",
      resolve: ({ value, of }) => (of === null ? null : percentOf(value, of)),
    }),
    valueBefore: t.int({
      nullable: true,
      description: "How many at the end of the quarter before; null where that is not known.",
      resolve: ({ before }) => before?.value,
    }),
    ofBefore: t.int({ nullable: true, description: "Of how many then.", resolve: ({ before }) => before?.of }),
    change: t.int({
      nullable: true,
      description: "How many more or less than then.",
      resolve: ({ value, before }) => before && value - before.value,
    }),
  }),
});

const SituationQuarter = builder.objectRef<Quarter>("SituationQuarter").implement({
  description:
    "The state at the end of a fiscal quarter, by the latest assessments up to then; of the running quarter as it is now.",
  fields: (t) => ({
    periodStart: t.field({ type: "Date", description: "Its first day.", resolve: ({ periodStart }) => periodStart }),
    assessed: t.exposeInt("assessed", { description: "Facilities that somebody assessed by then." }),
    functional: t.exposeInt("functional", { description: "Of these, those where SmartCare works." }),
    notRecordedFunctional: t.exposeInt("notRecordedFunctional", {
      description: "Of these, those whose assessment does not record whether SmartCare works.",
    }),
    power: t.exposeInt("power", { description: "Of the assessed, those where primary or backup power works." }),
    notRecordedPower: t.exposeInt("notRecordedPower", {
      description: "Of the assessed, those whose assessment does not record whether power works.",
    }),
    expected: t.exposeInt("expected", { description: "Facilities that should send TDBs." }),
    silent: t.exposeInt("silent", { description: "Of these, those that were overdue or never sent." }),
    functionalShare: t.float({
      nullable: true,
      description: "functional as a part of assessed, 0 to 1; null where nobody assessed any.",
      resolve: ({ functional, assessed }) => partOf(functional, assessed),
    }),
  }),
});

/** Facilities by mode; a report uses it too. */
export const SituationModes = builder.objectRef<situation.Modes>("SituationModes").implement({
  description: "Facilities by their mode: the present one, or in a report that of its day.",
  fields: (t) => ({
    efirst: t.exposeInt("efirst", { description: "E-First." }),
    efast: t.exposeInt("efast", { description: "E-Fast." }),
    elast: t.exposeInt("elast", { description: "E-Last." }),
    partial: t.exposeInt("partial", { description: "Partial deployment." }),
    notDeployed: t.exposeInt("notDeployed", { description: "SmartCare not deployed." }),
    notOperational: t.exposeInt("notOperational", { description: "Not operational." }),
    noneRecorded: t.exposeInt("noneRecorded", { description: "No mode: nobody assessed them." }),
  }),
});

const SituationUnit = builder.objectRef<situation.Unit>("SituationUnit").implement({
  description: "A province, a district, or (in a district) a facility, whose counts are 0 or 1.",
  fields: (t) => ({
    hxId: t.exposeInt("hxId", { nullable: true, description: "Id of the province or district." }),
    facilityUuid: t.exposeString("facilityUuid", { nullable: true, description: "Where the unit is a facility." }),
    name: t.exposeString("name", { description: "Its name." }),
    facility: t.field({
      type: Facility,
      nullable: true,
      description: "Where the unit is a facility.",
      resolve: ({ facilityUuid }, _, context) => (facilityUuid === null ? null : loadFacility(context, facilityUuid)),
    }),
    facilities: t.exposeInt("facilities", { description: "How many there are." }),
    assessed: t.exposeInt("assessed", { description: "Those that somebody assessed." }),
    functional: t.exposeInt("functional", { description: "Of the assessed, those where SmartCare works." }),
    power: t.exposeInt("power", { description: "Of the assessed, those where primary or backup power works." }),
    notRecordedFunctional: t.exposeInt("notRecordedFunctional", {
      description: "Of the assessed, those whose latest assessment does not record whether SmartCare works.",
    }),
    notRecordedPower: t.exposeInt("notRecordedPower", {
      description: "Of the assessed, those whose latest assessment does not record whether power works.",
    }),
    expected: t.exposeInt("expected", { description: "Those that should send TDBs." }),
    silent: t.exposeInt("silent", { description: "Of these, those that are overdue or never sent." }),
    knownVersion: t.exposeInt("knownVersion", { description: "Those whose library version is known." }),
    oldVersion: t.exposeInt("oldVersion", { description: "Of these, those with one older than the newest." }),
    modes: t.field({ type: SituationModes, description: "By present mode.", resolve: ({ modes }) => modes }),
    functionalShareChange: t.exposeFloat("functionalShareChange", {
      nullable: true,
      description: "By how many percentage points the functional share changed since the end of the quarter before.",
    }),
    functionalTarget: t.exposeFloat("functionalTarget", {
      nullable: true,
      description:
        "The functional share that is aimed at in the running fiscal year, in percent: the nearest target that holds. Null where none does, and of a facility.",
    }),
    functionalAttainment: t.exposeFloat("functionalAttainment", {
      nullable: true,
      description:
        "How much of that target is reached, in percent: 100 where it is met. Null without a target, or where nobody assessed any.",
    }),
    quarters: t.field({
      type: [SituationQuarter],
      description: `The last ${quartersShown} quarters, the running one last; none of a facility.`,
      resolve: ({ quarters }) => quarters,
    }),
  }),
});

/** What the units of a situation or a report are. */
export const SituationLevel = builder.enumType("SituationLevel", {
  description: "What the units of a situation are.",
  values: {
    PROVINCE: { value: "province", description: "Provinces: of the country, or those where a partner works." },
    DISTRICT: { value: "district", description: "Districts of a province." },
    FACILITY: { value: "facility", description: "Facilities of a district." },
  } satisfies Record<string, { value: situation.Situation["level"]; description: string }>,
});

/** A situation; the work list adds its counts (worklist.graphql.ts). */
export const Situation = builder.objectRef<situation.Situation>("Situation").implement({
  description:
    "How a part of the country stands today, by the latest assessment and TDB of each facility, however old.",
  fields: (t) => ({
    asAt: t.exposeString("asAt", { description: "The moment that the figures are of, in UTC." }),
    quarterStart: t.field({
      type: "Date",
      description: "First day of the running fiscal quarter: changes are since the day before.",
      resolve: ({ quarterStart }) => quarterStart,
    }),
    province: t.field({
      type: Province,
      nullable: true,
      description: "Of the scope.",
      resolve: ({ scope }, _, context) => (scope.provinceId == null ? null : readProvince(context, scope.provinceId)),
    }),
    district: t.field({
      type: District,
      nullable: true,
      description: "Of the scope.",
      resolve: ({ scope }, _, context) => (scope.districtId == null ? null : readDistrict(context, scope.districtId)),
    }),
    level: t.field({ type: SituationLevel, description: "What its units are.", resolve: ({ level }) => level }),
    newestLibraryVersion: t.exposeString("newestLibraryVersion", {
      nullable: true,
      description:
        "Versions older than this one are old: the newest of the reference list, or, where it names none, of those in use.",
    }),
    ...Object.fromEntries(
      Object.entries({
        facilities: "All facilities.",
        assessed: "Facilities that somebody ever assessed, of all.",
        functional: "Facilities where SmartCare works, of those assessed.",
        power: "Facilities where primary or backup power works, of those assessed.",
        silent: "Facilities whose TDB is overdue, or that never sent one, of those that should send.",
        oldVersion: "Facilities with an older library version than the newest, of those whose version is known.",
        withoutPosition: "Facilities without latitude or longitude, of all.",
      }).map(([name, description]) => [
        name,
        t.field({ type: SituationFigure, description, resolve: (row) => row[name as "assessed"] }),
      ]),
    ),
    modes: t.field({
      type: SituationModes,
      description: "All facilities by present mode.",
      resolve: ({ modes }) => modes,
    }),
    functionalTarget: t.exposeFloat("functionalTarget", {
      nullable: true,
      description:
        "The functional share that is aimed at in the running fiscal year, in percent: the nearest target that holds.",
    }),
    quarters: t.field({
      type: [SituationQuarter],
      description: `All facilities in the last ${quartersShown} quarters, the running one last.`,
      resolve: ({ quarters }) => quarters,
    }),
    units: t.field({
      type: [SituationUnit],
      description: "The units one level below, by name, those without facilities too.",
      resolve: ({ units }) => units,
    }),
  }),
});

const since = {
  smartCareFunctionalSince: ["functionalSince", "smartCareFunctional"],
  powerWorkingSince: ["powerSince", "powerWorking"],
  libraryVersionSince: ["versionSince", "libraryVersion"],
  functionalityStatusModeSince: ["modeSince", "functionalityStatusMode"],
} as const;

const contact = "Of the latest assessment. For who may see assessments; null for others.";
const FacilityStateType = builder.objectRef<FacilityState>("FacilityState").implement({
  description:
    "How a facility stands today, by its latest assessment and TDB, however old. Null where it was never assessed, or never sent a TDB.",
  fields: (t) => ({
    functionalityStatusMode: t.field({
      type: FunctionalityStatusMode,
      nullable: true,
      description: "The mode of the latest assessment.",
      resolve: ({ functionalityStatusMode }) => functionalityStatusMode as Mode | null,
    }),
    smartCareFunctional: t.exposeBoolean("smartCareFunctional", {
      nullable: true,
      description: "Whether SmartCare works.",
    }),
    powerWorking: t.exposeBoolean("powerWorking", {
      nullable: true,
      description: "Whether primary or backup power works.",
    }),
    primaryPower: t.exposeBoolean("primaryPower", { nullable: true, description: "Whether there is primary power." }),
    primaryPowerWorking: t.exposeBoolean("primaryPowerWorking", { nullable: true, description: "Whether it works." }),
    backupPower: t.exposeBoolean("backupPower", { nullable: true, description: "Whether there is backup power." }),
    backupPowerWorking: t.exposeBoolean("backupPowerWorking", { nullable: true, description: "Whether it works." }),
    libraryVersion: t.exposeString("libraryVersion", { nullable: true, description: "The SmartCare library version." }),
    lastVisitDate: t.field({
      type: "Date",
      nullable: true,
      description: "Day of the latest assessment.",
      resolve: ({ lastVisitDate }) => lastVisitDate,
    }),
    lastTdbCreationDate: t.field({
      type: "Date",
      nullable: true,
      description: "Day on which the latest TDB was made.",
      resolve: ({ lastTdbCreationDate }) => lastTdbCreationDate,
    }),
    lastTdbUploadDate: t.field({
      type: "Date",
      nullable: true,
      description: "Day of its receipt.",
      resolve: ({ lastTdbUploadDate }) => lastTdbUploadDate,
    }),
    daysSinceLastTdb: t.exposeInt("daysSinceLastTdb", {
      nullable: true,
      description: "Days from lastTdbCreationDate to today.",
    }),
    ...Object.fromEntries(
      Object.entries(since).map(([name, [day, of]]) => [
        name,
        t.field({
          type: "Date",
          nullable: true,
          description: `Day of the first assessment that found ${of} as it is, after the last one that found it otherwise.`,
          resolve: async ({ facilityUuid }, _, context) => (await situation.loadStateSince(context, facilityUuid))[day],
        }),
      ]),
    ),
    expected: t.exposeBoolean("expected", { description: "Whether it should send TDBs." }),
    overdue: t.exposeBoolean("overdue", {
      description: "Whether it should, and the next one is overdue or none was ever sent.",
    }),
    contactName: t.exposeString("contactName", { nullable: true, description: contact }),
    contactRole: t.exposeString("contactRole", { nullable: true, description: contact }),
    contactPhone: t.exposeString("contactPhone", { nullable: true, description: contact }),
  }),
});

builder.objectField(Facility, "state", (t) =>
  t.field({
    type: FacilityStateType,
    description: "How it stands today.",
    resolve: ({ facilityUuid }, _, context) => loadFacilityState(context, facilityUuid),
  }),
);

/** Sums of each unit and quarter; the facilities of a district one by one. */
const reads: Reads = ({ provinceId, districtId }, { provinces, districts, facilities }) => {
  const perProvince = districts / Math.max(1, provinces);
  const units = districtId != null ? 1 : provinceId != null ? perProvince : provinces;
  const rows = districtId == null ? 0 : facilities / Math.max(1, districts);
  return { rows: weights.rollup * (units * 2 * quartersShown + rows) };
};

builder.queryField("situation", (t) =>
  t.field({
    type: Situation,
    nullable: true,
    extensions: { reads },
    description: "How the country, a province, a district or a partner's facilities stand.",
    args: { provinceId: t.arg.int(), districtId: t.arg.int(), implementingPartnerId: t.arg.int() },
    resolve: (_, scope, context) => situation.readSituation(context, parse(situationScopeRules, scope)),
  }),
);
