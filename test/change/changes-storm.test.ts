import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { connect, type Database, type Handle } from "../../db/engine/connect.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { exportedFacility } from "../support/exportedFacility.ts";
import { bodyOf, stranger } from "../support/gateway.ts";
import { patience } from "../support/patience.ts";
import { type GatewayProcess, startProcess } from "../support/process.ts";
import { tdbxOf } from "../support/tdbx.ts";

/**
 * An integrator's copy is kept by polling the feed of changes. Meanwhile much changes at once: by the gateway, which is
 * killed twice, and by transactions beside it, many of which are committed late, out of order or not at all.
 */

const mostChanges = 10_000;
type Record_ = Record<string, unknown>;
type Change = { kind: string; action: string; key: string; changedAt: string; record: Record_ | null };

let database: TestDatabase;
let beside: Database;
let folder: string;
let gateway: GatewayProcess;
let token: string;
let facilities: string[];
let closed: string[];
let partners: number[];
let areas: number[];
let userUuid: string;

const start = () => startProcess({ DATA_DIR: folder, DATABASE_URL: database.url, TOKEN_REQUESTS: "1000000" });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "platform-storm-"));
  await mkdir(join(folder, "files"));
  database = await testDatabase("demo");
  beside = connect(database.connection, "Africa/Lusaka", () => {}, 6);
  gateway = await start();
  const admin = stranger(gateway.url);
  await admin.call("POST", "/api/v1/auth", { login: "admin", password: "demo-password" });
  const privileges = ["viewAssessments", "editAssessments", "uploadTdbs"];
  const { rows } = await sql<{ expiryDate: string }>`select (current_date + 30)::text as expiry_date`.execute(beside);
  const made = await admin.call("POST", "/api/v1/token", { name: "Copy", privileges, ...rows[0] });
  ({ token } = bodyOf<{ token: string }>(made));
  const found = await sql<{
    facilities: string[];
    closed: string[];
    partners: number[];
    areas: number[];
    userUuid: string;
  }>`select
    (select array_agg(facility_uuid order by facility_uuid) from facility where closed_on is null) as facilities,
    (select array_agg(facility_uuid) from facility where closed_on is not null) as closed,
    (select array_agg(implementing_partner_id) from implementing_partner where active) as partners,
    (select array_agg(service_area_id) from service_area) as areas,
    (select user_uuid from app_user where user_name = 'uploader') as user_uuid`.execute(beside);
  ({ facilities, closed, partners, areas, userUuid } = found.rows[0]!);
});
afterAll(async () => {
  gateway?.child.kill("SIGKILL");
  await beside?.destroy();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const send = (path: string, init: RequestInit = {}) =>
  fetch(gateway.url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
const read = async (path: string) => {
  const answer = await send(path);
  const text = await answer.text();
  expect([path, answer.status, answer.status === 200 ? "" : text]).toEqual([path, 200, ""]);
  return text;
};
const pick = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)]!;
const chance = (share: number) => Math.random() < share;
const word = () => randomBytes(4).toString("hex");

const counts = { changes: 0, byGateway: 0, late: 0, undone: 0, withdrawn: 0, lost: 0 };
const ours: { assessmentUuid: string; version: number }[] = [];

/** A random change through the gateway: a GraphQL mutation under this alias. */
function mutation(alias: string): string {
  const facilityUuid = JSON.stringify(pick(facilities));
  const kind = Math.random();
  if (kind < 0.35)
    return `${alias}: updateFacilityConnectivity(input: { facilityUuid: ${facilityUuid}, present: true, details: "${word()}" }) { errors { message } }`;
  if (kind < 0.6) {
    const chosen = areas.filter(() => chance(0.5));
    return `${alias}: updateFacilitySettings(input: { facilityUuid: ${facilityUuid}, implementingPartnerId: ${pick(partners)}, serviceAreas: [${chosen.join()}] }) { errors { message } }`;
  }
  if (kind < 0.8 || ours.length === 0)
    return `${alias}: createAssessment(input: { assessmentUuid: "${randomUUID()}", facilityUuid: ${facilityUuid}, functionalityStatusMode: ${pick(["EFirst", "ELast", "Partial"])},
      dateOfLastUpgrade: "2024-05-31", numberOfStaffTrainedInSmartCare: 3, closingComments: "${word()}" }) { assessment { assessmentUuid version } errors { message } }`;
  const { assessmentUuid, version } = pick(ours);
  return `${alias}: updateAssessment(input: { assessmentUuid: "${assessmentUuid}", version: ${version}, closingComments: "${word()}" }) { assessment { assessmentUuid version } errors { message } }`;
}

async function mutate(): Promise<void> {
  const query = `mutation { ${Array.from({ length: 10 }, (_, index) => mutation(`m${index}`)).join("\n")} }`;
  const answer = await send("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await answer.json()) as {
    data?: Record<string, { assessment?: (typeof ours)[number]; errors: unknown[] }>;
    errors?: unknown[];
  };
  if (!data) throw new Error(JSON.stringify(errors));
  for (const { assessment, errors: refused } of Object.values(data)) {
    if (refused.length === 0) counts.changes += 1;
    if (refused.length === 0) counts.byGateway += 1;
    if (!assessment) continue;
    const known = ours.findIndex(({ assessmentUuid }) => assessmentUuid === assessment.assessmentUuid);
    if (known < 0) ours.push(assessment);
    else ours[known] = assessment;
  }
}

async function upload(): Promise<void> {
  const form = new FormData();
  for (let file = 0; file < 4; file += 1)
    form.append("files", new Blob([new Uint8Array(tdbxOf(pick(facilities)))]), `${word()}.tdbx`);
  const answer = await send("/api/v1/tdb", { method: "POST", body: form });
  if (answer.status === 200) counts.changes += 4;
  if (answer.status === 200) counts.byGateway += 4;
}

/** One change of a transaction beside the gateway. Returns how many entities it wrote. */
async function write(transaction: Handle): Promise<number> {
  const facilityUuid = pick(facilities);
  const kind = Math.random();
  const statement =
    kind < 0.25
      ? sql`update facility set facility_name = left(facility_name, 20) || ' ' || ${word()} where facility_uuid = ${facilityUuid}`
      : kind < 0.45
        ? sql`update facility set connectivity_present = true, connectivity_details = ${word()} where facility_uuid = ${facilityUuid}`
        : kind < 0.6
          ? sql`insert into assessment (assessment_uuid, facility_uuid, user_uuid, assessed_at, functionality_status_mode, date_of_last_upgrade,
              number_of_staff_trained_in_smart_care) values (${randomUUID()}, ${facilityUuid}, ${userUuid}, clock_timestamp(), 'EFirst', '2024-05-31', 1)`
          : kind < 0.75
            ? sql`update assessment set version = version + 1, closing_comments = ${word()} where assessment_uuid = (
                select assessment_uuid from assessment where assessment_uuid >= ${randomUUID()} order by assessment_uuid limit 1)`
            : kind < 0.8
              ? // Locks its facility: a gateway that saves there may be making this visit the latest one.
                sql`with held as materialized (
                    select assessment_uuid from assessment join facility using (facility_uuid) where assessment_uuid >= ${randomUUID()}
                    order by assessment_uuid limit 1 for no key update of facility)
                  delete from assessment where assessment_uuid in (select assessment_uuid from held)`
              : kind < 0.95
                ? sql`insert into tdb (tdb_uuid, facility_uuid, user_uuid, delta, tdb_created_at, total_patients, file_name, file_size, sha256, storage_key)
                    values (${randomUUID()}, ${facilityUuid}, ${userUuid}, false, now(), 5, 'x.tdbx', 9, ${randomBytes(32).toString("hex")}, ${randomUUID()})`
                : // Locks its facility, as the product does: a gateway may be evaluating the facility's TDBs.
                  sql`with held as materialized (
                    select tdb_uuid from tdb join facility using (facility_uuid) where tdb_uuid >= ${randomUUID()} order by tdb_uuid limit 1 for no key update of facility)
                    delete from tdb where tdb_uuid in (select tdb_uuid from held)`;
  return Number((await statement.execute(transaction)).numAffectedRows ?? 0);
}

class Undone extends Error {}

/** A transaction beside the gateway: some changes, sometimes left open for a while, sometimes rolled back. */
async function transact(): Promise<void> {
  let written = 0;
  const isLate = chance(0.2);
  try {
    await beside.transaction().execute(async (transaction) => {
      for (let more = 1 + Math.floor(Math.random() * 25); more > 0; more -= 1) written += await write(transaction);
      if (isLate) await setTimeout(Math.random() * 150);
      if (chance(0.1)) throw new Undone();
    });
    counts.changes += written;
    if (isLate) counts.late += 1;
  } catch (error) {
    // PostgreSQL resolves a deadlock by rolling back one of the two transactions.
    if (!(error instanceof Undone) && (error as { code?: string }).code !== "40P01") throw error;
    counts.undone += 1;
  }
}

/** The integrator's copy: the last change by kind and key, and the cursor. */
const copy = new Map<string, Change>();
const seen = new Set<string>();
const repeated: string[] = [];
let cursor: string | null = null;

async function poll(): Promise<boolean> {
  const answer = await send(`/api/v1/changes?limit=400${cursor === null ? "" : `&since=${cursor}`}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const page = (await answer.json()) as { changes: Change[]; cursor: string; hasMore: boolean };
  for (const change of page.changes) {
    const name = `${change.kind} ${change.key}`;
    const identity = `${name} ${change.changedAt}`;
    if (seen.has(identity)) repeated.push(identity);
    seen.add(identity);
    if (change.action === "withdrawn") counts.withdrawn += 1;
    if (change.action === "withdrawn") copy.delete(name);
    else copy.set(name, change);
  }
  cursor = page.cursor;
  return page.hasMore;
}

test("a copy kept by the feed during 10,000 changes and two kills equals the server's data in the end", async () => {
  const storm = { isOver: false };
  /** Repeats an action until the storm is over. Requests that a killed gateway did not answer are lost. */
  const keepOn = async (act: () => Promise<unknown>) => {
    while (!storm.isOver && counts.changes < mostChanges) {
      try {
        await act();
      } catch (error) {
        if (!(error instanceof TypeError) && !/terminated|ECONN|socket/.test(String(error))) throw error;
        counts.lost += 1;
        await setTimeout(20);
      }
    }
  };
  const integrator = (async () => {
    while (!storm.isOver)
      await poll().catch((error: unknown) =>
        error instanceof TypeError ? setTimeout(20) : Promise.reject(error as Error),
      );
  })();
  const killer = (async () => {
    for (const at of [0.3, 0.65]) {
      while (!storm.isOver && counts.changes < mostChanges * at) await setTimeout(20);
      gateway.child.kill("SIGKILL");
      await gateway.ended;
      gateway = await start();
    }
  })();
  try {
    const gatewayWorkers = [...Array.from({ length: 4 }, () => mutate), upload];
    await Promise.all([...gatewayWorkers.map(keepOn), ...Array.from({ length: 4 }, () => keepOn(transact)), killer]);
  } finally {
    storm.isOver = true;
    await integrator;
  }
  await vi.waitFor(
    async () => {
      while (await poll());
      const { rows } = await sql<{ open: number }>`
        select count(*) as open from change where changed_in >= pg_snapshot_xmin(pg_current_snapshot())`.execute(
        beside,
      );
      expect(rows[0]!.open).toBe(0);
    },
    { timeout: patience, interval: 50 },
  );
  while (await poll());

  expect(counts.changes).toBeGreaterThanOrEqual(mostChanges);
  for (const [name, count] of Object.entries(counts)) expect([name, count > 0]).toEqual([name, true]);
  expect(repeated).toEqual([]);

  // Lists leave out closed facilities, the feed reports them too.
  const copied = (kind: string) =>
    [...copy.values()]
      .filter((change) => change.kind === kind && !closed.includes(change.key))
      .map(({ key, record }) => [key, record] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = async (path: string) =>
    (await read(path))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record_);
  const byKey = (rows: Record_[], key: string) =>
    rows.map((row) => [row[key] as string, row] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));

  const exported = await lines("/api/v1/facility/ndjson");
  const of = (part: (row: Record_) => unknown) => byKey(exported, "facilityUuid").map(([key, row]) => [key, part(row)]);
  expect(copied("facilitySettings")).toEqual(of(({ settings }) => settings));
  expect(copied("facilityConnectivity")).toEqual(of(({ connectivity }) => connectivity));
  expect(copied("facility")).toEqual(of(exportedFacility));
  const listed = JSON.parse(await read("/api/v1/facility")) as { uuid: string; facilityName: string }[];
  expect(listed.map(({ uuid, facilityName }) => [uuid, facilityName]).toSorted()).toEqual(
    copied("facility")
      .map(([key, record]) => [key, record!["facilityName"]])
      .toSorted(),
  );
  const allDays = "2000-01-01/9998-12-31";
  expect(copied("assessment")).toEqual(byKey(await lines(`/api/v1/assessment/ndjson/${allDays}`), "assessmentUuid"));
  expect(copied("tdb")).toEqual(
    byKey(JSON.parse(await read(`/api/v1/tdb/meta/list/all/${allDays}`)) as Record_[], "uuid"),
  );
});
