import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { findFeedName } from "../db/change/change.ts";
import { connect, type Connection, type Database } from "../db/engine/connect.ts";
import { type EmbeddedDatabase, startEmbedded } from "../db/engine/embedded/embedded.ts";
import { listPendingMigrations, migrate, type OnWait, untilFree, upsertMigratedBy } from "../db/migrate.ts";
import { noteRecounts } from "../db/derived/recount.ts";
import { deleteEndedSessions } from "../db/auth/session.ts";
import { findServerFacts } from "../db/system/doctor.ts";
import { findIsDemonstration, findToday } from "../db/system/system.ts";
import { version } from "../package.json";
import { hashPassword } from "./auth/password.ts";
import { type Schedule, startSchedule } from "./backup/schedule.ts";
import { isEmpty, loadDemo } from "./demo/demo.ts";
import { demonstrationAccounts } from "./demo/demo.people.ts";
import { objectsOf, readSettings, type Settings } from "./env.ts";
import { openLog } from "./http/log.ts";
import { openStarting, type Starting } from "./http/starting.ts";
import { helpersOn } from "./reading/shares.rules.ts";
import { checkAddress, checkDatabase, checkFilesFolder } from "./startChecks.ts";
import { openFiles } from "./storage/files.ts";
import { CannotStart, openDataFolder } from "./system/dataFolder.ts";
import { applyRetention, rulesOf } from "./retention/retention.ts";
import { sweepFiles, sweepIncoming } from "./storage/sweep.ts";
import { type Recounting, recountMissing, startRecounting } from "./system/recounting.ts";
import type { startWorkers, Workers } from "./workers/primary.ts";
import type { Serving } from "./workers/serving.ts";
import { connectionsOfPrimary, connectionsOfWorker, workersWithin } from "./workers/workers.rules.ts";

/** The product's entry: starts the database, migrations, the demonstration and the server, and stops them again. */

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(problem: unknown): void {
  process.stderr.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
}

/** The path of another built program of the gateway. */
const programOf = (name: string): string => join(dirname(fileURLToPath(import.meta.url)), `${name}.js`);

/** Starts as many workers as the database has connections for. */
async function workersOf(
  { WORKERS, HEAVY_CONNECTIONS, DEMO }: Settings,
  {
    db,
    connection,
    log,
    recountsLeft,
  }: { db: Database; connection: Connection } & Pick<Parameters<typeof startWorkers>[0], "log" | "recountsLeft">,
): Promise<Workers> {
  const { maxConnections } = await findServerFacts(db);
  const count = workersWithin(WORKERS, HEAVY_CONNECTIONS, maxConnections);
  if (count < WORKERS)
    log.warn(
      { maxConnections, workers: count, wanted: WORKERS },
      "The database allows too few connections for all workers: raise max_connections, or set WORKERS",
    );
  const { startWorkers } = await import("./workers/primary.ts");
  const environment = {
    WORKERS: String(count),
    DEMO: DEMO ? "1" : "0",
    ...(typeof connection === "string"
      ? {}
      : {
          DATABASE_URL: `postgres://${connection.user}@/${connection.database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`,
        }),
  };
  return startWorkers({ program: programOf("worker"), count, environment, log, recountsLeft });
}

async function start(settings: Settings): Promise<void> {
  const log = openLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT });
  const dataDir = resolve(settings.DATA_DIR);
  await checkAddress(settings);
  await openDataFolder(dataDir);
  let stopping = false;
  let embedded: EmbeddedDatabase | undefined;
  /** Starts the embedded server again if it ends unexpectedly; requests are answered 503 meanwhile. */
  const keep = async (running: EmbeddedDatabase): Promise<void> => {
    const reason = await running.ended;
    if (stopping) return;
    log.error(`The embedded database ended and is started again: ${reason}`);
    try {
      embedded = await startEmbedded(dataDir);
      void keep(embedded);
    } catch (error) {
      log.error({ err: error }, "The embedded database did not start");
      await setTimeout(1000);
      void keep({ ...running, ended: Promise.resolve("it did not start") });
    }
  };
  if (!settings.DATABASE_URL) {
    embedded = await startEmbedded(dataDir);
    void keep(embedded);
  }
  const connection: Connection = settings.DATABASE_URL ?? embedded!.connection;
  const isAlone = settings.WORKERS === 1;
  const db = connect(
    connection,
    settings.TIME_ZONE,
    (error) => stopping || log.error({ err: error }, "The database ended a connection"),
    isAlone ? connectionsOfWorker : connectionsOfPrimary,
    settings.STATEMENT_SECONDS,
    helpersOn(availableParallelism()),
  );

  let serving: Serving | undefined;
  let workers: Workers | undefined;
  let recounting: Recounting | undefined;
  let schedule: Schedule | undefined;
  let starting: Starting | undefined;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    await starting?.close();
    if (code === 0) log.info({ drainSeconds: settings.DRAIN_SECONDS }, "Ending");
    await serving?.close();
    await workers?.stop();
    await schedule?.stop();
    await recounting?.stop();
    await db.destroy();
    await embedded?.stop();
    process.exit(code);
  };
  process.on("SIGTERM", () => void stop(0));
  process.on("SIGINT", () => void stop(0));
  process.on("SIGUSR2", () => (workers ? workers.restart() : log.warn("There are no workers to restart (WORKERS)")));

  try {
    await checkDatabase(db, settings);
    const objects = objectsOf(settings);
    if (!objects) await checkFilesFolder(db, dataDir);
    // If the database cannot be queried, the migration reports that.
    const pending = await listPendingMigrations(db).catch(() => undefined);
    if (pending && pending.names.length > 0) starting = await openStarting(settings, pending.isFirst);
    const onWait: OnWait = async (holders) => {
      starting ??= await openStarting(settings, pending?.isFirst === true);
      starting?.report("The database is being upgraded and waits for a lock.");
      log.warn({ holders }, "The upgrade waits for a lock and is tried again; these transactions are open");
    };
    const ran = await migrate(db, undefined, onWait);
    if (ran.length > 0) {
      log.info({ migrations: ran }, "Migrated the database");
      await upsertMigratedBy(db, version);
    }
    const recounts = await untilFree(db, () => noteRecounts(db, { rhythmDays: settings.TDB_RHYTHM_DAYS }), onWait);
    if (recounts.length > 0) log.info({ recounts }, "Noted derived figures for a recount");
    await recountMissing(db, log, (left) =>
      starting?.report(`Figures are being counted: ${left} facilities and provinces are left.`, left),
    );
    if (settings.DEMO && (await isEmpty(db))) {
      say("Loading the demonstration country …");
      starting?.report("The demonstration country is being loaded.");
      await loadDemo(db, { today: await findToday(db), dataDir, hashPassword });
    }
    await findFeedName(db);
    await deleteEndedSessions(db);
    const recountsLeft = () => recounting?.left() ?? 0;
    if (isAlone) {
      const { openServing } = await import("./workers/serving.ts");
      serving = await openServing({ settings: { ...settings, DATA_DIR: dataDir }, log, connection, db, recountsLeft });
    }
    const files = await openFiles(dataDir, objects);
    const sweep = async () => {
      try {
        const removed = await sweepFiles(db, files, { keepHours: settings.UPLOAD_KEEP_HOURS });
        if (removed > 0) log.info({ removed }, "Swept files that belong to nothing");
      } catch (error) {
        log.error({ err: error }, "The sweep of files failed");
      }
    };
    await sweep();
    setInterval(() => void sweep(), 60 * 60 * 1000).unref();
    const retain = async () => {
      try {
        const removed = await applyRetention({ db, files }, rulesOf(settings));
        if (Object.values(removed).some((count) => count > 0))
          log.info({ removed }, "Removed what the rules of retention no longer keep");
      } catch (error) {
        log.error({ err: error }, "The rules of retention could not be applied");
      }
    };
    setInterval(() => void retain(), 60 * 60 * 1000).unref();
    const sweepParts = () =>
      sweepIncoming(files, settings.UPLOAD_IDLE_SECONDS).catch((error: unknown) =>
        log.error({ err: error }, "The sweep of partial uploads failed"),
      );
    await sweepParts();
    setInterval(() => void sweepParts(), 10 * 60 * 1000).unref();
    const isDemonstration = await findIsDemonstration(db);
    // From here on the gateway serves, and a database that goes away does not stop it any more.
    await starting?.close();
    if (!serving) workers = await workersOf(settings, { db, connection, log, recountsLeft });
    const address = serving ? await serving.listen() : workers!.address;
    recounting = startRecounting(db, log);
    if (settings.BACKUP_DIR) schedule = startSchedule(db, log, programOf("backup"));
    say(`Serving on ${address}`);
    if (isDemonstration) say(`Demonstration accounts: ${demonstrationAccounts}`);
    say(`Data lies in ${dataDir}${embedded ? "" : " (files) and in the database of DATABASE_URL"}`);
  } catch (error) {
    if (settings.LOG_FORMAT === "json" && !(error instanceof CannotStart))
      log.fatal({ err: error }, "The product did not start");
    else warn(error);
    await stop(1);
  }
}

try {
  await start(readSettings());
} catch (error) {
  warn(error);
  process.exit(1);
}
