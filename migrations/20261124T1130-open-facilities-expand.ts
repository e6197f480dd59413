import { type Kysely, sql } from "kysely";

/**
 * The list and the numbers of open facilities, which nearly every list and count asks for, without a look at their
 * rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index facility_list_open on facility (facility_name, facility_uuid) where closed_on is null`.execute(
    db,
  );
  await sql`create index facility_count_by_province on facility (province_id) where closed_on is null`.execute(db);
  await sql`create index facility_count_by_district on facility (district_id) where closed_on is null`.execute(db);
  await sql`create index facility_count_by_partner on facility (implementing_partner_id) where closed_on is null`.execute(
    db,
  );
}
