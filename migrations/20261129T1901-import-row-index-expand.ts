import { type Kysely, sql } from "kysely";

/** Which applied rows of imports a facility has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists registry_import_row_by_facility on registry_import_row (facility_uuid) where applied_version is not null`.execute(
    db,
  );
}
