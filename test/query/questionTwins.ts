import { type RawBuilder, sql } from "kysely";

/** Plain SQL over assessments and TDBs that answers the questions of docs/questions.md. */

export type Values = Record<string, string | number | boolean | null>;
export const visitDay = sql`(assessed_at at time zone 'Africa/Lusaka')::date`;
export const receiptDay = sql`(uploaded_at at time zone 'Africa/Lusaka')::date`;
const ever = sql`'9999-12-31'`;
/** Each facility's latest visit up to a day. */
export const state = (day: unknown = ever) =>
  sql`(select distinct on (facility_uuid) * from assessment where ${visitDay} <= ${day}::date order by facility_uuid, assessed_at desc, assessment_uuid desc)`;
export const sent = (day: unknown) =>
  sql`(select distinct on (facility_uuid) * from tdb where ${receiptDay} <= ${day}::date order by facility_uuid, tdb_created_at desc, uploaded_at desc, tdb_uuid desc)`;
const quarterOf = (begins: RawBuilder<unknown>) => sql`(extract(quarter from ${begins})::int % 4) + 1`;
const visitQuarter = sql`date_trunc('quarter', ${visitDay})`;
const yearBegins = (year: unknown) => sql`make_date(${year}::int - 1, 10, 1)`;
/** Each facility's latest visit of each quarter of a fiscal year. */
const ofQuarters = (
  year: unknown,
) => sql`(select distinct on (facility_uuid, ${visitQuarter}) *, ${quarterOf(visitQuarter)} as quarter from assessment
  where ${visitDay} >= ${yearBegins(year)} and ${visitDay} < ${yearBegins(year)} + interval '1 year' order by facility_uuid, ${visitQuarter}, assessed_at desc, assessment_uuid desc)`;
export const sites = sql`facility join district using (district_id) join province on province.province_id = facility.province_id left join implementing_partner as partner using (implementing_partner_id)`;
export const median = (value: RawBuilder<unknown>, part = 0.5) =>
  sql`percentile_cont(${sql.lit(part)}) within group (order by ${value})`;
const versionOf = (version: RawBuilder<unknown>) => sql`string_to_array(btrim(${version}), '.')::int[]`;

/** The SQL of each question, with its columns in the order of the CSV. */
export const twins: Record<string, (variables: Values) => RawBuilder<unknown>> = {
  MedianDaysBetweenVisits: ({ start, end }) => sql`
    select province.name, count(*), ${median(sql`gap`)}, count(gap) from (
      select *, ${visitDay} - lag(${visitDay}) over (partition by facility_uuid order by assessed_at, assessment_uuid) as gap from assessment) as visit
    join facility using (facility_uuid) join province using (province_id) where ${visitDay} between ${start}::date and ${end}::date group by 1`,
  MovedToEFirst: ({ from, to }) => sql`
    select partner.name, count(*) from ${sites} join ${state(from)} as a using (facility_uuid) join ${state(to)} as b using (facility_uuid)
    where facility.closed_on is null and a.functionality_status_mode = 'ELast' and b.functionality_status_mode = 'EFirst' group by 1`,
  StaffPerDistrictAndQuarter: ({ year }) => sql`
    select district.name, quarter, count(*), sum(number_of_staff_trained_in_smart_care) from ${ofQuarters(year)} as visit join facility using (facility_uuid) join district using (district_id)
    group by district_id, 1, 2`,
  OldVersions: ({ version }) => sql`
    select partner.name, facility_name, library_version, contact_a_name, contact_a_primary_phone from ${sites} join ${state()} as visit using (facility_uuid)
    where facility.closed_on is null and btrim(library_version) <> '' and ${versionOf(sql`library_version`)} < ${versionOf(sql`${version}::text`)}`,
  NeverAssessed: () =>
    sql`select facility_name, district.name from ${sites} where facility.closed_on is null and facility_uuid not in (select facility_uuid from assessment)`,
  PowerButNotFunctional: () => sql`
    select facility_name, district.name from ${sites} join ${state()} as visit using (facility_uuid) where facility.closed_on is null and primary_power_working and not smart_care_functional`,
  GapsBetweenTdbs: ({ start, end }) => sql`
    select province.name, count(*), ${median(sql`gap`)}, ${median(sql`gap`, 0.9)}, max(gap) from (
      select *, ${receiptDay} - lag(${receiptDay}) over (partition by facility_uuid order by uploaded_at, tdb_uuid) as gap from tdb) as received
    join facility using (facility_uuid) join province using (province_id) where ${receiptDay} between ${start}::date and ${end}::date group by 1`,
  CompletenessByQuarter: ({ year }) => sql`
    select province.name, quarter, count(*), sites, count(*)::float8 / sites from ${ofQuarters(year)} as visit join facility using (facility_uuid) join province using (province_id)
    join (select province_id, count(*) as sites from facility where closed_on is null group by 1) as there using (province_id) group by 1, 2, sites`,
  VisitsPerPerson: ({ start, end }) => sql`
    select user_name, count(*), count(distinct facility_uuid) from assessment join app_user using (user_uuid) where ${visitDay} between ${start}::date and ${end}::date group by 1`,
  ChangeOfFunctionality: ({ year }) => sql`
    select district.name, count(*) filter (where quarter = 2), count(*) filter (where quarter = 2 and smart_care_functional),
      count(*) filter (where quarter = 2 and smart_care_functional) - count(*) filter (where quarter = 1 and smart_care_functional)
    from ${ofQuarters(year)} as visit join facility using (facility_uuid) join district using (district_id) where quarter in (1, 2) group by district_id, 1`,
  NotVisitedSince: ({ day }) => sql`
    select facility_name, max(${visitDay})::text from facility join assessment using (facility_uuid) where closed_on is null group by facility_uuid, 1 having max(${visitDay}) < ${day}::date`,
  NoBackupAndNoCoverage: () => sql`
    select facility_name, district.name from ${sites} join ${state()} as visit using (facility_uuid) where facility.closed_on is null and not mobile_coverage and not backup_power`,
  ModeByOwner: () => sql`
    select facility_owner, functionality_status_mode, count(*), count(*)::float8 / sum(count(*)) over (partition by facility_owner) from facility where closed_on is null group by 1, 2`,
  FunctionalByServiceArea: () => sql`
    select service_area.name, count(distinct facility.facility_uuid), count(*) filter (where said.smart_care_functional), count(*) filter (where not said.smart_care_functional),
      count(visit.assessment_uuid) filter (where said.smart_care_functional is null),
      count(*) filter (where said.smart_care_functional)::float8 / nullif(count(said.smart_care_functional), 0)
    from facility left join facility_service_area as active using (facility_uuid) left join service_area using (service_area_id) left join ${state()} as visit using (facility_uuid)
    left join service_area_assessment as said on said.assessment_uuid = visit.assessment_uuid and said.service_area_id = active.service_area_id where facility.closed_on is null group by active.service_area_id, 1`,
  NotesAboutTheNetwork: ({ text }) => sql`
    select ${visitDay}::text, facility_name, other_issues from assessment join facility using (facility_uuid)
    where concat_ws(' | ', primary_power_notes, backup_power_notes, other_issues, closing_comments) ilike '%' || ${text} || '%'
      or exists (select from service_area_assessment as area where area.assessment_uuid = assessment.assessment_uuid and additional_notes ilike '%' || ${text} || '%')`,
  StaffPerEFirstSite: () => sql`
    select province.name, count(*), avg(staff)::float8, ${median(sql`staff`)}, min(staff), max(staff)
    from (select *, number_of_staff_trained_in_smart_care as staff from ${state()} as latest where functionality_status_mode = 'EFirst') as visit
    join facility using (facility_uuid) join province using (province_id) where facility.closed_on is null group by 1`,
  TdbVolume: ({ start, end }) => sql`
    select province.name, date_trunc('month', ${receiptDay})::date::text, count(*), sum(file_size) from tdb join facility using (facility_uuid) join province using (province_id)
    where ${receiptDay} between ${start}::date and ${end}::date group by 1, 2`,
  FallingClients: ({ from, to }) => sql`
    select facility_name, a.total_patients, b.total_patients from facility join ${sent(from)} as a using (facility_uuid) join ${sent(to)} as b using (facility_uuid)
    where closed_on is null and b.total_patients < a.total_patients`,
  UpgradedLongAgo: ({ day }) => sql`
    select facility_name, date_of_last_upgrade::text from facility join ${state()} as visit using (facility_uuid) where closed_on is null and date_of_last_upgrade < ${day}::date and date_of_last_upgrade > '1900-01-01'`,
  WorstDistricts: ({ start, end }) => sql`
    with visit as (select *, ${visitDay} >= ${start}::date as is_now from assessment where ${visitDay} between ${start}::date - interval '6 months' and ${end}::date),
      latest as (select distinct on (facility_uuid, is_now) * from visit order by facility_uuid, is_now, assessed_at desc, assessment_uuid desc),
      part as (select district_id, is_now, count(*) filter (where smart_care_functional) as works, count(smart_care_functional) as known,
        count(*) filter (where smart_care_functional)::float8 / nullif(count(smart_care_functional), 0) as share from latest join facility using (facility_uuid) group by 1, 2)
    select name, now.share - was.share as change, now.works, now.known, now.share, was.share
    from part as now join district using (district_id) left join part as was on was.district_id = now.district_id and not was.is_now
    where now.is_now and now.known >= 2 order by now.share nulls last, name limit 10`,
  VisitsPerSite: ({ start, end }) => sql`
    select partner.name, visits::float8 / sites, visits, sites
    from (select implementing_partner_id, count(*) as sites from facility where closed_on is null group by 1) as there
    left join implementing_partner as partner using (implementing_partner_id)
    join (select implementing_partner_id, count(*) as visits from assessment join facility using (facility_uuid) where ${visitDay} between ${start}::date and ${end}::date group by 1) as visit
      on visit.implementing_partner_id is not distinct from there.implementing_partner_id`,
  GrowthOfClients: ({ start, end }) => sql`
    with received as (select *, ${receiptDay} >= ${start}::date as is_now from tdb where ${receiptDay} between ${start}::date - interval '3 months' and ${end}::date),
      latest as (select distinct on (facility_uuid, is_now) * from received order by facility_uuid, is_now, tdb_created_at desc, uploaded_at desc, tdb_uuid desc),
      part as (select province_id, is_now, sum(total_patients)::float8 as clients from latest join facility using (facility_uuid) group by 1, 2)
    select name, 100 * (now.clients - was.clients) / nullif(was.clients, 0), now.clients, was.clients
    from part as now join province using (province_id) join part as was using (province_id) where now.is_now and not was.is_now`,
  VisitsAddedUp: ({ start, end }) => sql`
    select month::date::text, sum(count(*)) over (order by month)::int, count(*)
    from (select date_trunc('month', ${visitDay}) as month from assessment where ${visitDay} between ${start}::date and ${end}::date) as visit group by month`,
  ClientsPerStaff: () => sql`
    select province.name, sum(total_patients)::float8 / nullif(sum(number_of_staff_trained_in_smart_care), 0), sum(total_patients), coalesce(sum(number_of_staff_trained_in_smart_care), 0)
    from ${sites} left join ${state()} as visit using (facility_uuid) left join ${sent(ever)} as latest using (facility_uuid) where facility.closed_on is null group by province.province_id, 1`,
  // By the law of cosines, which is exact enough from some metres on.
  SitesNear: () => sql`
    select facility_name, functionality_status_mode from facility where closed_on is null and 6371.0088 * acos(
      sin(radians(latitude)) * sin(radians(-15.4167)) + cos(radians(latitude)) * cos(radians(-15.4167)) * cos(radians(longitude - 28.2833))) <= 20`,
  FailedTwice: () => sql`
    select district.name, count(*) from ${sites} where facility.closed_on is null and (
      select array_agg(smart_care_functional order by assessed_at desc, assessment_uuid desc) from assessment where assessment.facility_uuid = facility.facility_uuid)[1:2]
        = array[false, false] group by district_id, 1`,
  InvertersNoted: () => sql`
    select province.name, count(*) from assessment join facility using (facility_uuid) join province using (province_id)
    where concat_ws(' | ', primary_power_notes, backup_power_notes, other_issues, closing_comments) ilike '%inverter%'
      or exists (select from service_area_assessment as area where area.assessment_uuid = assessment.assessment_uuid and additional_notes ilike '%inverter%') group by 1`,
  PeopleServed: () => sql`
    select rank() over (order by count(*) desc), province.name, sum(catchment_population), count(catchment_population) from ${sites} join ${state()} as visit using (facility_uuid)
    where facility.closed_on is null and smart_care_functional group by province.province_id, 2`,
  VisitorsPerSite: ({ start, end }) => sql`
    select partner.name, avg(people)::float8, count(*) from ${sites} join (
      select facility_uuid, count(distinct user_uuid) as people from assessment where ${visitDay} between ${start}::date and ${end}::date group by 1) as visited
    using (facility_uuid) group by 1`,
  ComputersByPartner: () => sql`
    select partner.name, sum(computers)::int from ${sites} left join ${sent(ever)} as latest using (facility_uuid) left join tdb_computer using (tdb_uuid)
    where facility.closed_on is null group by 1`,
  DaysToReceipt: ({ start, end }) => sql`
    select province.name, ${median(sql`((received_at at time zone 'Africa/Lusaka')::date - ${visitDay})`)}, count(*)
    from assessment join facility using (facility_uuid) join province using (province_id) where ${visitDay} between ${start}::date and ${end}::date group by 1`,
  SentButNeverAssessed: () => sql`
    select facility_name, district.name from ${sites} where facility.closed_on is null
      and facility_uuid in (select facility_uuid from tdb) and facility_uuid not in (select facility_uuid from assessment)`,
};
