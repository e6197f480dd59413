import { sql } from "kysely";

import type { Database, Handle } from "../../db/engine/connect.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";

/**
 * Random visits and uploads around the ends of months, quarters and fiscal years. The same seed gives the same ones.
 */

export const zone = "Africa/Lusaka";
export const userUuid = "00000000-0000-7000-8000-000000000001";
export const modes = ["EFirst", "EFast", "ELast", "NotDeployed", "Partial", "NotOperational"] as const;

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export type Dice = ReturnType<typeof diceFrom>;
export function diceFrom(seed: number) {
  const random = randomFrom(seed);
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const oneOf = <Item>(items: readonly Item[]): Item => items[upTo(items.length - 1)]!;
  const hex = (digits: number) => Array.from({ length: digits }, () => upTo(15).toString(16)).join("");
  return { upTo, oneOf, hex, uuid: () => `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}` };
}

const pad = (value: number) => String(value).padStart(2, "0");
const lastDay = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * A local time YYYY-MM-DD HH:MM from August 2024 to October 2026, or so many months later, mostly within half an hour
 * of a month's first midnight.
 */
export function localTime({ upTo, oneOf }: Dice, later = 0): string {
  const month = upTo(26) + 7 + later;
  const [year, calMonth] = [2024 + Math.floor(month / 12), (month % 12) + 1];
  const place = oneOf(["first", "last", "inside"]);
  if (place === "first") return `${year}-${pad(calMonth)}-01 00:${oneOf(["00", "30"])}`;
  if (place === "last") return `${year}-${pad(calMonth)}-${lastDay(year, calMonth)} 23:${oneOf(["30", "59"])}`;
  return `${year}-${pad(calMonth)}-${pad(1 + upTo(27))} ${oneOf(["00:30", "12:00", "23:30"])}`;
}

/** The instant of a local time in the test's zone, whatever the session's zone is. */
export const at = (local: string) => sql<string>`(${local}::timestamp at time zone ${zone})`;

/** Inserts a history fast: the triggers are off, and the roll-ups are rebuilt once at the end. */
export function insertHistory<Result>(db: Database, insert: (handle: Handle) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (handle) => {
    await sql`set local session_replication_role = replica`.execute(handle);
    const result = await insert(handle);
    await sql`set local session_replication_role = origin`.execute(handle);
    await rebuildRollups(handle);
    return result;
  });
}

export async function insertPlaces(handle: Handle, dice: Dice): Promise<string[]> {
  const names = ["Central", "North-Western", "Lusaka", "Southern"];
  await handle
    .insertInto("province")
    .values(names.map((name, index) => ({ provinceId: index + 1, name })))
    .execute();
  const districts = Array.from({ length: 8 }, (_, index) => ({
    districtId: index + 1,
    provinceId: (index % 4) + 1,
    name: `District ${"HGFEDCBA"[index]}`,
  }));
  await handle.insertInto("district").values(districts).execute();
  await handle
    .insertInto("implementingPartner")
    .values([1, 2, 3].map((id) => ({ implementingPartnerId: id, name: `Partner ${id}` })))
    .execute();
  await handle
    .insertInto("appUser")
    .values({
      userUuid,
      userName: "tester",
      firstName: "Testing",
      surname: "Person",
      gender: "U",
      primaryEmail: "tester@example.org",
      primaryPhoneNumber: "0000000",
      implementingPartnerId: 1,
      passwordHash: "none",
      passwordTemporary: false,
    })
    .execute();
  // The last district gets no facilities, and the last province only those of its other district.
  const facilities = Array.from({ length: 30 }, (_, index) => {
    const { districtId, provinceId } = districts[dice.upTo(6)]!;
    const implementingPartnerId = dice.oneOf([1, 2, 3, null]);
    return {
      facilityUuid: `facility ${index}`,
      facilityName: `Clinic ${dice.hex(4)}`,
      districtId,
      provinceId,
      implementingPartnerId,
    };
  });
  await handle.insertInto("facility").values(facilities).execute();
  return facilities.map(({ facilityUuid }) => facilityUuid);
}

export async function insertVisit(
  handle: Handle,
  dice: Dice,
  { facilityUuid, local }: { facilityUuid: string; local: string },
) {
  const answer = () => dice.oneOf([true, false, null]);
  const [primaryPower, backupPower] = [answer(), answer()];
  const assessmentUuid = dice.uuid();
  await handle
    .insertInto("assessment")
    .values({
      assessmentUuid,
      facilityUuid,
      userUuid,
      assessedAt: at(local),
      primaryPower,
      primaryPowerWorking: primaryPower && answer(),
      backupPower,
      backupPowerWorking: backupPower && answer(),
      smartCareFunctional: answer(),
      libraryVersion: dice.oneOf(["4.5.0.9", "4.5.0.10", "4.10", " 4.10 ", "", null]),
      functionalityStatusMode: dice.oneOf(modes),
      dateOfLastUpgrade: "2024-01-01",
      numberOfStaffTrainedInSmartCare: dice.upTo(20),
    })
    .execute();
  return { assessmentUuid, facilityUuid, day: local.slice(0, 10) };
}

export async function insertUpload(
  handle: Handle,
  dice: Dice,
  { facilityUuid, local }: { facilityUuid: string; local: string },
) {
  const tdbUuid = dice.uuid();
  const sha256 = dice.hex(64);
  await handle
    .insertInto("tdb")
    .values({
      tdbUuid,
      facilityUuid,
      userUuid,
      uploadedAt: at(local),
      // Often created before a TDB that was received earlier, sometimes at the same moment.
      tdbCreatedAt: at(dice.oneOf([local, "2024-08-01 12:00", "2024-09-15 12:00", localTime(dice)])),
      delta: dice.oneOf([true, false]),
      totalPatients: dice.upTo(5000),
      fileName: "sample.tdbx",
      fileSize: 1 + dice.upTo(1_000_000),
      sha256,
      storageKey: sha256,
    })
    .execute();
  for (const cpuCores of [1, 2, 4, 16]) {
    for (const os64Bit of [true, false]) {
      if (dice.upTo(2) > 0) continue;
      await handle
        .insertInto("tdbComputer")
        .values({ tdbUuid, cpuCores, os64Bit, computers: 1 + dice.upTo(5) })
        .execute();
    }
  }
  return { tdbUuid, facilityUuid, day: local.slice(0, 10) };
}

/**
 * Adds `count` visits and uploads of one person at some of the facilities, so many months later than `localTime` says.
 * The same seed gives the same ones.
 */
export async function insertRandomHistory(
  db: Database,
  seed: number,
  count: number,
  among: number,
  later = 0,
): Promise<void> {
  const dice = diceFrom(seed);
  const names = { userName: "tester", firstName: "Testing", surname: "Person", gender: "U" };
  const contact = { primaryEmail: "t@example.org", primaryPhoneNumber: "0000000", implementingPartnerId: 1 };
  await db
    .insertInto("appUser")
    .values({ userUuid, ...names, ...contact, passwordHash: "none", passwordTemporary: false })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const facilities = await db.selectFrom("facility").select("facilityUuid").orderBy("facilityUuid").execute();
  await insertHistory(db, async (handle) => {
    for (let n = 0; n < count; n += 1) {
      const { facilityUuid } = facilities[dice.upTo(among)]!;
      await insertVisit(handle, dice, { facilityUuid, local: localTime(dice, later) });
      await insertUpload(handle, dice, { facilityUuid, local: localTime(dice, later) });
    }
  });
}

/**
 * Two visits at a facility of Southern: the one in the last fiscal quarter found backup power working, today's did not.
 * The first of the explorer's questions finds it on any day. The caller rebuilds the roll-ups.
 */
export async function insertLostBackupPower(handle: Handle): Promise<void> {
  await sql`
    insert into assessment (assessment_uuid, facility_uuid, user_uuid, assessed_at, functionality_status_mode, smart_care_functional,
      backup_power, backup_power_working, date_of_last_upgrade, number_of_staff_trained_in_smart_care)
    select gen_random_uuid(), facility_uuid, (select user_uuid from app_user limit 1), assessed_at, 'EFirst', true, true, works, '2024-01-01', 1
    from (select min(facility_uuid) as facility_uuid from facility join province using (province_id) where province.name = 'Southern') as site,
      (values (date_trunc('quarter', now() at time zone ${zone}) at time zone ${zone} - interval '1 hour', true), (now(), false)) as visit (assessed_at, works)`.execute(
    handle,
  );
}
