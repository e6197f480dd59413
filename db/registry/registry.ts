import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";
import { isCounted } from "../list/counted.ts";

/** The registry of facilities: closing, and merging two facilities into one. */

/** The day of a facility's last visit; null if there was none. */
export async function findLastVisitDay(
  handle: Handle,
  { facilityUuid }: { facilityUuid: string },
): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select (select assessed_at::date from assessment where facility_uuid = ${facilityUuid} and ${isCounted("assessment")} order by assessed_at desc limit 1) as day`.execute(
    handle,
  );
  return rows[0]!.day;
}

/** For uuids of merged facilities: the uuid of the facility that each was merged into. */
export async function listSurvivors(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await handle
    .selectFrom("facilityMerge")
    .select(["facilityUuid", "intoUuid"])
    .where("facilityUuid", "=", anyOf(facilityUuids, "text"))
    .execute();
  return new Map(rows.map(({ facilityUuid, intoUuid }) => [facilityUuid, intoUuid]));
}

/** How long a merge can be undone, in days. */
export const undoDays = 30;

const merges = (handle: Handle) =>
  handle
    .selectFrom("facilityMerge")
    .innerJoin("facility", "facility.facilityUuid", "facilityMerge.intoUuid")
    .leftJoin("appUser", "appUser.userUuid", "facilityMerge.userUuid")
    .select([
      "facilityMerge.facilityUuid",
      sql<string>`facility_merge.facility ->> 'facility_name'`.as("facilityName"),
      "facilityMerge.intoUuid",
      "facility.facilityName as intoName",
      sql<string>`merged_at::date`.as("mergedDate"),
      sql<string>`merged_at::date + ${undoDays}::integer`.as("undoUntil"),
      sql<boolean>`current_date <= merged_at::date + ${undoDays}::integer`.as("undoable"),
      "appUser.userName",
    ]);
export type MergeRow = Awaited<ReturnType<ReturnType<typeof merges>["executeTakeFirstOrThrow"]>>;

/** Merges, the latest first. */
export const listMerges = (handle: Handle): Promise<MergeRow[]> =>
  merges(handle).orderBy("mergedAt", "desc").orderBy("facilityMerge.facilityUuid").execute();

export const findMerge = (handle: Handle, { facilityUuid }: { facilityUuid: string }): Promise<MergeRow | undefined> =>
  merges(handle).where("facilityMerge.facilityUuid", "=", facilityUuid).executeTakeFirst();

type GivenAway = { system: string; value: string; facilityUuid: string; facilityName: string };

/**
 * Codes and identifiers of a merged facility that a third facility has today. Undoing the merge would give them to
 * both.
 */
export async function listGivenAway(handle: Handle, { facilityUuid, intoUuid }: Merge): Promise<GivenAway[]> {
  const { rows } = await sql<GivenAway>`
    select system, own.value, holder.facility_uuid, holder.facility_name
    from facility_merge merge cross join jsonb_to_recordset(merge.moved -> 'identifiers') as given (system text, value text, valid_until date)
    join facility_identifier own using (system, value) join facility holder on holder.facility_uuid = own.facility_uuid
    where merge.facility_uuid = ${facilityUuid} and given.valid_until is null and own.is_unique and own.valid_until is null and own.facility_uuid <> ${intoUuid}
    order by 1, 2`.execute(handle);
  return rows;
}

export type Holdings = { assessments: number; tdbs: number; serviceAreas: number; siteCredential: boolean };

/** How many records belong to a facility. */
export async function findHoldings(handle: Handle, { facilityUuid }: { facilityUuid: string }): Promise<Holdings> {
  const { rows } = await sql<Holdings>`
    select (select count(*)::integer from assessment where facility_uuid = ${facilityUuid}) as assessments,
      (select count(*)::integer from tdb where facility_uuid = ${facilityUuid}) as tdbs,
      (select count(*)::integer from facility_service_area where facility_uuid = ${facilityUuid}) as service_areas,
      exists (select from site_account where facility_uuid = ${facilityUuid}) as site_credential`.execute(handle);
  return rows[0]!;
}

type MergedForLoad = {
  facilityUuid: string;
  hmisCode: string | null;
  /** no facility has the code by now */ isCodeFree: boolean;
  intoUuid: string;
  intoName: string;
};

/** The facilities that were merged, with the code that each had and the facility that it was merged into. */
export async function listMergesForLoad(handle: Handle): Promise<MergedForLoad[]> {
  const { rows } = await sql<MergedForLoad>`
    select merge.facility_uuid, merge.facility ->> 'hmis_code' as hmis_code, merge.into_uuid, survivor.facility_name as into_name,
      not exists (select from facility where hmis_code = merge.facility ->> 'hmis_code') as is_code_free
    from facility_merge merge join facility survivor on survivor.facility_uuid = merge.into_uuid`.execute(handle);
  return rows;
}

type Merge = { facilityUuid: string; intoUuid: string };

/** The uuids of facilities that were merged into these, the earliest merge first. */
export async function listMergedInto(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<Merge[]> {
  const { rows } = await sql<Merge>`
    select facility_uuid, into_uuid from facility_merge where into_uuid = ${anyOf(facilityUuids, "text")} order by merged_at, facility_uuid`.execute(
    handle,
  );
  return rows;
}
const keep = {
  assessment: "assessment_uuid",
  tdb: "tdb_uuid",
  site_account: "user_uuid",
  worklist_note: "note_uuid",
  action: "action_uuid",
  update_report: "report_uuid",
} as const;

/**
 * Moves everything that belongs to a facility to another one, and deletes the facility. The deleted row and the keys of
 * the moved rows are recorded, so that `deleteMerge` can undo it. The caller has locked both facilities.
 */
export async function insertMerge(
  handle: Handle,
  { facilityUuid, intoUuid, userUuid }: Merge & { userUuid: string },
): Promise<void> {
  const ids = (table: string, key: string) =>
    sql`coalesce((select jsonb_agg(${sql.ref(key)}) from ${sql.table(table)} where facility_uuid = ${facilityUuid}), '[]')`;
  await sql`
    insert into facility_merge (facility_uuid, into_uuid, user_uuid, facility, moved)
    select facility_uuid, ${intoUuid}, ${userUuid}, to_jsonb(facility), jsonb_build_object(
      'assessments', ${ids("assessment", "assessment_uuid")}, 'tdbs', ${ids("tdb", "tdb_uuid")}, 'sites', ${ids("site_account", "user_uuid")}, 'notes', ${ids("worklist_note", "note_uuid")},
      'actions', ${ids("action", "action_uuid")},
      'reports', ${ids("update_report", "report_uuid")}, 'rollouts', ${ids("rollout_facility", "rollout_uuid")},
      'fieldLists', ${ids("field_list_site", "field_list_uuid")},
      'addedLists', coalesce((select jsonb_agg(field_list_uuid) from field_list_site where facility_uuid = ${facilityUuid}
        and field_list_uuid not in (select field_list_uuid from field_list_site where facility_uuid = ${intoUuid})), '[]'),
      'merged', coalesce((select jsonb_agg(earlier.facility_uuid) from facility_merge earlier where earlier.into_uuid = facility.facility_uuid), '[]'),
      'areas', ${ids("facility_service_area", "service_area_id")},
      'addedAreas', coalesce((select jsonb_agg(service_area_id) from facility_service_area where facility_uuid = ${facilityUuid}
        and service_area_id not in (select service_area_id from facility_service_area where facility_uuid = ${intoUuid})), '[]'),
      'identifiers', coalesce((select jsonb_agg(to_jsonb(i)) from facility_identifier i where facility_uuid = ${facilityUuid}), '[]'),
      'intoCode', (select to_jsonb(hmis_code) from facility where facility_uuid = ${intoUuid}))
    from facility where facility_uuid = ${facilityUuid}`.execute(handle);
  for (const table of Object.keys(keep))
    await sql`update ${sql.table(table)} set facility_uuid = ${intoUuid} where facility_uuid = ${facilityUuid}`.execute(
      handle,
    );
  await sql`update facility_merge set into_uuid = ${intoUuid} where into_uuid = ${facilityUuid}`.execute(handle);
  await sql`
    insert into facility_service_area (facility_uuid, service_area_id)
    select ${intoUuid}, service_area_id from facility_service_area where facility_uuid = ${facilityUuid} on conflict do nothing`.execute(
    handle,
  );
  await sql`
    insert into rollout_facility (rollout_uuid, facility_uuid)
    select rollout_uuid, ${intoUuid} from rollout_facility where facility_uuid = ${facilityUuid} on conflict do nothing`.execute(
    handle,
  );
  await sql`
    insert into field_list_site (field_list_uuid, facility_uuid)
    select field_list_uuid, ${intoUuid} from field_list_site where facility_uuid = ${facilityUuid} on conflict do nothing`.execute(
    handle,
  );
  await sql`delete from facility where facility_uuid = ${facilityUuid}`.execute(handle);
  // The survivor keeps its code, or gets the other's if it has none. Where both have an identifier of one unique
  // system, the other's goes out of use.
  await sql`
    update facility set hmis_code = given.facility ->> 'hmis_code', version = version + 1, updated_at = now()
    from facility_merge given where given.facility_uuid = ${facilityUuid}
      and facility.facility_uuid = ${intoUuid} and hmis_code is null and given.facility ->> 'hmis_code' is not null`.execute(
    handle,
  );
  await sql`
    insert into facility_identifier (facility_uuid, system, value, valid_from, valid_until, is_unique)
    select ${intoUuid}, given.system, given.value, given.valid_from,
      case when given.is_unique and exists (
        select from facility_identifier own where own.facility_uuid = ${intoUuid} and own.system = given.system and own.valid_until is null)
        then coalesce(given.valid_until, current_date) else given.valid_until end, given.is_unique
    from facility_merge merge cross join jsonb_to_recordset(merge.moved -> 'identifiers') as given (system text, value text, valid_from date, valid_until date, is_unique boolean)
    where merge.facility_uuid = ${facilityUuid}
    on conflict do nothing`.execute(handle);
}

/**
 * Undoes a merge: inserts the facility again, and moves back the rows that still are where the merge moved them. The
 * province is read from the district, which may have moved to another province. The caller has locked the survivor.
 */
export async function deleteMerge(handle: Handle, { facilityUuid, intoUuid }: Merge): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = 'facility'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(handle);
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  const moved = (name: string) =>
    sql`(select moved -> ${sql.lit(name)} from facility_merge where facility_uuid = ${facilityUuid})`;
  // The code and identifiers that the survivor got go back.
  await sql`
    update facility set hmis_code = null, version = version + 1, updated_at = now()
    from facility_merge given where given.facility_uuid = ${facilityUuid} and facility.facility_uuid = ${intoUuid}
      and hmis_code = given.facility ->> 'hmis_code' and given.moved ->> 'intoCode' is null`.execute(handle);
  await sql`
    delete from facility_identifier own using jsonb_to_recordset(${moved("identifiers")}) as given (system text, value text)
    where own.facility_uuid = ${intoUuid} and own.system = given.system and own.value = given.value`.execute(handle);
  await sql`
    insert into facility (${columns})
    select ${columns} from jsonb_populate_record(null::facility, (
      select facility || jsonb_build_object('province_id', province_id) from facility_merge
      join district on district_id = (facility ->> 'district_id')::integer where facility_uuid = ${facilityUuid}))`.execute(
    handle,
  );
  await sql`
    insert into facility_identifier as kept (facility_uuid, system, value, valid_from, valid_until, is_unique)
    select ${facilityUuid}, system, value, valid_from, valid_until, is_unique
    from jsonb_to_recordset(${moved("identifiers")}) as given (system text, value text, valid_from date, valid_until date, is_unique boolean)
    on conflict (facility_uuid, system, value) do update set valid_from = excluded.valid_from, valid_until = excluded.valid_until`.execute(
    handle,
  );
  await sql`
    insert into facility_service_area (facility_uuid, service_area_id)
    select ${facilityUuid}, value::integer from jsonb_array_elements_text(${moved("areas")}) on conflict do nothing`.execute(
    handle,
  );
  await sql`
    delete from facility_service_area where facility_uuid = ${intoUuid}
      and service_area_id in (select value::integer from jsonb_array_elements_text(${moved("addedAreas")}))`.execute(
    handle,
  );
  for (const [table, name] of [
    ["assessment", "assessments"],
    ["tdb", "tdbs"],
    ["site_account", "sites"],
    ["worklist_note", "notes"],
    ["action", "actions"],
    ["update_report", "reports"],
  ] as const)
    await sql`
      update ${sql.table(table)} set facility_uuid = ${facilityUuid}
      where facility_uuid = ${intoUuid} and ${sql.ref(keep[table])} in (select value::uuid from jsonb_array_elements_text(${moved(name)}))`.execute(
      handle,
    );
  await sql`
    insert into rollout_facility (rollout_uuid, facility_uuid)
    select rollout_uuid, ${facilityUuid} from rollout where rollout_uuid in (select value::uuid from jsonb_array_elements_text(${moved("rollouts")}))`.execute(
    handle,
  );
  await sql`
    insert into field_list_site (field_list_uuid, facility_uuid)
    select field_list_uuid, ${facilityUuid} from field_list where field_list_uuid in (select value::uuid from jsonb_array_elements_text(${moved("fieldLists")}))`.execute(
    handle,
  );
  await sql`
    delete from field_list_site where facility_uuid = ${intoUuid}
      and field_list_uuid in (select value::uuid from jsonb_array_elements_text(${moved("addedLists")}))`.execute(
    handle,
  );
  await sql`
    update facility_merge set into_uuid = ${facilityUuid}
    where into_uuid = ${intoUuid} and facility_uuid in (select value from jsonb_array_elements_text(${moved("merged")}))`.execute(
    handle,
  );
  await sql`delete from facility_merge where facility_uuid = ${facilityUuid}`.execute(handle);
}
