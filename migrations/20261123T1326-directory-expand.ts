import { type Kysely, sql } from "kysely";

/**
 * Indexes of the directory: which units changed since an instant, which facilities are near a position, and which have
 * a name that begins so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index change_of_units_by_time on change (kind, changed_at, key)
    where kind in ('facility', 'province', 'district', 'implementingPartner')`.execute(db);
  await sql`create index facility_by_position on facility (latitude, longitude) where latitude is not null`.execute(db);
  await sql`create index facility_by_name_key on facility (name_key text_pattern_ops)`.execute(db);
}
