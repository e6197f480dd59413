import { byField, fieldNames } from "../../db/facility/facilityFields.rules.ts";
import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { Facility, scalarOf } from "./facility.graphql.ts";
import type { FacilityRow } from "./facility.ts";
import { facilityUuidRule } from "./facility.rules.ts";
import * as act from "./registry.ts";
import { changedFacilityRules, closingRules, newFacilityRules } from "./registry.rules.ts";

/** Fields and mutations of the registry. */

const needed = "Needs editRegistry or administrator.";
const Merge = builder.objectRef<act.MergeRow>("FacilityMerge").implement({
  description: "A facility that was merged into another one.",
  fields: (t) => ({
    facilityUuid: t.exposeString("facilityUuid", {
      description: "The facility that was merged: its uuid leads to the other one.",
    }),
    facilityName: t.exposeString("facilityName"),
    intoUuid: t.exposeString("intoUuid", { description: "The facility that stays." }),
    intoName: t.exposeString("intoName", { description: "Its name." }),
    mergedDate: t.exposeString("mergedDate", { description: "When they were merged." }),
    undoUntil: t.exposeString("undoUntil", { description: "The last day on which it can be undone." }),
    undoable: t.exposeBoolean("undoable", { description: "Whether it can be undone today." }),
    userName: t.exposeString("userName", { nullable: true, description: "Who merged them." }),
  }),
});
const Preview = builder.objectRef<act.MergePreview>("FacilityMergePreview").implement({
  description: "What a merge of two facilities would do.",
  fields: (t) => ({
    from: t.field({
      type: Facility,
      description: "The facility that would become one with the other.",
      resolve: ({ from }) => from,
    }),
    into: t.field({ type: Facility, description: "The facility that would stay.", resolve: ({ into }) => into }),
    assessments: t.int({
      description: "How many visits would become the other's.",
      resolve: ({ moves }) => moves.assessments,
    }),
    tdbs: t.int({ description: "How many TDBs would become the other's.", resolve: ({ moves }) => moves.tdbs }),
    hindrance: t.exposeString("hindrance", { nullable: true, description: "Why they cannot be merged, if so." }),
  }),
});
const args = builder.args((t) => ({
  facilityUuid: t.string({ required: true }),
  into: t.string({ required: true, description: "The facility that stays." }),
}));

builder.queryFields((t) => ({
  facilityMerges: t.field({
    type: [Merge],
    nullable: true,
    description: `Merges of facilities, the latest first. ${needed}`,
    resolve: (_, __, context) => act.listMerges(context),
  }),
  facilityMergePreview: t.field({
    type: Preview,
    nullable: true,
    description: `What a merge of two facilities would do. ${needed}`,
    args,
    resolve: (_, { facilityUuid: from, into }, context) => act.previewMerge(context, { from, into }),
  }),
}));

const payload = (name: string) =>
  builder.objectRef<{ facility?: FacilityRow; errors: InputError[] }>(name).implement({
    fields: (t) => ({
      facility: t.field({ type: Facility, nullable: true, resolve: ({ facility }) => facility }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const fields = (t: Parameters<Parameters<typeof builder.inputType>[1]["fields"]>[0]) => ({
  implementingPartnerId: t.int(),
  ...byField(fieldNames, (_name, field) =>
    t.field({ type: scalarOf(field), description: `${field.about} null: not known.` }),
  ),
});
const AddInput = builder.inputType("AddFacilityInput", {
  description: "A new facility.",
  fields: (t) => ({
    facilityUuid: t.string({ description: "Without one it gets one." }),
    facilityName: t.string({ required: true }),
    districtId: t.int({ required: true }),
    ...fields(t),
  }),
});
const ChangeInput = builder.inputType("ChangeFacilityInput", {
  description: "What is not given stays.",
  fields: (t) => ({
    facilityUuid: t.string({ required: true }),
    facilityName: t.string(),
    districtId: t.int({ description: "Another district moves it." }),
    ...fields(t),
  }),
});
const CloseInput = builder.inputType("CloseFacilityInput", {
  description: "From which day on a facility is closed, and why.",
  fields: (t) => ({
    facilityUuid: t.string({ required: true }),
    closedOn: t.string({ required: true, description: "YYYY-MM-DD: not before its last visit, not ahead." }),
    reason: t.string({ required: true, description: "Why it is closed." }),
  }),
});

const MergeInput = builder.inputType("MergeFacilitiesInput", {
  description: "Which facility becomes one with which.",
  fields: (t) => ({
    facilityUuid: t.string({ required: true, description: "The facility that is merged." }),
    into: t.string({ required: true, description: "The facility that stays." }),
  }),
});

const done = (context: Context, change: () => Promise<act.Registered>) =>
  withErrors(async () => {
    requireRight(context, "editRegistry");
    return { facility: (await change()).facility };
  });
const uuidOf = (text: string) => parse(facilityUuidRule, text, "facilityUuid");

builder.mutationFields((t) => ({
  addFacility: t.field({
    type: payload("AddFacilityPayload"),
    description: `Adds a facility. ${needed}`,
    args: { input: t.arg({ type: AddInput, required: true }) },
    resolve: (_, { input }, context) => done(context, () => act.addFacility(context, parse(newFacilityRules, input))),
  }),
  changeFacility: t.field({
    type: payload("ChangeFacilityPayload"),
    description: `Changes a facility's name, codes, kind or place. ${needed}`,
    args: { input: t.arg({ type: ChangeInput, required: true }) },
    resolve: (_, { input: { facilityUuid, ...values } }, context) =>
      done(context, () => {
        const given = Object.fromEntries(
          Object.entries(values).filter(
            ([name, value]) => value !== null || !["facilityName", "districtId"].includes(name),
          ),
        );
        return act.changeFacility(context, uuidOf(facilityUuid), parse(changedFacilityRules, given));
      }),
  }),
  closeFacility: t.field({
    type: payload("CloseFacilityPayload"),
    description: `Closes a facility from a day on: it leaves lists, counts and expectations; its history stays. ${needed}`,
    args: { input: t.arg({ type: CloseInput, required: true }) },
    resolve: (_, { input: { facilityUuid, ...closing } }, context) =>
      done(context, () => act.closeFacility(context, uuidOf(facilityUuid), parse(closingRules, closing))),
  }),
  reopenFacility: t.field({
    type: payload("ReopenFacilityPayload"),
    description: `Opens a closed facility again. ${needed}`,
    args: { facilityUuid: t.arg.string({ required: true }) },
    resolve: (_, { facilityUuid }, context) => done(context, () => act.reopenFacility(context, uuidOf(facilityUuid))),
  }),
  mergeFacilities: t.field({
    type: payload("MergeFacilitiesPayload"),
    description: `Merges a facility into another one; answers the one that stays. It can be undone for 30 days. ${needed}`,
    args: { input: t.arg({ type: MergeInput, required: true }) },
    resolve: (_, { input: { facilityUuid, into } }, context) =>
      done(context, () =>
        act.mergeFacilities(context, { from: uuidOf(facilityUuid), into: parse(facilityUuidRule, into, "into") }),
      ),
  }),
  undoFacilityMerge: t.field({
    type: payload("UndoFacilityMergePayload"),
    description: `Undoes a merge within 30 days, by the uuid of the facility that was merged. ${needed}`,
    args: { facilityUuid: t.arg.string({ required: true }) },
    resolve: (_, { facilityUuid }, context) => done(context, () => act.undoMerge(context, uuidOf(facilityUuid))),
  }),
}));
