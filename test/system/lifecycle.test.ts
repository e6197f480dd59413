import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { testDatabase } from "../support/database.ts";
import { stranger } from "../support/gateway.ts";

/** The product as an operator starts it: `node gateway/start.mjs main`, which `npm start` runs. */
type Run = { child: ChildProcess; url: Promise<string>; output: () => string; ended: Promise<number | null> };

const folders: string[] = [];
const running = new Set<ChildProcess>();

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "platform-life-"));
  folders.push(made);
  return made;
}

function start(settings: Record<string, string>, entry = "main", ...args: string[]): Run {
  const child = spawn(process.execPath, ["gateway/start.mjs", entry, ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let text = "";
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  const url = new Promise<string>((resolve, reject) => {
    const onData = (part: Buffer) => {
      text += part.toString();
      const [, found] = /Serving on (\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    };
    child.stdout!.on("data", onData);
    child.stderr!.on("data", onData);
    void ended.then((code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
  url.catch(() => {});
  return { child, url, output: () => text, ended };
}

const stop = async ({ child, ended }: Run): Promise<number | null> => {
  child.kill("SIGTERM");
  return ended;
};

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })));
});

describe("starting with the embedded database", () => {
  let dataDir: string;
  let first: Run;
  beforeAll(async () => {
    dataDir = await folder();
    first = start({ DATA_DIR: dataDir, DRAIN_SECONDS: "1" });
    await first.url;
  });

  test("serves the client, prints its address, accounts and data folder, and reports itself healthy", async () => {
    const url = await first.url;
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    for (const word of [
      "admin",
      "viewer",
      "assessor",
      "uploader",
      "manager",
      "plain",
      "newcomer",
      "demo-password",
      dataDir,
    ])
      expect(first.output()).toContain(word);
    const page = await fetch(url);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect((await fetch(`${url}/graphql`, { headers: { accept: "text/html" } })).status).toBe(401);
  });

  test("a second start on the same folder is refused, and the first one keeps running", async () => {
    const second = start({ DATA_DIR: dataDir });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain("in use");
    expect((await fetch(`${await first.url}/healthz`)).status).toBe(200);
  });

  test("SIGTERM drains, then the process exits with 0; the next start still has all data", async () => {
    const person = stranger(await first.url);
    await person.call("POST", "/api/v1/auth", { login: "viewer", password: "demo-password" });
    const before = (await person.get("/api/v1/facility")).body;
    const stopped = stop(first);
    await expect
      .poll(async () => (await person.get("/readyz")).body, { interval: 20 })
      .toMatchObject({ status: "not ready", draining: true });
    // A request that arrives while it drains is still answered. The client must open a new connection afterwards.
    const last = await person.get("/api/v1/system");
    expect([last.status, last.headers.get("connection")]).toEqual([200, "close"]);
    expect(await stopped).toBe(0);

    first = start({ DATA_DIR: dataDir });
    const again = stranger(await first.url);
    again.cookies.set("session", person.cookies.get("session")!);
    expect((await again.get("/api/v1/facility")).body).toEqual(before);
    expect(first.output()).not.toContain("Loading the demonstration");
  });

  test("a session survives a kill of the process, and the next start serves", async () => {
    const person = stranger(await first.url);
    await person.call("POST", "/api/v1/auth", { login: "assessor", password: "demo-password" });
    first.child.kill("SIGKILL");
    await first.ended;
    first = start({ DATA_DIR: dataDir });
    const again = stranger(await first.url);
    again.cookies.set("session", person.cookies.get("session")!);
    expect((await again.get("/api/v1/auth")).status).toBe(200);
    await stop(first);
  });
});

describe("settings", () => {
  // settings.test.ts tests which values are refused, and with which messages.
  test("a bad value stops the start with one line that names the setting and the allowed values, and nothing is created", async () => {
    const dataDir = join(await folder(), "data");
    const run = start({ DATA_DIR: dataDir, PORT: "http" });
    expect(await run.ended).toBe(1);
    expect(run.output()).toBe("Setting PORT: must be a whole number from 0 to 65535\n");
    expect(existsSync(dataDir)).toBe(false);
  });

  test("a used port, an address that the machine does not have and a path that is no folder are reported in one line, and nothing is created", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const PORT = String((taken.address() as AddressInfo).port);
    const parent = await folder();
    await writeFile(join(parent, "file"), "");
    await symlink(join(parent, "disk"), join(parent, "gone"));
    const inProc: [Record<string, string>, string] = [
      { DATA_DIR: "/proc/data" },
      "Setting DATA_DIR: /proc/data cannot be made: its file system allows no folders there.",
    ];
    const cases: [Record<string, string>, string][] = [
      [{ PORT }, `Setting PORT: ${PORT} on 127.0.0.1 is in use by another program. End that one, or set another PORT.`],
      [{ HOST: "203.0.113.7", DEMO: "0" }, "Setting HOST: this machine has no address 203.0.113.7."],
      [{ DATA_DIR: join(parent, "file") }, `Setting DATA_DIR: ${join(parent, "file")} is not a folder.`],
      [
        { DATA_DIR: join(parent, "file", "data") },
        `Setting DATA_DIR: ${join(parent, "file", "data")} does not lie in a folder.`,
      ],
      // A disk that is not mounted, and what Linux alone has: a folder in which no others can be made.
      [{ DATA_DIR: join(parent, "gone", "data") }, `Setting DATA_DIR: ${join(parent, "gone")} is not a folder.`],
      ...(existsSync("/proc/self") ? [inProc] : []),
    ];
    const runs = cases.map(([settings]) => start({ DATA_DIR: join(parent, "data"), ...settings }));
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual(cases.map(() => 1));
    expect(runs.map(({ output }) => output())).toEqual(cases.map(([, line]) => `${line}\n`));
    expect((await readdir(parent)).toSorted()).toEqual(["file", "gone"]);
    taken.close();
  });

  test("a data folder without the files that the database names is reported before anything is changed", async () => {
    const database = await testDatabase("demo");
    const dataDir = await folder();
    const run = start({ DATABASE_URL: database.url, DATA_DIR: dataDir });
    expect(await run.ended).toBe(1);
    expect(run.output()).toMatch(
      /^Setting DATA_DIR: there is no folder \S+\/files, and the database names \d+ files in it\. .+\n$/,
    );
    expect(await readdir(dataDir)).toEqual([]);
    await database.drop();
  });

  test.each(["127.0.0.1", "localhost"])("a database at %s that cannot be reached stops the start", async (host) => {
    const run = start({ DATA_DIR: await folder(), DATABASE_URL: `postgres://nobody@${host}:1/nothing` });
    expect(await run.ended).toBe(1);
    expect(run.output()).toMatch(/^Setting DATABASE_URL: the database cannot be used \(.*ECONNREFUSED.*\)\.\n$/);
  });

  test("a time zone that only the gateway knows stops the start", async () => {
    const run = start({ DATA_DIR: await folder(), TIME_ZONE: "CAT" });
    expect(await run.ended).toBe(1);
    expect(run.output()).toBe("Setting TIME_ZONE: PostgreSQL has no time zone CAT.\n");
  });
});

describe("the database server", () => {
  test("several instances that start together migrate once; while the database is away they answer 503", async () => {
    const dataDir = await folder();
    let postgres = await startEmbedded(dataDir);
    const { host, port, user, database } = postgres.connection;
    const settings = {
      DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    };
    const runs = await Promise.all([1, 2, 3].map(async () => start({ ...settings, DATA_DIR: await folder() })));
    const urls = await Promise.all(runs.map(({ url }) => url));
    const client = new pg.Client(postgres.connection);
    await client.connect();
    const { rows } = await client.query(
      "select count(*)::int as migrations, count(distinct name)::int as names from kysely_migration",
    );
    expect(rows[0].migrations).toBe(rows[0].names);
    const { rows: people } = await client.query("select count(*)::int as people from app_user");
    expect(people[0].people).toBe(0);
    await client.end();

    await postgres.stop();
    const statuses = (path: string) => Promise.all(urls.map(async (url) => (await fetch(`${url}${path}`)).status));
    await expect.poll(() => statuses("/readyz")).toEqual([503, 503, 503]);
    expect(await statuses("/healthz")).toEqual([200, 200, 200]);
    const away = await stranger(urls[0]!).call("POST", "/api/v1/auth", { login: "somebody", password: "something" });
    expect([away.status, away.headers.get("content-type")]).toEqual([503, "application/problem+json; charset=utf-8"]);
    const query = await stranger(urls[0]!).graphql("{ system { today } }");
    expect(query.errors![0].extensions.code).toBe("UNAVAILABLE");

    postgres = await startEmbedded(dataDir);
    await expect.poll(() => statuses("/readyz")).toEqual([200, 200, 200]);
    expect((await stranger(urls[0]!).get("/api/v1/system")).status).toBe(200);
    expect(await Promise.all(runs.map(stop))).toEqual([0, 0, 0]);
    await postgres.stop();
  });

  test("the embedded database is restarted when it stops by itself", async () => {
    const dataDir = await folder();
    const run = start({ DATA_DIR: dataDir, DEMO: "0" });
    const url = await run.url;
    const { readFile } = await import("node:fs/promises");
    const pid = Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => run.output()).toContain("started again");
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await stop(run)).toBe(0);
  });
});

describe("the first administrator", () => {
  test("is created by a command, with a temporary password that must be replaced; commands list and end sessions and reset the password", async () => {
    const dataDir = await folder();
    const settings = { DATA_DIR: dataDir, DEMO: "0" };
    const args = ["create-administrator", "--user-name", "boss", "--first-name", "Bwalya", "--surname", "Mwansa"];
    const made = start(settings, "accounts", ...args, "--email", "boss@example.org", "--phone", "0977000000");
    expect(await made.ended).toBe(0);
    expect(made.output()).toMatch(/Temporary password: \S+/);
    const [, password] = /Temporary password: (\S+)/.exec(made.output())!;
    const twice = start(settings, "accounts", ...args, "--email", "other@example.org", "--phone", "0977000000");
    expect(await twice.ended).toBe(1);
    expect(twice.output()).toContain("taken");

    const run = start(settings);
    const person = stranger(await run.url);
    expect((await person.call("POST", "/api/v1/auth", { login: "boss", password })).status).toBe(202);
    const fresh = { login: "boss", password: "my-own-words", confirmPassword: "my-own-words" };
    expect((await person.call("POST", "/api/v1/auth", fresh)).status).toBe(200);
    expect((await person.get("/api/v1/privilege")).body).toMatchObject({ administrator: true });
    expect((await person.get("/api/v1/system")).body).toMatchObject({ demonstration: false });

    const listed = start(settings, "accounts", "list-sessions", "--user-name", "BOSS");
    expect(await listed.ended).toBe(0);
    expect(listed.output()).toContain("boss has 1 sessions.");
    expect(await start(settings, "accounts", "end-sessions", "--user-name", "boss").ended).toBe(0);
    expect((await person.get("/api/v1/auth")).status).toBe(401);
    const reset = start(settings, "accounts", "reset-password", "--user-name", "boss@example.org");
    expect(await reset.ended).toBe(0);
    expect(reset.output()).toMatch(/temporary password of boss: \S+/);
    const [, another] = /temporary password of boss: (\S+)/.exec(reset.output())!;
    expect((await person.call("POST", "/api/v1/auth", { login: "boss", password: "my-own-words" })).status).toBe(401);
    expect((await person.call("POST", "/api/v1/auth", { login: "boss", password: another })).status).toBe(202);
    expect(await start(settings, "accounts", "reset-password", "--user-name", "nobody").ended).toBe(1);
    for (const wrong of [[], ["nonsense"], ["reset-password", "--user-name"]])
      expect(await start(settings, "accounts", ...wrong).ended).toBe(2);
    await stop(run);
  });
});
