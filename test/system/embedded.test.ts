import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { findBinaries, restoreLibraryLinks } from "../../db/engine/embedded/binaries.ts";
import { type EmbeddedDatabase, openEmbedded, startEmbedded } from "../../db/engine/embedded/embedded.ts";
import { DataFolderInUse } from "../../db/engine/embedded/folderLock.ts";
import { patience } from "../support/patience.ts";

let bundle: string;
let used: string;
const scratch: string[] = [];
const running: EmbeddedDatabase[] = [];
const owners: ChildProcess[] = [];

beforeAll(async () => {
  used = await mkdtemp(join(tmpdir(), "embedded-test-"));
  await (await startEmbedded(used)).stop();
  // A program that starts the server, prints its connection and keeps running.
  bundle = await mkdtemp(join(import.meta.dirname, "../../node_modules/.embedded-test-"));
  await build({
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: join(import.meta.dirname, "../../db/engine/embedded/embedded.ts"),
      outDir: bundle,
      rollupOptions: { external: ["pg"] },
    },
  });
  await writeFile(
    join(bundle, "owner.mjs"),
    `import { startEmbedded } from "./embedded.js";
     const { connection } = await startEmbedded(process.argv[2]).catch((error) => error.name);
     console.log(JSON.stringify(connection ?? null));
     setInterval(() => {}, 1000);`,
  );
});

afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill("SIGKILL");
  await Promise.all(running.splice(0).map((database) => database.stop()));
  vi.unstubAllEnvs();
});
afterAll(async () => {
  for (const folder of [bundle, used, ...scratch]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

async function newFolder(name = "data"): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "embedded-test-"));
  scratch.push(parent);
  await chmod(parent, 0o755);
  return join(parent, name);
}

/** A copy of the folder that was started before, for tests that change more than rows. */
async function copiedFolder(name?: string): Promise<string> {
  const folder = await newFolder(name);
  await mkdir(folder, { recursive: true });
  execFileSync("cp", ["-a", join(used, "postgres"), folder]);
  return folder;
}

/** A folder for PATH that contains only these programs. */
async function onlyTools(...names: string[]): Promise<string> {
  const folder = await newFolder("tools");
  await mkdir(folder);
  for (const name of names) {
    await symlink(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(folder, name));
  }
  return folder;
}

async function started(folder: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded(folder);
  running.push(database);
  return database;
}

/** Starts the server from a separate process; `answer` is null if it was refused. */
function spawnOwner(folder: string): { owner: ChildProcess; answer: Promise<EmbeddedDatabase["connection"] | null> } {
  const owner = spawn(process.execPath, [join(bundle, "owner.mjs"), folder], { stdio: ["ignore", "pipe", "inherit"] });
  owners.push(owner);
  const answer = new Promise<EmbeddedDatabase["connection"] | null>((resolve, reject) => {
    owner.stdout!.once("data", (line) => resolve(JSON.parse(String(line))));
    owner.once("exit", () => reject(new Error("The owner ended.")));
  });
  answer.catch(() => {});
  return { owner, answer };
}

async function spawnZombie(): Promise<{ zombie: number; parent: number }> {
  // The shell replaces itself by a program that never waits for the shell's child, so the ended child stays a zombie.
  const parent = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 600"]);
  owners.push(parent);
  const zombie = await new Promise<number>((resolve) => parent.stdout.once("data", (line) => resolve(Number(line))));
  await gone(zombie);
  return { zombie, parent: parent.pid! };
}

async function query(connection: EmbeddedDatabase["connection"], text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

const keep = "DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 7 AS number";
const kept = "SELECT number FROM kept";

const postmaster = (folder: string): number =>
  Number(readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n")[0]);

function isAlive(pid: number): boolean {
  try {
    return !/^[ZX]/.test(execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim());
  } catch {
    return false;
  }
}

async function locked(folder: string): Promise<void> {
  const hasLock = () => expect(readdirSync(folder).join()).toContain("postgres.lock.");
  await vi.waitFor(hasLock, { timeout: patience, interval: 1 });
}

async function gone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: patience });
}

test("the first start creates a private database that only listens on a socket", async () => {
  const folder = await newFolder();
  const { connection, owned } = await started(folder);
  expect(owned).toBe(true);
  expect(connection).toMatchObject({ database: "smartcare", host: join(folder, "socket") });
  const [row] = await query(
    connection,
    `SELECT current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync, lower('ÉŁ') AS lower,
      pg_encoding_to_char(encoding) AS encoding, version() AS version, datlocale AS locale
      FROM pg_database WHERE datname = current_database()`,
  );
  expect(row).toMatchObject({ addresses: "", fsync: "on", lower: "éł", encoding: "UTF8", locale: "C.UTF-8" });
  expect(row!.version).toContain("PostgreSQL 18");
  for (const part of ["postgres", "socket"]) expect(statSync(join(folder, part)).mode & 0o777).toBe(0o700);
  await query(connection, "CREATE EXTENSION pg_trgm; CREATE EXTENSION unaccent; CREATE EXTENSION btree_gist");
});

test("a restart keeps the data, and stop() ends the server", async () => {
  const folder = await newFolder();
  const first = await started(folder);
  await query(first.connection, keep);
  const pid = postmaster(folder);
  await Promise.all([first.stop(), first.stop()]);
  expect(isAlive(pid)).toBe(false);
  const second = await started(folder);
  expect(await query(second.connection, kept)).toEqual([{ number: 7 }]);
  expect((await readdir(folder)).filter((name) => name.startsWith("postgres.lock."))).toHaveLength(1);
});

test("a second start, from this process or another one, is refused and does not harm the first one", async () => {
  const folder = used;
  const { connection } = await started(folder);
  const refusal = await startEmbedded(folder).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DataFolderInUse);
  expect((refusal as Error).message).toContain(`${folder} is in use by process ${process.pid}`);
  expect(await spawnOwner(folder).answer).toBeNull();
  expect(await query(connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("of several concurrent starts on a new folder only one succeeds", async () => {
  const folder = await newFolder();
  const answers = await Promise.all([1, 2, 3].map(() => spawnOwner(folder).answer));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await query(answers.find(Boolean)!, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect((await readdir(folder)).filter((name) => name.startsWith("postgres.new-"))).toEqual([]);
});

test("a command uses the running server, or starts one", async () => {
  const folder = used;
  const own = await openEmbedded(folder);
  running.push(own);
  expect(own.owned).toBe(true);
  const joined = await openEmbedded(folder);
  expect(joined.owned).toBe(false);
  expect(joined.connection).toEqual(own.connection);
  await joined.stop();
  expect(await query(own.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("a command that is run during the first start waits for it", async () => {
  const folder = await newFolder();
  const starting = started(folder);
  await locked(folder);
  const joined = await openEmbedded(folder);
  expect(joined.owned).toBe(false);
  expect(joined.connection).toEqual((await starting).connection);
});

test("a killed owner leaves no server running, and the next start has the committed row", async () => {
  const folder = used;
  const { owner, answer } = spawnOwner(folder);
  await query((await answer)!, keep);
  const pid = postmaster(folder);
  owner.kill("SIGKILL");
  const next = await started(folder);
  expect(await query(next.connection, kept)).toEqual([{ number: 7 }]);
  await gone(pid);
});

test.runIf(process.platform === "linux")("the server of a killed owner ends without a next start", async () => {
  const folder = used;
  const { owner, answer } = spawnOwner(folder);
  await answer;
  const pid = postmaster(folder);
  expect(isAlive(pid)).toBe(true);
  owner.kill("SIGKILL");
  await gone(pid);
});

test("a server that has outlived its owner is ended by the next start", async () => {
  const folder = used;
  vi.stubEnv("PATH", await onlyTools("sh", "id", "unshare", "chown", "ps"));
  const { owner, answer } = spawnOwner(folder);
  await query((await answer)!, keep);
  const pid = postmaster(folder);
  owner.kill("SIGKILL");
  await delay(300);
  expect(isAlive(pid)).toBe(true);
  const next = await started(folder);
  expect(await query(next.connection, kept)).toEqual([{ number: 7 }]);
  expect(isAlive(pid)).toBe(false);
});

test("an owner killed during the first start leaves no incomplete database", async () => {
  const folder = await newFolder();
  for (const pause of [0, 30, 150, 400]) {
    const { owner } = spawnOwner(folder);
    await locked(folder);
    await delay(pause);
    owner.kill("SIGKILL");
    const exists = (await readdir(folder)).includes("postgres");
    if (exists) expect(await readdir(join(folder, "postgres"))).toContain("PG_VERSION");
  }
  const { connection } = await started(folder);
  expect(await query(connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect((await readdir(folder)).filter((name) => name.startsWith("postgres.new-"))).toEqual([]);
});

test("a stale pid file does not prevent the start: of a dead process, another program, a zombie, or empty", async () => {
  const folder = used;
  const first = await started(folder);
  const file = join(folder, "postgres/postmaster.pid");
  const text = await readFile(file, "utf8");
  await first.stop();
  const stranger = spawn("sleep", ["600"]);
  owners.push(stranger);
  const { zombie } = await spawnZombie();
  for (const pid of [99_999_999, stranger.pid!, zombie]) {
    await writeFile(file, text.replace(/^\d+/, String(pid)));
    await writeFile(join(folder, "socket/.s.PGSQL.5432.lock"), text.replace(/^\d+/, String(pid)));
    await (await started(folder)).stop();
  }
  await writeFile(file, "");
  await started(folder);
  expect(isAlive(stranger.pid!)).toBe(true);
});

test.runIf(process.platform === "linux")("a lock whose holder is gone is taken over", async () => {
  const folder = used;
  const { zombie, parent } = await spawnZombie();
  const holder = (pid: number) => `${pid}@${readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21]}`;
  await symlink(holder(zombie), join(folder, "postgres.lock.1000"));
  await (await started(folder)).stop();
  await symlink(`${parent}@1`, join(folder, "postgres.lock.2000"));
  await (await started(folder)).stop();
  await symlink(holder(parent), join(folder, "postgres.lock.3000"));
  await expect(startEmbedded(folder)).rejects.toThrow(`in use by process ${parent}`);
  await rm(join(folder, "postgres.lock.3000"));
});

test("`ended` reports a crash, and the folder can be started again", async () => {
  const folder = used;
  const database = await started(folder);
  await query(database.connection, keep);
  process.kill(postmaster(folder), "SIGKILL");
  expect(await database.ended).toContain("signal SIGKILL");
  await database.stop();
  const next = await started(folder);
  expect(await query(next.connection, kept)).toEqual([{ number: 7 }]);
});

test("a folder with a long path has its socket in a folder with a short path", async () => {
  const folder = await copiedFolder(`${"long/".repeat(30)}with space, comma "and" quotes`);
  const database = await started(folder);
  const { connection } = database;
  expect(connection.host.length).toBeLessThan(80);
  expect(statSync(connection.host).mode & 0o777).toBe(0o700);
  expect((await openEmbedded(folder)).connection).toEqual(connection);
  await database.stop();
  expect(() => statSync(connection.host)).toThrow("ENOENT");
});

test("a server that does not start reports why", async () => {
  const folder = await copiedFolder();
  await (await started(folder)).stop();
  await appendFile(join(folder, "postgres/postgresql.conf"), "\nno_such_setting = 1\n");
  const error = (await startEmbedded(folder).catch((reason: unknown) => reason)) as Error;
  expect(error.message).toContain('unrecognized configuration parameter "no_such_setting"');
  expect(error.message).toContain(join(folder, "postgres.log"));
  const other = await newFolder();
  await mkdir(join(other, "postgres/something"), { recursive: true });
  await expect(startEmbedded(other)).rejects.toThrow("could not be made");
});

test("a log over 10 MB is renamed at the start, and a new one begins", async () => {
  const folder = used;
  await writeFile(join(folder, "postgres.log"), Buffer.alloc(11_000_000, "x\n"));
  await started(folder);
  expect(statSync(join(folder, "postgres.log")).size).toBeLessThan(100_000);
  expect(statSync(join(folder, "postgres.log.1")).size).toBe(11_000_000);
});

test("library links that npm did not create are created, also by two calls at once", async () => {
  const native = join(await newFolder(), "native");
  const source = dirname(dirname((await findBinaries()).postgres));
  await mkdir(join(native, "lib"), { recursive: true });
  await copyFile(join(source, "pg-symlinks.json"), join(native, "pg-symlinks.json"));
  await Promise.all([restoreLibraryLinks(native), restoreLibraryLinks(native)]);
  await restoreLibraryLinks(native);
  const links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8")) as { target: string }[];
  for (const { target } of links) {
    expect(await readlink(join(native, "..", target))).toBe(await readlink(join(source, "..", target)));
  }
});

test.runIf(process.getuid?.() === 0)("root without user namespaces runs the server as another user", async () => {
  const folder = await copiedFolder();
  const first = await started(folder);
  await query(first.connection, keep);
  await first.stop();
  expect(statSync(join(folder, "postgres")).uid).toBe(0);

  vi.stubEnv("PATH", await onlyTools("sh", "id", "setpriv", "true", "chown"));
  const other = await started(folder);
  expect(await query(other.connection, kept)).toEqual([{ number: 7 }]);
  const { uid } = statSync(join(folder, "postgres"));
  expect(uid).not.toBe(0);
  expect(statSync(`/proc/${postmaster(folder)}`).uid).toBe(uid);
  await other.stop();

  vi.unstubAllEnvs();
  const again = await started(folder);
  expect(await query(again.connection, kept)).toEqual([{ number: 7 }]);
  expect(statSync(join(folder, "postgres")).uid).toBe(uid);
});
