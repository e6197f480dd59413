import { type Kysely, sql } from "kysely";

/**
 * How many people a facility serves, and whether it operates. Both are settings: who edits a facility changes them. The
 * feed of changes compares whole rows from here on, but for what it does not tell.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table facility
      add column catchment_population integer check (catchment_population >= 0),
      add column operation_status text collate "C" check (char_length(operation_status) <= 128)`.execute(db);

  const untold = ["functionality_status_mode", "search_text", "name_key", "version", "created_at", "updated_at"];
  const connectivity = [
    "connectivity_present",
    "connectivity_type_id",
    "connectivity_details",
    "mobile_coverage",
    "mobile_provider_id",
  ];
  const settings = ["implementing_partner_id", "catchment_population", "operation_status"];
  const differIn = (columns: string[]) =>
    `(${columns.map((name) => `o.${name}`).join(", ")}) is distinct from (${columns.map((name) => `n.${name}`).join(", ")})`;
  const differBut = (columns: string[]) => {
    const left = `array[${columns.map((name) => `'${name}'`).join(", ")}]`;
    return `to_jsonb(o) - ${left} is distinct from to_jsonb(n) - ${left}`;
  };
  const changed = (kind: string, condition: string) => `
    perform record_changes('changed', array['${kind}'], (
      select array_agg(facility_uuid) from old_rows o join new_rows n using (facility_uuid) where ${condition}));`;
  const kinds = "array['facility', 'facilitySettings', 'facilityConnectivity']";
  const body = `
    perform hold_places((
      select array_agg(facility_uuid) from old_rows o join new_rows n using (facility_uuid)
      where ${differIn(["district_id", "province_id", "implementing_partner_id"])}));
    perform record_changes('withdrawn', ${kinds}, (
      select array_agg(facility_uuid) from old_rows where facility_uuid not in (select facility_uuid from new_rows)));
    perform record_changes('created', ${kinds}, (
      select array_agg(facility_uuid) from new_rows where facility_uuid not in (select facility_uuid from old_rows)));
    ${changed("facility", differBut([...untold, ...connectivity]))}
    ${changed("facilitySettings", differIn(settings))}
    ${changed("facilityConnectivity", differIn(connectivity))}
    perform record_changes('changed', array['tdb'], (
      select array_agg(tdb_uuid::text) from old_rows o join new_rows n using (facility_uuid) join tdb using (facility_uuid)
      where ${differIn(["facility_name", "district_id", "province_id", "implementing_partner_id"])}));`;
  await sql`create or replace function facility_updated_for_changes() returns trigger language plpgsql as ${sql.lit(
    `begin ${body} return null; end`,
  )}`.execute(db);
}
