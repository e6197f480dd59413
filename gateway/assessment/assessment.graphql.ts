import type { ObjectRef } from "@pothos/core";

import type { Edge, PageInput, ParentKey } from "../../db/page.ts";
import { Facility, FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import type { Mode } from "../facility/facility.rules.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { connectionBelow, connectionOf } from "../graphql/connection.ts";
import { loadNode } from "../graphql/node.ts";
import { connectionRules } from "../page.rules.ts";
import { parse } from "../parse.ts";
import { District, ImplementingPartner, Province, ServiceArea } from "../reference/reference.graphql.ts";
import type { Scope } from "../reference/reference.ts";
import { User } from "../user/user.graphql.ts";
import * as assessment from "./assessment.ts";
import { answerNames, assessmentFilterRules, type TextName, textLimits } from "./assessment.rules.ts";

/** Assessments: visits that record how the system runs at a facility. */

const ServiceAreaAssessment = builder.objectRef<assessment.ServiceAreaAssessmentRow>("ServiceAreaAssessment").implement({
  description: "What an assessment says about one service area of the facility.",
  fields: (t) => ({
    serviceAreaId: t.exposeInt("serviceAreaId"),
    serviceArea: t.field({ type: ServiceArea, resolve: ({ serviceAreaId, serviceArea }) => ({ serviceAreaId, serviceArea }) }),
    libraryVersion: t.exposeString("libraryVersion", { nullable: true }),
    databaseVersion: t.exposeString("databaseVersion", { nullable: true }),
    smartCareFunctional: t.exposeBoolean("smartCareFunctional", { nullable: true }),
    additionalNotes: t.exposeString("additionalNotes", { nullable: true }),
  }),
});

const AssessmentChange = builder.objectRef<assessment.RevisionRow["changes"][number]>("AssessmentChange").implement({
  description: "One field of an assessment that was changed.",
  fields: (t) => ({
    field: t.exposeString("field", { description: "Its name; serviceAreaAssessments.{serviceAreaId}.{name} for a service area." }),
    from: t.string({ nullable: true, description: "The value before, as text.", resolve: ({ from }) => (from === null ? null : String(from)) }),
    to: t.string({ nullable: true, description: "The value after, as text.", resolve: ({ to }) => (to === null ? null : String(to)) }),
  }),
});

const AssessmentRevision = builder.objectRef<assessment.RevisionRow>("AssessmentRevision").implement({
  description: "What somebody changed in an assessment at one time.",
  fields: (t) => ({
    version: t.exposeInt("version", { description: "The version that it made." }),
    userUuid: t.exposeString("userUuid", { description: "Who changed it." }),
    userName: t.exposeString("userName"),
    revisionDate: t.field({ type: "Date", resolve: ({ revisionDate }) => revisionDate }),
    revisionTime: t.exposeString("revisionTime", { description: "HH:MM in the ministry's zone." }),
    changes: t.field({ type: [AssessmentChange], resolve: ({ changes }) => changes }),
  }),
});

const textNames = Object.keys(textLimits) as TextName[];
const textDescriptions: Partial<Record<TextName, string>> = {
  otherIssues: "General comments on the setup.",
  contactAName: "Name of the primary contact.",
  contactBName: "Name of the secondary contact.",
};

export const Assessment = builder.objectRef<assessment.AssessmentRow>("Assessment");
builder.node(Assessment, {
  description: "One visit's record of how the system runs at a facility.",
  id: { resolve: ({ assessmentUuid }) => assessmentUuid },
  loadOne: loadNode((id, context) => assessment.loadAssessment(context, id)),
  fields: (t) => ({
    assessmentUuid: t.exposeString("assessmentUuid"),
    facilityUuid: t.exposeString("facilityUuid"),
    facility: t.field({ type: Facility, resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid) }),
    userUuid: t.exposeString("userUuid", { description: "Who made it." }),
    userName: t.exposeString("userName", { description: "The user name of who made it." }),
    assessmentDate: t.field({ type: "Date", description: "Day of the visit.", resolve: ({ assessmentDate }) => assessmentDate }),
    assessmentTime: t.exposeString("assessmentTime", { description: "Time of the visit, HH:MM in the ministry's zone." }),
    functionalityStatusMode: t.field({
      type: FunctionalityStatusMode,
      resolve: ({ functionalityStatusMode }) => functionalityStatusMode as Mode,
    }),
    dateOfLastUpgrade: t.field({ type: "Date", resolve: ({ dateOfLastUpgrade }) => dateOfLastUpgrade }),
    numberOfStaffTrainedInSmartCare: t.exposeInt("numberOfStaffTrainedInSmartCare"),
    latitude: t.exposeFloat("latitude", { nullable: true, description: "Degrees north." }),
    longitude: t.exposeFloat("longitude", { nullable: true, description: "Degrees east." }),
    version: t.exposeInt("version", { description: "Counts its changes, from 1." }),
    ...Object.fromEntries(answerNames.map((name) => [name, t.exposeBoolean(name, { nullable: true })])),
    ...Object.fromEntries(
      textNames.map((name) => [name, t.exposeString(name, { nullable: true, description: textDescriptions[name] })]),
    ),
    serviceAreaAssessments: t.field({
      type: [ServiceAreaAssessment],
      description: "By the name of the service area.",
      resolve: ({ assessmentUuid }, _, context) => assessment.loadServiceAreaAssessments(context, assessmentUuid),
    }),
    revisions: t.field({
      type: [AssessmentRevision],
      description: "Who changed what, the last change first.",
      resolve: ({ assessmentUuid }, _, context) => assessment.loadRevisions(context, assessmentUuid),
    }),
  }),
});

const about = "Newest first. Needs viewAssessments, editAssessments or administrator: null with an error otherwise.";
const AssessmentSort = builder.enumType("AssessmentSort", {
  values: {
    NEWEST: { value: "newest", description: "The latest visit first." },
    OLDEST: { value: "oldest", description: "The earliest visit first." },
    FACILITY: { value: "facility", description: "By the facility's name, then by visit." },
  } as const,
});

const narrowing = {
  mode: { type: FunctionalityStatusMode, description: "Only those that found this mode." },
  smartCareFunctional: { description: "Only those that found SmartCare functional (true) or not (false)." },
  userUuid: { description: "Only those that this person made." },
  start: { type: "Date", description: "First day of the visit." },
  end: { type: "Date", description: "Last day of the visit, included." },
  sort: { type: AssessmentSort, description: "NEWEST unless given." },
} as const;

type Narrowing = {
  mode?: Mode | null;
  smartCareFunctional?: boolean | null;
  userUuid?: string | null;
  start?: string | null;
  end?: string | null;
  sort?: assessment.AssessmentSort | null;
};

function asked(scope: Scope & { facilityUuid?: string | null }, args: Narrowing & PageInput) {
  const { mode, smartCareFunctional, userUuid, start, end, sort, ...page } = args;
  const filter = parse(assessmentFilterRules, { ...scope, mode, smartCareFunctional, userUuid, start, end });
  return { ...filter, sort, page: parse(connectionRules, page) };
}

builder.queryField("assessment", (t) =>
  t.field({
    type: Assessment,
    nullable: true,
    args: { assessmentUuid: t.arg.string({ required: true }) },
    resolve: (_, { assessmentUuid }, context) => assessment.readAssessment(context, assessmentUuid),
  }),
);

builder.queryField("assessments", (t) =>
  t.connection({
    type: Assessment,
    nullable: true,
    description: about,
    args: {
      facilityUuid: t.arg.string(),
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int({ description: "Only of facilities that this partner supports today." }),
      mode: t.arg(narrowing.mode),
      smartCareFunctional: t.arg.boolean(narrowing.smartCareFunctional),
      userUuid: t.arg.string(narrowing.userUuid),
      start: t.arg(narrowing.start),
      end: t.arg(narrowing.end),
      sort: t.arg(narrowing.sort),
      offset: t.arg.int(),
    },
    resolve: async (_, { facilityUuid, provinceId, districtId, implementingPartnerId, ...rest }, context) =>
      connectionOf(
        await assessment.listAssessments(context, asked({ facilityUuid, provinceId, districtId, implementingPartnerId }, rest)),
      ),
  }),
);

/** The edge from a facility, place, partner or person to their assessments. */
const assessmentsEdge = <Row>(
  parent: ObjectRef<SchemaTypes, Row>,
  keyOf: (row: Row) => Partial<Record<Edge, ParentKey>>,
) =>
  builder.objectField(parent, "assessments", (t) =>
    t.connection({
      type: Assessment,
      nullable: true,
      description: about,
      args: {
        mode: t.arg(narrowing.mode),
        smartCareFunctional: t.arg.boolean(narrowing.smartCareFunctional),
        start: t.arg(narrowing.start),
        end: t.arg(narrowing.end),
        sort: t.arg(narrowing.sort),
        offset: t.arg.int(),
      },
      resolve: (row, args, context) => connectionBelow(context, assessment.listAssessments, keyOf(row), asked({}, args)),
    }),
  );

assessmentsEdge(Facility, ({ facilityUuid }) => ({ facilityUuid }));
assessmentsEdge(Province, ({ provinceId }) => ({ provinceId }));
assessmentsEdge(District, ({ districtId }) => ({ districtId }));
assessmentsEdge(ImplementingPartner, ({ implementingPartnerId }) => ({ implementingPartnerId }));
assessmentsEdge(User, ({ userUuid }) => ({ userUuid }));
