-- The roles of the product, each with no more rights than it needs. Run it as a superuser, in the product's database:
--
--   psql -v ON_ERROR_STOP=1 -d platform -f deploy/roles.sql
--   psql -d platform -c '\password platform_owner' -c '\password platform_gateway' -c '\password platform_reader'
--
--   platform_owner     owns tables and functions: npm run migrate, npm run restore
--   platform_gateway   reads and writes rows, changes no table and no trigger: npm start and the other commands
--   platform_reader    reads the views of the schema reporting, which hold no personal data: tools for reports
--
-- It can be run again at any time, on an empty database and on one in use. In an empty database, run it again after
-- npm run migrate to create the views; after an upgrade it renews them.

begin;

do $$
declare name text;
begin
  foreach name in array array['platform_owner', 'platform_gateway', 'platform_reader'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole', name);
    end if;
  end loop;
  -- A user who is no superuser, as on a managed server, must be able to act as the owner to give it objects.
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant platform_owner to %I', current_user);
  else
    -- So that in a deadlock with a reader the migration is the one that ends.
    grant set on parameter deadlock_timeout to platform_owner;
  end if;
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to platform_owner, platform_gateway, platform_reader', current_database());
  -- A report must neither write nor hold a connection for hours.
  execute format('alter role platform_reader in database %I set default_transaction_read_only = on', current_database());
  execute format('alter role platform_reader in database %I set statement_timeout = ''60s''', current_database());
  execute format('alter role platform_reader in database %I set idle_in_transaction_session_timeout = ''60s''', current_database());
  execute format('alter role platform_reader in database %I set search_path = reporting', current_database());
end $$;
alter role platform_reader connection limit 10;
-- Who holds a lock, and since when: for the doctor and for migrations that wait.
grant pg_read_all_stats to platform_owner, platform_gateway;

create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists fuzzystrmatch;

revoke all on schema public from public;
grant usage, create on schema public to platform_owner;
grant usage on schema public to platform_gateway;

-- Existing objects get their owner.
do $$
declare statement text;
begin
  for statement in
    select format('alter %s %s owner to platform_owner', case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end, c.oid::regclass)
    from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S') and relowner <> 'platform_owner'::regrole
      -- Objects of an extension and sequences of columns are left out.
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'e', 'i'))
    union all
    select format('alter routine %s owner to platform_owner', p.oid::regprocedure)
    from pg_proc p
    where pronamespace = 'public'::regnamespace and proowner <> 'platform_owner'::regrole
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
  loop
    execute statement;
  end loop;
end $$;

grant select, insert, update, delete on all tables in schema public to platform_gateway;
grant usage, select on all sequences in schema public to platform_gateway;
-- An import tells the planner how large these tables have become. Before PostgreSQL 17 only their owner may, and a vacuum does it a minute later.
do $$
declare name text;
begin
  if current_setting('server_version_num')::integer < 170000 then return; end if;
  foreach name in array array['facility', 'facility_identifier', 'tdb_silence', 'change', 'registry_import_row'] loop
    if to_regclass('public.' || name) is not null then
      execute format('grant maintain on public.%I to platform_gateway', name);
    end if;
  end loop;
end $$;
-- The same for objects that migrations create later.
alter default privileges for role platform_owner in schema public grant select, insert, update, delete on tables to platform_gateway;
alter default privileges for role platform_owner in schema public grant usage, select on sequences to platform_gateway;

-- The reader's views: no people, no contacts, no free texts, no names of files.
drop schema if exists reporting cascade;
create schema reporting authorization platform_owner;
grant usage on schema reporting to platform_reader;

set local role platform_owner;
do $$
begin
  if to_regclass('public.facility_state') is null then
    raise notice 'The database has no tables yet. Run npm run migrate as platform_owner, and then this file again for the views.';
    return;
  end if;

  create view reporting.province as select province_id, name from public.province;
  create view reporting.district as select district_id, province_id, name from public.district;
  create view reporting.implementing_partner as select implementing_partner_id, name, active from public.implementing_partner;
  create view reporting.service_area as select service_area_id, name from public.service_area;
  create view reporting.smartcare_version as select smartcare_version_id, library_version, database_version from public.smartcare_version;

  create view reporting.facility as
    select facility_uuid, facility_name, hmis_code, old_hmis_code, province_id, district_id, implementing_partner_id, facility_type, facility_owner,
      operation_status, laboratory_level, health_center_type, catchment_population, latitude, longitude, functionality_status_mode,
      connectivity_present, mobile_coverage, closed_on, created_at, updated_at
    from public.facility;
  create view reporting.facility_service_area as select facility_uuid, service_area_id from public.facility_service_area;

  create view reporting.assessment as
    select assessment_uuid, facility_uuid, assessed_at, received_at, smart_care_functional, functionality_status_mode, library_version,
      database_version, library_version_consistent, date_of_last_upgrade, number_of_staff_trained_in_smart_care,
      primary_power, primary_power_working, backup_power, backup_power_working
    from public.assessment;
  create view reporting.service_area_assessment as
    select assessment_uuid, service_area_id, smart_care_functional, library_version, database_version from public.service_area_assessment;

  create view reporting.tdb as
    select tdb_uuid, facility_uuid, tdb_created_at, uploaded_at, delta, file_size, total_patients, library_version, database_version from public.tdb;
  create view reporting.silence as
    select facility_uuid, province_id, district_id, implementing_partner_id, tdb_uuid, tdb_created_at, uploaded_at, due_day from public.tdb_silence;

  -- States at the end of each quarter; the state of today has null in until.
  create view reporting.facility_state as
    select facility_uuid, period_start, until, assessment_uuid, assessed_at, smart_care_functional, power_working, functionality_status_mode,
      library_version, functional_at, power_at, expected, in_time, province_id, district_id, implementing_partner_id
    from public.facility_state;

  grant select on all tables in schema reporting to platform_reader;
end $$;
reset role;

commit;
