import { type Kysely, sql } from "kysely";

/**
 * What people wrote about entries of the work list, and until when an entry is snoozed. The newest note of an entry
 * decides.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table worklist_note (
      note_uuid uuid primary key,
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      kind text not null check (kind in ('stopped', 'lostPower', 'silent', 'oldVersion', 'notVisited')),
      user_uuid uuid not null references app_user,
      written_at timestamptz not null default now(),
      comment text not null check (length(comment) between 1 and 512),
      snoozed_until date
    )`.execute(db);
  await sql`create index worklist_note_of_entry on worklist_note (facility_uuid, kind, written_at desc, note_uuid desc)`.execute(
    db,
  );
  await sql`create index worklist_note_snoozed on worklist_note (snoozed_until) where snoozed_until is not null`.execute(
    db,
  );
  await sql`create index worklist_note_of_user on worklist_note (user_uuid)`.execute(db);
}
