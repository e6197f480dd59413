import { type Kysely, sql } from "kysely";

/** The audit by outcome and by address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index audit_event_by_outcome on audit_event (outcome, occurred_at, audit_event_id)`.execute(db);
  await sql`create index audit_event_by_address on audit_event ((coalesce(address, '')), occurred_at, audit_event_id)`.execute(
    db,
  );
}
