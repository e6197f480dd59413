import type { AssessmentRow, ServiceAreaAssessmentRow } from "../../db/assessment.ts";
import * as db from "../../db/assessment.ts";
import type { PageInput } from "../../db/page.ts";
import { requireRight } from "../access/access.ts";
import { batched } from "../batch.ts";
import type { Context } from "../context.ts";
import { readFacility } from "../facility/facility.ts";
import { notFound } from "../problem.ts";
import { checkScope } from "../reference/reference.ts";
import type { AssessmentFilter } from "./assessment.rules.ts";

/** Acts on assessments, shared by REST and GraphQL. */

export type { AssessmentRow, ServiceAreaAssessmentRow } from "../../db/assessment.ts";

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws Problem FORBIDDEN or NOT_FOUND */
export async function readAssessment(context: Context, assessmentUuid: string): Promise<AssessmentRow> {
  requireRight(context, "viewAssessments");
  const assessment = uuidPattern.test(assessmentUuid)
    ? await db.findAssessment(context.db, { assessmentUuid })
    : undefined;
  if (!assessment) throw notFound("assessment");
  return assessment;
}

/** Past assessments of a facility or a scope, the latest visit first. @throws Problem FORBIDDEN or NOT_FOUND */
export async function listAssessments(context: Context, { page, ...filter }: AssessmentFilter & { page: PageInput }) {
  requireRight(context, "viewAssessments");
  await checkScope(context, filter);
  if (filter.facilityUuid != null) await readFacility(context, filter.facilityUuid);
  return db.listAssessments(context.db, { ...filter, page });
}

/** What an assessment says about each service area, read together with the request's other assessments. */
export const loadServiceAreaAssessments = batched<string, ServiceAreaAssessmentRow[]>(
  async (context, assessmentUuids) => {
    requireRight(context, "viewAssessments");
    const areas = new Map<string, ServiceAreaAssessmentRow[]>(assessmentUuids.map((uuid) => [uuid, []]));
    for (const row of await db.listServiceAreaAssessments(context.db, { assessmentUuids }))
      areas.get(row.assessmentUuid)?.push(row);
    return areas;
  },
  () => [],
);
