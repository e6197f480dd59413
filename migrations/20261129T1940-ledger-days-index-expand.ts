import { type Kysely, sql } from "kysely";

/** Finds the actions that were agreed or closed, and the notes that were written, on some days: for the ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists action_agreed on action (agreed_at)`.execute(db);
  await sql`create index if not exists action_closed on action (closed_at) where closed_at is not null`.execute(db);
  await sql`create index if not exists worklist_note_written on worklist_note (written_at)`.execute(db);
}
