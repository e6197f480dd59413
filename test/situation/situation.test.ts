import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { refreshAssessmentRollups, refreshTdbRollups } from "../../db/derived/latest.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";
import { refreshTdbSilence } from "../../db/derived/silence.ts";
import type { Scope } from "../../db/list/scope.ts";
import { diceFrom, insertUpload, insertVisit, userUuid } from "../dash/dash-data.ts";
import { readEverything } from "../dash/dash-recount.ts";
import { errorsOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { recountSituation } from "./situation-recount.ts";

/** The situation against a recount of every assessment and TDB, in random states of the country. */

const zone = "Africa/Lusaka";
const dice = diceFrom(20261123);
let gateway: TestGateway;
let admin: Person;
let facilities: { facilityUuid: string; provinceId: number; districtId: number; implementingPartnerId: number | null }[];
let today: string;
let newest: string;
beforeAll(async () => {
  gateway = await testGateway();
  admin = await gateway.as("admin");
  const { rows } = await sql<{ today: string }>`select (now() at time zone ${zone})::date::text as today`.execute(gateway.db);
  today = rows[0]!.today;
  newest = "4.10";
  await sql`delete from smartcare_version`.execute(gateway.db);
  await sql`insert into smartcare_version (library_version, database_version) values ('4.9', '1'), (${newest}, '1')`.execute(gateway.db);
  await sql`update app_user set user_uuid = ${userUuid} where user_name = 'newcomer'`.execute(gateway.db);
  facilities = await gateway.db.selectFrom("facility").select(["facilityUuid", "provinceId", "districtId", "implementingPartnerId"]).orderBy("facilityUuid").execute();
}, 120_000);
afterAll(() => gateway.stop());

/** The first days of the last eight quarters. */
function quartersUntil(day: string): string[] {
  const [year, month] = day.split("-").map(Number) as [number, number];
  return Array.from({ length: 8 }, (_, back) => new Date(Date.UTC(year, Math.floor((month - 1) / 3) * 3 - 3 * (7 - back), 1)).toISOString().slice(0, 10));
}

const query = (scope: Scope) => new URLSearchParams(Object.entries(scope).flatMap(([name, id]) => (id == null ? [] : [[name, String(id)]]))).toString();

/** A local time of the last two and a half years, often at the edge of a quarter or of the days within which a TDB is due. */
function localTime(): string {
  const back = dice.oneOf([dice.upTo(900), dice.upTo(120), 29, 30, 31, 179, 180, 181]);
  const day = new Date(Date.parse(today) - back * 86_400_000).toISOString().slice(0, 10);
  const edges = quartersUntil(today).slice(1).flatMap((start) => [`${start} 00:00`, `${new Date(Date.parse(start) - 86_400_000).toISOString().slice(0, 10)} 23:59`]);
  return dice.upTo(3) === 0 ? dice.oneOf(edges) : `${day} ${dice.oneOf(["00:00", "12:00"])}`;
}

/** Something that people and programs do to the country. */
const changes: (() => Promise<void>)[] = [
  () =>
    gateway.db.transaction().execute(async (handle) => {
      const { facilityUuid, day } = await insertVisit(handle, dice, { facilityUuid: dice.oneOf(facilities).facilityUuid, local: localTime() });
      await refreshAssessmentRollups(handle, { facilityUuid, days: [day] });
    }),
  () =>
    gateway.db.transaction().execute(async (handle) => {
      const local = localTime();
      const { facilityUuid, tdbUuid, day } = await insertUpload(handle, dice, { facilityUuid: dice.oneOf(facilities).facilityUuid, local });
      // Sometimes it was made long before it came.
      const made = dice.oneOf([local, `${quartersUntil(today)[dice.upTo(7)]!} 10:00`]);
      await sql`update tdb set tdb_created_at = least(${made}::timestamp, ${local}::timestamp) at time zone ${zone} where tdb_uuid = ${tdbUuid}`.execute(handle);
      await refreshTdbRollups(handle, { facilityUuid, days: [day] });
      await refreshTdbSilence(handle, { facilityUuid, tdbUuid });
    }),
  () =>
    gateway.db.transaction().execute(async (handle) => {
      const { rows } = await sql<{ uuid: string; facilityUuid: string; day: string }>`
        select assessment_uuid as uuid, facility_uuid, assessed_at::date::text as day from assessment order by md5(assessment_uuid::text || ${dice.hex(4)}) limit 1`.execute(handle);
      const { uuid, facilityUuid, day } = rows[0]!;
      const [is] = [dice.oneOf([true, false, null])];
      if (dice.upTo(1)) await sql`update assessment set smart_care_functional = ${is}, primary_power = true, primary_power_working = ${is} where assessment_uuid = ${uuid}`.execute(handle);
      else await sql`delete from assessment where assessment_uuid = ${uuid}`.execute(handle);
      await refreshAssessmentRollups(handle, { facilityUuid, days: [day] });
    }),
  async () => {
    const [{ facilityUuid }, { provinceId, districtId, implementingPartnerId }] = [dice.oneOf(facilities), dice.oneOf(facilities)];
    await gateway.db.updateTable("facility").set({ provinceId, districtId, implementingPartnerId, ...dice.oneOf([{ latitude: null, longitude: null }, { latitude: -12.5, longitude: 28.5 }]) }).where("facilityUuid", "=", facilityUuid).execute();
  },
  async () => {
    const facility = dice.oneOf(facilities);
    const renamed = `renamed ${dice.hex(6)}`;
    await gateway.db.updateTable("facility").set({ facilityUuid: renamed }).where("facilityUuid", "=", facility.facilityUuid).execute();
    facility.facilityUuid = renamed;
  },
];

test("in random states the situation is what a slow recount says, for the country, a province, a district and a partner", async () => {
  const quarters = quartersUntil(today);
  for (let state = 0; state < 12; state += 1) {
    for (let change = dice.upTo(15); change >= 0; change -= 1) await dice.oneOf(changes)();
    const all = await readEverything(gateway.db, zone);
    const { provinceId, districtId, implementingPartnerId } = dice.oneOf(facilities);
    for (const scope of [{}, { provinceId }, { districtId }, { implementingPartnerId }, { provinceId, implementingPartnerId }]) {
      const answer = await admin.get(`/api/v1/situation?${query(scope)}`);
      const { asAt, ...told } = answer.body as { asAt: string };
      expect(Math.abs(Date.parse(asAt) - Date.now())).toBeLessThan(3_600_000);
      expect(told, `${state} ${query(scope)}`).toEqual(recountSituation(all, { scope, today, newest, quarters }));
    }
  }
  const kept = await sql<{ row: string }>`select facility_state::text as row from facility_state order by 1`.execute(gateway.db);
  await rebuildRollups(gateway.db);
  expect((await sql<{ row: string }>`select facility_state::text as row from facility_state order by 1`.execute(gateway.db)).rows).toEqual(kept.rows);
}, 300_000);

test("GraphQL says the same, with the scope's names", async () => {
  const { provinceId } = facilities[0]!;
  const figure = "{ value of share valueBefore ofBefore change }";
  const names = ["facilities", "assessed", "functional", "power", "silent", "oldVersion", "withoutPosition"];
  const { data } = await admin.graphql(`{ situation(provinceId: ${provinceId}) { quarterStart level newestLibraryVersion province { provinceId }
    ${names.map((name) => `${name} ${figure}`).join(" ")} worklist { kind entries snoozed }
    units { hxId facilityUuid name facilities assessed functional power expected silent knownVersion oldVersion functionalShareChange
      quarters { periodStart assessed functional functionalShare } } } }`);
  const rest = (await admin.get(`/api/v1/situation?provinceId=${provinceId}`)).body as Record<string, any>;
  const { province, level, worklist, ...rows } = data.situation;
  expect([province.provinceId, level, worklist.length]).toEqual([provinceId, "DISTRICT", rest["worklist"].length]);
  const { asAt: _asAt, modes: _modes, level: _level, worklist: _worklist, units, ...told } = rest;
  expect(rows).toEqual({ ...told, units: units.map(({ modes: _ofUnit, ...unit }: Record<string, unknown>) => unit) });
});

test("a place or partner that is not there is not found, and what is no scope is refused by its name", async () => {
  for (const name of ["provinceId", "districtId", "implementingPartnerId"]) {
    const missing = await admin.get(`/api/v1/situation?${name}=999999`);
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining(name === "implementingPartnerId" ? "implementing partner" : name.replace("Id", ""))]);
    const bad = await admin.get(`/api/v1/situation?${name}=x`);
    expect([bad.status, errorsOf(bad)[0]!.path]).toEqual([422, name]);
  }
  expect((await admin.get("/api/v1/situation?zoneId=1")).status).toBe(422);
});

test("of single facilities only those are told who may see assessments or TDBs", async () => {
  const { districtId } = facilities[0]!;
  const told = async (login: string) => {
    const { body } = await (await gateway.as(login)).get(`/api/v1/situation?districtId=${districtId}`);
    const { units } = body as { units: Record<string, unknown>[] };
    return { assessed: units.every(({ assessed }) => typeof assessed === "number"), silent: units.every(({ silent }) => typeof silent === "number"), names: units.length > 0 };
  };
  expect(await told("viewer")).toEqual({ assessed: true, silent: false, names: true });
  expect(await told("uploader")).toEqual({ assessed: false, silent: true, names: true });
  expect(await told("plain")).toEqual({ assessed: false, silent: false, names: true });
});
