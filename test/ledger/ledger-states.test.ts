import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { refreshAssessmentRollups, refreshTdbRollups } from "../../db/derived/latest.ts";
import { refreshTdbSilence } from "../../db/derived/silence.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { ledgerKinds } from "../../db/ledger/ledger.rules.ts";
import { at, diceFrom, modes, userUuid } from "../dash/dash-data.ts";
import { type ChangedFacility, changesOf } from "../situation/situation-changes.ts";
import { bodyOf, type Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { isShort } from "../support/short.ts";
import { grouped, readRawLedger, recountLedger } from "./ledger-recount.ts";

/** The ledger is compared with a slow recount, in random states of the country. */

const dice = diceFrom(20261129);
const states = isShort ? 120 : 300;
let facilities: (ChangedFacility & { district: string; province: string; facilityName: string })[];
const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const today = bodyOf<{ today: string }>(await admin.get("/api/v1/system")).today;
beforeAll(async () => {
  await gateway.sql`update app_user set user_uuid = ${userUuid} where user_name = 'newcomer'`;
  facilities = await gateway.sql<(typeof facilities)[number]>`
      select facility_uuid, facility.province_id, facility.district_id, implementing_partner_id, district.name as district, province.name as province, facility_name
      from facility join district using (district_id) join province on province.province_id = facility.province_id order by facility_uuid limit 60`;
});

const dayBack = (most: number) => new Date(Date.parse(today) - dice.upTo(most) * 86_400_000).toISOString().slice(0, 10);
const someTime = () => at(`${dayBack(200)} ${dice.oneOf(["00:00", "12:00", "23:59"])}`);

/** An event of the audit as an act writes it, on a random day. */
function insertEvent(handle: Handle, action: string, details: object, subjectId: string | null = null) {
  const { facilityUuid } = dice.oneOf(facilities);
  return sql`insert into audit_event (occurred_at, action, outcome, user_uuid, facility_uuid, subject_id, details)
    values (${someTime()}, ${action}, ${dice.oneOf(["done", "done", "failed"])}, ${userUuid}, ${facilityUuid}, ${subjectId}, ${JSON.stringify(details)}::jsonb)`.execute(
    handle,
  );
}
const settings = () => ({ implementingPartnerId: dice.oneOf([1, 2, 3, null]), serviceAreas: [1] });
const connectivity = () => ({
  present: dice.oneOf([true, false, null]),
  mobileCoverage: dice.oneOf([true, false, null]),
});
const registered = () => {
  const { district, province, facilityName } = dice.oneOf(facilities);
  return {
    facility: { district, province, facilityName, implementingPartnerId: dice.oneOf([1, 2, null]) },
    identifiers: [],
  };
};
const close = () => ({ closedOn: today, reason: dice.oneOf(["Flooded", "Burnt"]) });

/** A split as its act writes it: one event with all facilities that were moved. */
function insertSplit(handle: Handle) {
  const noun = dice.oneOf(["district", "implementingPartner", "province"]);
  const named = () => ({
    name: dice.oneOf(["Old", "North", "South"]),
    province: noun === "district" ? "Southern" : null,
  });
  const details = {
    ...{ old: named(), new: { ...named(), name: "New" } },
    ...(noun === "province"
      ? { districtIds: [dice.oneOf(facilities).districtId] }
      : { facilityUuids: [...new Set([0, 1, 2].map(() => dice.oneOf(facilities).facilityUuid))] }),
  };
  return sql`insert into audit_event (occurred_at, action, outcome, user_uuid, subject_type, subject_id, details)
    values (${someTime()}, 'place.split', ${dice.oneOf(["done", "done", "failed"])}, ${userUuid}, ${noun}, '1', ${JSON.stringify(details)}::jsonb)`.execute(
    handle,
  );
}

/** An import with rows that were applied, reverted or left out. */
async function insertImport(handle: Handle) {
  const importUuid = dice.uuid();
  const status = dice.oneOf(["applied", "applied", "applied", "reverted", "ready"]);
  await sql`
    insert into registry_import (import_uuid, file_name, status, rows, ignored, user_uuid, applied_at, applied_by)
    values (${importUuid}, 'list.csv', ${status}, 3, '[]', ${userUuid}, ${status === "ready" ? null : someTime()}, ${dice.oneOf([userUuid, null])})`.execute(
    handle,
  );
  for (const line of [2, 3, 4]) {
    const { facilityUuid } = dice.oneOf(facilities);
    const { facilityName, districtId } = dice.oneOf(facilities);
    const value = () => ({
      facilityName: dice.oneOf([facilityName, "Chilanga Clinic"]),
      districtId: dice.oneOf([districtId, dice.oneOf(facilities).districtId]),
      implementingPartnerId: dice.oneOf([1, 2, null]),
    });
    const written = Object.fromEntries(Object.entries(value()).filter(() => dice.upTo(1) === 1));
    const before = dice.oneOf([null, { facility: value(), identifiers: [] }]);
    await sql`
      insert into registry_import_row (import_uuid, line, kind, decision, acceptable, facility_name, place, facility_uuid, reason, warned, warnings, changes, written, identifiers, before, applied_version)
      values (${importUuid}, ${line}, 'changed', 'accepted', true, 'Any', 'Any', ${facilityUuid}, '', false, '[]', '[]', ${JSON.stringify(written)}::jsonb, '[]',
        ${before === null ? null : JSON.stringify(before)}::jsonb, ${dice.oneOf([1, 1, null])})`.execute(handle);
  }
}

type Change = () => Promise<unknown>;
const more = (db: Handle): Change[] => [
  () => insertEvent(db, "facility.settings", { old: settings(), new: settings() }),
  () => insertEvent(db, "facility.connectivity", { old: connectivity(), new: connectivity() }),
  () => insertEvent(db, "facility.change", { old: registered(), new: registered() }),
  () => insertEvent(db, "facility.add", { new: registered() }),
  () => insertEvent(db, "facility.close", { old: { closedOn: dice.oneOf([null, today]), reason: null }, new: close() }),
  () => insertEvent(db, "facility.reopen", { old: close() }),
  () => insertEvent(db, "facility.merge", { old: registered(), new: registered().facility }),
  () => insertEvent(db, "facility.unmerge", { from: dice.uuid() }),
  () => insertSplit(db),
  () => insertImport(db),
  async () => {
    const { rows } = await sql<{ uuid: string; facilityUuid: string; day: string; aside: boolean }>`
      select assessment_uuid as uuid, facility_uuid, assessed_at::date::text as day, set_aside_at is not null as aside
      from assessment where facility_uuid = ${dice.oneOf(facilities).facilityUuid} order by md5(assessment_uuid::text || ${dice.hex(4)}) limit 1`.execute(
      db,
    );
    if (!rows[0]) return;
    const { uuid, facilityUuid, day, aside } = rows[0];
    await sql`update assessment set set_aside_at = case when ${aside} then null else now() end, set_aside_by = case when ${aside} then null else ${userUuid}::uuid end,
      set_aside_reason = case when ${aside} then null else 'Wrong' end, closing_comments = ${dice.oneOf([" Seen ", "", null])} where assessment_uuid = ${uuid}`.execute(
      db,
    );
    await refreshAssessmentRollups(db, { facilityUuid, days: [day] });
    await insertEvent(db, aside ? "assessment.restore" : "assessment.set-aside", { reason: "Wrong" }, uuid);
  },
  async () => {
    const { rows } = await sql<{ uuid: string; facilityUuid: string; day: string; aside: boolean }>`
      select tdb_uuid as uuid, facility_uuid, uploaded_at::date::text as day, set_aside_at is not null as aside
      from tdb where facility_uuid = ${dice.oneOf(facilities).facilityUuid} order by md5(tdb_uuid::text || ${dice.hex(4)}) limit 1`.execute(
      db,
    );
    if (!rows[0]) return;
    const { uuid, facilityUuid, day, aside } = rows[0];
    await sql`update tdb set set_aside_at = case when ${aside} then null else now() end, set_aside_by = case when ${aside} then null else ${userUuid}::uuid end,
      set_aside_reason = case when ${aside} then null else 'Wrong' end where tdb_uuid = ${uuid}`.execute(db);
    await refreshTdbRollups(db, { facilityUuid, days: [day] });
    await refreshTdbSilence(db, { facilityUuid });
    await insertEvent(db, aside ? "tdb.restore" : "tdb.set-aside", { reason: "Wrong" }, uuid);
  },
  async () => {
    const { rows } = await sql<{ uuid: string; facilityUuid: string; day: string }>`
      update assessment set library_version = ${dice.oneOf(["4.5-rc", "4.5", "4.5.0", "v4.10b2", "unknown", "04.9", null])}, functionality_status_mode = ${dice.oneOf(modes)},
        backup_power = true, backup_power_working = ${dice.oneOf([true, false, null])}
      where assessment_uuid = (select assessment_uuid from assessment where facility_uuid = ${dice.oneOf(facilities).facilityUuid} order by md5(assessment_uuid::text || ${dice.hex(4)}) limit 1)
      returning assessment_uuid as uuid, facility_uuid, assessed_at::date::text as day`.execute(db);
    for (const { facilityUuid, day } of rows) await refreshAssessmentRollups(db, { facilityUuid, days: [day] });
  },
  () => {
    const isClosed = dice.upTo(1) === 1;
    return sql`insert into action (action_uuid, facility_uuid, text, responsible, due_day, origin, user_uuid, agreed_at, evidence_after, state, closed_at, closed_by, reason)
      values (${dice.uuid()}, ${dice.oneOf(facilities).facilityUuid}, 'Mend it', 'Ruth', ${today}, 'hand', ${userUuid}, ${someTime()}, now(),
        ${isClosed ? dice.oneOf(["done", "dropped"]) : "open"}, ${isClosed ? someTime() : null}, ${isClosed ? dice.oneOf([userUuid, null]) : null}, ${isClosed ? dice.oneOf(["Mended", null]) : null})`.execute(
      db,
    );
  },
  () =>
    sql`insert into worklist_note (note_uuid, facility_uuid, kind, user_uuid, written_at, comment)
      values (${dice.uuid()}, ${dice.oneOf(facilities).facilityUuid}, ${dice.oneOf(["stopped", "silent"])}, ${userUuid}, ${someTime()}, 'Called')`.execute(
      db,
    ),
];

type Row = { kind: string; direction: string; id: string };
/** The whole answer, by pages of this size if there is one. */
async function read(query: URLSearchParams, limit: number | undefined): Promise<Row[]> {
  let path: string | undefined = `/api/v1/ledger?${query}${limit === undefined ? "" : `&limit=${limit}`}`;
  const rows: Row[] = [];
  while (path !== undefined) {
    const answer: Awaited<ReturnType<Person["get"]>> = await admin.get(path);
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
    rows.push(...bodyOf<Row[]>(answer));
    path = /<([^>]+)>/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  return rows;
}

test("the ledger equals a slow recount in random states, scopes and periods, whole and by pages, and its counts are those of its rows", async () => {
  const changes = [...changesOf({ db: gateway.db, dice, facilities, today }), ...more(gateway.db)];
  for (let change = 0; change < 400; change += 1) await dice.oneOf(changes)();
  const setting = await gateway.sql<{ value: string }>`select value from setting where name = 'tdb_rhythm_days'`;
  const rhythm = Number(setting[0]!.value);
  const seen = new Set<string>();
  for (let state = 0; state < states; state += 1) {
    for (let change = dice.upTo(3); change >= 0; change -= 1) await dice.oneOf(changes)();
    const sites = await gateway.sql<ChangedFacility>`
      select facility_uuid, province_id, district_id, implementing_partner_id from facility`;
    const { facilityUuid, provinceId, districtId, implementingPartnerId } = dice.oneOf(facilities);
    const scope: Partial<ChangedFacility> =
      state % 40 === 0
        ? {}
        : dice.oneOf([
            { facilityUuid },
            { districtId },
            { provinceId },
            { districtId, ...(implementingPartnerId === null ? {} : { implementingPartnerId }) },
          ]);
    const within = sites.filter((site) =>
      Object.entries(scope).every(([name, value]) => site[name as keyof ChangedFacility] === value),
    );
    const [start, end] = [dayBack(220), dayBack(220)].toSorted() as [string, string];
    const kinds = dice.oneOf([null, null, [dice.oneOf(ledgerKinds)], [dice.oneOf(ledgerKinds), "silence"]]);
    const uuids = within.map((site) => site.facilityUuid);
    const raw = await readRawLedger(gateway.db, uuids);
    const expected = recountLedger(raw, uuids, { start, end, today, rhythm }).filter(
      ({ kind }) => kinds === null || kinds.includes(kind),
    );
    const query = new URLSearchParams({
      ...Object.fromEntries(Object.entries(scope).map(([name, value]) => [name, String(value)])),
      ...{ start, end },
      ...(kinds === null ? {} : { kinds: kinds.join(",") }),
    });
    const rows = await read(query, dice.oneOf([undefined, undefined, undefined, 50]));
    const own = rows.map(
      ({
        facilityName: _name,
        district: _district,
        province: _province,
        implementingPartner: _partner,
        ...row
      }: Row & Record<string, unknown>) => row,
    );
    expect(own, `${state} ${query}`).toEqual(expected);
    for (const { kind, direction } of expected) seen.add(`${kind} ${direction}`);
    const direction = dice.oneOf(["better", "worse", "new", "neither"]);
    query.set("direction", direction);
    const counts = bodyOf<{ kind: string; direction: string; count: number }[]>(
      await admin.get(`/api/v1/ledger/counts?${query}`),
    );
    const ofDirection = expected.filter((row) => row.direction === direction);
    expect(Object.fromEntries(counts.map(({ kind, count }) => [kind, count]))).toEqual(
      Object.fromEntries([...grouped(ofDirection, ({ kind }) => kind)].map(([kind, list]) => [kind, list.length])),
    );
  }
  // In enough states nothing that can happen is left out by chance.
  if (isShort) return;
  const both = ["works", "power", "backupPower", "version", "mode", "silence", "connectivity"];
  for (const kind of both)
    for (const direction of ["better", "worse", "new"])
      expect([...seen], `${kind} ${direction}`).toContain(`${kind} ${direction}`);
  for (const kind of ["partner", "registry", "action", "note", "setAside"])
    expect([...seen]).toContain(`${kind} neither`);
  expect([...seen]).toContain("registry new");
});
