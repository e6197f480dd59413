import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { sql } from "kysely";
import { expect, vi } from "vitest";

import type { Database } from "../../db/engine/connect.ts";
import type { TestGateway } from "../support/gateway.ts";
import { patience } from "../support/patience.ts";

export type Ended = { code: number | null; output: string };

/** Starts a command as an operator does, with these settings only. */
export function begin(
  name: "backup" | "restore" | "doctor",
  args: string[],
  settings: Record<string, string>,
): { child: ChildProcess; ended: Promise<Ended>; output: () => string } {
  const child = spawn(process.execPath, ["gateway/start.mjs", name, ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  return {
    child,
    output: () => output,
    ended: new Promise((resolve) => child.once("close", (code) => resolve({ code, output }))),
  };
}

export const command = (...call: Parameters<typeof begin>): Promise<Ended> => begin(...call).ended;

/**
 * Kills a scheduled backup in the middle, on a machine of any speed: a table is locked, so that the backup waits for
 * its rows. The database shows that it waits.
 *
 * @throws Error with what the backup printed, if it ended by itself
 */
export async function killInTheMiddle(db: Database, settings: Record<string, string>): Promise<void> {
  await db.transaction().execute(async (holder) => {
    await sql`lock table tdb in access exclusive mode`.execute(holder);
    const { child, ended } = begin("backup", ["--scheduled"], settings);
    let isWaiting = false;
    const endedEarly = ended.then(({ output }) => {
      if (!isWaiting) throw new Error(`The backup did not wait for the table: ${output}`);
    });
    const waits = async () =>
      expect(
        (await sql`select 1 from pg_locks where relation = 'tdb'::regclass and not granted`.execute(db)).rows,
      ).toHaveLength(1);
    await Promise.race([vi.waitFor(waits, { timeout: patience, interval: 20 }), endedEarly]);
    isWaiting = true;
    child.kill("SIGKILL");
    await ended;
  });
}

/**
 * Keeps the files of this many of the demonstration's TDBs, as if retention had removed the others: each stored file
 * makes every backup slower, and a few files show the same as all 358.
 */
export async function keepFiles({ db, dataDir }: Pick<TestGateway, "db" | "dataDir">, count: number): Promise<void> {
  const removed = await sql<{ storageKey: string }>`
    update tdb set content_removed_at = now() where tdb_uuid not in (select tdb_uuid from tdb order by tdb_uuid limit ${count}) returning storage_key`.execute(
    db,
  );
  for (const { storageKey } of removed.rows) await rm(join(dataDir, storageKey));
}
