import { requireRight } from "../access/access.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { everyFacilityReads } from "../reading/reads.rules.ts";
import { facilityUuidRule } from "../facility/facility.rules.ts";
import { ImplementingPartner } from "../reference/reference.graphql.ts";
import { readPartner } from "../reference/reference.ts";
import { Situation } from "./situation.graphql.ts";
import * as acts from "./worklist.ts";
import {
  type WorklistKind,
  worklist,
  worklistFilterRules,
  worklistKindRule,
  worklistKinds,
  worklistNoteInputRules,
  type worklistOrders,
  type worklistShows,
} from "./worklist.rules.ts";

/** GraphQL types, fields and mutations of the work list and its notes. */

export const WorklistKindEnum = builder.enumType("WorklistKind", {
  description: "What is to be done about a site.",
  values: Object.fromEntries(
    worklistKinds.map((kind) => [
      kind.replaceAll(/[A-Z]/g, "_$&").toUpperCase(),
      { value: kind, description: worklist[kind].about },
    ]),
  ) as Record<string, { value: WorklistKind; description: string }>,
});
export const WorklistShow = builder.enumType("WorklistShow", {
  description: "Which entries of a work list are shown.",
  values: {
    OPEN: { value: "open", description: "Those that are not snoozed." },
    SNOOZED: { value: "snoozed", description: "Those that are hidden until a day." },
    ALL: { value: "all", description: "Both." },
  } satisfies Record<string, { value: (typeof worklistShows)[number]; description: string }>,
});
const WorklistOrder = builder.enumType("WorklistOrder", {
  description: "The order of a work list. Within a partner or district, those that last the longest come first.",
  values: {
    AGE: { value: "age", description: "Those that last the longest first." },
    PARTNER: { value: "partner", description: "By the partner that supports the site today, those without one first." },
    DISTRICT: { value: "district", description: "By district." },
  } satisfies Record<string, { value: (typeof worklistOrders)[number]; description: string }>,
});

const seesAssessments = "For who may see assessments; null for others.";
const contact = `Of the latest assessment. ${seesAssessments}`;
export const WorklistEntry = builder.objectRef<acts.WorklistEntry>("WorklistEntry").implement({
  description: "A site where something is to be done.",
  fields: (t) => ({
    kind: t.field({ type: WorklistKindEnum, description: "What it is.", resolve: ({ kind }) => kind }),
    facility: t.field({
      type: Facility,
      description: "The site.",
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
    sinceDate: t.field({
      type: "Date",
      nullable: true,
      description: "Since when it stands on the list; null: it never sent a TDB.",
      resolve: ({ sinceDate }) => sinceDate,
    }),
    days: t.exposeInt("days", { nullable: true, description: "Days since then." }),
    lastVisitDate: t.field({
      type: "Date",
      nullable: true,
      description: "Day of the latest assessment.",
      resolve: ({ lastVisitDate }) => lastVisitDate,
    }),
    lastWorkedDate: t.field({
      type: "Date",
      nullable: true,
      description: "Of stopped and lostPower: the day of the last visit that found it working.",
      resolve: ({ lastWorkedDate }) => lastWorkedDate,
    }),
    lastTdbDate: t.field({
      type: "Date",
      nullable: true,
      description: "Day on which its latest TDB was made.",
      resolve: ({ lastTdbDate }) => lastTdbDate,
    }),
    libraryVersion: t.exposeString("libraryVersion", { nullable: true, description: "By the latest assessment." }),
    contactName: t.exposeString("contactName", { nullable: true, description: contact }),
    contactRole: t.exposeString("contactRole", { nullable: true, description: contact }),
    contactPhone: t.exposeString("contactPhone", { nullable: true, description: contact }),
    comment: t.exposeString("comment", { nullable: true, description: `The newest note. ${seesAssessments}` }),
    commentedDate: t.field({
      type: "Date",
      nullable: true,
      description: `When it was written. ${seesAssessments}`,
      resolve: ({ commentedDate }) => commentedDate,
    }),
    commentedBy: t.exposeString("commentedBy", {
      nullable: true,
      description: `Its author's user name. ${seesAssessments}`,
    }),
    snoozedUntil: t.field({
      type: "Date",
      nullable: true,
      description: "The day on which the entry is shown again.",
      resolve: ({ snoozedUntil }) => snoozedUntil,
    }),
    snoozed: t.exposeBoolean("snoozed", { description: "Whether it is hidden today." }),
  }),
});

const FacilityProblem = builder.objectRef<acts.FacilityProblem>("FacilityProblem").implement({
  description: "What is to be done about a facility: its entry of a work list, also one that is snoozed.",
  fields: (t) => ({
    kind: t.field({ type: WorklistKindEnum, description: "What it is.", resolve: ({ kind }) => kind }),
    sinceDate: t.field({
      type: "Date",
      nullable: true,
      description: "Since when it stands on the list; null: it never sent a TDB.",
      resolve: ({ sinceDate }) => sinceDate,
    }),
    days: t.exposeInt("days", { nullable: true, description: "Days since then." }),
    newestVersion: t.exposeString("newestVersion", {
      nullable: true,
      description: "The library version that is the newest today.",
    }),
  }),
});
builder.objectField(Facility, "problems", (t) =>
  t.field({
    type: [FacilityProblem],
    nullable: true,
    description: "What is to be done about it, by the work lists; empty when nothing is.",
    resolve: ({ facilityUuid }, _, context) => acts.loadProblems(context, facilityUuid),
  }),
);

type Note = Awaited<ReturnType<typeof acts.listWorklistNotes>>["rows"][number];
const WorklistNote = builder.objectRef<Note>("WorklistNote").implement({
  description: "What somebody noted about an entry of the work list.",
  fields: (t) => ({
    noteUuid: t.exposeString("noteUuid", { description: "Names the note." }),
    comment: t.exposeString("comment", { description: "Its text." }),
    snoozedUntil: t.field({
      type: "Date",
      nullable: true,
      description: "The day until which it snoozed the entry.",
      resolve: ({ snoozedUntil }) => snoozedUntil,
    }),
    writtenDate: t.field({
      type: "Date",
      description: "The day on which it was written.",
      resolve: ({ writtenDate }) => writtenDate,
    }),
    writtenTime: t.exposeString("writtenTime", { description: "The time of day, HH:MM." }),
    userName: t.exposeString("userName", { description: "Its author's user name." }),
  }),
});

const WorklistCount = builder.objectRef<acts.WorklistCount>("WorklistCount").implement({
  description: "How many entries of a kind there are.",
  fields: (t) => ({
    kind: t.field({ type: WorklistKindEnum, description: "Of this kind.", resolve: ({ kind }) => kind }),
    entries: t.exposeInt("entries", { description: "All, snoozed ones included." }),
    snoozed: t.exposeInt("snoozed", { description: "Of these, those that are hidden until a day." }),
  }),
});

builder.objectField(Situation, "worklist", (t) =>
  t.field({
    type: [WorklistCount],
    description: "How many sites need something done, by kind.",
    resolve: (situation, _, context) => acts.countEntries(context, situation.scope, situation),
  }),
);

const WorklistPartnerCounts = builder.objectRef<acts.WorklistPartnerCounts>("WorklistPartnerCounts").implement({
  description: "How many entries of each kind the facilities of a partner have, without snoozed ones.",
  fields: (t) => ({
    implementingPartner: t.field({
      type: ImplementingPartner,
      nullable: true,
      description: "Null: of facilities without a partner.",
      resolve: ({ implementingPartnerId }, _, context) =>
        implementingPartnerId === null ? null : readPartner(context, implementingPartnerId),
    }),
    ...Object.fromEntries(
      worklistKinds.map((kind) => [kind, t.exposeInt(kind, { description: worklist[kind].about })]),
    ),
  }),
});

builder.objectField(Situation, "worklistByPartner", (t) =>
  t.field({
    type: [WorklistPartnerCounts],
    extensions: { reads: everyFacilityReads },
    description:
      "The same by partner, without snoozed entries: every partner (of a place those that support facilities there), by name.",
    resolve: ({ scope }, _, context) => acts.listOpenByPartner(context, scope),
  }),
);

const right = "Needs viewAssessments, editAssessments or administrator: null with an error otherwise.";
builder.queryFields((t) => ({
  worklist: t.connection({
    type: WorklistEntry,
    nullable: true,
    extensions: { reads: everyFacilityReads },
    description: "Sites where something is to be done, those that last the longest first.",
    args: {
      kind: t.arg({ type: WorklistKindEnum, required: true, description: "What is to be done." }),
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int({ description: "Only facilities that this partner supports today." }),
      show: t.arg({ type: WorklistShow, defaultValue: "open", description: "Which of them." }),
      mine: t.arg.boolean({
        description:
          "true: only those with an open action that names the caller, or, if no action does, with one of the caller's partner. For who may see assessments.",
      }),
      orderBy: t.arg({ type: WorklistOrder, defaultValue: "age", description: "By age unless given." }),
      offset: t.arg.int(),
    },
    resolve: (
      _,
      { kind, provinceId, districtId, implementingPartnerId, show, mine, orderBy, ...page },
      context,
      info,
    ) => {
      const filter = parse(worklistFilterRules, {
        kind,
        provinceId,
        districtId,
        implementingPartnerId,
        show: show ?? undefined,
      });
      const view = { mine, orderBy: orderBy ?? undefined };
      return readConnection(
        acts.listWorklist,
        context,
        { ...filter, ...view, page: parse(connectionRules, page) },
        info,
      );
    },
  }),
  worklistNotes: t.connection({
    type: WorklistNote,
    nullable: true,
    description: `What people noted about an entry, the newest first. ${right}`,
    args: {
      kind: t.arg({ type: WorklistKindEnum, required: true, description: "Of the entry." }),
      facilityUuid: t.arg.string({ required: true, description: "Its site." }),
      offset: t.arg.int(),
    },
    resolve: (_, { kind, facilityUuid, ...page }, context, info) => {
      const asked = {
        kind: parse(worklistKindRule, kind, "kind"),
        facilityUuid: parse(facilityUuidRule, facilityUuid, "facilityUuid"),
      };
      return readConnection(acts.listWorklistNotes, context, { ...asked, page: parse(connectionRules, page) }, info);
    },
  }),
}));

const NotePayload = builder
  .objectRef<{ entry?: acts.WorklistEntry; errors: InputError[] }>("NoteWorklistEntryPayload")
  .implement({
    fields: (t) => ({
      entry: t.field({
        type: WorklistEntry,
        nullable: true,
        description: "The entry as it is then.",
        resolve: ({ entry }) => entry,
      }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const NoteInput = builder.inputType("NoteWorklistEntryInput", {
  description: "A note about an entry of the work list.",
  fields: (t) => ({
    facilityUuid: t.string({ required: true }),
    kind: t.field({ type: WorklistKindEnum, required: true, description: "Of the entry." }),
    comment: t.string({
      required: true,
      description: "What is to be known, or why it is snoozed: at most 512 characters.",
    }),
    snoozedUntil: t.field({
      type: "Date",
      description: "The day on which the entry is shown again; without it the entry is not snoozed, also if it was.",
    }),
  }),
});
builder.mutationField("noteWorklistEntry", (t) =>
  t.field({
    type: NotePayload,
    description:
      "Comments on an entry of the work list, or snoozes it until a day. Needs editAssessments or administrator.",
    args: { input: t.arg({ type: NoteInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        requireRight(context, "editFacility", "somewhere");
        return { entry: await acts.noteWorklistEntry(context, parse(worklistNoteInputRules, input)) };
      }),
  }),
);
