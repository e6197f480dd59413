import type { ObjectRef } from "@pothos/core";

import type { PageInput } from "../../db/page.ts";
import type { Context } from "../context.ts";
import { Facility, FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import type { Mode } from "../facility/facility.rules.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { connectionOf } from "../graphql/connection.ts";
import { loadNode } from "../graphql/node.ts";
import { connectionRules } from "../page.rules.ts";
import { parse } from "../parse.ts";
import { District, ImplementingPartner, Province, ServiceArea } from "../reference/reference.graphql.ts";
import type { Scope } from "../reference/reference.ts";
import * as assessment from "./assessment.ts";
import { assessmentFilterRules } from "./assessment.rules.ts";

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

const texts = [
  "primaryPowerNotes",
  "backupPowerNotes",
  "libraryVersion",
  "databaseVersion",
  "otherIssues",
  "closingComments",
  "contactAName",
  "contactARole",
  "contactAPrimaryPhone",
  "contactASecondaryPhone",
  "contactAEmail",
  "contactBName",
  "contactBRole",
  "contactBPrimaryPhone",
  "contactBSecondaryPhone",
  "contactBEmail",
] as const;
const textDescriptions: Partial<Record<(typeof texts)[number], string>> = {
  otherIssues: "General comments on the setup.",
  contactAName: "Name of the primary contact.",
  contactBName: "Name of the secondary contact.",
};
/** Yes, no, or (null) not said. */
const answers = [
  "primaryPower",
  "primaryPowerWorking",
  "backupPower",
  "backupPowerWorking",
  "smartCareFunctional",
  "libraryVersionConsistent",
] as const;

export const Assessment = builder.objectRef<assessment.AssessmentRow>("Assessment");
builder.node(Assessment, {
  description: "One visit's record of how the system runs at a facility.",
  id: { resolve: ({ assessmentUuid }) => assessmentUuid },
  loadOne: loadNode((id, context) => assessment.readAssessment(context, id)),
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
    ...Object.fromEntries(answers.map((name) => [name, t.exposeBoolean(name, { nullable: true })])),
    ...Object.fromEntries(
      texts.map((name) => [name, t.exposeString(name, { nullable: true, description: textDescriptions[name] })]),
    ),
    serviceAreaAssessments: t.field({
      type: [ServiceAreaAssessment],
      description: "By the name of the service area.",
      resolve: ({ assessmentUuid }, _, context) => assessment.loadServiceAreaAssessments(context, assessmentUuid),
    }),
  }),
});

const about = "Newest first. Needs viewAssessments, editAssessments or administrator: null with an error otherwise.";
const narrowing = {
  mode: { type: FunctionalityStatusMode, description: "Only those that found this mode." },
  start: { type: "Date", description: "First day of the visit." },
  end: { type: "Date", description: "Last day of the visit, included." },
} as const;

type Narrowing = { mode?: Mode | null; start?: string | null; end?: string | null };

async function assessmentsOf(context: Context, scope: Scope & { facilityUuid?: string | null }, args: Narrowing & PageInput) {
  const { mode, start, end, ...page } = args;
  const input = { ...parse(assessmentFilterRules, { ...scope, mode, start, end }), page: parse(connectionRules, page) };
  return connectionOf(await assessment.listAssessments(context, input));
}

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
      start: t.arg(narrowing.start),
      end: t.arg(narrowing.end),
      offset: t.arg.int(),
    },
    resolve: (_, { facilityUuid, provinceId, districtId, implementingPartnerId, ...rest }, context) =>
      assessmentsOf(context, { facilityUuid, provinceId, districtId, implementingPartnerId }, rest),
  }),
);

/** The edge from a facility, place or partner to its assessments. */
const assessmentsEdge = <Row>(
  parent: ObjectRef<SchemaTypes, Row>,
  scopeOf: (row: Row) => Scope & { facilityUuid?: string },
) =>
  builder.objectField(parent, "assessments", (t) =>
    t.connection({
      type: Assessment,
      nullable: true,
      description: about,
      args: {
        mode: t.arg(narrowing.mode),
        start: t.arg(narrowing.start),
        end: t.arg(narrowing.end),
        offset: t.arg.int(),
      },
      resolve: (row, args, context) => assessmentsOf(context, scopeOf(row), args),
    }),
  );

assessmentsEdge(Facility, ({ facilityUuid }) => ({ facilityUuid }));
assessmentsEdge(Province, ({ provinceId }) => ({ provinceId }));
assessmentsEdge(District, ({ districtId }) => ({ districtId }));
assessmentsEdge(ImplementingPartner, ({ implementingPartnerId }) => ({ implementingPartnerId }));
