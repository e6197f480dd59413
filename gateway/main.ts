import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import type { FastifyBaseLogger } from "fastify";

import { findFeedName } from "../db/change/change.ts";
import { connect, type Connection } from "../db/engine/connect.ts";
import { type EmbeddedDatabase, startEmbedded } from "../db/engine/embedded/embedded.ts";
import { listPendingMigrations, migrate, type OnWait, untilFree, upsertMigratedBy } from "../db/migrate.ts";
import { openReplica, type Replica } from "../db/engine/replica/replica.ts";
import { noteRecounts } from "../db/derived/recount.ts";
import { deleteEndedSessions } from "../db/auth/session.ts";
import { findIsDemonstration, findToday } from "../db/system/system.ts";
import { version } from "../package.json";
import { hashPassword } from "./auth/password.ts";
import { type Schedule, startSchedule } from "./backup/schedule.ts";
import { isEmpty, loadDemo } from "./demo/demo.ts";
import { demonstrationAccounts } from "./demo/demo.people.ts";
import { objectsOf, readSettings, type Settings } from "./env.ts";
import { openLog } from "./http/log.ts";
import { createServer } from "./http/server.ts";
import { openStarting, type Starting } from "./http/starting.ts";
import { heavyCostOn, helpersOn, longRestOn, restOn, usualShares } from "./reading/shares.rules.ts";
import { CannotStart, checkAddress, checkFilesFolder, listenProblem, openDataFolder } from "./startChecks.ts";
import { openFiles } from "./storage/files.ts";
import { applyRetention, rulesOf } from "./retention/retention.ts";
import { sweepFiles, sweepIncoming } from "./storage/sweep.ts";
import { type Recounting, recountMissing, startRecounting } from "./system/recounting.ts";
import type { Tracing } from "./tracing/tracing.ts";
import { usualLimits } from "./input/upload.ts";

/** The product's entry: starts the database, migrations, the demonstration and the server, and stops them again. */

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(problem: unknown): void {
  process.stderr.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
}

/** Starts traces, if the settings name a collector. Only then OpenTelemetry is loaded. */
async function tracingOf(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...settings }: Settings,
  log: FastifyBaseLogger,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import("./tracing/openTelemetry.ts");
  return openTracing({
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    service: settings.OTEL_SERVICE_NAME,
    version,
    sampler: settings.OTEL_TRACES_SAMPLER,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    onFault: (fault) =>
      fault === null
        ? log.info("The collector takes traces again")
        : log.warn({ fault }, "The collector does not take traces"),
  });
}

async function start(settings: Settings): Promise<void> {
  const log = openLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT });
  const dataDir = resolve(settings.DATA_DIR);
  await checkAddress(settings);
  openDataFolder(dataDir);
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
  const onError = (error: Error) => stopping || log.error({ err: error }, "The database ended a connection");
  const db = connect(
    connection,
    settings.TIME_ZONE,
    onError,
    10,
    settings.STATEMENT_SECONDS,
    helpersOn(availableParallelism()),
  );

  const { HEAVY_CONNECTIONS, HEAVY_PER_PERSON, HEAVY_SECONDS, HEAVY_WAIT_SECONDS } = settings;
  // 0 parallel workers: heavy statements use one processor each, so that the others are free for light ones.
  const heavy = connect(connection, settings.TIME_ZONE, onError, HEAVY_CONNECTIONS, HEAVY_SECONDS, 0);

  const { REPLICA_DATABASE_URL, REPLICA_LAG_SECONDS } = settings;
  let replica: Replica | undefined;
  let server: Awaited<ReturnType<typeof createServer>> | undefined;
  let recounting: Recounting | undefined;
  let schedule: Schedule | undefined;
  let starting: Starting | undefined;
  let tracing: Tracing | undefined;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    await starting?.close();
    if (code === 0) log.info({ drainSeconds: settings.DRAIN_SECONDS }, "Ending");
    if (server) {
      // Load balancers see it at /readyz; requests are still served for this time.
      server.draining = true;
      await setTimeout(settings.DRAIN_SECONDS * 1000);
      await server.close();
    }
    await tracing?.close();
    await schedule?.stop();
    await recounting?.stop();
    await replica?.close();
    await heavy.destroy();
    await db.destroy();
    await embedded?.stop();
    process.exit(code);
  };
  process.on("SIGTERM", () => void stop(0));
  process.on("SIGINT", () => void stop(0));

  try {
    tracing = await tracingOf(settings, log);
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
    if (REPLICA_DATABASE_URL) {
      const toRead = connect(
        REPLICA_DATABASE_URL,
        settings.TIME_ZONE,
        (err) => stopping || log.warn({ err }, "The replica ended a connection"),
        10,
        settings.STATEMENT_SECONDS,
      );
      replica = await openReplica({ primary: db, replica: toRead, mostLagSeconds: REPLICA_LAG_SECONDS }, (fault) =>
        fault === null
          ? log.info("The replica is read")
          : log.warn({ fault }, "The replica is not read: the primary answers all"),
      );
    }
    server = await createServer({
      db,
      heavy,
      shares: {
        ...usualShares,
        atOnce: HEAVY_CONNECTIONS,
        questionsPerPerson: HEAVY_PER_PERSON,
        rest: restOn(availableParallelism()),
        longRest: longRestOn(availableParallelism()),
        heavyCost: heavyCostOn(availableParallelism()),
        waitSeconds: HEAVY_WAIT_SECONDS,
      },
      ...(replica ? { replica } : {}),
      dataDir,
      objects,
      timeZone: settings.TIME_ZONE,
      tdbRhythmDays: settings.TDB_RHYTHM_DAYS,
      uploadKeepHours: settings.UPLOAD_KEEP_HOURS,
      keptAnswerBytes: settings.KEPT_ANSWERS_MB * 1024 * 1024,
      uploads: {
        ...usualLimits,
        idleSeconds: settings.UPLOAD_IDLE_SECONDS,
        mostMinutes: settings.UPLOAD_MINUTES,
        perUser: settings.UPLOADS_PER_USER,
        atOnce: settings.UPLOADS_AT_ONCE,
      },
      secondFactorOf: settings.REQUIRE_SECOND_FACTOR,
      corsOrigins: settings.CORS_ORIGINS ?? [],
      tokenLimit: { times: settings.TOKEN_REQUESTS, seconds: settings.TOKEN_SECONDS },
      clientDir: join(dirname(fileURLToPath(import.meta.url)), "..", "client"),
      trustProxy: settings.TRUST_PROXY,
      log,
      metricsToken: settings.METRICS_TOKEN,
      slowStatementMs: settings.SLOW_STATEMENT_MS,
      tracing,
      recountsLeft: () => recounting?.left() ?? 0,
    });
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
    const address = await server.listen({ port: settings.PORT, host: settings.HOST }).catch((error: unknown) => {
      throw listenProblem(error, settings);
    });
    recounting = startRecounting(db, log);
    if (settings.BACKUP_DIR)
      schedule = startSchedule(db, log, join(dirname(fileURLToPath(import.meta.url)), "backup.js"));
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
