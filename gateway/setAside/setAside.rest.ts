import { z } from "zod";

import { AssessmentBody } from "../assessment/assessment.rest.ts";
import { uuidTextRule } from "../input/page.rules.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { recordOf, TdbRecord } from "../tdb/tdb.rest.ts";
import * as act from "./setAside.ts";
import { setAsideAbout, setAsideRules } from "./setAside.rules.ts";

/** Routes that set a visit or a TDB aside, and restore it. */

const { stays, counts } = setAsideAbout;
const assessments = { params: z.strictObject({ assessmentUuid: uuidTextRule }), tags: ["Assessments"], body: setAsideRules, response: { 200: AssessmentBody }, failures: [404, 409] };
const tdbs = { params: z.strictObject({ uuid: uuidTextRule }), tags: ["TDBs"], body: setAsideRules, response: { 200: TdbRecord }, failures: [404, 409] };

export function setAsideRoutes(server: RestServer): void {
  const administrators = needs("setAside");
  server.post(
    "/assessment/:assessmentUuid/setAside",
    { ...administrators, schema: { operationId: "setAssessmentAside", example: { reason: "A phone number was entered as the number of staff" }, summary: "Set an assessment aside", description: stays, ...assessments } },
    async (request) => (await act.setAssessmentAside(request.context, { ...request.params, ...request.body })).state,
  );
  server.post(
    "/assessment/:assessmentUuid/restore",
    { ...administrators, schema: { operationId: "restoreAssessment", example: { reason: "The number was right" }, summary: "Restore an assessment that was set aside", description: counts, ...assessments } },
    async (request) => (await act.restoreAssessment(request.context, { ...request.params, ...request.body })).state,
  );
  server.post(
    "/tdb/:uuid/setAside",
    { ...administrators, schema: { operationId: "setTdbAside", example: { reason: "Made by a test installation" }, summary: "Set a TDB aside", description: `Its file stays too. ${stays}`, ...tdbs } },
    async (request) => recordOf(await act.setTdbAside(request.context, { ...request.params, ...request.body })),
  );
  server.post(
    "/tdb/:uuid/restore",
    { ...administrators, schema: { operationId: "restoreTdb", example: { reason: "The installation was real" }, summary: "Restore a TDB that was set aside", description: counts, ...tdbs } },
    async (request) => recordOf(await act.restoreTdb(request.context, { ...request.params, ...request.body })),
  );
}
