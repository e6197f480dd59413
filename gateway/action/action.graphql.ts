import { requireRight } from "../access/access.ts";
import { Assessment } from "../assessment/assessment.graphql.ts";
import { loadAssessment } from "../assessment/assessment.ts";
import type { Context } from "../context.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";
import { loadFacilityState } from "../facility/siteState.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { connectionsBelow, readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { loadNode } from "../graphql/node.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { type InputError, Problem } from "../problem.ts";
import type { PageInput } from "../../db/list/page.ts";
import { ImplementingPartner } from "../reference/reference.graphql.ts";
import { readPartner } from "../reference/reference.ts";
import { WorklistEntry, WorklistKindEnum } from "../situation/worklist.graphql.ts";
import * as acts from "./action.ts";
import {
  actionChangeRules,
  actionFilterRules,
  type ActionOrigin,
  type ActionState,
  closingRules,
  newActionRules,
  overdueAbout,
  reopeningRules,
} from "./action.rules.ts";
import { actionReads } from "./actionReads.rules.ts";

/** Actions: what was agreed to mend something at a facility. */

const ActionOriginEnum = builder.enumType("ActionOrigin", {
  description: "Where an action comes from.",
  values: {
    VISIT: { value: "visit", description: "It was agreed at a visit." },
    WORKLIST: {
      value: "worklist",
      description: "It is about an entry of the work list, and closes by itself when that is mended.",
    },
    HAND: { value: "hand", description: "It was agreed at the facility's page." },
  } satisfies Record<string, { value: ActionOrigin; description: string }>,
});
const ActionStateEnum = builder.enumType("ActionState", {
  description: "Whether an action is still to be done.",
  values: {
    OPEN: { value: "open", description: "It is to be done." },
    DONE: { value: "done", description: "It was done." },
    DROPPED: { value: "dropped", description: "It is not to be done any more." },
  } satisfies Record<string, { value: ActionState; description: string }>,
});

export const Action = builder.objectRef<acts.Action>("Action");
builder.node(Action, {
  description: "What was agreed to mend something at a facility.",
  id: { resolve: ({ actionUuid }) => actionUuid },
  loadOne: loadNode((id, context) => acts.loadAction(context, id)),
  fields: (t) => ({
    actionUuid: t.exposeString("actionUuid", { description: "Its UUID, as REST names it." }),
    facilityUuid: t.exposeString("facilityUuid", { description: "The facility where it is to be done." }),
    facility: t.field({
      type: Facility,
      description: "The facility where it is to be done.",
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
    text: t.exposeString("text", { description: "What is to be done." }),
    responsible: t.exposeString("responsible", { nullable: true, description: "The name of who is to do it." }),
    implementingPartnerId: t.exposeInt("implementingPartnerId", {
      nullable: true,
      description: "The implementing partner that is to do it.",
    }),
    implementingPartner: t.field({
      type: ImplementingPartner,
      nullable: true,
      description: "The implementing partner that is to do it.",
      resolve: ({ implementingPartnerId: partnerId }, _, context) =>
        partnerId === null ? null : readPartner(context, partnerId),
    }),
    dueDay: t.field({ type: "Date", description: "Until when it is to be done.", resolve: ({ dueDay }) => dueDay }),
    overdueDays: t.exposeInt("overdueDays", {
      nullable: true,
      description: "Days since then, of an open action whose day is past; else null.",
    }),
    origin: t.expose("origin", { type: ActionOriginEnum, description: "Where it comes from." }),
    assessmentUuid: t.exposeString("assessmentUuid", {
      nullable: true,
      description: "The visit at which it was agreed.",
    }),
    assessment: t.field({
      type: Assessment,
      nullable: true,
      description: "The visit at which it was agreed.",
      resolve: ({ assessmentUuid }, _, context) =>
        assessmentUuid === null ? null : loadAssessment(context, assessmentUuid),
    }),
    kind: t.expose("kind", {
      type: WorklistKindEnum,
      nullable: true,
      description: "The kind of the entry of the work list that it is about.",
    }),
    wantedVersion: t.exposeString("wantedVersion", {
      nullable: true,
      description:
        "Of OLD_VERSION: the library version that was the newest when it was agreed; a visit that finds it, or a newer one, closes the action.",
    }),
    agreedBy: t.exposeString("agreedBy", { description: "The user name of who agreed it." }),
    agreedDate: t.field({
      type: "Date",
      description: "When it was agreed: the day of the visit, or of the entry.",
      resolve: ({ agreedDate }) => agreedDate,
    }),
    agreedTime: t.exposeString("agreedTime", { description: "The time of day, HH:MM in the ministry's zone." }),
    state: t.expose("state", { type: ActionStateEnum, description: "Whether it is still to be done." }),
    closedDate: t.field({
      type: "Date",
      nullable: true,
      description:
        "When it was closed: the day of the visit or the receipt that showed it done, if it closed by itself.",
      resolve: ({ closedDate }) => closedDate,
    }),
    closedBy: t.exposeString("closedBy", {
      nullable: true,
      description: "The user name of who closed it; null while it is open, or if it closed by itself.",
    }),
    reason: t.exposeString("reason", { nullable: true, description: "Why it was closed." }),
    closingAssessmentUuid: t.exposeString("closingAssessmentUuid", {
      nullable: true,
      description: "The visit that showed it done, if it closed by itself.",
    }),
    closingTdbUuid: t.exposeString("closingTdbUuid", {
      nullable: true,
      description: "The TDB that showed it done, if it closed by itself.",
    }),
    version: t.exposeInt("version", { description: "Counts its changes, from 1." }),
  }),
});

const right = "Needs viewAssessments, editAssessments or administrator: null with an error otherwise.";
const about = `What was agreed: open actions first, by the day on which they are due. ${right}`;

type ArgBuilder = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, unknown>["arg"];
const commonArgs = (arg: ArgBuilder) => ({
  state: arg({ type: ActionStateEnum, description: "Only those in this state." }),
  overdue: arg.boolean({ description: `${overdueAbout}.` }),
  responsiblePartnerId: arg.int({ description: "Only those that this implementing partner is to do." }),
  kind: arg({ type: WorklistKindEnum, description: "Only those about entries of this kind on the work list." }),
  isAboutEntry: arg.boolean({
    description: "true: only those about an entry of the work list; false: only the others, which people wrote.",
  }),
  mine: arg.boolean({
    description:
      "true: only open ones that name the caller, or, if none does, those that the caller's partner is to do.",
  }),
  offset: arg.int(),
});
type Asked = Parameters<typeof acts.listActions>[1] extends infer Input ? Omit<Input, "page"> & PageInput : never;
function asked(args: Partial<Asked>) {
  const { facilityUuid, provinceId, districtId, implementingPartnerId, ...rest } = args;
  const { state, overdue, responsiblePartnerId, kind, isAboutEntry, mine, ...page } = rest;
  const scope = { facilityUuid, provinceId, districtId, implementingPartnerId };
  const filter = parse(actionFilterRules, {
    ...scope,
    ...{ state, overdue, responsiblePartnerId, kind, isAboutEntry, mine },
  });
  return { ...filter, page: parse(connectionRules, page) };
}

builder.queryField("actions", (t) =>
  t.connection({
    type: Action,
    nullable: true,
    extensions: { reads: actionReads },
    description: about,
    args: {
      facilityUuid: t.arg.string({ description: "Only those of this facility." }),
      provinceId: t.arg.int({ description: "Only of facilities of this province." }),
      districtId: t.arg.int({ description: "Only of facilities of this district." }),
      implementingPartnerId: t.arg.int({ description: "Only of facilities that this partner supports today." }),
      ...commonArgs(t.arg),
    },
    resolve: (_, args, context, info) => readConnection(acts.listActions, context, asked(args), info),
  }),
);

const actionsBelow = connectionsBelow(acts.listActions, asked);
builder.objectField(Facility, "actions", (t) =>
  t.connection({
    type: Action,
    nullable: true,
    description: about,
    args: commonArgs(t.arg),
    resolve: ({ facilityUuid }, args, context, info) => actionsBelow(context, { facilityUuid }, args, info),
  }),
);
builder.objectField(Facility, "openActions", (t) =>
  t.int({
    nullable: true,
    description: "How many actions are open there. For who may see assessments; null for others.",
    resolve: async ({ facilityUuid }, _, context) => (await loadFacilityState(context, facilityUuid)).openActions,
  }),
);
builder.objectField(Assessment, "actions", (t) =>
  t.field({
    type: [Action],
    description: "What was agreed at the visit, by the day on which it is due.",
    resolve: ({ assessmentUuid }, _, context) => acts.loadActionsOfVisit(context, assessmentUuid),
  }),
);
builder.objectField(WorklistEntry, "actions", (t) =>
  t.field({
    type: [Action],
    nullable: true,
    description: "The open actions about it. For who may see assessments; null for others.",
    resolve: (entry, _, context) => acts.loadActionsOfEntry(context, entry),
  }),
);

type Changed = { action?: acts.Action; errors: InputError[] };
const payload = (name: string) =>
  builder.objectRef<Changed>(name).implement({
    description: "The result of a change of an action.",
    fields: (t) => ({
      action: t.field({
        type: Action,
        nullable: true,
        description: "As it is stored now; after a conflict (an error at `version`) the state that is in the way.",
        resolve: ({ action }) => action,
      }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });

type Fields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]["fields"]>>[0];
const agreedFields = (t: Fields) => ({
  text: t.string({ required: true, description: "What is to be done, at most 500 characters." }),
  responsible: t.string({
    description: "Who is to do it: a name of at most 128 characters. Needed unless a partner is named.",
  }),
  implementingPartnerId: t.int({ description: "The implementing partner that is to do it." }),
  dueDay: t.field({
    type: "Date",
    required: true,
    description: "Until when: from the day of the agreement to two years after it.",
  }),
});
const uuidField = (t: Fields, description: string) => t.string({ required: true, description });
const versionField = (t: Fields) =>
  t.int({ required: true, description: "The version that was read: an old one is refused." });
const theAction = "The action.";

const CreateInput = builder.inputType("CreateActionInput", {
  description: "An action that is agreed now.",
  fields: (t) => ({
    actionUuid: uuidField(t, "Made by the client, so that a repeated call stores once."),
    facilityUuid: t.string({ required: true, description: "The facility where it is to be done." }),
    kind: t.field({
      type: WorklistKindEnum,
      description: "The kind of the entry of the work list that it is about: the facility must be on that list.",
    }),
    ...agreedFields(t),
  }),
});
const UpdateInput = builder.inputType("UpdateActionInput", {
  description: "An open action as it is to be. A name or partner that is not given is removed.",
  fields: (t) => ({ actionUuid: uuidField(t, theAction), version: versionField(t), ...agreedFields(t) }),
});
const CloseInput = builder.inputType("CloseActionInput", {
  description: "How an action ended.",
  fields: (t) => ({
    actionUuid: uuidField(t, theAction),
    version: versionField(t),
    state: t.field({ type: ActionStateEnum, required: true, description: "DONE or DROPPED." }),
    reason: t.string({ description: "Why, at most 500 characters. Needed for what is dropped." }),
  }),
});
const ReopenInput = builder.inputType("ReopenActionInput", {
  description: "A closed action.",
  fields: (t) => ({ actionUuid: uuidField(t, theAction), version: versionField(t) }),
});

/** Changes an action. After a conflict the payload has the action as it is stored. */
async function changed(context: Context, change: () => Promise<acts.Action>): Promise<Changed> {
  let inTheWay: acts.Action | undefined;
  const { action, errors } = await withErrors(async () => {
    requireRight(context, "editAssessments", "somewhere");
    return {
      action: await change().catch((error: unknown) => {
        if (error instanceof Problem && error.code === "CONFLICT")
          inTheWay = error.extra.present as acts.Action | undefined;
        throw error;
      }),
    };
  });
  if (inTheWay) return { action: inTheWay, errors: errors.map(({ message }) => ({ path: "version", message })) };
  return action ? { action, errors } : { errors };
}

const needs = "Needs editAssessments or administrator.";
builder.mutationFields((t) => ({
  createAction: t.field({
    type: payload("CreateActionPayload"),
    description: `Agrees an action. ${needs}`,
    args: { input: t.arg({ type: CreateInput, required: true, description: "The action." }) },
    resolve: (_, { input }, context) =>
      changed(context, () => acts.createAction(context, parse(newActionRules, input))),
  }),
  updateAction: t.field({
    type: payload("UpdateActionPayload"),
    description: `Changes what is to be done, by whom or until when. ${needs}`,
    args: { input: t.arg({ type: UpdateInput, required: true, description: "The action as it is to be." }) },
    resolve: (_, { input }, context) =>
      changed(context, () => acts.updateAction(context, parse(actionChangeRules, input))),
  }),
  closeAction: t.field({
    type: payload("CloseActionPayload"),
    description: `Closes an open action as done or dropped. ${needs}`,
    args: { input: t.arg({ type: CloseInput, required: true, description: "How it ended." }) },
    resolve: (_, { input }, context) => changed(context, () => acts.closeAction(context, parse(closingRules, input))),
  }),
  reopenAction: t.field({
    type: payload("ReopenActionPayload"),
    description: `Opens a closed action again; only later visits and TDBs close it by themselves. ${needs}`,
    args: { input: t.arg({ type: ReopenInput, required: true, description: "The action." }) },
    resolve: (_, { input }, context) =>
      changed(context, () => acts.reopenAction(context, parse(reopeningRules, input))),
  }),
}));
