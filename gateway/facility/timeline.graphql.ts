import type { PageInput } from "../../db/list/page.ts";
import { builder } from "../graphql/builder.ts";
import { connectionsBelow } from "../graphql/connection.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { Facility } from "./facility.graphql.ts";
import * as acts from "./timeline.ts";
import { type TimelineChange, type TimelineKind, timelineKinds } from "./timeline.rules.ts";

/** The timeline of a facility. */

const about: Record<TimelineKind, string> = {
  visit: "Visits, and corrections of their records. For everybody, without who made them.",
  upgrade: "Visits that found another library version than the one before. For everybody.",
  tdb: "TDBs, on the day on which they were made. Needs uploadTdbs.",
  note: "Notes on entries of the work list. Needs viewAssessments.",
  action: "Actions, when they were agreed and when they were closed. Needs viewAssessments.",
  configuration: "Changes of settings and connectivity. Needs administrator.",
  registry: "Changes in the registry. Needs administrator.",
};
const TimelineKindEnum = builder.enumType("TimelineKind", {
  description: "What an entry of a timeline is about.",
  values: Object.fromEntries(
    timelineKinds.map((kind) => [kind.toUpperCase(), { value: kind, description: about[kind] }]),
  ) as Record<string, { value: TimelineKind; description: string }>,
});

const textOf = (value: TimelineChange["from"]) => (value === null ? null : String(value));
const Change = builder.objectRef<TimelineChange>("TimelineChange").implement({
  description: "A value that differs from the one before.",
  fields: (t) => ({
    field: t.exposeString("field", { description: "Its name." }),
    from: t.string({ nullable: true, description: "The value before, as text.", resolve: ({ from }) => textOf(from) }),
    to: t.string({ nullable: true, description: "The value after, as text.", resolve: ({ to }) => textOf(to) }),
  }),
});

const forVisitors = "For who may see assessments; null for others.";
const TimelineEntry = builder.objectRef<acts.TimelineEntry>("TimelineEntry").implement({
  description: "Something that happened at a facility.",
  fields: (t) => ({
    id: t.id({ description: "Names the entry.", resolve: ({ id }) => id }),
    kind: t.field({ type: TimelineKindEnum, description: "What it is about.", resolve: ({ kind }) => kind }),
    event: t.exposeString("event", {
      description:
        "What happened: firstVisit, visit, correction, upgrade, firstTdb, tdb, note, agreed, done, dropped, import.add, import.change, or the name of the audit's event, such as facility.settings.",
    }),
    date: t.field({ type: "Date", description: "The day.", resolve: ({ date }) => date }),
    time: t.exposeString("time", { description: "HH:MM in the ministry's zone." }),
    userName: t.exposeString("userName", {
      nullable: true,
      description: `The user name of who did it. Of visits: ${forVisitors}`,
    }),
    assessmentUuid: t.exposeString("assessmentUuid", {
      nullable: true,
      description: `The visit that it is about, or at which it was agreed or found done. ${forVisitors}`,
    }),
    text: t.exposeString("text", {
      nullable: true,
      description:
        "Of a note or an action its text, of a TDB or an import the name of its file, of a merge the other facility.",
    }),
    about: t.exposeString("about", {
      nullable: true,
      description: "Of a note: the kind of the entry of the work list, as REST names it.",
    }),
    setAsideReason: t.exposeString("setAsideReason", {
      nullable: true,
      description: "Why the visit or TDB was set aside: no figure counts it, and nothing is compared with it.",
    }),
    held: t.exposeString("held", {
      nullable: true,
      description: "Why the visit or TDB is held: no figure counts it until an administrator accepts it.",
    }),
    compared: t.boolean({
      description: "Whether `from` tells what was before; false where nothing was before.",
      resolve: ({ isCompared }) => isCompared,
    }),
    changes: t.field({
      type: [Change],
      description: "What differs from before; empty if nothing does.",
      resolve: ({ changes }) => changes,
    }),
  }),
});

type Asked = { kind?: TimelineKind | null | undefined } & PageInput;
const timelineOf = connectionsBelow(acts.listTimeline, ({ kind, ...page }: Asked) => ({
  kind: kind ?? null,
  page: parse(connectionRules, page),
}));

builder.objectField(Facility, "timeline", (t) =>
  t.connection({
    type: TimelineEntry,
    nullable: true,
    description:
      "What happened at it, the newest first, as far as the caller may see it. A kind that the caller may not see is null with an error.",
    args: {
      kind: t.arg({ type: TimelineKindEnum, description: "Only entries of this kind." }),
      offset: t.arg.int(),
    },
    resolve: ({ facilityUuid }, args, context, info) => timelineOf(context, { facilityUuid }, args, info),
  }),
);
