import { SaveAssessment_CreateDocument } from "../../client/gql/graphql.ts";
import { freshUuid } from "./connection.ts";
import { clientRequest, type FloorQuestion, type Question } from "./questions.ts";
import type { Samples } from "./samples.ts";

/**
 * A complete save (rights, checks, roll-ups, present mode, audit, answer), compared with one statement that locks,
 * inserts the same rows, audits and commits.
 */

const contentOf = ({ uuid: facilityUuid, serviceAreas }: Samples["sites"][number]) => ({
  assessmentUuid: freshUuid,
  facilityUuid,
  primaryPower: true,
  primaryPowerWorking: true,
  backupPower: false,
  backupPowerWorking: false,
  smartCareFunctional: true,
  libraryVersionConsistent: true,
  libraryVersion: "5.0.0",
  databaseVersion: "14.0",
  functionalityStatusMode: "EFirst" as const,
  dateOfLastUpgrade: "2026-01-15",
  numberOfStaffTrainedInSmartCare: 4,
  closingComments: "Visited as planned.",
  contactAName: "Mwila Kapwelo",
  contactARole: "Data clerk",
  serviceAreaAssessments: serviceAreas
    .slice(0, 3)
    .map((serviceAreaId) => ({ serviceAreaId, libraryVersion: "5.0.0", smartCareFunctional: true })),
});

/**
 * $1 the uuid, $2 the facility, $3 the service areas. The table's own keys, checks and triggers (the feed of changes)
 * apply here too.
 */
const plainSave: FloorQuestion = {
  name: "save",
  sql: `
    with held as (select facility_uuid from facility where facility_uuid = $2 for no key update),
    person as (select user_uuid from app_user where user_name = 'bench-1'),
    visit as (
      insert into assessment (assessment_uuid, facility_uuid, user_uuid, assessed_at, primary_power, primary_power_working, backup_power,
        backup_power_working, smart_care_functional, library_version_consistent, library_version, database_version,
        functionality_status_mode, date_of_last_upgrade, number_of_staff_trained_in_smart_care, closing_comments, contact_a_name, contact_a_role)
      select $1, facility_uuid, user_uuid, clock_timestamp(), true, true, false,
        false, true, true, '5.0.0', '14.0', 'EFirst', '2026-01-15', 4, 'Visited as planned.', 'Mwila Kapwelo', 'Data clerk'
      from held cross join person returning assessment_uuid, facility_uuid, user_uuid),
    areas as (
      insert into service_area_assessment (assessment_uuid, service_area_id, library_version, smart_care_functional)
      select assessment_uuid, area, '5.0.0', true from visit cross join unnest($3::int[]) as area),
    audited as (
      insert into audit_event (action, outcome, user_uuid, facility_uuid, subject_type, subject_id, details)
      select 'assessment.create', 'done', user_uuid, facility_uuid, 'assessment', assessment_uuid::text, '{"new": {"closingComments": "Visited as planned."}}' from visit)
    select json_build_object('assessmentUuid', assessment_uuid)::text from visit`,
};

const save: Question = {
  name: "save",
  title:
    "A save of an assessment with three service areas and its roll-ups, beside one statement that locks, inserts, audits and commits",
  asker: "client",
  wanted: { first: { floor: 0.7 }, repeated: {} },
  writes: true,
  floor: [plainSave],
  operations: ({ sites }: Samples) =>
    sites.map((site) => ({
      product: clientRequest(SaveAssessment_CreateDocument, { input: contentOf(site) }),
      floor: { name: "save", values: [freshUuid, site.uuid, site.serviceAreas.slice(0, 3)] },
    })),
};

export const saveQuestions = [save];
