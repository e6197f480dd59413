import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { rebuildRollups } from "../../db/derived/recount.ts";
import { connect, type Handle } from "../../db/engine/connect.ts";
import { sampleFacility, visit } from "../support/assessment-data.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { stranger } from "../support/gateway.ts";
import { patience } from "../support/patience.ts";
import { type GatewayProcess, startProcess } from "../support/process.ts";
import { readDerived, spoilDerived } from "./rows.ts";

/**
 * A gateway is killed repeatedly in the middle of a recount, while it serves and people save. The result must equal a
 * complete recount.
 */

let database: TestDatabase;
let dataDir: string;
let running: GatewayProcess | undefined;
beforeAll(async () => {
  database = await testDatabase("demo");
  dataDir = await mkdtemp(join(tmpdir(), "platform-recount-"));
  await mkdir(join(dataDir, "files"));
});
afterAll(async () => {
  running?.child.kill("SIGKILL");
  await running?.ended;
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => startProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir, DEMO: "0" });
const waiting = async () => {
  const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from recount`.execute(database.db);
  return rows[0]!.waiting;
};
const until = (is: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await is()).toBe(true), { timeout: patience, interval: 50 });

/**
 * Locks what the recount reaches somewhat later, so that it stops in the middle: first a facility of `latest`, then of
 * `silence`, then a province.
 */
async function hold(handle: Handle, kill: number): Promise<void> {
  if (kill === 0) await sql`select from facility order by facility_uuid desc limit 1 for no key update`.execute(handle);
  else if (kill < 5)
    await sql`
      select from facility where facility_uuid = (
        select facility_uuid from recount where name = 'silence' and facility_uuid not in (select facility_uuid from recount where name = 'latest')
        order by facility_uuid offset 60 limit 1) for no key update`.execute(handle);
  else
    await sql`
      select pg_advisory_xact_lock(20261003, province_id * 4) from (
        select province_id from recount where name = 'places' order by province_id offset 1 limit 1) as later`.execute(
      handle,
    );
}

test("a recount is correct after ten kills in the middle, while people save", async () => {
  const { db } = database;
  const facilities = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((skip) => sampleFacility(db, skip)));
  await spoilDerived(db);
  const left: number[] = [];
  for (let kill = 0; kill < 10; kill += 1) {
    const blocker = connect(database.connection, "Africa/Lusaka", () => {}, 1);
    await blocker.transaction().execute(async (transaction) => {
      await hold(transaction, kill);
      running = await start();
      await until(async () => {
        const { rows } =
          await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            db,
          );
        return rows.length > 0;
      });
      const person = stranger(running.url);
      expect((await person.call("POST", "/api/v1/auth", { login: "assessor", password: "demo-password" })).status).toBe(
        200,
      );
      expect(await (await fetch(`${running.url}/metrics`)).text()).toMatch(/platform_recounts_left [1-9]/);
      const answer = await person.call(
        "POST",
        "/api/v1/assessment",
        visit(facilities[kill]!, {
          assessmentUuid: randomUUID(),
          functionalityStatusMode: kill % 2 ? "ELast" : "EFast",
        }),
      );
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      left.push(await waiting());
      running.child.kill("SIGKILL");
      await running.ended;
    });
    await blocker.destroy();
  }
  // Each start continued where the one before was killed.
  expect(left).toEqual(left.toSorted((a, b) => b - a));
  expect(new Set(left).size).toBeGreaterThan(5);
  expect(left.at(-1)).toBeGreaterThan(0);

  running = await start();
  await until(async () => (await waiting()) === 0);
  running.child.kill("SIGTERM");
  await running.ended;
  const kept = await readDerived(db);
  await rebuildRollups(db);
  expect(kept).toEqual(await readDerived(db));
});

test("after an upgrade that emptied tables the gateway serves only when everything is recounted", async () => {
  const { db } = database;
  const right = await readDerived(db);
  await sql`truncate assessment_rollup, tdb_rollup, place_answer_rollup, place_tdb_rollup`.execute(db);
  await sql`update derived set counted_by = 'an earlier version'`.execute(db);
  await sql`insert into setting (name, value) values ('derived_rows_missing', 'true')`.execute(db);
  running = await start();
  expect(await waiting()).toBe(0);
  expect(await readDerived(db)).toEqual(right);
  running.child.kill("SIGTERM");
  await running.ended;
  expect((await sql`select from setting where name = 'derived_rows_missing'`.execute(db)).rows).toEqual([]);
});
