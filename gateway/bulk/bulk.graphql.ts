import type { BulkActName, LeftOut, LeftOutReason } from "../../db/bulk/bulk.rules.ts";
import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import { filterArg, modePeriodTexts as texts } from "../facility/facilityFilter.graphql.ts";
import { builder } from "../graphql/builder.ts";
import { enumOf } from "../graphql/enums.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { WorklistKindEnum, WorklistShow } from "../situation/worklist.graphql.ts";
import * as acts from "./bulk.ts";
import { assignRules, fieldListRules, mostSites, noteRules, setPartnerRules, undoRules } from "./bulk.rules.ts";

/** Mutations of many sites at once. */

const BulkActNameEnum = enumOf<BulkActName>("BulkActName", "What was done.", {
  assign: "An action was agreed at each site.",
  note: "A note was written on the entries of the work list, or they were snoozed.",
  setPartner: "The partner was set.",
  addToFieldList: "The sites were put on a field list.",
  removeFromFieldList: "The sites were taken off a field list.",
});
const LeftOutReasonEnum = enumOf<LeftOutReason>("LeftOutReason", "Why a site was left out.", {
  unknown: "There is no such site.",
  merged: "It was merged into another site.",
  closed: "It is closed.",
  notYours: "It is outside of what the caller may change.",
  notOnList: "It has no such entry on the work list today.",
  unchanged: "It was so already.",
  changedSince: "Somebody has changed it since: it was not undone.",
});
const LeftOutSites = builder.objectRef<LeftOut>("LeftOutSites").implement({
  description: "How many sites were left out for a reason.",
  fields: (t) => ({
    reason: t.expose("reason", { type: LeftOutReasonEnum, description: "Why." }),
    sites: t.exposeInt("sites", { description: "How many." }),
  }),
});
const leftOutText = "The selected sites that were left out, by reason.";
const BulkAct = builder.objectRef<acts.BulkAct>("BulkAct").implement({
  description: "What was done to many sites at once.",
  fields: (t) => ({
    bulkActUuid: t.exposeString("bulkActUuid", { description: "Names it, to undo it." }),
    act: t.expose("act", { type: BulkActNameEnum, description: "What was done." }),
    asked: t.exposeInt("asked", { description: "How many sites were selected." }),
    done: t.exposeInt("done", { description: "At how many of them it was done." }),
    leftOut: t.expose("leftOut", { type: [LeftOutSites], description: leftOutText }),
    undoableUntil: t.string({
      description: "Until when it can be undone, an instant in UTC (ISO 8601).",
      resolve: ({ undoableUntil }) => undoableUntil.toISOString(),
    }),
  }),
});

const errorsText = "What was wrong; empty when it was done.";
const BulkActPayload = builder.objectRef<{ bulkAct?: acts.BulkAct; errors: InputError[] }>("BulkActPayload").implement({
  description: "The result of an act on many sites.",
  fields: (t) => ({
    bulkAct: t.field({
      type: BulkAct,
      nullable: true,
      description: "What was done.",
      resolve: ({ bulkAct }) => bulkAct,
    }),
    errors: t.field({ type: [InputErrorType], description: errorsText, resolve: ({ errors }) => errors }),
  }),
});
const UndoPayload = builder.objectRef<Partial<acts.Undone> & { errors: InputError[] }>("UndoBulkActPayload").implement({
  description: "The result of undoing an act on many sites.",
  fields: (t) => ({
    restored: t.int({
      nullable: true,
      description: "How many sites are as they were before.",
      resolve: ({ restored }) => restored,
    }),
    leftOut: t.field({
      type: [LeftOutSites],
      description: "The sites that stay as they are, by reason.",
      resolve: ({ leftOut }) => leftOut ?? [],
    }),
    errors: t.field({ type: [InputErrorType], description: errorsText, resolve: ({ errors }) => errors }),
  }),
});

const FacilitiesInput = builder.inputType("SelectedFacilitiesInput", {
  description: "All facilities of a list: the arguments of `facilities`.",
  fields: (t) => ({
    provinceId: t.int(),
    districtId: t.int(),
    implementingPartnerId: t.int(),
    mode: t.field({ type: FunctionalityStatusMode, description: texts.mode }),
    year: t.int({ description: texts.year }),
    quarter: t.int({ description: texts.quarter }),
    month: t.int({ description: texts.month }),
    search: t.string({ description: texts.search }),
    filter: t.field(filterArg),
  }),
});
const WorklistInput = builder.inputType("SelectedWorklistInput", {
  description: "All entries of a work list: the arguments of `worklist`.",
  fields: (t) => ({
    kind: t.field({ type: WorklistKindEnum, required: true, description: "What is to be done." }),
    show: t.field({ type: WorklistShow, defaultValue: "open", description: "Which of them." }),
    mine: t.boolean({ description: "Only those of the caller." }),
    provinceId: t.int(),
    districtId: t.int(),
    implementingPartnerId: t.int(),
  }),
});
const SitesInput = builder.inputType("SelectedSitesInput", {
  description: `Which sites are meant, at most ${mostSites.toLocaleString("en-GB")}: one of these.`,
  fields: (t) => ({
    facilityUuids: t.stringList({ description: "These." }),
    facilities: t.field({ type: FacilitiesInput, description: "All of a list of facilities." }),
    worklist: t.field({ type: WorklistInput, description: "All of a work list." }),
  }),
});

type Fields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]["fields"]>>[0];
const common = (t: Fields) => ({
  bulkActUuid: t.string({ required: true, description: "Made by the client, so that a repeated call is done once." }),
  sites: t.field({ type: SitesInput, required: true, description: "Which sites are meant." }),
});
const kindField = (t: Fields, description: string) => t.field({ type: WorklistKindEnum, description });

const AssignInput = builder.inputType("AssignSitesInput", {
  description: "An action that is agreed at each site.",
  fields: (t) => ({
    ...common(t),
    kind: kindField(t, "About the entry of this kind on the work list; without it, by hand."),
    text: t.string({ required: true, description: "What is to be done, at most 500 characters." }),
    responsible: t.string({ description: "Who is to do it. Needed unless a partner is named." }),
    implementingPartnerId: t.int({ description: "The implementing partner that is to do it." }),
    dueDay: t.field({ type: "Date", required: true, description: "Until when: from today to two years from now." }),
  }),
});
const NoteInput = builder.inputType("NoteSitesInput", {
  description: "A note on the sites' entries of the work list.",
  fields: (t) => ({
    ...common(t),
    kind: kindField(t, "Only on the entries of this kind; without it, on all entries of each site."),
    comment: t.string({ required: true, description: "What is to be known, at most 512 characters." }),
    snoozedUntil: t.field({
      type: "Date",
      description: "The day on which the entries are shown again; null: now; without it snoozed ones stay snoozed.",
    }),
  }),
});
const SetPartnerInput = builder.inputType("SetPartnerOfSitesInput", {
  description: "The partner that supports the sites.",
  fields: (t) => ({
    ...common(t),
    implementingPartnerId: t.int({ description: "The partner; null or without it: none." }),
  }),
});
const FieldListInput = builder.inputType("SitesOfFieldListInput", {
  description: "The field list on which the sites are put, or off which they are taken.",
  fields: (t) => ({ ...common(t), fieldList: t.string({ required: true, description: "The uuid of the list." }) }),
});
const UndoInput = builder.inputType("UndoBulkActInput", {
  description: "An own act of the last 10 minutes.",
  fields: (t) => ({ bulkActUuid: t.string({ required: true, description: "The act." }) }),
});

type SitesArgument = typeof SitesInput.$inferInput;
/** The selection in the words of the rules. */
const selection = ({ facilityUuids, facilities, worklist }: SitesArgument) => {
  if (!facilities) return { facilityUuids, worklist };
  const { search, filter, ...list } = facilities;
  return { facilityUuids, worklist, facilities: { list, search, match: filter } };
};

const done = (context: Context, act: () => Promise<acts.BulkAct>) =>
  withErrors(async () => {
    requireRight(context, "editFacility", "somewhere");
    return { bulkAct: await act() };
  });

const needs = "Needs editAssessments or administrator.";
const canUndo = "Whoever did it can undo it within 10 minutes.";
builder.mutationFields((t) => ({
  assignSites: t.field({
    type: BulkActPayload,
    description: `Agrees the same action at many sites. ${canUndo} ${needs}`,
    args: { input: t.arg({ type: AssignInput, required: true, description: "The action, and where." }) },
    resolve: (_, { input }, context) =>
      done(context, () => acts.assignSites(context, parse(assignRules, { ...input, sites: selection(input.sites) }))),
  }),
  noteSites: t.field({
    type: BulkActPayload,
    description: `Notes the same on the work list's entries of many sites, or snoozes them. ${canUndo} ${needs}`,
    args: { input: t.arg({ type: NoteInput, required: true, description: "The note, and where." }) },
    resolve: (_, { input }, context) =>
      done(context, () => acts.noteSites(context, parse(noteRules, { ...input, sites: selection(input.sites) }))),
  }),
  setPartnerOfSites: t.field({
    type: BulkActPayload,
    description: `Sets the partner of many sites. ${canUndo} ${needs}`,
    args: { input: t.arg({ type: SetPartnerInput, required: true, description: "The partner, and where." }) },
    resolve: (_, { input }, context) =>
      done(context, () =>
        acts.setPartnerOfSites(
          context,
          parse(setPartnerRules, {
            ...input,
            implementingPartnerId: input.implementingPartnerId ?? null,
            sites: selection(input.sites),
          }),
        ),
      ),
  }),
  addSitesToFieldList: t.field({
    type: BulkActPayload,
    description: `Puts many sites on a field list. ${canUndo} ${needs}`,
    args: { input: t.arg({ type: FieldListInput, required: true, description: "The list, and which sites." }) },
    resolve: (_, { input }, context) =>
      done(context, () =>
        acts.addSitesToFieldList(context, parse(fieldListRules, { ...input, sites: selection(input.sites) })),
      ),
  }),
  removeSitesFromFieldList: t.field({
    type: BulkActPayload,
    description: `Takes many sites off a field list. ${canUndo} ${needs}`,
    args: { input: t.arg({ type: FieldListInput, required: true, description: "The list, and which sites." }) },
    resolve: (_, { input }, context) =>
      done(context, () =>
        acts.removeSitesFromFieldList(context, parse(fieldListRules, { ...input, sites: selection(input.sites) })),
      ),
  }),
  undoBulkAct: t.field({
    type: UndoPayload,
    description: `Undoes an own act on many sites: agreed actions are dropped, notes are removed, partners and field lists are as before. Sites that somebody has changed since stay as they are. ${needs}`,
    args: { input: t.arg({ type: UndoInput, required: true, description: "The act." }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        requireRight(context, "editFacility", "somewhere");
        return acts.undoBulkAct(context, parse(undoRules, input));
      }),
  }),
}));
