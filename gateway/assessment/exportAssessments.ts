import type { ExportedAssessmentRow } from "../../db/assessment/assessment.ts";
import * as db from "../../db/assessment/assessment.ts";
import { everyRow } from "../../db/list/page.ts";
import { narrowed, requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { listServiceAreas } from "../reference/reference.ts";
import { type AssessmentState, checkFilter, readAssessment, stateOf } from "./assessment.ts";
import type { AssessmentFilter } from "./assessment.rules.ts";
import { type AreaContent, valueNames } from "./content.rules.ts";
import { instantText } from "./visitTime.rules.ts";

/**
 * Assessments as tables: a row for each, with the headings of the specification and four columns for each service area.
 */

type AssessmentExport = AssessmentFilter & { sort?: db.AssessmentSort | null | undefined };
type Cell = string | number | boolean | null;
type AssessmentTable = { header: string[]; rows: AsyncIterable<Cell[]> };

const aboutNames = [
  "assessmentUuid",
  "assessmentDate",
  "assessmentTime",
  "userName",
  "facilityUuid",
  "facilityName",
  "hmisCode",
  "district",
  "province",
  "implementingPartner",
] as const;
/** New columns come last, because programs read columns by position. */
const laterNames = ["positionNote", "distanceFromFacility", "held"] as const;
const isLater = (name: string): boolean => (laterNames as readonly string[]).includes(name);
const names = [...aboutNames, ...valueNames.filter((name) => !isLater(name)), "version"] as const;
const instantNames = ["assessedAt", "receivedAt"] as const;
const areaNames = ["libraryVersion", "databaseVersion", "smartCareFunctional", "additionalNotes"];

/** Makes an assessment for REST from a row of an export. */
function stateOfExported({
  hmisCode: _code,
  district: _district,
  province: _province,
  implementingPartner: _partner,
  areas,
  ...row
}: ExportedAssessmentRow) {
  const said = Object.entries(areas).map(
    ([id, [libraryVersion, databaseVersion, smartCareFunctional, additionalNotes]]): AreaContent => ({
      serviceAreaId: Number(id),
      libraryVersion,
      databaseVersion,
      smartCareFunctional,
      additionalNotes,
    }),
  );
  return stateOf(row, said);
}

async function tableOf(
  context: Context,
  filter: AssessmentExport & { assessmentUuid?: string },
): Promise<AssessmentTable> {
  const areas = await listServiceAreas(context);
  const cellsOf = (row: ExportedAssessmentRow): Cell[] => [
    ...names.map((name) => row[name]),
    ...instantNames.map((name) => instantText(row[name])),
    row.setAside?.reason ?? null,
    ...areas.flatMap(({ serviceAreaId }) => row.areas[serviceAreaId] ?? areaNames.map(() => null)),
    ...laterNames.map((name) => row[name]),
  ];
  async function* rows() {
    for await (const row of everyRow((page) => db.listExportedAssessments(context.db, { ...filter, page })))
      yield cellsOf(row);
  }
  return {
    header: [
      ...names,
      ...instantNames,
      "setAside",
      ...areas.flatMap(({ serviceArea }) => areaNames.map((name) => `${serviceArea}: ${name}`)),
      ...laterNames,
    ],
    rows: rows(),
  };
}

/** One assessment as a table. @throws Problem FORBIDDEN or NOT_FOUND */
export async function exportAssessment(context: Context, assessmentUuid: string): Promise<AssessmentTable> {
  const { facilityUuid } = await readAssessment(context, assessmentUuid);
  const subject = { type: "assessment", id: assessmentUuid };
  await recordAudit(context, { action: "assessment.export", outcome: "done", facilityUuid, subject });
  return tableOf(context, { assessmentUuid });
}

async function begin(context: Context, asked: AssessmentExport): Promise<AssessmentExport> {
  requireRight(context, "viewAssessments", "somewhere");
  const filter = narrowed(context, asked);
  await checkFilter(context, filter);
  await recordAudit(context, {
    action: "assessment.export",
    outcome: "done",
    facilityUuid: filter.facilityUuid,
    details: filter,
  });
  return filter;
}

/**
 * All assessments of a scope and of these days as a table, by default the latest visit first.
 *
 * @throws Problem FORBIDDEN or NOT_FOUND
 */
export async function exportAssessments(context: Context, filter: AssessmentExport): Promise<AssessmentTable> {
  return tableOf(context, await begin(context, filter));
}

/** The same assessments, each as a REST body. @throws Problem FORBIDDEN or NOT_FOUND */
export async function exportAssessmentStates(
  context: Context,
  asked: AssessmentExport,
): Promise<AsyncIterable<AssessmentState>> {
  const filter = await begin(context, asked);
  return (async function* states() {
    for await (const row of everyRow((page) => db.listExportedAssessments(context.db, { ...filter, page })))
      yield stateOfExported(row);
  })();
}
