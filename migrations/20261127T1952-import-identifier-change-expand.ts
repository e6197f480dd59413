import { type Kysely, sql } from "kysely";

/** A row of an import that would change or remove an identifier is a kind of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry_import_row drop constraint registry_import_row_kind_check`.execute(db);
  await sql`
    alter table registry_import_row add constraint registry_import_row_kind_check check (kind in (
      'new', 'changed', 'same', 'identifierChange', 'duplicate', 'conflict', 'mergeCandidate', 'unknownPlace'))`.execute(
    db,
  );
}
