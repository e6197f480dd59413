import { sql } from "kysely";

import { openDatabase, type Place } from "./place.ts";

/** The records that the questions are about: a selection from the database, the same for every answerer. */
export type Samples = {
  /** all, in a mixed order */
  facilityUuids: string[];
  /** each finds several facilities */
  texts: string[];
  provinceId: number;
  districtId: number;
  implementingPartnerId: number;
  /** facilities with the system in use, each with its service areas */
  sites: { uuid: string; serviceAreas: number[] }[];
  /** a fiscal year that is over */
  year: number;
};

export async function readSamples(place: Place): Promise<Samples> {
  const db = openDatabase(place);
  try {
    const { rows } = await sql<Samples>`
      select
        (select array_agg(facility_uuid order by md5(facility_name || district_id), facility_uuid) from facility) as facility_uuids,
        (select array_agg(word order by word) from (
          select word from facility cross join lateral string_to_table(search_text, ' ') as word
          where length(word) between 5 and 9 and word !~ '[0-9]' group by 1 having count(*) between 3 and 30 order by md5(word) limit 20) as words) as texts,
        (select province_id from facility group by 1 order by count(*) desc, 1 limit 1) as province_id,
        (select district_id from facility group by 1 order by count(*) desc, 1 limit 1) as district_id,
        (select implementing_partner_id from facility where implementing_partner_id is not null group by 1 order by count(*) desc, 1 limit 1) as implementing_partner_id,
        (select json_agg(json_build_object('uuid', facility_uuid, 'serviceAreas', areas) order by facility_uuid) from (
          select facility_uuid, array_agg(service_area_id order by service_area_id) as areas from facility_service_area group by 1 having count(*) >= 3) as sites) as sites,
        extract(year from current_date)::int - case when extract(month from current_date) < 10 then 1 else 0 end as year`.execute(
      db,
    );
    return rows[0]!;
  } finally {
    await db.destroy();
  }
}
