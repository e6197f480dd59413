import { Action } from "../action/action.graphql.ts";
import { Assessment } from "../assessment/assessment.graphql.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { builder } from "../graphql/builder.ts";
import { mostRows } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { Download } from "../download/download.graphql.ts";
import { Rollout } from "../fleet/fleet.graphql.ts";
import { District, ImplementingPartner, Province } from "../reference/reference.graphql.ts";
import { Target } from "../target/target.graphql.ts";
import { User } from "../user/user.graphql.ts";
import { Tdb } from "../tdb/tdb.graphql.ts";
import { type Change as ChangeRow, type ChangedRecord, type Changes as ChangesRow, awaitChanges } from "./change.ts";
import { changeArgumentRules, type ChangeKind } from "./change.rules.ts";

/** The feed of changes as a query. */

const kindDescriptions: Record<ChangeKind, string> = {
  facility: "A facility's name, codes, place, partner and kind.",
  facilitySettings: "A facility's partner, active service areas and the other fields that can be edited with them.",
  facilityConnectivity: "How a facility is connected.",
  assessment: "A visit's record. Needs viewAssessments, editAssessments or administrator.",
  tdb: "The record of a TDB. Needs uploadTdbs or administrator.",
  province: "A province. Included only if asked for.",
  district: "A district. Included only if asked for.",
  implementingPartner: "An implementing partner. Included only if asked for.",
  user: "A person: of one's own partner with manageUsers, everybody for administrators. Included only if asked for.",
  download: "A file that is handed out. Needs accessDownloads or administrator. Included only if asked for.",
  target: "The share of facilities that is aimed at in a fiscal year. Included only if asked for.",
  release:
    "Which version a file brings a site to; its node is the download. Needs accessDownloads or administrator. Included only if asked for.",
  rollout:
    "Which sites should get which version. Needs viewAssessments, editAssessments, uploadTdbs or administrator. Included only if asked for.",
  action:
    "What was agreed to mend something at a facility. Needs viewAssessments, editAssessments or administrator. Included only if asked for.",
};
const ChangeKindType = builder.enumType("ChangeKind", {
  description: "The kinds of records in the feed of changes. A facility has three parts, which change separately.",
  values: Object.fromEntries(
    Object.entries(kindDescriptions).map(([kind, description]) => [
      kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
      { value: kind as ChangeKind, description },
    ]),
  ),
});

const ChangeAction = builder.enumType("ChangeAction", {
  description: "What happened to an entity. Created and changed are both to be stored under kind and key.",
  values: {
    CREATED: { value: "created", description: "It is new since the cursor from which the caller began." },
    CHANGED: { value: "changed", description: "It was there and is different." },
    WITHDRAWN: { value: "withdrawn", description: "It is no longer there." },
  } as const,
});

/** The row of a record, in the shape that the GraphQL type of its kind resolves. */
const nodeOf = (record: ChangedRecord) => {
  switch (record.kind) {
    case "assessment":
      return record.assessment;
    case "tdb":
      return record.tdb;
    case "province":
      return record.province;
    case "district":
      return record.district;
    case "implementingPartner":
      return record.partner;
    case "user":
      return record.user;
    case "download":
    case "release":
      return record.download;
    case "rollout":
      return record.rollout;
    case "target":
      return record.target;
    case "action":
      return record.action;
    default:
      return record.facility;
  }
};
/** The GraphQL types of rows: a row has the first type whose column it has, or else Province. */
const typesByColumn = [
  ["actionUuid", "Action"],
  ["assessmentUuid", "Assessment"],
  ["fileType", "Download"],
  ["percentage", "Rollout"],
  ["measure", "Target"],
  ["sha256", "Tdb"],
  ["facilityName", "Facility"],
  ["firstName", "User"],
  ["districtId", "District"],
  ["implementingPartnerId", "ImplementingPartner"],
] as const;
const ChangedNode = builder.unionType("ChangedNode", {
  description: "What a change is about.",
  types: [Facility, Assessment, Tdb, Province, District, ImplementingPartner, User, Download, Target, Rollout, Action],
  resolveType: (row) => typesByColumn.find(([column]) => column in row)?.[1] ?? "Province",
});

const Change = builder.objectRef<ChangeRow>("Change").implement({
  description: "One change of the feed.",
  fields: (t) => ({
    kind: t.field({ type: ChangeKindType, description: "What it is about.", resolve: ({ kind }) => kind }),
    action: t.field({ type: ChangeAction, description: "What happened.", resolve: ({ action }) => action }),
    key: t.exposeString("key", {
      description: "facilityUuid, assessmentUuid or the uuid or number of the other kinds, by kind.",
    }),
    changedAt: t.exposeString("changedAt", { description: "When it happened, an instant in UTC (ISO 8601)." }),
    node: t.field({
      type: ChangedNode,
      nullable: true,
      description: "What it is now: the facility, assessment or TDB; null when it was withdrawn.",
      resolve: ({ record }) => record && nodeOf(record),
    }),
  }),
});

const Changes = builder.objectRef<ChangesRow>("Changes").implement({
  description: "A part of the feed of changes.",
  fields: (t) => ({
    kinds: t.field({
      type: [ChangeKindType],
      description: "What this answer covers: the kinds that were asked for and may be read.",
      resolve: ({ kinds }) => kinds,
    }),
    changes: t.field({
      type: [Change],
      description: "In the order of the feed.",
      resolve: ({ changes }) => changes,
    }),
    cursor: t.exposeString("cursor", { description: "To be given as `since` next time." }),
    hasMore: t.exposeBoolean("hasMore", { description: "Whether there is more by now: ask again at once." }),
  }),
});

builder.queryField("changes", (t) =>
  t.field({
    type: Changes,
    nullable: true,
    description:
      "What was created, changed or withdrawn since a cursor, in one order: facilities, their settings and connectivity, assessments and TDBs. " +
      "The twin of GET /api/v1/changes, where the rules are described. A change is sent when every transaction that began before it has ended.",
    args: {
      since: t.arg.string({
        description: "The cursor of the answer before; without it everything is sent, from the beginning.",
      }),
      limit: t.arg.int({ description: `At most so many changes, 1 to ${mostRows}; ${mostRows} unless given.` }),
      wait: t.arg.int({
        description:
          "Where there is nothing new, wait so many seconds for it, at most 50: the answer comes as soon as there is a change.",
      }),
      kinds: t.arg({
        type: [ChangeKindType],
        description: "Only these; unless given, those of facilities, assessments and TDBs that you may read.",
      }),
    },
    resolve: (_, args, context) => {
      const { limit, ...rest } = parse(changeArgumentRules, args);
      return awaitChanges(context, { ...rest, limit: limit ?? mostRows });
    },
  }),
);
