import { type Kysely, sql } from "kysely";

/**
 * An assessment has two times: that of the visit (`assessed_at`) and that of its receipt. Until now they were the same moment, noted
 * twice: the second note becomes the time of receipt, without a row being written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table assessment rename column created_at to received_at`.execute(db);
}
