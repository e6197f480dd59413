import { ReleaseChannel } from "../download/download.graphql.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { reading } from "../reading/reads.rules.ts";
import type { InputError } from "../problem.ts";
import * as fleet from "./fleet.ts";
import { fleetReads, fleetSitesReads } from "./fleetReads.rules.ts";
import * as rollouts from "./rollout.ts";
import { type FleetState, fleetStates, fleetStateWords } from "./fleetState.rules.ts";
import { fleetScopeRules, fleetSiteFilterRules, newRolloutRules, rolloutChangeRules } from "./rollout.rules.ts";

/** GraphQL types and fields of the fleet and its rollouts. */

const constantOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const FleetStateEnum = builder.enumType("FleetState", {
  description: "How far a site is that a rollout covers.",
  values: Object.fromEntries(
    fleetStates.map((state) => [constantOf(state), { value: state, description: fleetStateWords[state].about }]),
  ) as Record<string, { value: FleetState; description: string }>,
});
const rolloutStateValues = {
  PLANNED: { value: "planned", description: "Its first day is to come." },
  RUNNING: { value: "running", description: "Sites hear of it." },
  PAUSED: { value: "paused", description: "Sites hear nothing of it." },
  ENDED: { value: "ended", description: "It is over for good." },
} as const;
const RolloutStateEnum = builder.enumType("RolloutState", {
  description: "The state of a rollout.",
  values: rolloutStateValues,
});

export const Rollout = builder.objectRef<rollouts.Rollout>("Rollout").implement({
  description: "Sites that should get a version.",
  fields: (t) => ({
    uuid: t.exposeString("uuid", { description: "Names the rollout." }),
    version: t.exposeString("version", { description: "The version that the sites should get." }),
    channel: t.field({ type: ReleaseChannel, description: "By which files.", resolve: ({ channel }) => channel }),
    state: t.field({ type: RolloutStateEnum, description: "Whether it runs.", resolve: ({ state }) => state }),
    provinceIds: t.exposeIntList("provinceIds", { description: "Only sites of these provinces (or of districtIds)." }),
    districtIds: t.exposeIntList("districtIds", { description: "Only sites of these districts (or of provinceIds)." }),
    implementingPartnerIds: t.exposeIntList("implementingPartnerIds", { description: "Only sites of these partners." }),
    facilities: t.exposeInt("facilities", {
      nullable: true,
      description: "How many facilities it names; null: it names none.",
    }),
    percentage: t.exposeInt("percentage", { description: "So many percent of the sites." }),
    startDay: t.field({
      type: "Date",
      description: "The first day on which sites hear of it.",
      resolve: ({ startDay }) => startDay,
    }),
    resumedDate: t.field({
      type: "Date",
      nullable: true,
      description: "When it last went on after a pause.",
      resolve: ({ resumedDate }) => resumedDate,
    }),
    endedDate: t.field({
      type: "Date",
      nullable: true,
      description: "When it was ended.",
      resolve: ({ endedDate }) => endedDate,
    }),
    createdDate: t.field({ type: "Date", description: "When it was made.", resolve: ({ createdDate }) => createdDate }),
  }),
});

const FleetVersion = builder.objectRef<fleet.VersionCount>("FleetVersion").implement({
  description: "How many facilities run a version.",
  fields: (t) => ({
    version: t.exposeString("version", { description: "As it is written." }),
    facilities: t.exposeInt("facilities", { description: "How many run it." }),
  }),
});
const FleetQuarter = builder.objectRef<fleet.Fleet["quarters"][number]>("FleetQuarter").implement({
  description: "What ran at the end of a quarter.",
  fields: (t) => ({
    periodStart: t.field({
      type: "Date",
      description: "First day of the quarter.",
      resolve: ({ periodStart }) => periodStart,
    }),
    versions: t.field({
      type: [FleetVersion],
      description: "The newest version first.",
      resolve: ({ versions }) => versions,
    }),
  }),
});
const FleetRollout = builder.objectRef<fleet.Fleet["rollouts"][number]>("FleetRollout").implement({
  description: "How far a rollout is. A site counts in one: that to the newest version, paused ones last.",
  fields: (t) => ({
    rollout: t.field({ type: Rollout, description: "The rollout.", resolve: ({ rollout }) => rollout }),
    covered: t.exposeInt("covered", { description: "Sites that it covers." }),
    stuck: t.exposeInt("stuck", { description: "Failed, without a report and without a path together." }),
    due: t.exposeInt("due", { description: fleetStateWords.due.about }),
    silent: t.exposeInt("silent", { description: fleetStateWords.silent.about }),
    failed: t.exposeInt("failed", { description: fleetStateWords.failed.about }),
    paused: t.exposeInt("paused", { description: fleetStateWords.paused.about }),
    reported: t.exposeInt("reported", { description: fleetStateWords.reported.about }),
    reached: t.exposeInt("reached", { description: fleetStateWords.reached.about }),
    noPath: t.exposeInt("noPath", { description: fleetStateWords.noPath.about }),
  }),
});
const FleetFile = builder.objectRef<fleet.Fleet["files"][number]>("FleetFile").implement({
  description: "Who needs a file, and how long it takes.",
  fields: (t) => ({
    uuid: t.string({ description: "The file's.", resolve: ({ file }) => file.uuid }),
    name: t.string({ description: "The file's.", resolve: ({ file }) => file.name }),
    version: t.string({ description: "The version that a site runs after it.", resolve: ({ file }) => file.version }),
    size: t.float({ description: "Bytes.", resolve: ({ file }) => file.size }),
    needed: t.exposeInt("needed", { description: "Sites that still need it." }),
    next: t.exposeInt("next", { description: "Of these, sites whose next file it is." }),
    failed: t.exposeInt("failed", { description: "Of these, sites that reported that it failed." }),
    applied: t.exposeInt("applied", { description: "Reports that it was applied." }),
    medianDays: t.exposeInt("medianDays", {
      nullable: true,
      description: "Days from the day on which it was due to the report, of half of these at most.",
    }),
    longestDays: t.exposeInt("longestDays", { nullable: true, description: "The most days." }),
  }),
});
const FleetAnswer = builder.objectRef<fleet.Fleet>("Fleet").implement({
  description: "What runs across a part of the country, and how far the rollouts are.",
  fields: (t) => ({
    facilities: t.exposeInt("facilities", { description: "Open facilities." }),
    known: t.exposeInt("known", {
      description: "Those whose version is known: by their latest TDB or visit that names one.",
    }),
    versions: t.field({
      type: [FleetVersion],
      description: "What runs today, the newest version first.",
      resolve: ({ versions }) => versions,
    }),
    quarters: t.field({
      type: [FleetQuarter],
      description: "What ran at the end of the last eight quarters.",
      resolve: ({ quarters }) => quarters,
    }),
    rollouts: t.field({
      type: [FleetRollout],
      description: "Running and paused ones.",
      resolve: (row) => row.rollouts,
    }),
    files: t.field({ type: [FleetFile], description: "Files with a version, by name.", resolve: ({ files }) => files }),
  }),
});
const VersionSource = builder.enumType("VersionSource", {
  description: "The source of a site's version.",
  values: {
    TDB: { value: "tdb", description: "Its latest TDB." },
    VISIT: { value: "visit", description: "Its latest assessment." },
  } as const,
});
const FleetSite = builder.objectRef<fleet.FleetSite>("FleetSite").implement({
  description: "A site that a running rollout covers.",
  fields: (t) => ({
    facility: t.field({
      type: Facility,
      description: "The facility.",
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
    presentVersion: t.exposeString("presentVersion", {
      nullable: true,
      description: "What it runs, by its latest TDB or visit that names a version.",
    }),
    presentDate: t.field({
      type: "Date",
      nullable: true,
      description: "Of that TDB or visit.",
      resolve: ({ presentDate }) => presentDate,
    }),
    source: t.field({
      type: VersionSource,
      nullable: true,
      description: "The source of the version.",
      resolve: ({ source }) => source,
    }),
    rolloutUuid: t.exposeString("rolloutUuid", { description: "The rollout's." }),
    target: t.exposeString("target", { description: "The version that it should get." }),
    state: t.field({ type: FleetStateEnum, description: "How far it is.", resolve: ({ state }) => state }),
    downloadUuid: t.exposeString("downloadUuid", { nullable: true, description: "The file that comes next." }),
    dueDate: t.field({ type: "Date", description: "Since when.", resolve: ({ dueDate }) => dueDate }),
    days: t.exposeInt("days", { description: "Since then." }),
    outcome: t.exposeString("outcome", {
      nullable: true,
      description: "What it last reported of the next file: applied or failed.",
    }),
    why: t.exposeString("why", { nullable: true, description: "Why it failed." }),
    reportedDate: t.field({
      type: "Date",
      nullable: true,
      description: "When it reported.",
      resolve: ({ reportedDate }) => reportedDate,
    }),
  }),
});

const scopeArgs = (t: Parameters<Parameters<typeof builder.queryFields>[0]>[0]) => ({
  provinceId: t.arg.int({ description: "Only facilities of this province." }),
  districtId: t.arg.int({ description: "Only facilities of this district." }),
  implementingPartnerId: t.arg.int({ description: "Only facilities that this partner supports today." }),
});
const needs = "Needs viewAssessments, editAssessments, uploadTdbs or administrator.";

builder.queryFields((t) => ({
  fleet: t.field({
    type: FleetAnswer,
    nullable: true,
    extensions: reading(fleetReads),
    description: `Which versions run, how far the rollouts are, and who still needs which file. ${needs}`,
    args: scopeArgs(t),
    resolve: (_, asked, context) => fleet.readFleet(context, parse(fleetScopeRules, asked)),
  }),
  fleetSites: t.connection({
    type: FleetSite,
    nullable: true,
    extensions: reading(fleetSitesReads),
    description: `Sites that running rollouts cover, with their state and next file, by name. ${needs}`,
    args: {
      ...scopeArgs(t),
      state: t.arg({ type: FleetStateEnum, description: "Only sites in this state." }),
      stuck: t.arg.boolean({
        description:
          "Only sites that are stuck: the next file failed, nothing was heard of it for 14 days, or no path leads on.",
      }),
      rolloutUuid: t.arg.string({ description: "Only those that this rollout covers." }),
      downloadUuid: t.arg.string({ description: "Only those that still need this file." }),
      version: t.arg.string({ description: "Only those that run this version, as it is written." }),
      offset: t.arg.int({ description: "Rows to skip, for numbered pages." }),
    },
    resolve: (
      _,
      { provinceId, districtId, implementingPartnerId, state, stuck, rolloutUuid, downloadUuid, version, ...page },
      context,
      info,
    ) => {
      const filter = parse(fleetSiteFilterRules, {
        provinceId,
        districtId,
        implementingPartnerId,
        state,
        stuck,
        rolloutUuid,
        downloadUuid,
        version,
      });
      return readConnection(fleet.listFleetSites, context, { ...filter, page: parse(connectionRules, page) }, info);
    },
  }),
  rollouts: t.connection({
    type: Rollout,
    nullable: true,
    description: `Rollouts, the newest first. ${needs}`,
    args: { offset: t.arg.int({ description: "Rows to skip, for numbered pages." }) },
    resolve: (_, page, context, info) =>
      readConnection(rollouts.listRollouts, context, { page: parse(connectionRules, page) }, info),
  }),
  rollout: t.field({
    type: Rollout,
    nullable: true,
    description: `A rollout. ${needs}`,
    args: { uuid: t.arg.string({ required: true, description: "Of the rollout." }) },
    resolve: (_, { uuid }, context) => rollouts.readRollout(context, uuid),
  }),
}));

const CreateRolloutInput = builder.inputType("CreateRolloutInput", {
  description: "A rollout. Each part of the scope that is given narrows it; without any it is for every site.",
  fields: (t) => ({
    version: t.string({ required: true, description: "The version that the sites should get." }),
    channel: t.field({ type: ReleaseChannel, defaultValue: "general", description: "By which files." }),
    provinceIds: t.intList({ description: "Only sites of these provinces (or of districtIds)." }),
    districtIds: t.intList({ description: "Only sites of these districts (or of provinceIds)." }),
    implementingPartnerIds: t.intList({ description: "Only sites of these partners." }),
    facilityUuids: t.stringList({ description: "Only these facilities." }),
    percentage: t.int({ defaultValue: 100, description: "So many percent of the sites: always the same ones." }),
    startDay: t.field({ type: "Date", required: true, description: "The first day on which sites hear of it." }),
    leaveBehind: t.boolean({
      defaultValue: false,
      description: "Make it also where no path leads from the versions that some of the sites run.",
    }),
  }),
});
const ChangeRolloutInput = builder.inputType("ChangeRolloutInput", {
  description: "What is changed of a rollout.",
  fields: (t) => ({
    uuid: t.string({ required: true, description: "Of the rollout." }),
    state: t.field({ type: RolloutStateEnum, description: "RUNNING, PAUSED or ENDED." }),
    percentage: t.int({ description: "So many percent of the sites." }),
  }),
});

type Changed = { rollout?: rollouts.Rollout; errors: InputError[] };
const payload = (name: string, about: string) =>
  builder.objectRef<Changed>(name).implement({
    description: about,
    fields: (t) => ({
      rollout: t.field({ type: Rollout, nullable: true, description: about, resolve: ({ rollout }) => rollout }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong with the input; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });
const CreateRolloutPayload = payload("CreateRolloutPayload", "The rollout as it was made.");
const ChangeRolloutPayload = payload("ChangeRolloutPayload", "The rollout as it is now.");
const withoutNulls = (input: object) => Object.fromEntries(Object.entries(input).filter(([, value]) => value != null));

builder.mutationFields((t) => ({
  createRollout: t.field({
    type: CreateRolloutPayload,
    description: "Begins a rollout. Refused where no path of files leads to the version. Needs administrator.",
    args: { input: t.arg({ type: CreateRolloutInput, required: true, description: "The rollout." }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        rollouts.checkMayManageRollouts(context);
        return { rollout: await rollouts.createRollout(context, parse(newRolloutRules, withoutNulls(input))) };
      }),
  }),
  changeRollout: t.field({
    type: ChangeRolloutPayload,
    description: "Pauses, resumes or ends a rollout, or changes its share of the sites. Needs administrator.",
    args: { input: t.arg({ type: ChangeRolloutInput, required: true, description: "The change." }) },
    resolve: (_, { input: { uuid, ...change } }, context) =>
      withErrors(async () => {
        rollouts.checkMayManageRollouts(context);
        return { rollout: await rollouts.changeRollout(context, uuid, parse(rolloutChangeRules, change)) };
      }),
  }),
}));
