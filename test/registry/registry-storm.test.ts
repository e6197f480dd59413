import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { connect, type Database } from "../../db/engine/connect.ts";
import { expectCountsHold } from "../derived/countsHold.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { exportedFacility } from "../support/exportedFacility.ts";
import { type Answer, bodyOf, type Person, stranger } from "../support/gateway.ts";
import { listRollouts, listTargets } from "../support/mutations.ts";
import { type GatewayProcess, startProcess } from "../support/process.ts";
import { settled } from "../support/settled.ts";
import { registryActs } from "./registry-acts.ts";

/**
 * A copy of the registry is kept from the feed of changes, while random acts change the registry and the gateway is
 * killed.
 *
 * REGISTRY_ACTS=1000 REGISTRY_KILLS=6 sets the number of acts and kills, and prints the figures of the run.
 */

const mostActs = Number(process.env["REGISTRY_ACTS"] ?? 80);
const mostKills = Number(process.env["REGISTRY_KILLS"] ?? 1);
const atOnce = 4;
// oxlint-disable-next-line typescript/no-explicit-any -- a row of any list and of any kind of the feed
type Row = Record<string, any>;
type Change = { kind: string; action: string; key: string; changedAt: string; record: Row | null };

let database: TestDatabase;
let beside: Database;
let folder: string;
let gateway: GatewayProcess;
let admin: Person;
const start = () => startProcess({ DATA_DIR: folder, DATABASE_URL: database.url });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "platform-registry-storm-"));
  await mkdir(join(folder, "files"));
  database = await testDatabase("demo");
  beside = connect(database.connection, "Africa/Lusaka", () => {}, 6);
  gateway = await start();
  admin = stranger(() => gateway.url);
  await admin.call("POST", "/api/v1/auth", { login: "admin", password: "demo-password" });
});
afterAll(async () => {
  gateway?.child.kill("SIGKILL");
  await beside?.destroy();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function sendCsv(csv: string): Promise<Answer> {
  return admin.call("POST", "/api/v1/registry/import", csv, { "content-type": "text/csv" });
}
const read = async (path: string) => {
  const answer = await admin.get(`/api/v1${path}`);
  expect([path, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([path, 200, ""]);
  return answer;
};
const rows = async (path: string) => bodyOf<Row[]>(await read(path));
const lines = async (path: string) =>
  (await read(path)).text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

const kinds = [
  "facility",
  "facilitySettings",
  "facilityConnectivity",
  "assessment",
  "tdb",
  "province",
  "district",
  "implementingPartner",
  "target",
  "release",
  "rollout",
];
/** The copy: the records of the feed, by kind and key. The cursor is stored with it. */
const copy = new Map<string, Map<string, Row>>(kinds.map((kind) => [kind, new Map()]));
const seen = new Set<string>();
const repeated: string[] = [];
let cursor = "";

async function poll(): Promise<boolean> {
  const answer = await admin.get(`/api/v1/changes?limit=400&kinds=${kinds.join()}${cursor && `&since=${cursor}`}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  const page = bodyOf<{ changes: Change[]; cursor: string; hasMore: boolean }>(answer);
  for (const { kind, key, action, changedAt, record } of page.changes) {
    const changeId = `${kind} ${key} ${changedAt}`;
    if (seen.has(changeId)) repeated.push(changeId);
    seen.add(changeId);
    if (action === "withdrawn") copy.get(kind)!.delete(key);
    else copy.get(kind)!.set(key, record!);
  }
  ({ cursor } = page);
  return page.hasMore;
}

/** All records of the server, by kind and key, read by the REST call of each kind. */
async function readAll(): Promise<Map<string, Map<string, Row>>> {
  const all = new Map<string, Map<string, Row>>();
  const keep = (kind: string, found: readonly (readonly [string, Row])[]) => all.set(kind, new Map(found));
  const open = await lines("/facility/ndjson");
  const facilities = open.map((row) => [row["facilityUuid"] as string, exportedFacility(row) as Row] as const);
  const settings = open.map((row) => [row["facilityUuid"] as string, row["settings"] as Row] as const);
  const connectivity = open.map((row) => [row["facilityUuid"] as string, row["connectivity"] as Row] as const);
  const { rows: closed } = await sql<{ uuid: string }>`
    select facility_uuid as uuid from facility where closed_on is not null`.execute(beside);
  for (const { uuid } of closed) {
    facilities.push([uuid, bodyOf(await read(`/facilityMetadata/${uuid}`))]);
    settings.push([uuid, bodyOf(await read(`/facility/settings/${uuid}`))]);
    connectivity.push([uuid, bodyOf(await read(`/facilityConnectivity/${uuid}`))]);
  }
  keep("facility", facilities);
  keep("facilitySettings", settings);
  keep("facilityConnectivity", connectivity);
  const places = async (kind: string, single: string, more: (row: Row) => object) => {
    const found = await rows(`/registry/place/${kind}`);
    keep(
      kind,
      await Promise.all(
        found.map(
          async (row) =>
            [String(row["id"]), { ...bodyOf(await read(`/${single}/${row["id"]}`)), ...more(row) }] as const,
        ),
      ),
    );
  };
  await places("province", "province", () => ({}));
  await places("district", "district", ({ provinceId }) => ({ provinceId }));
  await places("implementingPartner", "implementingPartner", ({ isOpen }) => ({ active: isOpen }));
  const allDays = "2000-01-01/9998-12-31";
  const by = (key: string) => (row: Row) => [row[key] as string, row] as const;
  keep("assessment", (await lines(`/assessment/ndjson/${allDays}`)).map(by("assessmentUuid")));
  keep("tdb", (await rows(`/tdb/meta/list/all/${allDays}`)).map(by("uuid")));
  keep("target", (await listTargets(admin)).map(by("uuid")));
  keep("release", (await rows("/download/release")).map(by("uuid")));
  keep("rollout", (await listRollouts(admin)).map(by("uuid")));
  return all;
}

/** Facilities of each district and mode as at a day, counted from every visit. */
const recounted = async (day: string) =>
  (
    await sql<{ name: string; facilities: number }>`
    select district_id || ' ' || coalesce(latest.functionality_status_mode, 'none') as name, count(*)::integer as facilities
    from facility left join lateral (
      select functionality_status_mode from assessment where assessment.facility_uuid = facility.facility_uuid and assessed_at::date <= ${day}::date
      order by assessed_at desc, assessment_uuid desc limit 1) as latest on true
    where closed_on is null or closed_on > ${day}::date group by 1`.execute(beside)
  ).rows;
const served = async (day: string) => {
  const { data, errors } = await admin.graphql(
    `{ facilityGroups(by: [DISTRICT, MODE], asOf: "${day}") { district { districtId } functionalityStatusMode facilities } }`,
  );
  expect(errors).toBeUndefined();
  return (data.facilityGroups as Row[])
    .filter(({ facilities }) => facilities > 0)
    .map(({ district, functionalityStatusMode, facilities }) => ({
      name: `${district.districtId} ${functionalityStatusMode ?? "none"}`,
      facilities,
    }));
};
const byName = <One extends { name: string }>(list: One[]) =>
  list.toSorted((one, other) => (one.name < other.name ? -1 : 1));

test(
  `a copy that is kept from the feed during ${mostActs} acts and ${mostKills} kills equals the server's records, and counts as at any day equal a recount`,
  async () => {
    const began = Date.now();
    const acts = Object.entries(registryActs(beside, { call: admin.call, sendCsv }));
    const done: Record<string, number> = {};
    const refused: Record<string, number> = {};
    const faults: string[] = [];
    const count = { done: 0, refused: 0, lost: 0, kills: 0, polls: 0 };
    const storm = { isOver: false };
    const isLost = (error: unknown) => error instanceof TypeError || /terminated|ECONN|socket/.test(String(error));

    const worker = async () => {
      for (let at = 0; !storm.isOver && count.done < mostActs; at += 1) {
        // The acts are taken in turn, so that a short run has all of them.
        const [name, act] = acts[(at + Math.floor(Math.random() * 3)) % acts.length]!;
        try {
          const answer = await act();
          if (!answer) continue;
          if (answer.status >= 500) faults.push(`${name}: ${answer.status} ${answer.text}`);
          const tally = answer.status === 200 ? done : refused;
          tally[name] = (tally[name] ?? 0) + 1;
          count[answer.status === 200 ? "done" : "refused"] += 1;
        } catch (error) {
          if (!isLost(error)) throw error;
          count.lost += 1;
          await setTimeout(20);
        }
      }
    };
    const integrator = (async () => {
      while (!storm.isOver) {
        await poll().then(
          () => (count.polls += 1),
          (error: unknown) => (isLost(error) ? setTimeout(20) : Promise.reject(error as Error)),
        );
        await setTimeout(20);
      }
    })();
    const killer = (async () => {
      while (count.kills < mostKills) {
        while (!storm.isOver && count.done < (mostActs * (count.kills + 1)) / (mostKills + 1)) await setTimeout(20);
        if (storm.isOver) return;
        gateway.child.kill("SIGKILL");
        await gateway.ended;
        gateway = await start();
        count.kills += 1;
      }
    })();
    try {
      await Promise.all([...Array.from({ length: atOnce }, worker), killer]);
    } finally {
      storm.isOver = true;
      await integrator;
    }
    const seconds = Math.round((Date.now() - began) / 1000);
    await settled(beside);
    while (await poll());
    if (process.env["REGISTRY_ACTS"]) console.log(JSON.stringify({ seconds, ...count, done, refused }));
    expect([count.done >= mostActs, count.kills, repeated, faults]).toEqual([true, mostKills, [], []]);

    const all = await readAll();
    const sorted = (map: Map<string, Row>) => [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (const kind of kinds) expect([kind, sorted(copy.get(kind)!)]).toEqual([kind, sorted(all.get(kind)!)]);

    // No open facility is in a closed place.
    const { rows: misplaced } = await sql`
    select facility_uuid from facility join district using (district_id) join province on province.province_id = district.province_id
    where facility.closed_on is null and coalesce(district.closed_on, province.closed_on) is not null`.execute(beside);
    expect(misplaced).toEqual([]);
    await expectCountsHold(beside);
    const { rows: days } = await sql<{ day: string }>`
    select day::text from (select closed_on as day from facility union select closed_on - 1 from facility union select current_date union select current_date - 400) as days
    where day is not null order by day`.execute(beside);
    for (const { day } of days) expect([day, byName(await served(day))]).toEqual([day, byName(await recounted(day))]);
  },
  Math.max(240_000, mostActs * 2000),
);
