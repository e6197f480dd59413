import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { rebuildRollups } from "../../db/derived/recount.ts";
import type { Scope } from "../../db/list/scope.ts";
import { diceFrom, userUuid } from "../dash/dash-data.ts";
import { readEverything } from "../dash/dash-recount.ts";
import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { changesOf, type ChangedFacility, quartersUntil } from "./situation-changes.ts";
import { recountSituation } from "./situation-recount.ts";

/** The situation is compared with a recount of every assessment and TDB, in random states of the country. */

const zone = "Africa/Lusaka";
const dice = diceFrom(20261123);
let facilities: ChangedFacility[];
let today: string;
let newest: string;
const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  const rows = await gateway.sql<{ today: string }>`select (now() at time zone ${zone})::date::text as today`;
  today = rows[0]!.today;
  newest = "4.10";
  await gateway.sql`delete from smartcare_version`;
  await gateway.sql`insert into smartcare_version (library_version, database_version) values ('4.9', '1'), (${newest}, '1')`;
  await gateway.sql`update app_user set user_uuid = ${userUuid} where user_name = 'newcomer'`;
  facilities = await gateway.db
    .selectFrom("facility")
    .select(["facilityUuid", "provinceId", "districtId", "implementingPartnerId"])
    .where("closedOn", "is", null)
    .orderBy("facilityUuid")
    .execute();
});

const query = (scope: Scope) =>
  new URLSearchParams(
    Object.entries(scope).flatMap(([name, id]) => (id == null ? [] : [[name, String(id)]])),
  ).toString();

test("the situation equals a slow recount in random states, for the country, a province, a district and a partner", async () => {
  const quarters = quartersUntil(today);
  const changes = changesOf({ db: gateway.db, dice, facilities, today });
  for (let state = 0; state < 12; state += 1) {
    for (let change = dice.upTo(15); change >= 0; change -= 1) await dice.oneOf(changes)();
    const all = await readEverything(gateway.db, zone);
    const { provinceId, districtId, implementingPartnerId } = dice.oneOf(facilities);
    for (const scope of [
      {},
      { provinceId },
      { districtId },
      { implementingPartnerId },
      { provinceId, implementingPartnerId },
    ]) {
      const answer = await admin.get(`/api/v1/situation?${query(scope)}`);
      const { asAt, ...situation } = bodyOf<{ asAt: string }>(answer);
      expect(Math.abs(Date.parse(asAt) - Date.now())).toBeLessThan(3_600_000);
      expect(situation, `${state} ${query(scope)}`).toEqual(recountSituation(all, { scope, today, newest, quarters }));
    }
  }
  const kept = await sql<{ row: string }>`select facility_state::text as row from facility_state order by 1`.execute(
    gateway.db,
  );
  await rebuildRollups(gateway.db);
  expect(await gateway.sql<{ row: string }>`select facility_state::text as row from facility_state order by 1`).toEqual(
    kept.rows,
  );
});

test("GraphQL returns the same as REST, and the province of the scope", async () => {
  const { provinceId } = facilities[0]!;
  const figure = "{ value of notRecorded share percent valueBefore ofBefore change }";
  const quarters =
    "quarters { periodStart assessed functional notRecordedFunctional power notRecordedPower expected silent functionalShare }";
  const names = ["facilities", "assessed", "functional", "power", "silent", "oldVersion", "withoutPosition"];
  const { data } =
    await admin.graphql(`{ situation(provinceId: ${provinceId}) { quarterStart level newestLibraryVersion province { provinceId }
    ${names.map((name) => `${name} ${figure}`).join(" ")} worklist { kind entries snoozed } functionalTarget ${quarters}
    units { hxId facilityUuid name facilities assessed functional power notRecordedFunctional notRecordedPower expected silent knownVersion oldVersion functionalShareChange functionalTarget functionalAttainment
      ${quarters} } } }`);
  type Situation = { [name: string]: unknown; worklist: object[]; units: Record<string, unknown>[] };
  const rest = bodyOf<Situation>(await admin.get(`/api/v1/situation?provinceId=${provinceId}`));
  const { province, level, worklist, ...rows } = data.situation;
  expect([province.provinceId, level, worklist.length]).toEqual([provinceId, "DISTRICT", rest.worklist.length]);
  const { asAt: _asAt, modes: _modes, level: _level, worklist: _worklist, units, ...figures } = rest;
  expect(rows).toEqual({ ...figures, units: units.map(({ modes: _ofUnit, ...unit }) => unit) });
});

test("a missing place or partner returns 404, and an invalid scope returns 422 naming it", async () => {
  for (const name of ["provinceId", "districtId", "implementingPartnerId"]) {
    const missing = await admin.get(`/api/v1/situation?${name}=999999`);
    expect([missing.status, missing.text]).toEqual([
      404,
      expect.stringContaining(name === "implementingPartnerId" ? "implementing partner" : name.replace("Id", "")),
    ]);
    const bad = await admin.get(`/api/v1/situation?${name}=x`);
    expect([bad.status, errorsOf(bad)[0]!.path]).toEqual([422, name]);
  }
  expect((await admin.get("/api/v1/situation?zoneId=1")).status).toBe(422);
});

test("how single facilities stand is the same for everybody", async () => {
  const { districtId } = facilities[0]!;
  const path = `/api/v1/situation?districtId=${districtId}`;
  const { units } = bodyOf<{ units: { facilityUuid: string; functional: number; power: number; silent: number }[] }>(
    await admin.get(path),
  );
  expect(units.length).toBeGreaterThan(0);
  const plain = await gateway.as("plain");
  expect(bodyOf<{ units: unknown[] }>(await plain.get(path)).units).toEqual(units);
  const states = `functionalityStatusMode smartCareFunctional powerWorking primaryPower primaryPowerWorking backupPower backupPowerWorking libraryVersion
    lastVisitDate lastTdbCreationDate lastTdbUploadDate expected overdue`;
  const query = `{ facilities(districtId: ${districtId}, first: 100) { nodes { facilityUuid state { ${states} } latestAssessment { assessmentUuid } } } }`;
  const { data, errors } = await plain.graphql<{
    facilities: { nodes: { facilityUuid: string; state: Record<string, unknown>; latestAssessment: null }[] };
  }>(query);
  // The record of the visit stays closed.
  expect(errors!.map(({ path: at }) => at.at(-1))).toEqual(data.facilities.nodes.map(() => "latestAssessment"));
  for (const { facilityUuid, state } of data.facilities.nodes) {
    const unit = units.find((each) => each.facilityUuid === facilityUuid)!;
    expect([
      Number(state["smartCareFunctional"] ?? false),
      Number(state["powerWorking"] ?? false),
      Number(state["overdue"]),
    ]).toEqual([unit.functional, unit.power, unit.silent]);
    // Whom to call stays closed too.
    const closed = { contactName: null, contactRole: null, contactPhone: null };
    const read = bodyOf(await plain.get(`/api/v1/facility/state/${facilityUuid}`));
    expect(read).toMatchObject({ facilityUuid, ...state, ...closed });
  }
  const [visited] = await gateway.sql<{ facilityUuid: string; libraryVersion: string; day: string }>`
    select distinct on (facility_uuid) facility_uuid, library_version, assessed_at::date::text as day from assessment order by facility_uuid, assessed_at desc limit 1`;
  expect(bodyOf(await plain.get(`/api/v1/facility/state/${visited!.facilityUuid}`))).toMatchObject({
    libraryVersion: visited!.libraryVersion,
    lastVisitDate: visited!.day,
  });
  expect((await plain.get("/api/v1/facility/state/nowhere")).status).toBe(404);
});

test("a closed facility's state is that of its last visit, also of one after it was closed", async () => {
  const { facilityUuid, day } = (
    await gateway.sql<{ facilityUuid: string; day: string }>`
    select facility_uuid, max(assessed_at)::date::text as day from assessment where smart_care_functional group by facility_uuid order by facility_uuid limit 1`
  )[0]!;
  const path = `/api/v1/facility/state/${facilityUuid}`;
  const open = bodyOf<object>(await admin.get(path));
  expect(open).toMatchObject({ lastVisitDate: day });
  const { today } = bodyOf<{ today: string }>(await admin.get("/api/v1/system"));
  expect(
    (await admin.call("POST", `/api/v1/facility/${facilityUuid}/close`, { closedOn: day, reason: "Flooded" })).status,
  ).toBe(200);
  expect(bodyOf(await admin.get(path))).toEqual({ ...open, expected: false, overdue: false });
  const visit = {
    facilityUuid,
    functionalityStatusMode: "ELast",
    dateOfLastUpgrade: "2026-01-31",
    numberOfStaffTrainedInSmartCare: 1,
    smartCareFunctional: false,
  };
  expect((await admin.call("POST", "/api/v1/assessment", visit)).status).toBe(200);
  expect(bodyOf(await admin.get(path))).toMatchObject({
    lastVisitDate: today,
    smartCareFunctional: false,
    powerWorking: null,
  });
  expect((await admin.call("POST", `/api/v1/facility/${facilityUuid}/reopen`)).status).toBe(200);
});
