import { type Kysely, sql } from "kysely";

/** Why a visit has no position. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table assessment
      add column position_note text check (char_length(position_note) <= 256)`.execute(db);
}
