import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  chmod,
  chown,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
} from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

import { makeFolder } from "../folder.ts";
import {
  type Binaries,
  chooseRunner,
  createCluster,
  findBinaries,
  type Runner,
  type Server,
  startServer,
} from "./binaries.ts";
import { beginningOf, DataFolderInUse, ps, readLock, takeLock } from "./folderLock.ts";

type ConnectionParts = { host: string; port: number; user: string; database: string };

export type EmbeddedDatabase = {
  /** pg connection settings: socket folder as host, port, user, database */
  connection: ConnectionParts;
  /** true when this process started the server, false when it joined one that already ran */
  owned: boolean;
  /** fast shutdown of an owned server; resolves when the postmaster is gone; no-op when joined */
  stop(): Promise<void>;
  /** settles when an owned server ends without stop() having been called (crash): resolves with a reason text */
  ended: Promise<string>;
};

/** Settings for a server whose data may be lost when the machine stops: it does not wait for the disk. */
export const disposable = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

const port = 5432;
const identity = { user: "smartcare", database: "smartcare" };
const dataOf = (folder: string): string => join(folder, "postgres");
const socketIn = (socketFolder: string): string => join(socketFolder, `.s.PGSQL.${port}`);
const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

async function prepareFolder(dataDir: string): Promise<string> {
  await makeFolder(dataDir);
  return realpath(dataDir);
}

function isServerOf(pid: number, data: string): boolean {
  try {
    if (beginningOf(pid) === undefined) return false;
    if (process.platform !== "linux") return ps(pid, "command=").includes(`postgres -D ${data} `);
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return basename(words[0]!) === "postgres" && words.includes(data);
  } catch {
    return false;
  }
}

/** Reads the file postmaster.pid of the last server on the folder; undefined if there is none. */
async function readServer(folder: string): Promise<{ pid: number; socketFolder: string } | undefined> {
  const text = await readFile(join(dataOf(folder), "postmaster.pid"), "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  return { pid: Number(lines[0]), socketFolder: lines[4] ?? "" };
}

const answers = (socketFolder: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(socketIn(socketFolder));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });

/**
 * Cleans up after the last server on the folder: removes its pid file, and ends the server itself if it outlived its
 * owner.
 *
 * @throws DataFolderInUse if we must not, or cannot, end the server
 */
async function clearServer(folder: string, abandoned: boolean): Promise<void> {
  const begun = Date.now();
  let signal: NodeJS.Signals | undefined;
  for (;;) {
    const server = await readServer(folder);
    if (!server) return;
    const { pid, socketFolder } = server;
    if (!isServerOf(pid, dataOf(folder))) {
      // Its process may be invisible here: it may run in another container with the same folder.
      if (socketFolder && (await answers(socketFolder))) throw new DataFolderInUse(folder, pid);
      return rm(join(dataOf(folder), "postmaster.pid"), { force: true });
    }
    const waited = Date.now() - begun;
    if (!abandoned || waited > 60_000) throw new DataFolderInUse(folder, pid);
    const next = waited > 30_000 ? "SIGQUIT" : "SIGINT";
    if (next !== signal) {
      signal = next;
      try {
        process.kill(pid, signal);
      } catch (error) {
        if (codeOf(error) === "EPERM") throw new DataFolderInUse(folder, pid);
      }
    }
    await delay(20);
  }
}

/** Makes a private folder for the socket: in the data folder, or elsewhere if that path is too long. */
async function makeSocketFolder(folder: string, { uid, gid }: Runner): Promise<string> {
  const within = join(folder, "socket");
  const name = `smartcare-${createHash("sha256").update(`${folder}\0${uid}`).digest("hex").slice(0, 16)}`;
  const choices = [within, join(tmpdir(), name), join("/tmp", name)];
  const path = choices.find((choice) => Buffer.byteLength(socketIn(choice)) <= 100)!;
  await mkdir(path, { mode: 0o700, recursive: true });
  const made = await lstat(path);
  if (!made.isDirectory() || (path !== within && made.uid !== uid && made.uid !== process.getuid!())) {
    throw new Error(`${path} belongs to another user, the embedded database needs it for its socket: remove it.`);
  }
  if (made.uid !== uid) await chown(path, uid, gid);
  await chmod(path, 0o700);
  return path;
}

type Log = { path: string; file: FileHandle; tail: () => Promise<string> };

async function openLog(folder: string): Promise<Log> {
  const path = join(folder, "postgres.log");
  const { size } = await lstat(path).catch(() => ({ size: 0 }));
  if (size > 10_000_000) await rename(path, `${path}.1`);
  const file = await open(path, "a", 0o600);
  const begin = (await file.stat()).size;
  const tail = async () => {
    const bytes = (await readFile(path)).subarray(begin);
    return bytes.toString("utf8").trim().split("\n").slice(-20).join("\n");
  };
  return { path, file, tail };
}

/** Runs one statement on a new connection. Returns undefined, or the error's code. */
async function ask(connection: ConnectionParts, statement = "SELECT 1"): Promise<string | undefined> {
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(statement);
    return undefined;
  } catch (error) {
    return codeOf(error) ?? "lost";
  } finally {
    await client.end().catch(() => {});
  }
}

const databaseMissing = "3D000";
const notYet = new Set(["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE", "lost", "53300", "55006", "57P01", "57P03"]);

/**
 * Waits until the server answers, and creates the database if it does not exist. False if the server ended before that.
 */
async function isReady({ hasExited }: Server, connection: ConnectionParts): Promise<boolean> {
  const begun = Date.now();
  const creation = `CREATE DATABASE ${connection.database} TEMPLATE template0`;
  for (let pause = 5; !hasExited(); pause = Math.min(2 * pause, 100)) {
    const answer = await ask(connection);
    const code = answer === databaseMissing ? await ask({ ...connection, database: "postgres" }, creation) : answer;
    if (code === undefined) return true;
    if (!notYet.has(code) || Date.now() - begun > 600_000) {
      throw new Error(`The embedded database in ${connection.host} does not answer (${code}).`);
    }
    await delay(pause);
  }
  return false;
}

async function end({ child, exited }: Server): Promise<void> {
  child.ref();
  child.kill("SIGINT");
  const impatience = setTimeout(() => child.kill("SIGQUIT"), 60_000);
  await exited;
  clearTimeout(impatience);
}

/**
 * Starts the server on `<dataDir>/postgres`, and creates the database at the first start. On Linux with `setpriv` the
 * server ends with the thread that called this function, for whatever reason that ends; elsewhere the next start ends a
 * server that was left running. `settings` of PostgreSQL override the usual ones.
 *
 * @throws DataFolderInUse when another running process holds the folder
 * @throws Error with the last lines of the log when the server does not start, or when this machine cannot run it
 */
export async function startEmbedded(dataDir: string, settings: Record<string, string> = {}): Promise<EmbeddedDatabase> {
  const folder = await prepareFolder(dataDir);
  const binaries = await findBinaries();
  const { abandoned, release } = await takeLock(folder);
  try {
    return await start(folder, binaries, abandoned, release, settings);
  } catch (error) {
    await release();
    throw error;
  }
}

async function start(
  folder: string,
  binaries: Binaries,
  abandoned: boolean,
  release: () => Promise<void>,
  settings: Record<string, string>,
): Promise<EmbeddedDatabase> {
  const data = dataOf(folder);
  const runner = await chooseRunner(binaries, folder, data);
  await createCluster(binaries, runner, folder, data, {
    user: identity.user,
    isDisposable: settings["fsync"] === "off",
  });
  const connection = { host: await makeSocketFolder(folder, runner), port, ...identity };
  const log = await openLog(folder);
  try {
    for (const begun = Date.now(); ; await delay(200)) {
      await clearServer(folder, abandoned);
      await rm(`${socketIn(connection.host)}.lock`, { force: true });
      const server = startServer(binaries, runner, data, connection, log.file.fd, settings);
      const ready = await isReady(server, connection).catch(async (error: unknown) => {
        await end(server);
        throw error;
      });
      if (ready) return own(server, connection, log, release);
      const lines = await log.tail();
      // The child processes of a killed server end a little later than it.
      if (/already exists|still in use/.test(lines) && Date.now() - begun < 10_000) continue;
      throw new Error(
        `The embedded database did not start (${await server.exited}). The last lines of ${log.path}:\n${lines}`,
      );
    }
  } finally {
    await log.file.close();
  }
}

function own(server: Server, connection: ConnectionParts, log: Log, release: () => Promise<void>): EmbeddedDatabase {
  let stopping: Promise<void> | undefined;
  const over = server.exited.then(async (reason) => {
    if (!connection.host.endsWith("/socket")) await rmdir(connection.host).catch(() => {});
    await release().catch(() => {});
    return reason;
  });
  const ended = new Promise<string>((resolve) => {
    void over.then(async (reason) => {
      if (stopping) return;
      const lines = await log.tail().catch(() => "");
      resolve(`The embedded database ended (${reason}). The last lines of ${log.path}:\n${lines}`);
    });
  });
  const stop = async () => {
    await end(server);
    await over;
  };
  return { connection, owned: true, ended, stop: () => (stopping ??= stop()) };
}

/**
 * For the commands: joins the server that already runs on the folder, or starts one.
 *
 * @throws what startEmbedded throws; DataFolderInUse when the process that holds the folder offers no server
 */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const folder = await prepareFolder(dataDir);
  for (const begun = Date.now(); ; await delay(50)) {
    const { pid } = await readLock(folder);
    const held = pid === undefined ? await startEmbedded(folder).catch(inUse) : new DataFolderInUse(folder, pid);
    if (!(held instanceof DataFolderInUse)) return held;
    const host = (await readServer(folder))?.socketFolder;
    const connection = { host: host ?? "", port, ...identity };
    const code = host ? await ask(connection) : "ENOENT";
    if (code === undefined) {
      return { connection, owned: false, stop: async () => {}, ended: new Promise(() => {}) };
    }
    const patient = code === databaseMissing || notYet.has(code);
    if (!patient || Date.now() - begun > 60_000) throw held;
  }
}

function inUse(error: unknown): DataFolderInUse {
  if (error instanceof DataFolderInUse) return error;
  throw error;
}
