import { userInfo } from "node:os";
import { dirname } from "node:path";

import * as facts from "../../db/system/doctor.ts";
import { type Database, poolUse } from "../../db/engine/connect.ts";
import { findWrongDerived } from "../../db/derived/recount.ts";
import { findNewerMigrations, listPendingMigrations } from "../../db/migrate.ts";
import { reasonOf } from "../backup/damaged.ts";
import type { Files } from "../storage/files.ts";

/** Checks of an installation, which find what would break it or lose data, and how to fix it. */

export const findingStates = ["ok", "warning", "failed"] as const;
export type FindingState = (typeof findingStates)[number];
/** What one check found. `remedy`: a command or setting that fixes it, if there is one. */
export type Finding = { check: string; state: FindingState; found: string; remedy?: string };

type Examined = { db: Database; files: Files; /** the ministry's time zone */ timeZone: string };

const ok = (found: string): Omit<Finding, "check"> => ({ state: "ok", found });
const warning = (found: string, remedy?: string): Omit<Finding, "check"> => ({
  state: "warning",
  found,
  ...(remedy ? { remedy } : {}),
});
const failed = (found: string, remedy?: string): Omit<Finding, "check"> => ({
  state: "failed",
  found,
  ...(remedy ? { remedy } : {}),
});

type Look = (examined: Examined) => Promise<Omit<Finding, "check"> | Omit<Finding, "check">[]>;

const leastVersion = 150_000;
const gigabyte = 1e9;
/** The size of the largest TDB. */
const largestFileBytes = 30 * gigabyte;
const shown = (bytes: number): string => `${(bytes / gigabyte).toFixed(1)} GB`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A larger difference between the clocks makes days and the corrected times of visits wrong. */
const mostClockSeconds = 2;
const mostBackupHours = 26;
/** After this many days a backup should have been read back again. */
const mostProofDays = 35;
const longMinutes = 5;
const sampledFacilities = 20;
/** The database connections of one gateway: for light and heavy statements, the watch, and a command. */
const connectionsOfGateway = 16;

const server: Look = async ({ db }) => {
  const { version, versionNumber, encoding, isStandby, fsync, fullPageWrites, synchronousCommit } =
    await facts.findServerFacts(db);
  if (isStandby)
    return failed(
      "The database of DATABASE_URL is a standby: it cannot be written.",
      "set DATABASE_URL to the primary",
    );
  const found = [];
  if (versionNumber < leastVersion)
    found.push(failed(`PostgreSQL ${version} is too old: version 15 or newer is needed.`));
  if (encoding !== "UTF8")
    found.push(
      failed(`The database's encoding is ${encoding}.`, "create database platform encoding 'UTF8' template template0;"),
    );
  const unsafe = Object.entries({
    fsync,
    full_page_writes: fullPageWrites,
    synchronous_commit: synchronousCommit,
  }).filter(([, value]) => value === "off");
  for (const [name] of unsafe)
    found.push(
      failed(
        `${name} is off: a power failure loses what was answered.`,
        `alter system set ${name} = on; select pg_reload_conf();`,
      ),
    );
  return found.length > 0 ? found : ok(`PostgreSQL ${version}, writes are safe`);
};

/**
 * Checks the rights of the database user: it either owns the tables (npm run migrate), or only reads and writes their
 * rows (deploy/roles.sql).
 */
const rights: Look = async ({ db }) => {
  const { mayCreate, schema, user, tables } = await facts.findServerFacts(db);
  const [foreign, lacking, reader] = [
    await facts.listForeignTables(db),
    await facts.listLackingRights(db),
    await facts.findReader(db),
  ];
  const isGateway = !mayCreate && tables > 0 && foreign.length === tables;
  const found = lacking.map(({ name, lacking: rightsTo }) =>
    failed(`${user} lacks rights to ${name}: ${rightsTo}.`, `grant ${rightsTo} on ${name} to ${quoted(user)};`),
  );
  if (!isGateway && !mayCreate)
    found.push(
      failed(
        `${user} may not create tables in the schema ${schema}.`,
        `grant usage, create on schema ${quoted(schema)} to ${quoted(user)};`,
      ),
    );
  if (!isGateway && foreign.length > 0)
    found.push(
      failed(
        `${foreign.length} tables belong to others (${foreign
          .slice(0, 3)
          .map(({ name, owner }) => `${name}: ${owner}`)
          .join(", ")}): the next upgrade would fail.`,
        foreign.map(({ name }) => `alter table ${quoted(name)} owner to ${quoted(user)};`).join(" "),
      ),
    );
  if (reader?.views === 0)
    found.push(
      warning("platform_reader has no views to read.", "psql -v ON_ERROR_STOP=1 -d platform -f deploy/roles.sql"),
    );
  if (reader && reader.tables.length > 0)
    found.push(
      failed(
        `platform_reader may read or write the tables themselves, with personal data: ${reader.tables.slice(0, 5).join(", ")}.`,
        `revoke all on all tables in schema ${quoted(schema)} from platform_reader;`,
      ),
    );
  if (found.length > 0) return found;
  return ok(
    isGateway
      ? `${user} reads and writes the rows of ${schema} and changes no table: ${foreign[0]!.owner} does (npm run migrate)`
      : `${user} owns the tables of ${schema} and may add to them`,
  );
};

const extensions: Look = async ({ db }) => {
  const all = await facts.listExtensions(db);
  const missing = all.filter(({ isInstalled }) => !isInstalled);
  if (missing.length === 0) return ok(all.map(({ name }) => name).join(", "));
  return missing.map(({ name, isAvailable }) =>
    isAvailable
      ? failed(`The extension ${name} is not in this database.`, `create extension if not exists ${name};`)
      : failed(`The server lacks the files of the extension ${name}.`, "apt-get install postgresql-contrib"),
  );
};

const schema: Look = async ({ db }) => {
  const newer = await findNewerMigrations(db);
  if (!newer.canServe)
    return failed(
      `The database was migrated by a newer version: ${newer.names.join(", ")}.`,
      "install that version, or a newer one",
    );
  const { names: pending } = await listPendingMigrations(db);
  return pending.length === 0
    ? ok("the schema is this version's")
    : failed(`${pending.length} migrations wait: ${pending.join(", ")}.`, "npm run migrate");
};

const clock: Look = async ({ db }) => {
  const before = Date.now();
  const { now } = await facts.findServerFacts(db);
  const after = Date.now();
  const seconds = Math.max(now - after, before - now, 0) / 1000;
  const found = `the clocks of this machine and of the database differ by ${seconds.toFixed(1)} s`;
  return seconds > mostClockSeconds ? failed(found, "timedatectl set-ntp true") : ok(found);
};

/** An instant in a time zone as screens write it, "25 Nov 2026 12:16". */
function minuteIn(timeZone: string, instant: number): string {
  const written = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23" },
    ...{ day: "2-digit", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  }).formatToParts(instant);
  const [day, month, year, hour, minute] = (["day", "month", "year", "hour", "minute"] as const).map(
    (wanted) => written.find(({ type }) => type === wanted)!.value,
  );
  return `${day} ${month} ${year} ${hour}:${minute}`;
}

/**
 * Checks time zone and clocks: days begin at midnight in the ministry's zone, by PostgreSQL's clock and by the clock of
 * this program.
 */
const zone: Look = async ({ db, timeZone: wanted }) => {
  const { timeZone, now, local, user, database } = await facts.findZone(db);
  if (timeZone !== wanted)
    return failed(
      `Sessions have the time zone ${timeZone} in place of ${wanted} (TIME_ZONE): days would begin at another hour. A pooler in between drops what a session asks for.`,
      `alter role ${quoted(user)} in database ${quoted(database)} set timezone = '${wanted}';  -- then restart the gateways`,
    );
  const here = minuteIn(wanted, now);
  return here === local
    ? ok(`it is ${local} in ${wanted}, here and in the database`)
    : failed(
        `In ${wanted} it is ${here} as this machine has it, and ${local} as the database has it.`,
        "apt-get install --only-upgrade tzdata",
      );
};

const transactions: Look = async ({ db }) => {
  const [long, prepared] = await Promise.all([
    facts.listLongTransactions(db, { minutes: longMinutes }),
    facts.listPreparedTransactions(db),
  ]);
  const found = [
    ...long.map(({ pid, user, state, minutes, application, blockedBy }) => {
      const open = `A transaction of ${user ?? "?"} (${application || "no name"}, process ${pid}, ${state ?? "?"}) has been open for ${minutes} minutes.`;
      return blockedBy.length > 0
        ? warning(
            `${open} It waits for process ${blockedBy.join(", ")}.`,
            blockedBy.map((blocking) => `select pg_terminate_backend(${blocking});`).join(" "),
          )
        : warning(`${open} It holds the feed of changes back.`, `select pg_terminate_backend(${pid});`);
    }),
    ...prepared.map((gid) =>
      failed(
        `A prepared transaction waits for its end. It holds the feed of changes back.`,
        `rollback prepared '${gid.replaceAll("'", "''")}';`,
      ),
    ),
  ];
  return found.length > 0 ? found : ok(`none has been open for ${longMinutes} minutes`);
};

const connections: Look = async ({ db }) => {
  const { maxConnections, usedConnections } = await facts.findServerFacts(db);
  const { waiting } = poolUse(db);
  const found = `${usedConnections} of ${maxConnections} connections are in use, ${waiting} statements wait for one`;
  const isShort = maxConnections - usedConnections < connectionsOfGateway;
  return isShort
    ? warning(
        `${found}: another gateway would find none.`,
        `alter system set max_connections = ${maxConnections + 100};  -- then restart PostgreSQL`,
      )
    : ok(found);
};

const room: Look = async ({ db, files: { staging } }) => {
  const dataDir = dirname(staging.incoming);
  const [left, { bytes }] = await Promise.all([staging.left(), facts.findServerFacts(db)]);
  const found = `${shown(left)} are left in ${dataDir}; the database holds ${shown(bytes)}`;
  if (left < gigabyte) return failed(`${found}: uploads will be refused soon.`, `df -h ${dataDir}`);
  return left < largestFileBytes
    ? warning(`${found}: less than the largest TDB (30 GB).`, `df -h ${dataDir}`)
    : ok(found);
};

const storage: Look = async ({ files: { storage: kept, staging } }) => {
  try {
    await Promise.all([kept.tryOut(), staging.probe()]);
  } catch (error) {
    const isOfFolder = typeof (error as NodeJS.ErrnoException).syscall === "string";
    const folder = dirname(staging.incoming);
    return failed(
      `Files cannot be written, read and removed: ${reasonOf(error as Error)}.`,
      isOfFolder
        ? `ls -ld ${folder}/*; chown -R ${userInfo().username} ${folder}`
        : "set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a bucket that answers and a key that may read, write and delete",
    );
  }
  return ok("files can be written, read and removed");
};

const backup: Look = async ({ db }) => {
  const [last, failure] = [await facts.findLastBackup(db), await facts.findBackupFailure(db)];
  if (failure)
    return failed(`The scheduled backup of ${failure.at} failed: ${failure.reason}`, "npm run backup -- --scheduled");
  const remedy = "npm run backup -- --scheduled;  without BACKUP_DIR: npm run backup -- /backups/$(date +%F)";
  if (!last) return warning("No backup was made from this database.", remedy);
  const hours = Math.floor((Date.now() - Date.parse(last.takenAt)) / 3_600_000);
  const age = `the last backup is ${hours} hours old (${last.takenAt})`;
  if (hours > mostBackupHours) return warning(`T${age.slice(1)}.`, remedy);
  const proof = last.checkedAt ? (Date.now() - Date.parse(last.checkedAt)) / 86_400_000 : Infinity;
  if (proof > mostProofDays)
    return warning(
      `${age}; none was read back in the last ${mostProofDays} days.`,
      "npm run backup -- --scheduled;  without BACKUP_DIR: npm run backup -- /backups/$(date +%F) --check",
    );
  const proved = last.provedAt ? `, and one was restored on ${last.provedAt}: ${last.provedRows} rows` : "";
  const place =
    last.place === undefined
      ? ""
      : `; it lies in ${last.place}, ${last.recipient === undefined ? "not encrypted" : `encrypted for ${last.recipient}`}`;
  return ok(`${age}, one was read back on ${last.checkedAt}${proved}${place}`);
};

const derived: Look = async ({ db }) => {
  const wrong = await findWrongDerived(db, { facilities: sampledFacilities });
  if (wrong.length === 0) return ok(`${sampledFacilities} facilities and a district were recounted and are right`);
  return wrong.map(({ name, keys }) =>
    failed(
      `The derived figures "${name}" are wrong for some of: ${keys.slice(0, 5).join(", ")} …`,
      `delete from derived where name = '${name}';  -- then restart a gateway: it recounts`,
    ),
  );
};

const looks: Record<string, Look> = {
  database: server,
  rights,
  extensions,
  schema,
  clock,
  "time zone": zone,
  transactions,
  connections,
  room,
  storage,
  backup,
  derived,
};

/** The time limit of one check, so that one that hangs does not prevent the others. */
const patienceMs = 20_000;

async function lookAt(check: string, look: Look, examined: Examined): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer for ${patienceMs / 1000} s`)), patienceMs);
  });
  try {
    const found = await Promise.race([look(examined), late]);
    return [found].flat().map((finding) => ({ check, ...finding }));
  } catch (error) {
    return [{ check, ...failed(`This could not be checked: ${(error as Error).message || String(error)}`) }];
  } finally {
    clearTimeout(timer);
  }
}

/** Runs all checks of the database and the storage one after another, so that they need few connections. */
export async function examine(examined: Examined): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [check, look] of Object.entries(looks)) {
    found.push(...(await lookAt(check, look, examined)));
    // If the database does not answer, the other checks are useless.
    if (check === "database" && found.some(({ state, remedy }) => state === "failed" && remedy === undefined)) break;
  }
  return found;
}

/** The worst state of some findings. */
export function worstOf(findings: readonly Finding[]): FindingState {
  const places = findings.map(({ state }) => findingStates.indexOf(state));
  return findingStates[Math.max(0, ...places)]!;
}
