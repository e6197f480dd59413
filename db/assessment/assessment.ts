import { type Insertable, type NotNull, type RawBuilder, sql, type SqlBool, type Updateable } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { writtenOnce } from "../engine/writtenOnce.ts";
import { dayOf, type Days, onListedDays, timeOf } from "../list/day.ts";
import { metresBetween } from "../list/distance.ts";
import { assessmentAsOf } from "../derived/asOf.ts";
import type { Answer, StateOf } from "../facility/facilityFilter.ts";
import { anyOf } from "../list/keys.ts";
import { instant, type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import type { Assessment, ServiceAreaAssessment } from "../schema.ts";
import { inScope, isNation, type Scope } from "../list/scope.ts";
import { setAsideOf } from "./setAside.ts";

/** The columns that hold what a visit found, and where. */
const contentColumns = [
  "primaryPower",
  "primaryPowerWorking",
  "primaryPowerNotes",
  "backupPower",
  "backupPowerWorking",
  "backupPowerNotes",
  "smartCareFunctional",
  "libraryVersionConsistent",
  "libraryVersion",
  "databaseVersion",
  "functionalityStatusMode",
  "dateOfLastUpgrade",
  "numberOfStaffTrainedInSmartCare",
  "latitude",
  "longitude",
  "positionAccuracy",
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
  "positionNote",
] as const satisfies (keyof Assessment)[];
/** Instants are read as text, so they are not among the columns above. */
const storedColumns = [...contentColumns, "positionAt"] as const;

/** The distance of a visit's position from its facility's registered one in metres. Null where one is not recorded. */
const distanceFromFacility = sql<number | null>`round(${metresBetween(
  { latitude: sql.ref("assessment.latitude"), longitude: sql.ref("assessment.longitude") },
  { latitude: sql.ref("facility.latitude"), longitude: sql.ref("facility.longitude") },
)})`;

/**
 * An assessment with its author's name, and the date and time of the visit and of its receipt in the ministry's zone.
 * For the left joins see `facilities` in facility.ts.
 */
const assessments = (handle: Handle) =>
  handle
    .selectFrom("assessment")
    .leftJoin("facility", "facility.facilityUuid", "assessment.facilityUuid")
    .leftJoin("appUser", "appUser.userUuid", "assessment.userUuid")
    .select([
      "assessment.assessmentUuid",
      "assessment.facilityUuid",
      "facility.facilityName",
      "assessment.userUuid",
      "appUser.userName",
      dayOf("assessment.assessedAt").as("assessmentDate"),
      timeOf("assessment.assessedAt").as("assessmentTime"),
      dayOf("assessment.receivedAt").as("receivedDate"),
      timeOf("assessment.receivedAt").as("receivedTime"),
      ...contentColumns.map((name) => `assessment.${name}` as const),
      "assessment.version",
      sql<string | null>`to_char(assessment.position_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as(
        "positionAt",
      ),
      distanceFromFacility.as("distanceFromFacility"),
      instant("assessment.assessedAt").as("assessedAt"),
      instant("assessment.receivedAt").as("receivedAt"),
      setAsideOf("assessment").as("setAside"),
      "assessment.held",
    ])
    .$narrowType<{ facilityName: NotNull; userName: NotNull }>();

export type AssessmentRow = Awaited<ReturnType<ReturnType<typeof assessments>["executeTakeFirstOrThrow"]>> & {
  /** only if they were read together with it */
  serviceAreaAssessments?: ServiceAreaAssessmentRow[];
};

const visit: Order["columns"] = [
  { key: "assessedAt", column: "assessment.assessedAt", type: "timestamptz" },
  { key: "assessmentUuid", column: "assessment.assessmentUuid", type: "uuid" },
];
const byFacility: Order["columns"] = [
  { key: "facilityName", column: "facility.facilityName", type: "text" },
  { key: "facilityUuid", column: "facility.facilityUuid", type: "text" },
  ...visit,
];
const byMode: Order["columns"] = [
  { key: "functionalityStatusMode", column: "assessment.functionalityStatusMode", type: "text" },
  ...visit,
];
const orders = {
  newest: { columns: visit, descending: true },
  oldest: { columns: visit },
  facility: { columns: byFacility },
  facilityDescending: { columns: byFacility, descending: true },
  mode: { columns: byMode },
  modeDescending: { columns: byMode, descending: true },
} satisfies Record<string, Order>;
export type AssessmentSort = keyof typeof orders;

export function findAssessment(
  handle: Handle,
  { assessmentUuid }: { assessmentUuid: string },
): Promise<AssessmentRow | undefined> {
  return assessments(handle).where("assessment.assessmentUuid", "=", assessmentUuid).executeTakeFirst();
}

/** Locks an assessment's facility and then the assessment against changes, until the transaction ends. */
export async function lockAssessment(handle: Handle, { assessmentUuid }: { assessmentUuid: string }): Promise<void> {
  const found = sql`(select facility_uuid from assessment where assessment_uuid = ${assessmentUuid})`;
  await sql`select 1 from facility where facility_uuid = ${found} for no key update`.execute(handle);
  await sql`select 1 from assessment where assessment_uuid = ${assessmentUuid} for no key update`.execute(handle);
}

/** Several assessments at once, in no order; unknown ones are left out. */
export function listAssessmentsByUuid(
  handle: Handle,
  { assessmentUuids }: { assessmentUuids: readonly string[] },
): Promise<AssessmentRow[]> {
  return assessments(handle).where("assessment.assessmentUuid", "=", anyOf(assessmentUuids, "uuid")).execute();
}

/** The latest assessment of each facility: of a period, as at a day, or of all time. */
export function listLatestAssessments(
  handle: Handle,
  { facilityUuids, period, asOf }: StateOf & { facilityUuids: readonly string[] },
): Promise<AssessmentRow[]> {
  if (asOf != null) {
    const states = sql`select state.assessment_uuid from unnest(${facilityUuids}::text[]) as facility (facility_uuid) cross join lateral ${assessmentAsOf(asOf)} as state`;
    return assessments(handle)
      .where(sql<boolean>`assessment.assessment_uuid in (${states})`)
      .execute();
  }
  const among = sql`select distinct on (facility_uuid) assessment_uuid from assessment_rollup where facility_uuid = ${anyOf(facilityUuids, "text")}`;
  const latest = period
    ? sql`${among} and period = ${period.kind} and period_start = ${period.start}::date`
    : sql`${among} and period = 'year' order by facility_uuid, period_start desc`;
  return assessments(handle)
    .where(sql<boolean>`assessment.assessment_uuid in (${latest})`)
    .execute();
}

type AssessmentFilter = Scope &
  Days & {
    facilityUuid?: string | null;
    userUuid?: string | null;
    mode?: string | null;
    modes?: readonly string[] | null;
    smartCareFunctional?: boolean | null;
    notRecorded?: readonly Answer[] | null;
    search?: string | null;
    /** true: only those that were set aside; false: only the others */ setAside?: boolean | null;
    /** true: only those that are held; false: only the others */ held?: boolean | null;
  };

/** Assessments whose notes contain a text, ignoring case. An index serves it. */
export function noted(search: string): RawBuilder<SqlBool> {
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, (mark) => `\\${mark}`)}%`;
  return sql<SqlBool>`assessment.assessment_uuid in (
    select noted.assessment_uuid from assessment as noted
    where lower(coalesce(primary_power_notes, '') || E'\\n' || coalesce(backup_power_notes, '') || E'\\n' || coalesce(other_issues, '') || E'\\n' || coalesce(closing_comments, '')) like ${pattern}
    union select area.assessment_uuid from service_area_assessment as area where area.additional_notes is not null and lower(area.additional_notes) like ${pattern})`;
}

function matching<Query extends ReturnType<typeof assessments>>(query: Query, filter: AssessmentFilter): Query {
  const { facilityUuid, userUuid, mode, modes, smartCareFunctional, notRecorded, search, setAside, held } = filter;
  let narrowed = query.where(inScope(filter)).where(onListedDays("assessment.assessedAt", filter)) as Query;
  if (facilityUuid != null) narrowed = narrowed.where("assessment.facilityUuid", "=", facilityUuid) as Query;
  if (userUuid != null) narrowed = narrowed.where("assessment.userUuid", "=", userUuid) as Query;
  if (mode != null) narrowed = narrowed.where("assessment.functionalityStatusMode", "=", mode) as Query;
  if (modes != null)
    narrowed = narrowed.where(sql<boolean>`assessment.functionality_status_mode = any(${[...modes]}::text[])`) as Query;
  if (smartCareFunctional != null)
    narrowed = narrowed.where("assessment.smartCareFunctional", "=", smartCareFunctional) as Query;
  for (const name of notRecorded ?? []) narrowed = narrowed.where(`assessment.${name}`, "is", null) as Query;
  if (search != null) narrowed = narrowed.where(noted(search)) as Query;
  if (setAside != null) narrowed = narrowed.where("assessment.setAsideAt", setAside ? "is not" : "is", null) as Query;
  if (held != null) narrowed = narrowed.where("assessment.held", held ? "is not" : "is", null) as Query;
  return narrowed;
}

/**
 * Assessments of a facility, a scope or an author, of visits on these days; by default the latest visit comes first.
 */
export function listAssessments(
  handle: Handle,
  { page, sort, ...filter }: AssessmentFilter & { sort?: AssessmentSort | null; page: PageInput },
): Promise<Page<AssessmentRow>> {
  // Counting needs none of the row's columns and joins.
  const counted = isNation(filter) && !page.of ? matching(handle.selectFrom("assessment") as never, filter) : undefined;
  const skipped = sort?.startsWith("facility") ? undefined : counted;
  return readPage(matching(assessments(handle), filter), orders[sort ?? "newest"], page, counted, skipped);
}

/** A row of an export: the assessment, its facility with its present places and partner, and its service areas. */
export type ExportedAssessmentRow = AssessmentRow & {
  hmisCode: string | null;
  district: string;
  province: string;
  implementingPartner: string | null;
  /** by the service area's id: library version, database version, functional, notes */
  areas: Record<string, [string | null, string | null, boolean | null, string | null]>;
};

/** Assessments as rows of an export; by default the latest visit comes first. */
export async function listExportedAssessments(
  handle: Handle,
  {
    page,
    sort,
    assessmentUuid,
    ...filter
  }: AssessmentFilter & { sort?: AssessmentSort | null | undefined; assessmentUuid?: string | null; page: PageInput },
): Promise<Page<ExportedAssessmentRow>> {
  let query = matching(assessments(handle), filter);
  if (assessmentUuid != null) query = query.where("assessment.assessmentUuid", "=", assessmentUuid);
  const exported = query
    .leftJoin("district", "district.districtId", "facility.districtId")
    .leftJoin("province", "province.provinceId", "facility.provinceId")
    .leftJoin("implementingPartner", "implementingPartner.implementingPartnerId", "facility.implementingPartnerId")
    .select([
      "facility.hmisCode",
      "district.name as district",
      "province.name as province",
      "implementingPartner.name as implementingPartner",
      sql<ExportedAssessmentRow["areas"]>`(
        select coalesce(json_object_agg(area.service_area_id, json_build_array(
          area.library_version, area.database_version, area.smart_care_functional, area.additional_notes)), '{}')
        from service_area_assessment area where area.assessment_uuid = assessment.assessment_uuid)`.as("areas"),
    ])
    .$narrowType<{ district: NotNull; province: NotNull }>();
  return readPage(exported, orders[sort ?? "newest"], page);
}

/** The columns of an assessment's entry for a service area. */
const areaColumns = [
  "libraryVersion",
  "databaseVersion",
  "smartCareFunctional",
  "additionalNotes",
] as const satisfies (keyof ServiceAreaAssessment)[];

/** The service area entries of several assessments, by the area's name. */
export function listServiceAreaAssessments(
  handle: Handle,
  { assessmentUuids }: { assessmentUuids: readonly string[] },
) {
  return handle
    .selectFrom("serviceAreaAssessment")
    .innerJoin("serviceArea", "serviceArea.serviceAreaId", "serviceAreaAssessment.serviceAreaId")
    .where("serviceAreaAssessment.assessmentUuid", "=", anyOf(assessmentUuids, "uuid"))
    .orderBy("serviceArea.name")
    .orderBy("serviceArea.serviceAreaId")
    .select([
      "serviceAreaAssessment.assessmentUuid",
      "serviceAreaAssessment.serviceAreaId",
      "serviceArea.name as serviceArea",
      ...areaColumns.map((name) => `serviceAreaAssessment.${name}` as const),
    ])
    .execute();
}

export type ServiceAreaAssessmentRow = Awaited<ReturnType<typeof listServiceAreaAssessments>>[number];

/** The entries of the query's assessment among these entries for service areas, by the area's name, as one JSON array. */
const areasIn = (entries: "serviceAreaAssessment" | "stored") => sql<ServiceAreaAssessmentRow[]>`(
  select coalesce(json_agg(json_build_object(
    'assessmentUuid', assessment_uuid, 'serviceAreaId', service_area_id, 'serviceArea', name,
    ${sql.join(areaColumns.map((name) => sql`${sql.lit(name)}, ${sql.ref(`${entries}.${name}`)}`))}) order by name, service_area_id), '[]')
  from ${sql.table(entries)} join service_area using (service_area_id)
  where ${sql.table(entries)}.assessment_uuid = assessment.assessment_uuid)`;

const listWithAreas = writtenOnce((handle, { assessmentUuid }: { assessmentUuid: string }) =>
  assessments(handle)
    .select(areasIn("serviceAreaAssessment").as("serviceAreaAssessments"))
    .where("assessment.assessmentUuid", "=", assessmentUuid),
);
/** An assessment with its service area entries. */
export const findAssessmentWithAreas = async (handle: Handle, assessment: { assessmentUuid: string }) =>
  (await listWithAreas(handle, assessment)).at(0);

type NewArea = Omit<Insertable<ServiceAreaAssessment>, "assessmentUuid">;
const areaNames = sql.join(areaColumns.map((name) => sql.ref(name)));
const rowOfArea = ({
  serviceAreaId,
  libraryVersion,
  databaseVersion,
  smartCareFunctional,
  additionalNotes,
}: NewArea) => ({
  service_area_id: serviceAreaId,
  library_version: libraryVersion,
  database_version: databaseVersion,
  smart_care_functional: smartCareFunctional,
  additional_notes: additionalNotes,
});
/** Stores the entries of a new assessment for service areas that are active in its facility, and reads both. */
const listWithNewAreas = writtenOnce(
  (handle, asked: { assessmentUuid: string; facilityUuid: string; areas: string }) => {
    const storing = handle.with(
      "stored",
      () => sql<ServiceAreaAssessment>`(
      insert into service_area_assessment (assessment_uuid, service_area_id, ${areaNames})
      select ${asked.assessmentUuid}, service_area_id, ${areaNames}
      from jsonb_populate_recordset(null::service_area_assessment, ${asked.areas}) as area
      join facility_service_area using (service_area_id) where facility_uuid = ${asked.facilityUuid} returning *)`,
    );
    // The cast: it reads what any handle reads, besides the stored entries.
    return assessments(storing as unknown as Handle)
      .select(areasIn("stored").as("serviceAreaAssessments"))
      .where("assessment.assessmentUuid", "=", asked.assessmentUuid);
  },
);
type NewVisit = Pick<
  Insertable<Assessment>,
  "assessmentUuid" | "facilityUuid" | "userUuid" | (typeof storedColumns)[number]
> & {
  /** by default the time of its receipt */
  assessedAt: string | null;
  areas: NewArea[];
};

/** Locks the facility and stores the visit. The time is read after the wait for the facility. */
const insertVisit = writtenOnce(
  (_, { assessedAt, ...visit }: Omit<NewVisit, "areas">) => sql<{ closedOn: string | null }>`
    with held as (select closed_on from facility where facility_uuid = ${visit.facilityUuid} for no key update)
    insert into assessment (${sql.join(Object.keys(visit).map((name) => sql.ref(name)))}, assessed_at, received_at)
    select ${sql.join(Object.values(visit))}, coalesce(${assessedAt}::timestamptz, present), present
    from held cross join lateral (select clock_timestamp() as present) as clock
    on conflict (assessment_uuid) do nothing returning (select closed_on from held) as closed_on`,
);

/**
 * Stores a visit, and locks its facility until the transaction ends. Entries for service areas that are not active in
 * the facility are not stored.
 *
 * @returns what was stored, with the day from which the facility is closed (null: open). Undefined if there is no such
 *   facility, or if an assessment with this uuid exists
 */
export async function insertAssessment(handle: Handle, { areas, ...visit }: NewVisit) {
  const { assessmentUuid, facilityUuid } = visit;
  const [stored] = await insertVisit(handle, visit);
  if (!stored) return undefined;
  const [assessment] = await listWithNewAreas(handle, {
    ...{ assessmentUuid, facilityUuid },
    areas: JSON.stringify(areas.map(rowOfArea)),
  });
  return { ...assessment!, ...stored };
}

/** Writes new values of an assessment and its service areas, and raises its version by one. */
export async function updateAssessment(
  handle: Handle,
  {
    assessmentUuid,
    values,
    areas,
  }: {
    assessmentUuid: string;
    values: Updateable<Assessment>;
    areas: (Updateable<ServiceAreaAssessment> & { serviceAreaId: number })[];
  },
): Promise<void> {
  await handle
    .updateTable("assessment")
    .set({ ...values, version: sql`version + 1`, updatedAt: sql`now()` })
    .where("assessmentUuid", "=", assessmentUuid)
    .execute();
  for (const { serviceAreaId, ...area } of areas)
    await handle
      .updateTable("serviceAreaAssessment")
      .set(area)
      .where("assessmentUuid", "=", assessmentUuid)
      .where("serviceAreaId", "=", serviceAreaId)
      .execute();
}
