import { sql } from "kysely";

import type { Handle } from "./connect.ts";
import { dayOf, type Days, onDays, timeOf } from "./day.ts";
import { instant, type Order, type Page, type PageInput, readPage } from "./page.ts";
import { inScope, type Scope } from "./scope.ts";

/** An assessment with the name of who made it, its date and time in the ministry's zone. */
const assessments = (handle: Handle) =>
  handle
    .selectFrom("assessment")
    .innerJoin("facility", "facility.facilityUuid", "assessment.facilityUuid")
    .innerJoin("appUser", "appUser.userUuid", "assessment.userUuid")
    .select([
      "assessment.assessmentUuid",
      "assessment.facilityUuid",
      "assessment.userUuid",
      "appUser.userName",
      dayOf("assessment.assessedAt").as("assessmentDate"),
      timeOf("assessment.assessedAt").as("assessmentTime"),
      "assessment.primaryPower",
      "assessment.primaryPowerWorking",
      "assessment.primaryPowerNotes",
      "assessment.backupPower",
      "assessment.backupPowerWorking",
      "assessment.backupPowerNotes",
      "assessment.smartCareFunctional",
      "assessment.libraryVersionConsistent",
      "assessment.libraryVersion",
      "assessment.databaseVersion",
      "assessment.functionalityStatusMode",
      "assessment.dateOfLastUpgrade",
      "assessment.numberOfStaffTrainedInSmartCare",
      "assessment.latitude",
      "assessment.longitude",
      "assessment.otherIssues",
      "assessment.closingComments",
      "assessment.contactAName",
      "assessment.contactARole",
      "assessment.contactAPrimaryPhone",
      "assessment.contactASecondaryPhone",
      "assessment.contactAEmail",
      "assessment.contactBName",
      "assessment.contactBRole",
      "assessment.contactBPrimaryPhone",
      "assessment.contactBSecondaryPhone",
      "assessment.contactBEmail",
      "assessment.version",
      instant("assessment.assessedAt").as("assessedAt"),
    ]);

export type AssessmentRow = Awaited<ReturnType<ReturnType<typeof assessments>["executeTakeFirstOrThrow"]>>;

const byVisit: Order = {
  columns: [
    { key: "assessedAt", column: "assessment.assessedAt", type: "timestamptz" },
    { key: "assessmentUuid", column: "assessment.assessmentUuid", type: "uuid" },
  ],
  descending: true,
};

export function findAssessment(
  handle: Handle,
  { assessmentUuid }: { assessmentUuid: string },
): Promise<AssessmentRow | undefined> {
  return assessments(handle).where("assessment.assessmentUuid", "=", assessmentUuid).executeTakeFirst();
}

export type AssessmentFilter = Scope & Days & { facilityUuid?: string | null; mode?: string | null };

/** Assessments of a facility or a scope, of visits on these days, the latest visit first. */
export function listAssessments(
  handle: Handle,
  { facilityUuid, mode, page, ...filter }: AssessmentFilter & { page: PageInput },
): Promise<Page<AssessmentRow>> {
  let query = assessments(handle).where(inScope(filter)).where(onDays("assessment.assessedAt", filter));
  if (facilityUuid != null) query = query.where("assessment.facilityUuid", "=", facilityUuid);
  if (mode != null) query = query.where("assessment.functionalityStatusMode", "=", mode);
  return readPage(query, byVisit, page);
}

/** What several assessments say about service areas, by the area's name. */
export function listServiceAreaAssessments(handle: Handle, { assessmentUuids }: { assessmentUuids: readonly string[] }) {
  return handle
    .selectFrom("serviceAreaAssessment")
    .innerJoin("serviceArea", "serviceArea.serviceAreaId", "serviceAreaAssessment.serviceAreaId")
    .where("serviceAreaAssessment.assessmentUuid", "=", sql<string>`any(${assessmentUuids}::uuid[])`)
    .orderBy("serviceArea.name")
    .orderBy("serviceArea.serviceAreaId")
    .select([
      "serviceAreaAssessment.assessmentUuid",
      "serviceAreaAssessment.serviceAreaId",
      "serviceArea.name as serviceArea",
      "serviceAreaAssessment.libraryVersion",
      "serviceAreaAssessment.databaseVersion",
      "serviceAreaAssessment.smartCareFunctional",
      "serviceAreaAssessment.additionalNotes",
    ])
    .execute();
}

export type ServiceAreaAssessmentRow = Awaited<ReturnType<typeof listServiceAreaAssessments>>[number];
