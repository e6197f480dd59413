import { type Kysely, sql } from "kysely";

/**
 * The one normal form of a text that is searched: lower case, no accents, apostrophes dropped (ng'ombe = ngombe), brackets and
 * other marks read as spaces. `unaccent` is only STABLE because its dictionary could change; naming the dictionary makes the
 * wrapper safe to call IMMUTABLE, which the generated column and its index need.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create extension if not exists unaccent`.execute(db);
  await sql`
    create function search_key(input text) returns text
    language sql immutable strict parallel safe
    return trim(regexp_replace(
      regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, input)), '[''’‘ʼ\`´]', '', 'g'),
      '[^[:alnum:]]+', ' ', 'g'))
  `.execute(db);
}
