import { type Kysely, sql } from "kysely";

/** Who loaded a list of facilities from the command line, which knows no person of the platform. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry_import add column operator text check (char_length(operator) <= 256)`.execute(db);
}
