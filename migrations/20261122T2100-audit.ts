import { type Kysely, sql } from "kysely";

/**
 * Who did what, when, from where and by which token. Append-only: the database itself refuses to change or remove a
 * row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_event (
      audit_event_id bigint generated always as identity primary key,
      occurred_at timestamptz not null default now(),
      action text not null check (char_length(action) between 1 and 64),
      outcome text not null check (outcome in ('done', 'denied', 'failed')),
      user_uuid uuid references app_user,
      token_uuid uuid references access_token,
      address text,
      login text,
      facility_uuid text,
      subject_type text,
      subject_id text,
      details jsonb
    )`.execute(db);
  await sql`create index audit_event_list on audit_event (occurred_at, audit_event_id)`.execute(db);
  await sql`create index audit_event_by_user on audit_event (user_uuid, occurred_at)`.execute(db);
  await sql`create index audit_event_by_facility on audit_event (facility_uuid, occurred_at)`.execute(db);
  await sql`create index audit_event_by_subject on audit_event (subject_type, subject_id, occurred_at)`.execute(db);
  await sql`create index audit_event_by_action on audit_event (action, occurred_at)`.execute(db);
  await sql`create index audit_event_by_login on audit_event (lower(login), occurred_at) where login is not null`.execute(
    db,
  );
  await sql`
    create function audit_event_is_append_only() returns trigger language plpgsql as
    $$ begin raise exception 'audit_event is append-only'; end $$`.execute(db);
  await sql`
    create trigger audit_event_append_only before update or delete or truncate on audit_event
    for each statement execute function audit_event_is_append_only()`.execute(db);
}
