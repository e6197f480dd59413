import { type Kysely, sql } from "kysely";

/** What the directory of users and the audit screen ask: people by any of their names or their address, and events by login. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table app_user add column search_text text generated always as (
      search_key(user_name || ' ' || first_name || ' ' || coalesce(middle_name, '') || ' ' || surname || ' ' || primary_email)
    ) stored`.execute(db);
  await sql`create index app_user_search on app_user using gin (search_text gin_trgm_ops)`.execute(db);
  await sql`create index app_user_list on app_user (user_name, user_uuid)`.execute(db);
  await sql`
    create index audit_event_by_login on audit_event (lower(login), occurred_at) where login is not null`.execute(db);
}
