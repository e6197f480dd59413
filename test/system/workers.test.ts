import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { Agent, request as openRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility } from "../support/assessment-data.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { bodyOf, type Person, stranger } from "../support/gateway.ts";
import { type GatewayProcess, startProcess } from "../support/process.ts";
import { tdbxOf, tusOf } from "../support/tdbx.ts";

/** A gateway of two workers, as an operator starts it (WORKERS=2). */

type Line = { pid: number; msg: string; route?: string; pauseMs?: number };
const lines: Line[] = [];
const token = "figures-for-tests";

let database: TestDatabase;
let folder: string;
let gateway: GatewayProcess;
let uploader: Person;

/** Starts the gateway; `lines` has its log, and that of its workers. */
const start = () =>
  startProcess(
    {
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      WORKERS: "2",
      LOG_LEVEL: "info",
      METRICS_TOKEN_FILE: join(folder, "token"),
      UPLOADS_PER_USER: "100",
    },
    undefined,
    (line) => {
      // A worker that does not start says why in plain words.
      if (line.startsWith("{")) lines.push(JSON.parse(line) as Line);
    },
  );
const hasEnded = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};
/** The workers that serve now. */
const workers = (): number[] =>
  lines.flatMap(({ msg, pid }) => (msg.startsWith("Server listening") && !hasEnded(pid) ? [pid] : []));

/** One request: over a new connection each, or over those of an agent. Fails if it is not answered. */
const ask = (path: string, agent: Agent | false = false): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { cookie: `session=${uploader?.cookies.get("session")}` };
    const request = openRequest(gateway.url + path, { agent, headers, timeout: 10_000 }, (response) => {
      response.resume().once("error", reject);
      response.once("end", () => resolve(response.statusCode!));
    });
    request.once("error", reject).once("timeout", () => request.destroy(new Error("no answer")));
    request.end();
  });
const path = "/api/v1/province";
const answered = async (): Promise<number> => {
  const { text } = await stranger(gateway.url).get("/metrics", { authorization: `Bearer ${token}` });
  return Number(
    /^platform_http_requests_total{method="GET",route="\/api\/v1\/province",status="200"} (\d+)/m.exec(text)?.[1],
  );
};

beforeAll(async () => {
  database = await testDatabase("demo");
  folder = await mkdtemp(join(tmpdir(), "platform-workers-"));
  await writeFile(join(folder, "token"), token);
  // The demonstration's files are not needed, but their folder.
  await mkdir(join(folder, "files"));
  gateway = await start();
  uploader = stranger(gateway.url);
  const { status } = await uploader.call("POST", "/api/v1/auth", { login: "uploader", password: "demo-password" });
  if (status !== 200) throw new Error(`The uploader could not sign in: ${status}`);
});
afterAll(async () => {
  gateway?.child.kill("SIGKILL");
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

test("both workers serve; their figures are added up, and their limits are those of one gateway", async () => {
  expect(await Promise.all(Array.from({ length: 40 }, () => ask(path)))).toEqual(Array.from({ length: 40 }, () => 200));
  const serving = () => new Set(lines.flatMap(({ route, pid }) => (route === path ? [pid] : [])));
  await expect.poll(serving).toEqual(new Set(workers()));
  await expect.poll(answered).toBe(40);

  const guess = async () => {
    const body = JSON.stringify({ login: "manager", password: "a-wrong-one" });
    const headers = { "content-type": "application/json", connection: "close" };
    return (await fetch(`${gateway.url}/api/v1/auth`, { method: "POST", body, headers })).status;
  };
  const statuses: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) statuses.push(await guess());
  expect(statuses).toEqual([401, 401, 401, 401, 401, 424, 424]);
});

test("a killed worker costs the requests that it had under way; an upload goes on, a new worker comes, and no figure falls", async () => {
  const { facilityUuid } = await sampleFacility(database.db, 0);
  const content = tdbxOf(facilityUuid, {}, 600_000);
  const sender = tusOf(gateway.url, uploader);
  const before = await answered();
  const [victim] = workers();
  const results: (number | string)[] = [];
  const atOnce = 8;
  const many = async () => {
    while (results.length < 500) {
      results.push(await ask(path).catch((error: Error) => error.message));
      if (results.length === 100) process.kill(victim!, "SIGKILL");
    }
  };
  const upload = async () => {
    const place = await sender.create(content.length);
    for (let offset = 0; offset < content.length;) {
      await sender.patch(place, offset, content.subarray(offset, offset + 50_000)).catch(() => {});
      const state = await sender.head(place).catch(() => undefined);
      if (state?.status === 200) ({ offset } = state);
    }
    return sender.finish(place);
  };
  const [sent] = await Promise.all([upload(), ...Array.from({ length: atOnce }, many)]);
  expect(bodyOf<{ sha256: string }>(sent).sha256).toBe(createHash("sha256").update(content).digest("hex"));
  expect(results.filter((result) => result !== 200).length).toBeLessThanOrEqual(atOnce);
  expect(results).not.toContain("no answer");
  await expect.poll(workers).toHaveLength(2);
  expect(workers()).not.toContain(victim);
  expect(await answered()).toBeGreaterThanOrEqual(before);
});

test("SIGUSR2 restarts the workers in turn, and no request is lost, over new connections or kept ones", async () => {
  const former = workers();
  const agent = new Agent({ keepAlive: true });
  const phase = { isOver: false };
  const results: number[] = [];
  const loops = ([false, false, agent, agent] as const).map(async (one) => {
    while (!phase.isOver) {
      results.push(await ask(path, one));
      await setTimeout(5);
    }
  });
  gateway.child.kill("SIGUSR2");
  try {
    await expect.poll(() => lines.some(({ msg }) => msg === "All workers were restarted")).toBe(true);
  } finally {
    phase.isOver = true;
  }
  await Promise.all(loops);
  agent.destroy();
  expect(results.filter((status) => status !== 200)).toEqual([]);
  expect(former.map(hasEnded)).toEqual([true, true]);
  expect(workers()).toHaveLength(2);
});

test("a worker that cannot start is tried again after longer and longer pauses", async () => {
  const file = join(folder, "token");
  await rename(file, `${file}.away`);
  const before = lines.length;
  process.kill(workers()[0]!, "SIGKILL");
  const pauses = () => lines.slice(before).flatMap(({ pauseMs }) => (pauseMs === undefined ? [] : [pauseMs]));
  await expect.poll(() => pauses().length).toBeGreaterThan(2);
  expect(await ask(path)).toBe(200);
  expect(pauses()[2]).toBeGreaterThan(pauses()[1]!);
  await rename(`${file}.away`, file);
  await expect.poll(workers).toHaveLength(2);
});

test("SIGTERM ends all workers; so does a kill of the process that started them", async () => {
  const ofFirst = [...workers(), gateway.child.pid!];
  gateway.child.kill("SIGTERM");
  expect(await gateway.ended).toBe(0);
  expect(ofFirst.map(hasEnded)).toEqual([true, true, true]);
  gateway = await start();
  await expect.poll(workers).toHaveLength(2);
  const ofSecond = workers();
  gateway.child.kill("SIGKILL");
  await gateway.ended;
  await expect.poll(() => ofSecond.map(hasEnded)).toEqual([true, true]);
});
