import { sql } from "kysely";

import { refreshAssessmentRollups, refreshTdbRollups } from "../../db/derived/latest.ts";
import { refreshTdbSilence } from "../../db/derived/silence.ts";
import type { Database } from "../../db/engine/connect.ts";
import { type Dice, insertUpload, insertVisit } from "../dash/dash-data.ts";

/**
 * Random changes that people and programs make to a country: visits, TDBs, corrections, moves and renames, often at the
 * edges of quarters and due days.
 */

const zone = "Africa/Lusaka";
export type ChangedFacility = {
  facilityUuid: string;
  provinceId: number;
  districtId: number;
  implementingPartnerId: number | null;
};
type Country = { db: Database; dice: Dice; facilities: ChangedFacility[]; today: string };

/** The first days of the last eight quarters. */
export function quartersUntil(day: string): string[] {
  const [year, month] = day.split("-").map(Number) as [number, number];
  return Array.from({ length: 8 }, (_, back) =>
    new Date(Date.UTC(year, Math.floor((month - 1) / 3) * 3 - 3 * (7 - back), 1)).toISOString().slice(0, 10),
  );
}

/**
 * A local time of the last two and a half years, often at the edge of a quarter or of the time within which a TDB is
 * due.
 */
function localTime({ dice, today }: Pick<Country, "dice" | "today">): string {
  const back = dice.oneOf([dice.upTo(900), dice.upTo(120), 29, 30, 31, 179, 180, 181]);
  const day = new Date(Date.parse(today) - back * 86_400_000).toISOString().slice(0, 10);
  const edges = quartersUntil(today)
    .slice(1)
    .flatMap((start) => [
      `${start} 00:00`,
      `${new Date(Date.parse(start) - 86_400_000).toISOString().slice(0, 10)} 23:59`,
    ]);
  return dice.upTo(3) === 0 ? dice.oneOf(edges) : `${day} ${dice.oneOf(["00:00", "12:00"])}`;
}

/** The possible changes, to choose from at random. */
export const changesOf = ({ db, dice, facilities, today }: Country): (() => Promise<void>)[] => [
  () =>
    db.transaction().execute(async (handle) => {
      const { facilityUuid, day } = await insertVisit(handle, dice, {
        facilityUuid: dice.oneOf(facilities).facilityUuid,
        local: localTime({ dice, today }),
      });
      await refreshAssessmentRollups(handle, { facilityUuid, days: [day] });
    }),
  () =>
    db.transaction().execute(async (handle) => {
      const local = localTime({ dice, today });
      const { facilityUuid, tdbUuid, day } = await insertUpload(handle, dice, {
        facilityUuid: dice.oneOf(facilities).facilityUuid,
        local,
      });
      // Sometimes it was created long before it was received.
      const made = dice.oneOf([local, `${quartersUntil(today)[dice.upTo(7)]!} 10:00`]);
      await sql`update tdb set tdb_created_at = least(${made}::timestamp, ${local}::timestamp) at time zone ${zone} where tdb_uuid = ${tdbUuid}`.execute(
        handle,
      );
      await refreshTdbRollups(handle, { facilityUuid, days: [day] });
      await refreshTdbSilence(handle, { facilityUuid, tdbUuid });
    }),
  () =>
    db.transaction().execute(async (handle) => {
      const { rows } = await sql<{ uuid: string; facilityUuid: string; day: string }>`
        select assessment_uuid as uuid, facility_uuid, assessed_at::date::text as day from assessment order by md5(assessment_uuid::text || ${dice.hex(4)}) limit 1`.execute(
        handle,
      );
      const { uuid, facilityUuid, day } = rows[0]!;
      const [is] = [dice.oneOf([true, false, null])];
      if (dice.upTo(1))
        await sql`update assessment set smart_care_functional = ${is}, primary_power = true, primary_power_working = ${is} where assessment_uuid = ${uuid}`.execute(
          handle,
        );
      else await sql`delete from assessment where assessment_uuid = ${uuid}`.execute(handle);
      await refreshAssessmentRollups(handle, { facilityUuid, days: [day] });
    }),
  async () => {
    const [{ facilityUuid }, { provinceId, districtId, implementingPartnerId }] = [
      dice.oneOf(facilities),
      dice.oneOf(facilities),
    ];
    await db
      .updateTable("facility")
      .set({
        provinceId,
        districtId,
        implementingPartnerId,
        ...dice.oneOf([
          { latitude: null, longitude: null },
          { latitude: -12.5, longitude: 28.5 },
        ]),
      })
      .where("facilityUuid", "=", facilityUuid)
      .execute();
  },
  async () => {
    const facility = dice.oneOf(facilities);
    const renamed = `renamed ${dice.hex(6)}`;
    await db
      .updateTable("facility")
      .set({ facilityUuid: renamed })
      .where("facilityUuid", "=", facility.facilityUuid)
      .execute();
    facility.facilityUuid = renamed;
  },
];
