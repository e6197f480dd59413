import { type Kysely, sql } from "kysely";

/**
 * What searches need: similarity of texts (pg_trgm), distances between words (a search forgives two letters that
 * changed places), and the one normal form of a text that is searched: lower case, no accents, apostrophes dropped
 * (ng'ombe = ngombe), brackets and other marks read as spaces. `unaccent` is only STABLE because its dictionary could
 * change. The wrapper names the dictionary, so it is safe to call it IMMUTABLE, which generated columns and indexes
 * need.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create extension if not exists unaccent`.execute(db);
  await sql`create extension if not exists fuzzystrmatch`.execute(db);
  await sql`
    create function search_key(input text) returns text
    language sql immutable strict parallel safe
    return trim(regexp_replace(
      regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, input)), '[''’‘ʼ\`´]', '', 'g'),
      '[^[:alnum:]]+', ' ', 'g'))
  `.execute(db);
}
