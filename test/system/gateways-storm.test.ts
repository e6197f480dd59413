import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Database } from "../../db/engine/connect.ts";
import { type SampleFacility, sampleFacility } from "../support/assessment-data.ts";
import { testDatabase } from "../support/database.ts";
import { type GatewayProcess, startProcess } from "../support/process.ts";
import { startStorm } from "./storm.ts";
import { streamingPair } from "./streaming.ts";

/**
 * Two gateways behind a load balancer without sticky sessions: each call goes to either. They are killed and restarted
 * in turn while people save, change, send files, sign in and out. Each person reads back, from either gateway, what was
 * confirmed.
 *
 * STORM_SECONDS=300 sets the duration; with STORM_KILLS=200 it runs until 200 gateways were killed; STORM_REPLICA=1
 * gives both gateways a read replica.
 */

const seconds = Number(process.env["STORM_SECONDS"] ?? 6);
const mostKills = Number(process.env["STORM_KILLS"] ?? 0);
const hasReplica = process.env["STORM_REPLICA"] === "1";

let db: Database;
let stopDatabase: () => Promise<void>;
let dataDir: string;
let settings: Record<string, string>;
let facilities: SampleFacility[];
const gateways: GatewayProcess[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "platform-storm-"));
  await mkdir(join(dataDir, "files"));
  if (hasReplica) {
    const pair = await streamingPair("Africa/Lusaka");
    db = pair.open("primary");
    stopDatabase = () => db.destroy().then(pair.stop);
    settings = { DATABASE_URL: pair.urlOf("primary"), REPLICA_DATABASE_URL: pair.urlOf("replica") };
  } else {
    const database = await testDatabase("demo");
    ({ db, drop: stopDatabase } = database);
    settings = { DATABASE_URL: database.url };
  }
  settings = { ...settings, DATA_DIR: dataDir, TRUST_PROXY: "1", UPLOADS_PER_USER: "100" };
  gateways.push(await startProcess(settings), await startProcess(settings));
  facilities = await Promise.all(Array.from({ length: 8 }, (_, skip) => sampleFacility(db, skip)));
});
afterAll(async () => {
  for (const { child } of gateways) child.kill("SIGKILL");
  await Promise.all(gateways.map(({ ended }) => ended));
  await stopDatabase?.();
  await rm(dataDir, { recursive: true, force: true });
});

test(
  "confirmed writes survive when gateways are killed, and the figures equal those of a recount",
  async () => {
    const storm = await startStorm({
      db,
      gateway: () => gateways[Math.floor(Math.random() * gateways.length)]!.url,
      facilities,
    });
    let kills = 0;
    const end = Date.now() + seconds * 1000;
    const isOver = () => (mostKills > 0 ? kills >= mostKills : Date.now() > end);
    const killer = async () => {
      for (let turn = 0; !isOver(); turn += 1) {
        await setTimeout(200 + Math.random() * 800);
        const victim = gateways[turn % 2]!;
        victim.child.kill("SIGKILL");
        await victim.ended;
        kills += 1;
        gateways[turn % 2] = await startProcess(settings);
      }
    };
    const started = Date.now();
    await Promise.all([killer(), storm.run(isOver)]);
    const figures = await Promise.all(gateways.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    const ofReplica = figures.flatMap((text) => text.match(/^platform_replica_\w+ .*/gm) ?? []);
    const counts = { kills, ...storm.counts };
    if (process.env["STORM_SECONDS"])
      console.log(JSON.stringify({ seconds: Math.round((Date.now() - started) / 1000), ...counts, ofReplica }));
    expect(storm.failures).toEqual([]);
    for (const [name, count] of Object.entries(counts)) expect([name, count > 0]).toEqual([name, true]);
    expect(await storm.listLost()).toEqual([]);
  },
  Math.max(600_000, mostKills * 20_000),
);
