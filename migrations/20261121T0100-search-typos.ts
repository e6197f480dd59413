import { type Kysely, sql } from "kysely";

/** Distances between words, so that a search forgives two letters that changed places in a short name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists fuzzystrmatch`.execute(db);
}
