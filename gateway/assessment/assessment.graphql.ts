import type { ObjectRef } from "@pothos/core";

import type { Edge, PageInput, ParentKey } from "../../db/list/page.ts";
import { Facility, FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import { FacilityAnswerEnum } from "../facility/facilityFilter.graphql.ts";
import type { Mode } from "../facility/facility.rules.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { connectionsBelow, readConnection } from "../graphql/connection.ts";
import { loadNode } from "../graphql/node.ts";
import { connectionRules } from "../input/page.rules.ts";
import { heldArgument, setAsideArgument } from "../input/setAside.rules.ts";
import { parse } from "../input/parse.ts";
import { countedReads } from "../reading/reads.rules.ts";
import { District, ImplementingPartner, Province, ServiceArea } from "../reference/reference.graphql.ts";
import type { Scope } from "../reference/reference.ts";
import { User } from "../user/user.graphql.ts";
import { loadUser } from "../user/user.ts";
import * as assessment from "./assessment.ts";
import { type AnswerName, answerNames, assessmentFilterRules, type TextName, textLimits } from "./assessment.rules.ts";
import { answerDescriptions, areaDescriptions, positionDescriptions, textDescriptions } from "./descriptions.rules.ts";
import { instantText } from "./visitTime.rules.ts";

/** Assessments: visits that record how the system runs at a facility. */

export const ServiceAreaAssessment = builder
  .objectRef<assessment.ServiceAreaAssessmentRow>("ServiceAreaAssessment")
  .implement({
    description: "What an assessment says about one service area of the facility.",
    fields: (t) => ({
      serviceAreaId: t.exposeInt("serviceAreaId", { description: "The service area that this is about." }),
      serviceArea: t.field({
        type: ServiceArea,
        description: "The service area that this is about.",
        resolve: ({ serviceAreaId, serviceArea }) => ({ serviceAreaId, serviceArea }),
      }),
      libraryVersion: t.exposeString("libraryVersion", {
        nullable: true,
        description: areaDescriptions.libraryVersion,
      }),
      databaseVersion: t.exposeString("databaseVersion", {
        nullable: true,
        description: areaDescriptions.databaseVersion,
      }),
      smartCareFunctional: t.exposeBoolean("smartCareFunctional", {
        nullable: true,
        description: areaDescriptions.smartCareFunctional,
      }),
      additionalNotes: t.exposeString("additionalNotes", {
        nullable: true,
        description: areaDescriptions.additionalNotes,
      }),
    }),
  });

const AssessmentChange = builder.objectRef<assessment.RevisionRow["changes"][number]>("AssessmentChange").implement({
  description: "One field of an assessment that was changed.",
  fields: (t) => ({
    field: t.exposeString("field", {
      description: "Its name; serviceAreaAssessments.{serviceAreaId}.{name} for a service area.",
    }),
    from: t.string({
      nullable: true,
      description: "The value before, as text.",
      resolve: ({ from }) => (from === null ? null : String(from)),
    }),
    to: t.string({
      nullable: true,
      description: "The value after, as text.",
      resolve: ({ to }) => (to === null ? null : String(to)),
    }),
  }),
});

const userAbout = "The person's record: one's own, or of somebody whom one manages; null for others.";

const AssessmentRevision = builder.objectRef<assessment.RevisionRow>("AssessmentRevision").implement({
  description: "What somebody changed in an assessment at one time.",
  fields: (t) => ({
    version: t.exposeInt("version", { description: "The version that it made." }),
    userUuid: t.exposeString("userUuid", { description: "Who changed it." }),
    userName: t.exposeString("userName", { description: "The user name of who changed it." }),
    user: t.field({
      type: User,
      nullable: true,
      description: userAbout,
      resolve: ({ userUuid }, _, context) => loadUser(context, userUuid),
    }),
    revisionDate: t.field({
      type: "Date",
      description: "Day of the change.",
      resolve: ({ revisionDate }) => revisionDate,
    }),
    revisionTime: t.exposeString("revisionTime", { description: "HH:MM in the ministry's zone." }),
    changes: t.field({
      type: [AssessmentChange],
      description: "Each field that was changed.",
      resolve: ({ changes }) => changes,
    }),
  }),
});

const textNames = Object.keys(textLimits) as TextName[];

export const Assessment = builder.objectRef<assessment.AssessmentRow>("Assessment");
builder.node(Assessment, {
  description: "One visit's record of how the system runs at a facility.",
  id: { resolve: ({ assessmentUuid }) => assessmentUuid },
  loadOne: loadNode((id, context) => assessment.loadAssessment(context, id)),
  fields: (t) => ({
    assessmentUuid: t.exposeString("assessmentUuid", { description: "Its UUID, as REST names it." }),
    facilityUuid: t.exposeString("facilityUuid", { description: "The facility that was visited." }),
    facility: t.field({
      type: Facility,
      description: "The facility that was visited.",
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
    userUuid: t.exposeString("userUuid", { description: "Who made it." }),
    userName: t.exposeString("userName", { description: "The user name of who made it." }),
    user: t.field({
      type: User,
      nullable: true,
      description: userAbout,
      resolve: ({ userUuid }, _, context) => loadUser(context, userUuid),
    }),
    assessmentDate: t.field({
      type: "Date",
      description: "Day of the visit.",
      resolve: ({ assessmentDate }) => assessmentDate,
    }),
    assessmentTime: t.exposeString("assessmentTime", {
      description: "Time of the visit, HH:MM in the ministry's zone.",
    }),
    assessedAt: t.string({
      description: "Time of the visit as an instant, ISO 8601 in UTC.",
      resolve: ({ assessedAt }) => instantText(assessedAt),
    }),
    receivedAt: t.string({
      description:
        "When the server received it, ISO 8601 in UTC: later than the visit where it was recorded without network.",
      resolve: ({ receivedAt }) => instantText(receivedAt),
    }),
    receivedDate: t.field({
      type: "Date",
      description: "Day of receipt.",
      resolve: ({ receivedDate }) => receivedDate,
    }),
    receivedTime: t.exposeString("receivedTime", { description: "Time of receipt, HH:MM in the ministry's zone." }),
    functionalityStatusMode: t.field({
      type: FunctionalityStatusMode,
      description: "The deployment mode that was found.",
      resolve: ({ functionalityStatusMode }) => functionalityStatusMode as Mode,
    }),
    dateOfLastUpgrade: t.field({
      type: "Date",
      description: "Day of the last upgrade; 1900-01-01 where it is not known.",
      resolve: ({ dateOfLastUpgrade }) => dateOfLastUpgrade,
    }),
    numberOfStaffTrainedInSmartCare: t.exposeInt("numberOfStaffTrainedInSmartCare", {
      description: "People, 0 to 10,000.",
    }),
    latitude: t.exposeFloat("latitude", { nullable: true, description: positionDescriptions.latitude }),
    longitude: t.exposeFloat("longitude", { nullable: true, description: positionDescriptions.longitude }),
    positionAccuracy: t.exposeFloat("positionAccuracy", {
      nullable: true,
      description: positionDescriptions.positionAccuracy,
    }),
    distanceFromFacility: t.exposeFloat("distanceFromFacility", {
      nullable: true,
      description: positionDescriptions.distanceFromFacility,
    }),
    positionAt: t.exposeString("positionAt", { nullable: true, description: positionDescriptions.positionAt }),
    version: t.exposeInt("version", { description: "Counts its changes, from 1." }),
    ...Object.fromEntries(
      answerNames.map((name) => [
        name,
        t.exposeBoolean(name, { nullable: true, description: answerDescriptions[name] }),
      ]),
    ),
    ...Object.fromEntries(
      textNames.map((name) => [name, t.exposeString(name, { nullable: true, description: textDescriptions[name] })]),
    ),
    serviceAreaAssessments: t.field({
      type: [ServiceAreaAssessment],
      description: "By the name of the service area.",
      resolve: ({ assessmentUuid, serviceAreaAssessments }, _, context) =>
        serviceAreaAssessments ?? assessment.loadServiceAreaAssessments(context, assessmentUuid),
    }),
    revisions: t.field({
      type: [AssessmentRevision],
      description: "Who changed what, the last change first.",
      resolve: ({ assessmentUuid, version }, _, context) =>
        version === 1 ? [] : assessment.loadRevisions(context, assessmentUuid),
    }),
  }),
});

const about =
  "Newest first unless sorted. Needs viewAssessments, editAssessments or administrator: null with an error otherwise.";
const AssessmentSort = builder.enumType("AssessmentSort", {
  description: "The order of a list of assessments.",
  values: {
    ASSESSED_ASC: { value: "oldest", description: "The earliest visit first." },
    ASSESSED_DESC: { value: "newest", description: "The latest visit first." },
    FACILITY_ASC: { value: "facility", description: "By the facility's name, then by visit." },
    FACILITY_DESC: {
      value: "facilityDescending",
      description: "By the facility's name from Z to A, then the latest visit first.",
    },
    MODE_ASC: { value: "mode", description: "By the value of functionalityStatusMode, then by visit." },
    MODE_DESC: {
      value: "modeDescending",
      description: "By the value of functionalityStatusMode from Z to A, then the latest visit first.",
    },
    NEWEST: {
      value: "newest",
      description: "The latest visit first.",
      deprecationReason: "ASSESSED_DESC is the same. Goes on 1 July 2027.",
    },
    OLDEST: {
      value: "oldest",
      description: "The earliest visit first.",
      deprecationReason: "ASSESSED_ASC is the same. Goes on 1 July 2027.",
    },
    FACILITY: {
      value: "facility",
      description: "By the facility's name, then by visit.",
      deprecationReason: "FACILITY_ASC is the same. Goes on 1 July 2027.",
    },
    MODE: {
      value: "mode",
      description: "By the value of functionalityStatusMode, then by visit.",
      deprecationReason: "MODE_ASC is the same. Goes on 1 July 2027.",
    },
  } as const,
});

const narrowing = {
  facilityUuid: { description: "Only those of this facility." },
  provinceId: { description: "Only of facilities of this province." },
  districtId: { description: "Only of facilities of this district." },
  implementingPartnerId: { description: "Only of facilities that this partner supports today." },
  mode: { type: FunctionalityStatusMode, description: "Only those that found this mode." },
  smartCareFunctional: {
    description: "Only those that found that SmartCare works (true) or that it does not (false).",
  },
  search: {
    description:
      "Only those with this text in a note (on power, of a service area, other issues, closing comments), in any case; at least 3 characters.",
  },
  userUuid: { description: "Only those that this person made." },
  start: { type: "Date", description: "First day of the visit." },
  end: { type: "Date", description: "Last day of the visit, included." },
  sort: { type: AssessmentSort, description: "ASSESSED_DESC unless given." },
  offset: { description: "Rows to skip, for numbered pages." },
} as const;

type Narrowing = {
  mode?: Mode | null;
  modes?: Mode[] | null;
  smartCareFunctional?: boolean | null;
  notRecorded?: AnswerName[] | null;
  search?: string | null;
  setAside?: boolean | null;
  held?: boolean | null;
  userUuid?: string | null;
  start?: string | null;
  end?: string | null;
  sort?: assessment.AssessmentSort | null;
};

type Asked = Scope & Narrowing & { facilityUuid?: string | null } & PageInput;

function asked({ facilityUuid, provinceId, districtId, implementingPartnerId, ...args }: Asked) {
  const { mode, modes, smartCareFunctional, notRecorded, search, setAside, held, userUuid, start, end, sort, ...page } =
    args;
  const scope = { facilityUuid, provinceId, districtId, implementingPartnerId };
  const filter = parse(assessmentFilterRules, {
    ...scope,
    mode,
    modes,
    smartCareFunctional,
    notRecorded,
    search,
    setAside,
    held,
    userUuid,
    start,
    end,
  });
  return { ...filter, sort, page: parse(connectionRules, page) };
}

builder.queryField("assessment", (t) =>
  t.field({
    type: Assessment,
    nullable: true,
    description:
      "One assessment. Needs viewAssessments, editAssessments or administrator: null with an error otherwise.",
    args: { assessmentUuid: t.arg.string({ required: true, description: "Its UUID." }) },
    resolve: (_, { assessmentUuid }, context) => assessment.readAssessment(context, assessmentUuid),
  }),
);

type ArgBuilder = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, unknown>["arg"];
/** The filters and sort orders of every list of assessments. */
const commonArgs = (arg: ArgBuilder) => ({
  mode: arg(narrowing.mode),
  modes: arg({ type: [FunctionalityStatusMode], description: "Only those that found one of these modes." }),
  smartCareFunctional: arg.boolean(narrowing.smartCareFunctional),
  notRecorded: arg({
    type: [FacilityAnswerEnum],
    description: "Only those that record no answer to any of these questions.",
  }),
  search: arg.string(narrowing.search),
  setAside: arg.boolean(setAsideArgument),
  held: arg.boolean(heldArgument),
  start: arg(narrowing.start),
  end: arg(narrowing.end),
  sort: arg(narrowing.sort),
  offset: arg.int(narrowing.offset),
});
const facilityArg = (arg: ArgBuilder) => ({ facilityUuid: arg.string(narrowing.facilityUuid) });
const provinceArg = (arg: ArgBuilder) => ({ provinceId: arg.int(narrowing.provinceId) });
const districtArg = (arg: ArgBuilder) => ({ districtId: arg.int(narrowing.districtId) });
const partnerArg = (arg: ArgBuilder) => ({ implementingPartnerId: arg.int(narrowing.implementingPartnerId) });
const userArg = (arg: ArgBuilder) => ({ userUuid: arg.string(narrowing.userUuid) });

builder.queryField("assessments", (t) =>
  t.connection({
    type: Assessment,
    nullable: true,
    extensions: { reads: countedReads(({ assessments, firstVisit }) => ({ rows: assessments, first: firstVisit })) },
    description: about,
    args: {
      ...facilityArg(t.arg),
      ...provinceArg(t.arg),
      ...districtArg(t.arg),
      ...partnerArg(t.arg),
      ...userArg(t.arg),
      ...commonArgs(t.arg),
    },
    resolve: (_, args, context, info) => readConnection(assessment.listAssessments, context, asked(args), info),
  }),
);

const assessmentsBelow = connectionsBelow(assessment.listAssessments, asked);

/**
 * The edge from a facility, place, partner or person to their assessments. The part of the filter that the parent
 * determines is no argument.
 */
const assessmentsEdge = <Row>(
  parent: ObjectRef<SchemaTypes, Row>,
  argsOf: (arg: ArgBuilder) => ReturnType<typeof commonArgs>,
  keyOf: (row: Row) => Partial<Record<Edge, ParentKey>>,
) =>
  builder.objectField(parent, "assessments", (t) =>
    t.connection({
      type: Assessment,
      nullable: true,
      description: about,
      args: argsOf(t.arg),
      resolve: (row, args, context, info) => assessmentsBelow(context, keyOf(row), args, info),
    }),
  );

assessmentsEdge(
  Facility,
  (arg) => ({ ...userArg(arg), ...commonArgs(arg) }),
  ({ facilityUuid }) => ({ facilityUuid }),
);
assessmentsEdge(
  Province,
  (arg) => ({ ...districtArg(arg), ...partnerArg(arg), ...userArg(arg), ...commonArgs(arg) }),
  ({ provinceId }) => ({ provinceId }),
);
assessmentsEdge(
  District,
  (arg) => ({ ...partnerArg(arg), ...userArg(arg), ...commonArgs(arg) }),
  ({ districtId }) => ({ districtId }),
);
assessmentsEdge(
  ImplementingPartner,
  (arg) => ({ ...provinceArg(arg), ...districtArg(arg), ...userArg(arg), ...commonArgs(arg) }),
  ({ implementingPartnerId }) => ({ implementingPartnerId }),
);
assessmentsEdge(
  User,
  (arg) => ({ ...facilityArg(arg), ...provinceArg(arg), ...districtArg(arg), ...partnerArg(arg), ...commonArgs(arg) }),
  ({ userUuid }) => ({ userUuid }),
);
