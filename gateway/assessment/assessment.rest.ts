import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { facilityUuidRule, modeRule } from "../facility/facility.rules.ts";
import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { HeldBody, SetAsideBody } from "../input/setAside.rules.ts";
import { dateRangeRules, dateRangeShape, inOrder } from "../calendar/period.rules.ts";
import { sampleUuid } from "../rest/description/samples.ts";
import { fileShape, sendTable, tableTypes } from "../rest/table.ts";
import { expectMatch } from "../rest/etag.ts";
import { featureOf, geojsonType, sendFeatures } from "../rest/geojson.ts";
import { mapRows, sendNdjson } from "../rest/lines.ts";
import { linkNextOf, sendList } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import * as assessment from "./assessment.ts";
import {
  answerNames,
  areaTextLimits,
  assessmentChangeRules,
  type AssessmentFilter,
  newAssessmentRules,
  type TextName,
  textLimits,
} from "./assessment.rules.ts";
import type { Content } from "./content.rules.ts";
import { positionDescriptions } from "./descriptions.rules.ts";
import { assessmentListRules, assessmentScopeRules } from "./assessmentQuery.rules.ts";
import { exportAssessment, exportAssessments, exportAssessmentStates } from "./exportAssessments.ts";
import { createAssessment, updateAssessment } from "./saveAssessment.ts";
import { instantText } from "./visitTime.rules.ts";

/** Routes of assessments. */

const aboutVisit = z.string().describe("The time of the visit as an instant, ISO 8601 in UTC");
const aboutReceipt = z
  .string()
  .describe("When the server received it: later than the visit where it was recorded without network. ISO 8601 in UTC");
const PastAssessment = z
  .object({
    uuid: z.string(),
    facilityUuid: z.string(),
    assessmentDate: z.string().describe("YYYY-MM-DD"),
    assessmentTime: z.string().describe("HH:MM"),
    assessedAt: aboutVisit,
    receivedAt: aboutReceipt,
    userName: z.string(),
    setAside: SetAsideBody,
    held: HeldBody,
  })
  .meta({ id: "AssessmentListItem" });

const nullable = <Name extends string, Rule extends z.ZodType>(names: readonly Name[], rule: Rule) =>
  Object.fromEntries(names.map((name) => [name, rule.nullable()])) as Record<Name, z.ZodNullable<Rule>>;
type RequiredName = "functionalityStatusMode" | "dateOfLastUpgrade" | "numberOfStaffTrainedInSmartCare";
const content = {
  ...nullable(answerNames, z.boolean()),
  ...nullable(Object.keys(textLimits) as TextName[], z.string()),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  positionAccuracy: z.number().nullable().describe("Radius in metres; null where it is not recorded"),
  positionAt: z
    .string()
    .nullable()
    .describe("When the device found the position, ISO 8601 in UTC; null where it is not recorded"),
  serviceAreaAssessments: z.array(
    z.object({
      serviceAreaId: z.number(),
      smartCareFunctional: z.boolean().nullable(),
      ...nullable(Object.keys(areaTextLimits) as (keyof typeof areaTextLimits)[], z.string()),
    }),
  ),
} satisfies Record<Exclude<keyof Content, RequiredName>, z.ZodType>;
export const AssessmentBody = z
  .object({
    assessmentUuid: z.string(),
    facilityUuid: z.string(),
    userUuid: z.string().describe("Who made it"),
    userName: z.string(),
    assessmentDate: z.string().describe("Day of the visit, YYYY-MM-DD"),
    assessmentTime: z.string().describe("HH:MM"),
    assessedAt: aboutVisit,
    receivedAt: aboutReceipt,
    version: z.number().describe("Counts its changes from 1; a PATCH may name the one that it changes"),
    functionalityStatusMode: modeRule,
    dateOfLastUpgrade: z.string().describe("YYYY-MM-DD"),
    numberOfStaffTrainedInSmartCare: z.number().describe("0 to 10,000"),
    distanceFromFacility: z.number().nullable().describe(positionDescriptions.distanceFromFacility),
    setAside: SetAsideBody,
    held: HeldBody,
    ...content,
  })
  .meta({ id: "Assessment" });
const Template = z
  .object({
    ...Object.fromEntries(Object.keys(AssessmentBody.shape).map((name) => [name, z.null()])),
    facilityUuid: z.string(),
    userUuid: z.string(),
    userName: z.string(),
    ...content,
  })
  .meta({ id: "AssessmentTemplate" });
const Revision = z
  .object({
    version: z.number(),
    userUuid: z.string(),
    userName: z.string(),
    revisionDate: z.string().describe("YYYY-MM-DD"),
    revisionTime: z.string().describe("HH:MM"),
    changes: z.array(
      z.object({
        field: z.string().describe("Its key; serviceAreaAssessments.{serviceAreaId}.{key} for a service area"),
        from: z.union([z.string(), z.number(), z.boolean(), z.null()]),
        to: z.union([z.string(), z.number(), z.boolean(), z.null()]),
      }),
    ),
  })
  .meta({ id: "AssessmentRevision" });

const tags = ["Assessments"];
const mayView = "Needs viewAssessments, editAssessments or administrator.";
const mayEdit = "Needs editAssessments or administrator.";
const ByAssessment = z.strictObject({ assessmentUuid: uuidTextRule });
const ByFacility = z.strictObject({ facilityUuid: facilityUuidRule });
const listed = { querystring: assessmentListRules, response: { 200: z.array(PastAssessment) } };

const pastOf = (row: assessment.AssessmentRow): z.input<typeof PastAssessment> => ({
  uuid: row.assessmentUuid,
  facilityUuid: row.facilityUuid,
  assessmentDate: row.assessmentDate,
  assessmentTime: row.assessmentTime,
  assessedAt: instantText(row.assessedAt),
  receivedAt: instantText(row.receivedAt),
  userName: row.userName,
  setAside: row.setAside,
  held: row.held,
});

function sendPast(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, cursor, ...query }: z.output<typeof assessmentListRules>,
  filter: AssessmentFilter,
) {
  return sendList(
    request,
    reply,
    { limit, cursor },
    (page) => assessment.listAssessments(request.context, { ...query, ...filter, page }),
    pastOf,
  );
}

export function assessmentRoutes(server: RestServer): void {
  const viewers = needs("viewAssessments");
  server.get(
    "/assessment/list/facility/:facilityUuid",
    {
      ...viewers,
      schema: {
        operationId: "listAssessmentsOfFacility",
        summary: "Past assessments of a facility, newest first",
        description: mayView,
        tags,
        params: ByFacility,
        ...listed,
      },
    },
    (request, reply) => sendPast(request, reply, request.query, { facilityUuid: request.params.facilityUuid }),
  );
  server.get(
    "/assessment/list/user/:userUuid/start/:start/end/:end",
    {
      ...viewers,
      schema: {
        operationId: "listAssessmentsOfUser",
        summary: "Assessments that a person made on these days, newest first",
        description: mayView,
        tags,
        params: z.strictObject({ userUuid: uuidTextRule, ...dateRangeShape }).refine(...inOrder),
        ...listed,
      },
    },
    (request, reply) => sendPast(request, reply, request.query, request.params),
  );
  server.get(
    "/assessment/facility/:facilityUuid",
    {
      ...needs("editAssessments"),
      schema: {
        operationId: "getAssessmentTemplate",
        summary: "What a new assessment of a facility begins with",
        description: `To be filled in and sent by POST. ${mayEdit}`,
        tags,
        params: ByFacility,
        response: { 200: Template },
      },
    },
    (request) => assessment.readAssessmentTemplate(request.context, request.params.facilityUuid),
  );
  server.get(
    "/assessment/:assessmentUuid",
    {
      ...viewers,
      schema: {
        operationId: "getAssessment",
        summary: "One assessment",
        description: mayView,
        tags,
        params: ByAssessment,
        response: { 200: AssessmentBody },
      },
    },
    (request) => assessment.readAssessmentState(request.context, request.params.assessmentUuid),
  );
  server.get(
    "/assessment/revisions/:assessmentUuid",
    {
      ...viewers,
      schema: {
        operationId: "listAssessmentRevisions",
        summary: "Who changed what in an assessment, the last change first",
        description: mayView,
        tags,
        params: ByAssessment,
        querystring: listQueryRules,
        response: { 200: z.array(Revision) },
      },
    },
    async (request, reply) => {
      const { assessmentUuid } = await assessment.readAssessment(request.context, request.params.assessmentUuid);
      const revisions = await assessment.loadRevisions(request.context, assessmentUuid);
      return linkNextOf(request, reply, request.query, revisions, (row) => row.version).map(
        ({ version, userUuid, userName, revisionDate, revisionTime, changes }) => ({
          version,
          userUuid,
          userName,
          revisionDate,
          revisionTime,
          changes,
        }),
      );
    },
  );
  server.post(
    "/assessment",
    {
      ...needs("editAssessments"),
      schema: {
        operationId: "createAssessment",
        example: {
          assessmentUuid: sampleUuid,
          facilityUuid: sampleUuid,
          functionalityStatusMode: "EFirst",
          dateOfLastUpgrade: "2026-03-14",
          numberOfStaffTrainedInSmartCare: 4,
          smartCareFunctional: true,
          primaryPower: true,
          primaryPowerWorking: true,
          backupPower: false,
        },
        failures: [409],
        summary: "Store a visit",
        description: `The author is the caller; the time is assessedAt, or now without it. A visit after the day on which its facility was closed is stored too, and a header \`Warning\` says so. So does one with an answer far from usual: it is held. Sent again with the same assessmentUuid, assessedAt and content, it is stored once and answered again. ${mayEdit}`,
        tags,
        body: newAssessmentRules,
        response: { 200: AssessmentBody },
      },
    },
    async (request, reply) => {
      const { state, warnings = [] } = await createAssessment(request.context, request.body, "program");
      // A header can only have ASCII characters.
      const texts = warnings.map(({ message }) => `299 - ${JSON.stringify(message.replaceAll(/[^\x20-\x7E]/g, "?"))}`);
      if (texts.length > 0) reply.header("warning", texts.join(", "));
      return state;
    },
  );
  server.patch(
    "/assessment",
    {
      ...needs("editAssessments"),
      schema: {
        operationId: "updateAssessment",
        example: { assessmentUuid: sampleUuid, version: 1, numberOfStaffTrainedInSmartCare: 5 },
        conditional: true,
        failures: [404, 409],
        summary: "Change an assessment",
        description: `What is not given stays. An old version is refused (409) with the present state in \`present\`. ${mayEdit}`,
        tags,
        body: assessmentChangeRules,
        response: { 200: AssessmentBody },
      },
    },
    async (request) => {
      expectMatch(request);
      return (await updateAssessment(request.context, request.body, "program")).state;
    },
  );

  const file = { produces: tableTypes, tags };
  server.get(
    "/assessment/csv/assessment/:assessmentUuid",
    {
      ...viewers,
      schema: {
        operationId: "exportAssessmentAsCsv",
        summary: "One assessment as CSV or Excel",
        description: mayView,
        params: ByAssessment,
        querystring: z.strictObject(fileShape),
        ...file,
      },
    },
    async (request, reply) => {
      const { assessmentUuid } = request.params;
      const { header, rows } = await exportAssessment(request.context, assessmentUuid);
      return sendTable(reply, { name: `assessment-${assessmentUuid}`, format: request.query.format }, header, rows);
    },
  );
  const days = {
    params: dateRangeRules,
    querystring: assessmentScopeRules,
  };
  server.get(
    "/assessment/csv/:start/:end",
    {
      ...viewers,
      schema: {
        operationId: "exportAssessmentsAsCsv",
        summary: "All assessments of these days as CSV or Excel, newest first",
        description: `Narrowed and sorted as the lists are. ${mayView}`,
        params: dateRangeRules,
        querystring: assessmentScopeRules.safeExtend(fileShape),
        ...file,
      },
    },
    async (request, reply) => {
      const { start, end } = request.params;
      const { format, ...scope } = request.query;
      const { header, rows } = await exportAssessments(request.context, { ...scope, start, end });
      return sendTable(reply, { name: `assessments-${start}-${end}`, format }, header, rows);
    },
  );
  server.get(
    "/assessment/ndjson/:start/:end",
    {
      ...viewers,
      schema: {
        operationId: "exportAssessmentsAsNdjson",
        summary: "All assessments of these days, a JSON object a line, newest first",
        description: `Each as /api/v1/assessment/{assessmentUuid} says it. ${mayView}`,
        produces: ["application/x-ndjson"],
        tags,
        ...days,
      },
    },
    async (request, reply) => {
      const { start, end } = request.params;
      const states = await exportAssessmentStates(request.context, { ...request.query, start, end });
      return sendNdjson(reply, `assessments-${start}-${end}.ndjson`, states);
    },
  );
  server.get(
    "/assessment/geojson/:start/:end",
    {
      ...viewers,
      schema: {
        operationId: "exportAssessmentsAsGeojson",
        summary: "All assessments of these days as GeoJSON, newest first",
        description: `Each at its position, with the properties that /api/v1/assessment/{assessmentUuid} says; without a position it has no geometry. ${mayView}`,
        produces: [geojsonType],
        tags,
        ...days,
      },
    },
    async (request, reply) => {
      const { start, end } = request.params;
      const states = await exportAssessmentStates(request.context, { ...request.query, start, end });
      const features = mapRows(states, (state) => featureOf(state.assessmentUuid, state, state));
      return sendFeatures(reply, `assessments-${start}-${end}.geojson`, features);
    },
  );
}
