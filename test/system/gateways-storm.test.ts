import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Database } from "../../db/engine/connect.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";
import { type SampleFacility, sampleFacility, visit } from "../support/assessment-data.ts";
import { testDatabase } from "../support/database.ts";
import { type Answer, type Person, stranger } from "../support/gateway.ts";
import { type GatewayProcess, startProcess } from "../support/process.ts";
import { streamingPair } from "./streaming.ts";
import { cookiesOf, formOf, sendForm, tdbxOf, tusOf } from "../support/tdbx.ts";

/**
 * Two gateways behind a load balancer that knows no people: each call goes to either. One after the other is killed and started
 * again while people save, change, send files, sign in and out; each reads back what was answered, at either.
 *
 * STORM_SECONDS=300 lets it last, STORM_KILLS=200 until so many gateways were killed, STORM_REPLICA=1 gives both gateways a read replica.
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
const pick = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)]!;
const either = (): string => pick(gateways).url;
const counts = { kills: 0, unanswered: 0, created: 0, changed: 0, settings: 0, forms: 0, resumable: 0, signIns: 0, signOuts: 0, readBack: 0 };

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

/** Does a call at one of the two until it is answered, as a client behind a load balancer does. */
async function answered<Result extends { status: number }>(call: (url: string) => Promise<Result>): Promise<{ answer: Result; lost: number }> {
  for (let lost = 0; lost < 1000; lost += 1) {
    try {
      const answer = await call(either());
      // A gateway that is just ending may lose its connections to the database first.
      if (answer.status !== 503) return { answer, lost };
    } catch {
      // It was killed before it answered, or is not there yet.
    }
    counts.unanswered += 1;
    await setTimeout(10);
  }
  throw new Error("Nobody answered");
}

let addresses = 0;
async function signIn(login: string): Promise<Person> {
  addresses += 1;
  const from = { "x-forwarded-for": `10.${Math.floor(addresses / 250)}.9.${addresses % 250}` };
  for (;;) {
    const person = stranger(either);
    const { answer } = await answered(() => person.call("POST", "/api/v1/auth", { login, password: "demo-password" }, from));
    expect(answer.status, answer.text).toBe(200);
    counts.signIns += 1;
    if (person.cookies.has("session")) return person;
  }
}
const get = async (person: Person, path: string): Promise<Answer> => (await answered(() => person.get(path))).answer;

/** What was answered with success, and must be there in the end. */
const saved = new Map<string, { version: number; staff: number }>();
const stored = new Map<string, string>();
const connected = new Map<string, string>();
const signedIn: Person[] = [];
const signedOut: Person[] = [];

async function create(person: Person, facility: SampleFacility): Promise<void> {
  const body = visit(facility, { assessmentUuid: randomUUID(), numberOfStaffTrainedInSmartCare: 1 });
  const { answer } = await answered(() => person.call("POST", "/api/v1/assessment", body));
  expect(answer.status, answer.text).toBe(200);
  saved.set(body.assessmentUuid, { version: 1, staff: 1 });
  counts.created += 1;
  await change(person, body.assessmentUuid);
}

async function change(person: Person, assessmentUuid: string): Promise<void> {
  const { version, staff } = saved.get(assessmentUuid)!;
  const input = { assessmentUuid, version, numberOfStaffTrainedInSmartCare: staff + 1 };
  const { answer, lost } = await answered(() => person.call("PATCH", "/api/v1/assessment", input));
  // The change whose answer was lost was done: the same change again is told so.
  expect(lost > 0 ? [200, 409] : [200], answer.text).toContain(answer.status);
  saved.set(assessmentUuid, { version: version + 1, staff: staff + 1 });
  counts.changed += 1;
  const { body } = await get(person, `/api/v1/assessment/${assessmentUuid}`);
  expect(body).toMatchObject({ version: version + 1, numberOfStaffTrainedInSmartCare: staff + 1 });
  counts.readBack += 1;
}

async function connectFacility(person: Person, { facilityUuid }: SampleFacility): Promise<void> {
  const details = randomBytes(8).toString("hex");
  const query = `mutation { updateFacilityConnectivity(input: { facilityUuid: "${facilityUuid}", present: true, details: "${details}" }) { errors { message } } }`;
  const { answer } = await answered(() => person.call("POST", "/graphql", { query }));
  expect([answer.status, answer.body]).toEqual([200, { data: { updateFacilityConnectivity: { errors: [] } }, extensions: expect.anything() }]);
  connected.set(facilityUuid, details);
  counts.settings += 1;
  const found = await answered(() => person.call("POST", "/graphql", { query: `{ facility(facilityUuid: "${facilityUuid}") { connectivity { details } } }` }));
  expect(found.answer.body).toMatchObject({ data: { facility: { connectivity: { details } } } });
  counts.readBack += 1;
}

async function readStored(person: Person, uuid: string, sha256: string): Promise<void> {
  const digest = async (url: string) => {
    const file = await fetch(`${url}/api/v1/tdb/file/${uuid}`, { headers: { cookie: cookiesOf(person) } });
    return { status: file.status, digest: createHash("sha256").update(Buffer.from(await file.arrayBuffer())).digest("hex") };
  };
  expect((await answered(digest)).answer).toEqual({ status: 200, digest: sha256 });
  counts.readBack += 1;
}

type Receipt = { uuid: string; sha256: string; accepted: boolean };
async function sendByForm(person: Person, { facilityUuid }: SampleFacility): Promise<void> {
  const content = tdbxOf(facilityUuid, {}, 20_000);
  const { answer } = await answered((url) => sendForm(url, "/api/v1/tdb", person, formOf([{ name: "a.tdbx", content }])));
  expect(answer.status, answer.text).toBe(200);
  const [{ uuid, sha256 }] = answer.body as [Receipt];
  stored.set(uuid, sha256);
  counts.forms += 1;
  await readStored(person, uuid, createHash("sha256").update(content).digest("hex"));
}

async function sendInParts(person: Person, { facilityUuid }: SampleFacility): Promise<void> {
  const content = tdbxOf(facilityUuid, {}, 300_000);
  const made = await answered((url) => tusOf(url, person).announce(content.length));
  const path = made.answer.headers.get("location")!;
  for (let offset = 0; offset < content.length; ) {
    const part = content.subarray(offset, offset + 100_000);
    // What a killed gateway had taken of the part is asked for; another one may still hold the upload for a moment.
    await tusOf(either(), person).patch(path, offset, part).catch(() => {});
    const { answer } = await answered((url) => tusOf(url, person).head(path));
    if (answer.status === 200) ({ offset } = answer);
  }
  for (;;) {
    const { answer } = await answered((url) => tusOf(url, person).finish(path));
    if (answer.status === 202) continue;
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { uuid, sha256 } = answer.body as Receipt;
    stored.set(uuid, sha256);
    counts.resumable += 1;
    return readStored(person, uuid, createHash("sha256").update(content).digest("hex"));
  }
}

async function comeAndGo(): Promise<void> {
  const [staying, leaving] = [await signIn("viewer"), await signIn("viewer")];
  signedIn.push(staying);
  const cookies = new Map(leaving.cookies);
  expect((await get(leaving, "/api/v1/auth/logout")).status).toBe(200);
  counts.signOuts += 1;
  leaving.cookies.clear();
  for (const [name, value] of cookies) leaving.cookies.set(name, value);
  signedOut.push(leaving);
  expect((await get(leaving, "/api/v1/privilege")).status).toBe(401);
}

test("what was answered is there, whichever gateway was killed meanwhile, and the figures are those of a recount", async () => {
  const [assessor, uploader, admin] = [await signIn("assessor"), await signIn("uploader"), await signIn("admin")];
  const end = Date.now() + seconds * 1000;
  const isOver = () => (mostKills > 0 ? counts.kills >= mostKills : Date.now() > end);
  const until = async (act: () => Promise<void>) => {
    while (!isOver()) await act();
  };
  const killer = async () => {
    for (let turn = 0; !isOver(); turn += 1) {
      await setTimeout(200 + Math.random() * 800);
      const victim = gateways[turn % 2]!;
      victim.child.kill("SIGKILL");
      await victim.ended;
      counts.kills += 1;
      gateways[turn % 2] = await startProcess(settings);
    }
  };
  const started = Date.now();
  await Promise.all([
    killer(),
    ...[0, 1, 2].map((index) => until(() => create(assessor, facilities[index]!))),
    // Each facility is one worker's, so that its last answer is what must be there.
    ...[3, 4].map((index) => until(() => connectFacility(admin, facilities[index]!))),
    ...[5, 6].map((index) => until(() => sendByForm(uploader, facilities[index]!))),
    until(() => sendInParts(uploader, facilities[7]!)),
    until(comeAndGo),
  ]);
  const figures = await Promise.all(gateways.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  const ofReplica = figures.flatMap((text) => text.match(/^platform_replica_\w+ .*/gm) ?? []);
  if (process.env["STORM_SECONDS"]) console.log(JSON.stringify({ seconds: Math.round((Date.now() - started) / 1000), ...counts, ofReplica }));
  for (const [name, count] of Object.entries(counts)) expect([name, count > 0]).toEqual([name, true]);

  const uuids = [...saved.keys()];
  const rows = await db.selectFrom("assessment").select(["assessmentUuid", "version", "numberOfStaffTrainedInSmartCare as staff"]).where("assessmentUuid", "in", uuids).execute();
  expect(new Map(rows.map(({ assessmentUuid, ...row }) => [assessmentUuid, row]))).toEqual(saved);
  const events = await db.selectFrom("auditEvent").select(["subjectId", "action"]).where("subjectId", "in", uuids).execute();
  for (const action of ["assessment.create", "assessment.update"])
    expect(events.filter((event) => event.action === action).map(({ subjectId }) => subjectId).toSorted(), action).toEqual(uuids.toSorted());
  const tdbs = await db.selectFrom("tdb").select(["tdbUuid", "sha256"]).where("tdbUuid", "in", [...stored.keys()]).execute();
  expect(new Map(tdbs.map(({ tdbUuid, sha256 }) => [tdbUuid, sha256]))).toEqual(stored);
  for (const [uuid, sha256] of stored) await readStored(uploader, uuid, sha256);
  for (const [facilityUuid, details] of connected)
    expect(await db.selectFrom("facility").select("connectivityDetails as details").where("facilityUuid", "=", facilityUuid).executeTakeFirst()).toEqual({ details });
  for (const person of signedIn) expect((await get(person, "/api/v1/privilege")).status).toBe(200);
  for (const person of signedOut) expect((await get(person, "/api/v1/privilege")).status).toBe(401);

  const rollups = () => db.selectFrom("assessmentRollup").selectAll().orderBy("period").orderBy("periodStart").orderBy("facilityUuid").execute();
  const tdbRollups = () => db.selectFrom("tdbRollup").selectAll().orderBy("period").orderBy("periodStart").orderBy("facilityUuid").execute();
  const kept = [await rollups(), await tdbRollups()];
  await rebuildRollups(db);
  expect(kept).toEqual([await rollups(), await tdbRollups()]);
}, Math.max(600_000, mostKills * 20_000));
