import { type Kysely, sql } from "kysely";

/**
 * What administrators aim at: a share of the facilities assessed, for a fiscal year, of the country or of one province,
 * district or partner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table target (
      target_uuid uuid primary key,
      measure text collate "C" not null check (measure in ('functional', 'primaryPowerWorking', 'backupPowerWorking', 'efirst')),
      year integer not null,
      share double precision not null check (share between 0 and 100),
      province_id integer references province on delete cascade,
      district_id integer references district on delete cascade,
      implementing_partner_id integer references implementing_partner on delete cascade,
      check (num_nonnulls(province_id, district_id, implementing_partner_id) <= 1)
    )`.execute(db);
  await sql`create unique index target_one_a_unit on target (year, measure, province_id, district_id, implementing_partner_id) nulls not distinct`.execute(
    db,
  );
  await sql`create index target_by_province on target (province_id) where province_id is not null`.execute(db);
  await sql`create index target_by_district on target (district_id) where district_id is not null`.execute(db);
  await sql`create index target_by_partner on target (implementing_partner_id) where implementing_partner_id is not null`.execute(
    db,
  );
}
