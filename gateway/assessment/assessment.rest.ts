import { z } from "zod";

import { facilityUuidRule } from "../facility/facility.rules.ts";
import { listQueryRules } from "../page.rules.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import * as assessment from "./assessment.ts";

/** Routes of assessments. */

const PastAssessment = z.object({
  uuid: z.string(),
  facilityUuid: z.string(),
  assessmentDate: z.string().describe("YYYY-MM-DD"),
  assessmentTime: z.string().describe("HH:MM"),
  userName: z.string(),
});

export function assessmentRoutes(server: RestServer): void {
  server.get(
    "/assessment/list/facility/:facilityUuid",
    {
      schema: {
        summary: "Past assessments of a facility, newest first",
        tags: ["Assessments"],
        params: z.strictObject({ facilityUuid: facilityUuidRule }),
        querystring: listQueryRules,
        response: { 200: z.array(PastAssessment) },
      },
    },
    async (request, reply) => {
      const input = { facilityUuid: request.params.facilityUuid, page: pageOf(request.query) };
      return linkNext(request, reply, await assessment.listAssessments(request.context, input)).map((row) => ({
        uuid: row.assessmentUuid,
        facilityUuid: row.facilityUuid,
        assessmentDate: row.assessmentDate,
        assessmentTime: row.assessmentTime,
        userName: row.userName,
      }));
    },
  );
}
