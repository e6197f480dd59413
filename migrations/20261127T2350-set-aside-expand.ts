import { type Kysely, sql } from "kysely";

/** Visits and TDBs that an administrator set aside: they stay, and no figure counts them. */
const tables = ["assessment", "tdb"];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables)
    await sql`
      alter table ${sql.table(table)}
        add column set_aside_at timestamptz,
        add column set_aside_by uuid references app_user,
        add column set_aside_reason text,
        add constraint ${sql.ref(`${table}_set_aside_whole`)} check (num_nonnulls(set_aside_at, set_aside_by, set_aside_reason) in (0, 3))`.execute(
      db,
    );
}
