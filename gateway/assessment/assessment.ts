import type { AssessmentRow, AssessmentSort, ServiceAreaAssessmentRow } from "../../db/assessment/assessment.ts";
import * as db from "../../db/assessment/assessment.ts";
import type { Handle } from "../../db/engine/connect.ts";
import type { PageInput } from "../../db/list/page.ts";
import type { SetAside } from "../../db/assessment/setAside.ts";
import { listRevisions, type RevisionRow } from "../../db/change/revision.ts";
import { isLimited, isWithin, narrowed, requireRight, requireWithin } from "../access/access.ts";
import { batched, batchedByUuid } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { loadFacilities, loadServiceAreas, readFacility, requireFacilityWithin } from "../facility/facility.ts";
import type { Mode } from "../facility/facility.rules.ts";
import { isUuid } from "../input/page.rules.ts";
import { type InputError, notFound } from "../problem.ts";
import { checkScope } from "../reference/reference.ts";
import { checkPerson } from "../user/user.ts";
import type { AssessmentFilter } from "./assessment.rules.ts";
import type { AreaContent, Content } from "./content.rules.ts";
import { contentOf } from "./content.rules.ts";
import { instantText } from "./visitTime.rules.ts";

/** Acts that read assessments, shared by REST and GraphQL. */

export type { AssessmentRow, AssessmentSort, ServiceAreaAssessmentRow } from "../../db/assessment/assessment.ts";
export type { RevisionRow } from "../../db/change/revision.ts";

/** Those of these assessments whose facilities are within the caller's limit, if there is one. */
async function withinLimit(context: Context, rows: AssessmentRow[]): Promise<AssessmentRow[]> {
  if (!isLimited(context)) return rows;
  const facilities = await loadFacilities(context, [...new Set(rows.map(({ facilityUuid }) => facilityUuid))]);
  return rows.filter(({ facilityUuid }) => isWithin(context, facilities.get(facilityUuid)!));
}

/** @throws Problem FORBIDDEN or NOT_FOUND */
export async function readAssessment(context: Context, assessmentUuid: string): Promise<AssessmentRow> {
  requireRight(context, "viewAssessments", "somewhere");
  const assessment = isUuid(assessmentUuid) ? await db.findAssessment(context.db, { assessmentUuid }) : undefined;
  if (!assessment) throw notFound("assessment", "assessmentUuid");
  await requireFacilityWithin(context, assessment.facilityUuid);
  return assessment;
}

/** As `readAssessment`, batched over a request. @throws Problem FORBIDDEN or NOT_FOUND */
export const loadAssessment = batchedByUuid<AssessmentRow>(
  async (context, assessmentUuids) => {
    requireRight(context, "viewAssessments", "somewhere");
    const rows = await withinLimit(context, await db.listAssessmentsByUuid(context.db, { assessmentUuids }));
    return new Map(rows.map((row) => [row.assessmentUuid, row]));
  },
  () => notFound("assessment", "assessmentUuid"),
);

/** An assessment as a REST body: every field of the specification, its author and times, and its version. */
export type AssessmentState = Content & {
  assessmentUuid: string;
  facilityUuid: string;
  userUuid: string;
  userName: string;
  assessmentDate: string;
  assessmentTime: string;
  assessedAt: string;
  receivedAt: string;
  /** metres */
  distanceFromFacility: number | null;
  version: number;
  setAside: SetAside | null;
  /** why it is held */
  held: string | null;
};

/** An assessment as the row that GraphQL resolves and as the body that REST returns. */
export type WholeAssessment = {
  assessment: AssessmentRow;
  state: AssessmentState;
  /** of a save: what is doubtful about what was stored */ warnings?: InputError[];
};

/** Makes an assessment for REST from its rows. */
export function stateOf(row: AssessmentRow, areas: readonly AreaContent[]): AssessmentState {
  const {
    facilityName: _name,
    serviceAreaAssessments: _areas,
    receivedDate: _date,
    receivedTime: _time,
    ...values
  } = row;
  return {
    ...(values as typeof values & { functionalityStatusMode: Mode }),
    assessedAt: instantText(row.assessedAt),
    receivedAt: instantText(row.receivedAt),
    serviceAreaAssessments: areas
      .map(({ serviceAreaId, libraryVersion, databaseVersion, smartCareFunctional, additionalNotes }): AreaContent => ({
        serviceAreaId,
        libraryVersion,
        databaseVersion,
        smartCareFunctional,
        additionalNotes,
      }))
      .toSorted((a, b) => a.serviceAreaId - b.serviceAreaId),
  };
}

/** A complete assessment, if it exists. */
export async function findWholeAssessment(
  handle: Handle,
  assessmentUuid: string,
): Promise<WholeAssessment | undefined> {
  const assessment = await db.findAssessmentWithAreas(handle, { assessmentUuid });
  return assessment && { assessment, state: stateOf(assessment, assessment.serviceAreaAssessments) };
}

/** Several complete assessments by uuid; unknown ones are left out. @throws Problem FORBIDDEN */
export async function loadAssessmentStates(
  context: Context,
  assessmentUuids: readonly string[],
): Promise<Map<string, WholeAssessment>> {
  if (assessmentUuids.length === 0) return new Map();
  requireRight(context, "viewAssessments", "somewhere");
  const rows = await withinLimit(context, await db.listAssessmentsByUuid(context.db, { assessmentUuids }));
  const areas = new Map<string, ServiceAreaAssessmentRow[]>(assessmentUuids.map((uuid) => [uuid, []]));
  for (const area of await db.listServiceAreaAssessments(context.db, { assessmentUuids }))
    areas.get(area.assessmentUuid)?.push(area);
  return new Map(
    rows.map((assessment) => {
      const { assessmentUuid } = assessment;
      return [assessmentUuid, { assessment, state: stateOf(assessment, areas.get(assessmentUuid)!) }];
    }),
  );
}

/** @throws Problem FORBIDDEN or NOT_FOUND */
export async function readAssessmentState(context: Context, assessmentUuid: string): Promise<AssessmentState> {
  requireRight(context, "viewAssessments", "somewhere");
  const found = isUuid(assessmentUuid) ? await findWholeAssessment(context.db, assessmentUuid) : undefined;
  if (!found) throw notFound("assessment", "assessmentUuid");
  await requireFacilityWithin(context, found.state.facilityUuid);
  return found.state;
}

/**
 * The initial content of a new assessment of a facility: empty, with an entry for each of its service areas.
 *
 * @throws Problem FORBIDDEN or NOT_FOUND
 */
export async function readAssessmentTemplate(context: Context, asked: string) {
  const { userUuid, userName } = requireRight(context, "editAssessments", "somewhere");
  const facility = await readFacility(context, asked);
  const { facilityUuid } = facility;
  requireWithin(context, facility);
  const areas = await loadServiceAreas(context, facilityUuid);
  const serviceAreaAssessments = areas.map(({ serviceAreaId }) => ({ serviceAreaId }));
  return {
    assessmentUuid: null,
    facilityUuid,
    userUuid,
    userName,
    assessmentDate: null,
    assessmentTime: null,
    assessedAt: null,
    receivedAt: null,
    distanceFromFacility: null,
    version: null,
    setAside: null,
    held: null,
    ...contentOf({ serviceAreaAssessments }),
  };
}

/**
 * Past assessments of a facility, a scope or an author, the latest visit first.
 *
 * @throws Problem FORBIDDEN or NOT_FOUND
 */
export async function listAssessments(
  context: Context,
  { page, sort, facilityUuid, ...filter }: AssessmentFilter & { sort?: AssessmentSort | null; page: PageInput },
) {
  requireRight(context, "viewAssessments", "somewhere");
  const within = narrowed(context, filter, page.of);
  await checkFilter(context, { ...within, ...(isLimited(context) ? { facilityUuid } : {}) });
  const found = await db.listAssessments(context.db, { ...within, facilityUuid, sort, page });
  // If there are assessments, the facility exists.
  if (facilityUuid == null || found.rows.length > 0) return found;
  const { facilityUuid: present } = await readFacility(context, facilityUuid);
  return present === facilityUuid
    ? found
    : db.listAssessments(context.db, { ...within, facilityUuid: present, sort, page });
}

/** Refuses a filter with an unknown place, partner, facility or person. @throws Problem NOT_FOUND */
export async function checkFilter(context: Context, filter: AssessmentFilter): Promise<void> {
  await checkScope(context, filter);
  if (filter.facilityUuid != null) requireWithin(context, await readFacility(context, filter.facilityUuid));
  if (filter.userUuid != null) await checkPerson(context, filter.userUuid);
}

/** The service area entries of an assessment, batched over a request. */
export const loadServiceAreaAssessments = batched<string, ServiceAreaAssessmentRow[]>(
  async (context, assessmentUuids) => {
    requireRight(context, "viewAssessments", "somewhere");
    const areas = new Map<string, ServiceAreaAssessmentRow[]>(assessmentUuids.map((uuid) => [uuid, []]));
    for (const row of await db.listServiceAreaAssessments(context.db, { assessmentUuids }))
      areas.get(row.assessmentUuid)?.push(row);
    return areas;
  },
  () => [],
);

/** The changes of an assessment, the last one first, batched over a request. */
export const loadRevisions = batched<string, RevisionRow[]>(
  async (context, assessmentUuids) => {
    requireRight(context, "viewAssessments", "somewhere");
    const revisions = new Map<string, RevisionRow[]>(assessmentUuids.map((uuid) => [uuid, []]));
    for (const row of await listRevisions(context.db, { assessmentUuids }))
      revisions.get(row.assessmentUuid)?.push(row);
    return revisions;
  },
  () => [],
);
