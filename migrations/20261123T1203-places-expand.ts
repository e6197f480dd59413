import { type Kysely, sql } from "kysely";

/** From which day on a province, a district or a partner is closed, and the version of its row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["province", "district", "implementing_partner"])
    await sql`alter table ${sql.table(table)} add column closed_on date, add column version integer not null default 1`.execute(
      db,
    );
}
