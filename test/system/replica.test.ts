import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import type { Database } from "../../db/engine/connect.ts";
import { openReplica, type Replica } from "../../db/engine/replica/replica.ts";
import { findToday } from "../../db/system/system.ts";
import { createServer } from "../../gateway/http/server.ts";
import { type SampleFacility, sampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, type Person, stranger } from "../support/gateway.ts";
import { addPathValues } from "../support/pathValues.ts";
import { patience } from "../support/patience.ts";
import { startProcess } from "../support/process.ts";
import { settled } from "../support/settled.ts";
import { type StreamingPair, streamingPair } from "./streaming.ts";

/** Two gateways that read from a real streaming replica, whose replay is paused, and which is killed. */

const zone = "Africa/Lusaka";
let pair: StreamingPair;
let primary: Database;
/** The test's own connection to the replica, besides those of the gateways. */
let standby: Database;
let facility: SampleFacility;

type Gateway = { url: string; replica: Replica | undefined; stop: () => Promise<void> };
const gateways: Gateway[] = [];
/** Two with the replica, one without. */
const [first, second, plain] = [() => gateways[0]!, () => gateways[1]!, () => gateways[2]!];

async function startGateway(hasReplica: boolean): Promise<Gateway> {
  const db = pair.open("primary");
  const replica = hasReplica
    ? await openReplica({ primary: db, replica: pair.open("replica"), mostLagSeconds: 3600 })
    : undefined;
  const server = await createServer({
    db,
    ...(replica ? { replica } : {}),
    dataDir: pair.folders.primary,
    timeZone: zone,
  });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const stop = async () => {
    await server.close();
    await replica?.close();
    await db.destroy();
  };
  return { url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`, replica, stop };
}

beforeAll(async () => {
  pair = await streamingPair(zone);
  primary = pair.open("primary");
  standby = pair.open("replica");
  facility = await sampleFacility(primary);
  for (const hasReplica of [true, true, false]) gateways.push(await startGateway(hasReplica));
});
afterAll(async () => {
  for (const { stop } of gateways) await stop();
  for (const db of [standby, primary]) await db?.destroy();
  await pair?.stop();
});

const people = new Map<string, Promise<Person>>();
/** A person who signs in once, and calls this gateway. */
async function as(login: string, { url }: Gateway): Promise<Person> {
  if (!people.has(login)) {
    const person = stranger(url);
    people.set(
      login,
      person.call("POST", "/api/v1/auth", { login, password: "demo-password" }).then(() => person),
    );
  }
  const person = stranger(url);
  for (const [name, value] of (await people.get(login)!).cookies) person.cookies.set(name, value);
  return person;
}

const one = async <Value>(handle: Database, expression: string): Promise<Value> => {
  const { rows } = await sql<{ value: Value }>`select ${sql.raw(expression)} as value`.execute(handle);
  return rows[0]!.value;
};
/** Waits until the replica has everything that was written so far, and the gateways know that they can read it. */
async function caughtUp(): Promise<void> {
  const place = await one<string>(primary, "pg_current_wal_insert_lsn()::text");
  const reached = () => one<boolean>(standby, `pg_last_wal_replay_lsn() >= '${place}'::pg_lsn`);
  await vi.waitFor(async () => expect(await reached()).toBe(true), { timeout: patience, interval: 20 });
  await vi.waitFor(
    () => expect([first(), second()].map(({ replica }) => replica!.state().fault)).toEqual([null, null]),
    { timeout: patience, interval: 20 },
  );
}
async function pauseReplay(): Promise<void> {
  await sql`select pg_wal_replay_pause()`.execute(standby);
  await vi.waitFor(async () => expect(await one(standby, "pg_get_wal_replay_pause_state()")).toBe("paused"), {
    timeout: patience,
    interval: 20,
  });
}
const resumeReplay = () => sql`select pg_wal_replay_resume()`.execute(standby);
afterEach(() => resumeReplay());

test("every call that only reads gets the same answer from the replica as from the primary", async () => {
  const admin = await as("admin", plain());
  const { filled } = await addPathValues(primary, admin, plain().url);
  const { paths } = JSON.parse(await readFile("gateway/openapi.json", "utf8")) as { paths: Record<string, object> };
  const calls = Object.entries(paths)
    .filter(
      ([path, methods]) =>
        "get" in methods &&
        !/\/(logout|audit|changes|site$|site\/me|serviceAccount\/|secondFactor|hashes|(functionality|deployment|library|cpu|os)\w+\/(province|district|ip))/.test(
          path,
        ),
    )
    .map(([path]) => filled(path));
  expect(calls.length).toBeGreaterThan(55);
  await caughtUp();
  const before = structuredClone(first().replica!.state());
  // Some values in the checks of the installation change from call to call, and each gateway has its own address.
  const withoutVarying = (text: string) =>
    text
      .replaceAll(/\d+(\.\d)? (?=GB are left|GB"|of \d+ connections|s"|statements)/g, "n ")
      .replaceAll(/it is [\d-]+ [\d:]+ in/g, "it is now in")
      .replaceAll(/"asAt":"[^"]*"/g, "")
      .replaceAll(/127\.0\.0\.1:\d+/g, "");
  for (const path of calls) {
    // An export writes to the audit log: the next call would be answered by the primary until the replica has that too.
    await caughtUp();
    const [there, here] = [await (await as("admin", first())).get(path), await (await as("admin", plain())).get(path)];
    expect([path, there.status, withoutVarying(there.text)]).toEqual([path, 200, withoutVarying(here.text)]);
  }
  await caughtUp();
  const answer = await (
    await as("admin", first())
  ).graphql("{ facilities(first: 3) { totalCount nodes { facilityName } } }");
  expect(answer.data.facilities.nodes).toHaveLength(3);
  const alone = await startProcess({
    DATABASE_URL: pair.urlOf("primary"),
    REPLICA_DATABASE_URL: pair.urlOf("replica"),
    DATA_DIR: pair.folders.primary,
  });
  const isRead = async () => /^platform_replica_read 1$/m.test((await stranger(alone.url).get("/metrics")).text);
  await vi.waitFor(async () => expect(await isRead()).toBe(true), { timeout: patience, interval: 100 });
  alone.child.kill("SIGTERM");
  await alone.ended;
  const { requests, failures } = first().replica!.state();
  expect(requests).toEqual({ replica: before.requests.replica + calls.length + 1, primary: before.requests.primary });
  expect(failures).toBe(0);
});

test("while the replica lags, people see their own writes at every gateway, others' writes later, and changed rights apply at once", async () => {
  const [assessor, viewer, admin] = [
    await as("assessor", first()),
    await as("viewer", second()),
    await as("admin", second()),
  ];
  const made = await admin.call("POST", "/api/v1/token", {
    name: "sync",
    expiryDate: (await findToday(primary))
      .replace(/^\d+/, (year) => String(Number(year) + 1))
      .replace("02-29", "02-28"),
    privileges: ["editAssessments", "viewAssessments"],
  });
  const { token } = bodyOf<{ token: string }>(made);
  await (await as("plain", second())).get("/api/v1/privilege");
  await caughtUp();
  const changesOf = async (since: string) =>
    bodyOf<{ changes: { key: string }[]; cursor: string; hasMore: boolean }>(
      await viewer.get(`/api/v1/changes?kinds=assessment${since}`),
    );
  let feed = await changesOf("");
  while (feed.hasMore) feed = await changesOf(`&since=${feed.cursor}`);
  const countExports = async () =>
    bodyOf<unknown[]>(await (await as("admin", first())).get("/api/v1/audit?action=facility.export")).length;
  const exportsBefore = await countExports();
  await pauseReplay();
  // An export only reads, but writes to the audit: the person who made it sees it there.
  expect((await admin.get("/api/v1/facility/csv")).status).toBe(200);
  expect(await countExports()).toBe(exportsBefore + 1);

  const byRest = visit(facility, { assessmentUuid: randomUUID(), numberOfStaffTrainedInSmartCare: 41 });
  expect((await assessor.call("POST", "/api/v1/assessment", byRest)).status).toBe(200);
  const path = `/api/v1/assessment/${byRest.assessmentUuid}`;
  const byToken = visit(facility, { assessmentUuid: randomUUID(), numberOfStaffTrainedInSmartCare: 42 });
  const bearer = { authorization: `Bearer ${token}` };
  expect((await stranger(first().url).call("POST", "/api/v1/assessment", byToken, bearer)).status).toBe(200);
  const read = `{ assessment(assessmentUuid: "${byRest.assessmentUuid}") { numberOfStaffTrainedInSmartCare } }`;
  for (let turn = 0; turn < 10; turn += 1) {
    const own = await as("assessor", turn % 2 ? first() : second());
    expect((await own.get(path)).status).toBe(200);
    expect((await own.graphql(read)).data.assessment).toEqual({ numberOfStaffTrainedInSmartCare: 41 });
    const answer = await stranger(turn % 2 ? first().url : second().url).get(
      `/api/v1/assessment/${byToken.assessmentUuid}`,
      bearer,
    );
    expect(answer.status).toBe(200);
    // Changed at one gateway, read at the other, again and again.
    const [here, there] = turn % 2 ? [first(), second()] : [second(), first()];
    const details = `mast ${turn}`;
    const change = `mutation { updateFacilityConnectivity(input: { facilityUuid: "${facility.facilityUuid}", present: true, details: "${details}" }) { facility { connectivity { details } } errors { message } } }`;
    expect((await (await as("admin", here)).graphql(change)).data.updateFacilityConnectivity).toEqual({
      facility: { connectivity: { details } },
      errors: [],
    });
    const found = await (await as("admin", there)).get(`/api/v1/facilityConnectivity/${facility.facilityUuid}`);
    expect(found.body).toMatchObject({ details });
  }
  // Another person reads the replica. The feed of changes is current for everybody.
  expect((await viewer.get(path)).status).toBe(404);
  await settled(primary);
  expect((await changesOf(`&since=${feed.cursor}`)).changes.map(({ key }) => key)).toEqual([
    byRest.assessmentUuid,
    byToken.assessmentUuid,
  ]);

  // Rights and sessions change while the replica does not know it yet.
  const { userUuid } = await primary
    .selectFrom("appUser")
    .select("userUuid")
    .where("userName", "=", "plain")
    .executeTakeFirstOrThrow();
  const list = `/api/v1/assessment/list/facility/${facility.facilityUuid}`;
  for (const viewAssessments of [true, false]) {
    expect(
      (await admin.call("PATCH", "/api/v1/user", { uuid: userUuid, privileges: { viewAssessments } })).status,
    ).toBe(200);
    for (const gateway of [first(), second()])
      expect((await (await as("plain", gateway)).get(list)).status).toBe(viewAssessments ? 200 : 403);
  }
  await admin.call("POST", `/api/v1/user/${userUuid}/deactivate`);
  for (const gateway of [first(), second()]) expect((await (await as("plain", gateway)).get(list)).status).toBe(401);

  await resumeReplay();
  await caughtUp();
  const { requests } = first().replica!.state();
  const before = { ...requests };
  for (const login of ["assessor", "viewer"]) expect((await (await as(login, first())).get(path)).status).toBe(200);
  expect(first().replica!.state().requests).toEqual({ replica: before.replica + 2, primary: before.primary });
});

test("a replica that is too far behind, or a server that is no replica, is not read", async () => {
  await caughtUp();
  const faults: (string | null)[] = [];
  const [db, toRead] = [pair.open("primary"), pair.open("replica")];
  const strict = await openReplica({ primary: db, replica: toRead, mostLagSeconds: 1 }, (fault) => faults.push(fault));
  await vi.waitFor(() => expect(faults).toEqual([null]), { timeout: patience, interval: 20 });
  await pauseReplay();
  await sql`create table filler as select generate_series(1, 1000)`.execute(primary);
  await vi.waitFor(() => expect(faults).toEqual([null, "it may be more than 1 seconds behind"]), {
    timeout: patience,
    interval: 20,
  });
  expect(await strict.hasReached(null)).toBe(false);
  expect((await sql`select from filler`.execute(strict.reads)).rows).toHaveLength(1000);
  await resumeReplay();
  await vi.waitFor(() => expect(faults).toHaveLength(3), { timeout: patience, interval: 20 });
  expect(faults[2]).toBeNull();
  await strict.close();
  const fromTheStart: (string | null)[] = [];
  const itself = await openReplica({ primary: db, replica: pair.open("primary"), mostLagSeconds: 3600 }, (fault) =>
    fromTheStart.push(fault),
  );
  expect([itself.state().fault, fromTheStart]).toEqual([
    "it is no replica (pg_is_in_recovery)",
    ["it is no replica (pg_is_in_recovery)"],
  ]);
  await itself.close();
  await db.destroy();
});

test("killing the replica fails no request, and the replica is read again when it is back", async () => {
  await caughtUp();
  const viewer = await as("viewer", first());
  const admin = await as("admin", first());
  let answered = 0;
  const statuses = new Set<number>();
  const worker = async () => {
    while (answered < 200) {
      answered += 1;
      if (answered === 80)
        process.kill(
          Number((await readFile(join(pair.folders.replica, "postgres/postmaster.pid"), "utf8")).split("\n")[0]),
          "SIGKILL",
        );
      const query =
        "{ facilities(first: 5) { totalCount nodes { facilityName latestAssessment { functionalityStatusMode } } } }";
      const calls = [
        () => viewer.get("/api/v1/dash/summarySheet"),
        () => viewer.graphql(query),
        () => admin.get("/api/v1/tdb/meta/list/all/csv/2000-01-01/2999-12-31"),
      ];
      const answer = await calls[answered % 3]!();
      statuses.add("errors" in answer ? 500 : answer.status);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect([...statuses]).toEqual([200]);
  expect(first().replica!.state().fault).not.toBeNull();
  expect((await viewer.get("/healthz")).status).toBe(200);
  // `room` is not checked: it belongs to the process, and an earlier test may have filled a database's disk.
  expect((await viewer.get("/readyz")).body).toMatchObject({ database: "ok", migrations: "ok", storage: "ok" });
  const { text } = await viewer.get("/metrics");
  expect(text).toMatch(/^platform_replica_read 0$/m);

  await pair.replicaEnded();
  await pair.restartReplica();
  await caughtUp();
  const { replica } = first().replica!.state().requests;
  expect((await viewer.get("/api/v1/dash/summarySheet")).status).toBe(200);
  expect(first().replica!.state().requests.replica).toBe(replica + 1);
});
