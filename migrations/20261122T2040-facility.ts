import { type Kysely, sql } from "kysely";

/**
 * Facilities. `facility_uuid` is an opaque text: a part of the ministry's are no UUIDs. `province_id` repeats the
 * district's, held equal by the composite key, so that lists and charts of a province need no join.
 * `functionality_status_mode` repeats the latest assessment's (the facility's present mode); the act that saves an
 * assessment keeps it. `name_key` is the name as searches compare it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table facility (
      facility_uuid text collate "C" primary key check (char_length(facility_uuid) between 1 and 64),
      facility_name text collate "C" not null check (char_length(facility_name) between 1 and 256),
      hmis_code text collate "C" check (char_length(hmis_code) between 1 and 32),
      old_hmis_code text collate "C" check (char_length(old_hmis_code) between 1 and 32),
      district_id integer not null,
      province_id integer not null,
      implementing_partner_id integer references implementing_partner,
      facility_owner text check (char_length(facility_owner) <= 128),
      health_center_type text check (char_length(health_center_type) <= 128),
      facility_type text check (char_length(facility_type) <= 128),
      laboratory_level text check (char_length(laboratory_level) <= 128),
      latitude double precision check (latitude between -90 and 90),
      longitude double precision check (longitude between -180 and 180),
      connectivity_present boolean,
      connectivity_type_id integer references connectivity_type,
      connectivity_details text check (char_length(connectivity_details) <= 256),
      mobile_coverage boolean,
      mobile_provider_id integer references connectivity_provider,
      functionality_status_mode text check (functionality_status_mode in ('EFirst', 'EFast', 'ELast', 'NotDeployed', 'Partial', 'NotOperational')),
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      search_text text generated always as (
        search_key(facility_name || ' ' || coalesce(hmis_code, '') || ' ' || coalesce(old_hmis_code, ''))) stored,
      name_key text not null generated always as (search_key(facility_name)) stored,
      catchment_population integer check (catchment_population >= 0),
      operation_status text collate "C" check (char_length(operation_status) <= 128),
      foreign key (district_id, province_id) references district (district_id, province_id) on update cascade,
      check ((latitude is null) = (longitude is null)),
      check (connectivity_present is true or (connectivity_type_id is null and connectivity_details is null)),
      check (mobile_coverage is true or mobile_provider_id is null)
    )`.execute(db);
  await sql`create unique index facility_by_hmis_code on facility (hmis_code)`.execute(db);
  await sql`create index facility_list_by_name on facility (facility_name, facility_uuid)`.execute(db);
  await sql`create index facility_list_by_district on facility (district_id, facility_name, facility_uuid)`.execute(db);
  await sql`create index facility_list_by_province on facility (province_id, facility_name, facility_uuid)`.execute(db);
  await sql`create index facility_list_by_partner on facility (implementing_partner_id, facility_name, facility_uuid)`.execute(
    db,
  );
  await sql`create index facility_list_by_mode on facility (functionality_status_mode, facility_name, facility_uuid)`.execute(
    db,
  );
  await sql`create index facility_list_by_code on facility (coalesce(hmis_code, ''), facility_name, facility_uuid)`.execute(
    db,
  );
  await sql`create index facility_search on facility using gin (search_text gin_trgm_ops)`.execute(db);

  await sql`
    create table facility_service_area (
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      service_area_id integer not null references service_area,
      primary key (facility_uuid, service_area_id)
    )`.execute(db);
  await sql`create index facility_by_service_area on facility_service_area (service_area_id)`.execute(db);
}
