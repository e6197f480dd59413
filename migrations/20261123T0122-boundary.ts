import { type Kysely, sql } from "kysely";

/**
 * Outlines of provinces and districts for maps: paths of SVG in steps of 1/500 degree, east and north, each with the
 * box that it fills.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table boundary (
      province_id integer references province on delete cascade,
      district_id integer references district on delete cascade,
      path text not null,
      west integer not null,
      south integer not null,
      east integer not null,
      north integer not null,
      check (num_nonnulls(province_id, district_id) = 1),
      unique nulls not distinct (province_id, district_id)
    )`.execute(db);
  await sql`create index boundary_of_district on boundary (district_id)`.execute(db);
}
