import { type Kysely, sql } from "kysely";

/**
 * When the content of a stored file was removed by the rules of retention, and the facilities of which nothing is
 * removed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tdb add column content_removed_at timestamptz`.execute(db);
  await sql`alter table download add column content_removed_at timestamptz`.execute(db);
  // Without a reference to its facility: a merge removes that one, and the hold stays over what was merged.
  await sql`
    create table legal_hold (
      facility_uuid text collate "C" primary key check (char_length(facility_uuid) between 1 and 64),
      reason text not null check (char_length(reason) between 1 and 500),
      since timestamptz not null default now()
    )`.execute(db);
}
