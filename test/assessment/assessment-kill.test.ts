import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";

import { connect, type Database } from "../../db/engine/connect.ts";
import { startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";
import { sampleFacility, visit } from "../support/assessment-data.ts";
import { stranger } from "../support/gateway.ts";
import { type GatewayProcess, startProcess } from "../support/process.ts";

/** After a kill, every save that was answered with success is stored completely, and no save is stored partly. */

const running = new Set<ChildProcess>();
let folder: string | undefined;
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<GatewayProcess> {
  const started = await startProcess({ DATA_DIR: dataDir });
  running.add(started.child);
  return started;
}

async function onDatabase<Result>(dataDir: string, read: (db: Database) => Promise<Result>): Promise<Result> {
  const embedded = await startEmbedded(dataDir);
  const db = connect(embedded.connection, "Africa/Lusaka", () => {});
  try {
    return await read(db);
  } finally {
    await db.destroy();
    await embedded.stop();
  }
}

const person = async (url: string) => {
  const someone = stranger(url);
  expect((await someone.call("POST", "/api/v1/auth", { login: "assessor", password: "demo-password" })).status).toBe(
    200,
  );
  return someone;
};

test("a kill during 200 saves loses no save that was answered, and leaves no partial save", async () => {
  folder = await mkdtemp(join(tmpdir(), "platform-kill-"));
  const first = await start(folder);
  await person(first.url);
  first.child.kill("SIGTERM");
  await first.ended;
  const facilities = await onDatabase(folder, (db) =>
    Promise.all([0, 1, 2, 3].map((skip) => sampleFacility(db, skip))),
  );

  const second = await start(folder);
  const assessor = await person(second.url);
  const bodies = Array.from({ length: 200 }, (_, index) =>
    visit(facilities[index % facilities.length]!, {
      assessmentUuid: randomUUID(),
      numberOfStaffTrainedInSmartCare: index,
    }),
  );
  const answered = new Set<string>();
  const queue = [...bodies];
  const worker = async () => {
    for (let body = queue.shift(); body; body = queue.shift()) {
      const answer = await assessor.call("POST", "/api/v1/assessment", body).catch(() => undefined);
      if (answer?.status === 200) answered.add(body.assessmentUuid);
      // While other saves are under way.
      if (answered.size === 90) second.child.kill("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  await second.ended;
  expect(answered.size).toBeGreaterThanOrEqual(90);
  expect(answered.size).toBeLessThan(200);

  const third = await start(folder);
  const again = await person(third.url);
  const stored = new Set<string>();
  for (const body of bodies) {
    const { status, body: state } = await again.get(`/api/v1/assessment/${body.assessmentUuid}`);
    expect([200, 404]).toContain(status);
    if (status === 404) continue;
    stored.add(body.assessmentUuid);
    expect(state).toMatchObject({ ...body, contactAEmail: "ruth@example.org", version: 1 });
  }
  for (const uuid of answered) expect(stored).toContain(uuid);
  third.child.kill("SIGTERM");
  await third.ended;

  await onDatabase(folder, async (db) => {
    const { rows: audited } = await sql<{ id: string }>`
      select subject_id as id from audit_event where action = 'assessment.create'`.execute(db);
    expect(new Set(audited.map(({ id }) => id))).toEqual(stored);
    const rollups = () =>
      db
        .selectFrom("assessmentRollup")
        .selectAll()
        .orderBy("period")
        .orderBy("periodStart")
        .orderBy("facilityUuid")
        .execute();
    const kept = await rollups();
    await rebuildRollups(db);
    expect(kept).toEqual(await rollups());
  });
});
