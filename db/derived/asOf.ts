import { type RawBuilder, type SqlBool, sql } from "kysely";

import { answers } from "./latest.ts";
import { onDays } from "../list/day.ts";
import { cutDays } from "../list/period.ts";
import { isCounted } from "../list/counted.ts";

/**
 * What a facility's latest assessment or TDB was on a day, however old it was then. Both queries read a few rows of
 * each facility by an index, however long its history is.
 */

/** Whether the `facility` of the query was not closed on a day. */
export const isOpenOn = (day: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(facility.closed_on is null or facility.closed_on > ${day}::date)`;

/** The first day of a fiscal year that is before any day that can be asked for. */
const always = "1899-10-01";

/**
 * The latest assessment of the query's facility up to and including a day, with the columns of `assessmentRollup`; no
 * row if there was none. An assessment belongs to the day of the visit.
 */
export const assessmentAsOf = (day: string): RawBuilder<unknown> => sql`(
  select assessment_uuid, assessed_at, functionality_status_mode, library_version, number_of_staff_trained_in_smart_care as staff_trained,
    ${answers}
  from assessment as visit
  where visit.facility_uuid = facility.facility_uuid and ${isCounted("visit")} and ${onDays("visit.assessedAt", { end: day })}
  order by visit.assessed_at desc, visit.assessment_uuid desc limit 1)`;

const tdbColumns = sql`tdb_uuid, tdb_created_at, uploaded_at, total_patients`;
const latestFirst = sql`order by tdb_created_at desc, uploaded_at desc, tdb_uuid desc limit 1`;

/**
 * The latest TDB of the query's facility, by the time it was made, among those received up to and including `day`
 * (null: among all); no row if there was none. TDBs are not received in the order in which they were made. So the
 * latest of each whole period is read from the roll-up and compared with the TDBs of the days that are left.
 */
export function tdbAsOf(day: string | null): RawBuilder<unknown> {
  if (day === null)
    return sql`(select ${tdbColumns} from tdb where tdb.facility_uuid = facility.facility_uuid and ${isCounted("tdb")} ${latestFirst})`;
  const { periods, days } = cutDays({ start: always, end: day });
  const kept = periods.map(
    ({ period, first, last }) => sql`
    select ${tdbColumns} from tdb_rollup as kept
    where kept.facility_uuid = facility.facility_uuid and kept.period = ${period} and kept.period_start between ${first}::date and ${last}::date`,
  );
  const left = days.map(
    (each) => sql`
    select ${tdbColumns} from tdb as sent where sent.facility_uuid = facility.facility_uuid and ${isCounted("sent")} and ${onDays("sent.uploadedAt", each)}`,
  );
  return sql`(select * from (${sql.join([...kept, ...left], sql` union all `)}) as received ${latestFirst})`;
}
