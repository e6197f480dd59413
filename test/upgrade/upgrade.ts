import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import type { Database } from "../../db/engine/connect.ts";
import { sampleFacility } from "../support/assessment-data.ts";
import { type Storm, startStorm } from "../system/storm.ts";
import { type Fleet, openFleet, type Version } from "./fleet.ts";
import type { Proxy } from "./nginx.ts";
import type { Pace } from "./options.ts";
import type { Release } from "./release.ts";

/**
 * An upgrade during work, as docs/operations.md describes it: two gateways of the previous release serve; this version
 * migrates the database meanwhile; the gateways are replaced one by one; when none of the previous release is left, the
 * migration runs once more for what had to wait. People work all the time, and gateways of both versions are killed.
 */

type Figures = { phase: string; seconds: number; requests: number; again: number; failures: number };
export type Outcome = {
  figures: Figures[];
  /** Answers that nobody should get, with what the gateway logged about them. */
  failures: string[];
  /** Confirmed writes that are lost or wrong; `promised` is the number of all that were checked. */
  lost: string[];
  promised: number;
  /** Requests, and those of them without an answer, which were repeated. */
  counts: Pick<Storm["counts"], "requests" | "unanswered">;
};

/** Runs a command of this version. */
async function command(name: string, settings: Record<string, string>): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, ["gateway/start.mjs", name], {
    env: { PATH, HOME, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  const code = await new Promise((done) => child.once("close", done));
  if (code !== 0) throw new Error(`npm run ${name} failed: ${output}`);
  return output.trim();
}

type Say = (line: string) => void;

/** The phases, one after the other, while the storm goes on. */
async function upgrade(
  fleet: Fleet,
  storm: Storm,
  settings: Record<string, string>,
  { seconds, kills }: Pace,
  say: Say,
): Promise<Figures[]> {
  const figures: Figures[] = [];
  const phase = async (name: string, act: () => Promise<void>) => {
    const before = { requests: storm.counts.requests, again: storm.counts.unanswered, failures: storm.failures.length };
    const begun = Date.now();
    await act();
    await setTimeout(Math.max(0, begun + seconds * 1000 - Date.now()));
    figures.push({
      phase: name,
      seconds: Math.round((Date.now() - begun) / 1000),
      requests: storm.counts.requests - before.requests,
      again: storm.counts.unanswered - before.again,
      failures: storm.failures.length - before.failures,
    });
    say(JSON.stringify(figures.at(-1)));
  };
  const tryStart = async (version: Version) => {
    const refusal = await fleet.start(version);
    if (refusal !== undefined) say(`A gateway of the ${version} version does not start: ${refusal}`);
    return refusal === undefined;
  };
  await phase("previous alone", async () => {});
  await phase("expand beside previous", async () => say(await command("migrate", settings)));
  say(`/readyz of the previous version now: ${await fleet.readiness("previous")}`);
  await phase(`both, ${kills} kills`, async () => {
    if (await tryStart("this")) await fleet.end("previous", "SIGTERM");
    for (let kill = 0; kill < kills; kill += 1) {
      await setTimeout(200 + Math.random() * 800);
      const version = kill % 2 === 0 && fleet.count("previous") > 0 ? "previous" : "this";
      await fleet.end(version, "SIGKILL");
      // If a gateway no longer starts, one of this version replaces it, as an operator would do.
      if (!(await tryStart(version))) await tryStart("this");
    }
  });
  await phase("this alone", async () => {
    await tryStart("this");
    while (await fleet.end("previous", "SIGTERM"));
  });
  await phase("contract", async () => say(await command("migrate", settings)));
  say(`/readyz of this version now: ${await fleet.readiness("this")}`);
  return figures;
}

/**
 * @param database without any table: the previous release creates them, and loads the demonstration
 * @param proxy in front of the gateways, instead of the fleet's own load balancing
 */
export async function upgradeUnderStorm(
  release: Release,
  { db, url }: { db: Database; url: string },
  pace: Pace,
  say: Say = () => {},
  proxy?: Proxy,
): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), "platform-upgrade-"));
  await mkdir(join(dataDir, "files"));
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    DEMO: "1",
    TRUST_PROXY: "1",
    UPLOADS_PER_USER: "100",
    LOG_FORMAT: "json",
  };
  const fleet = openFleet({ previous: [release.program], this: ["gateway/start.mjs", "main"] }, settings, proxy);
  try {
    for (let count = 0; count < 2; count += 1) {
      const refusal = await fleet.start("previous");
      if (refusal !== undefined) throw new Error(`The previous release does not start: ${refusal}`);
    }
    const facilities = await Promise.all(Array.from({ length: 8 }, (_, skip) => sampleFacility(db, skip)));
    const storm = await startStorm({ db, gateway: fleet.next, facilities });
    let isOver = false;
    const working = storm.run(() => isOver);
    const figures = await upgrade(fleet, storm, settings, pace, say).finally(() => {
      isOver = true;
    });
    await working;
    const lost = await storm.listLost();
    const failures = storm.failures.map((failure) =>
      [failure, ...fleet.logOf(/\(request ([\w-]+)\)$/.exec(failure)?.[1] ?? "")].join("\n  "),
    );
    return { figures, failures, lost, promised: storm.countPromised(), counts: storm.counts };
  } finally {
    await fleet.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
