import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout } from "node:timers/promises";

import type { FastifyBaseLogger } from "fastify";

import { connect, type Connection, type Database } from "../../db/engine/connect.ts";
import { openReplica, type Replica } from "../../db/engine/replica/replica.ts";
import { version } from "../../package.json";
import { objectsOf, type Settings } from "../env.ts";
import type { OtherWorkers } from "../http/metrics.ts";
import { createServer } from "../http/server.ts";
import { usualLimits } from "../input/upload.ts";
import { heavyCostOn, longRestOn, restOn, usualShares } from "../reading/shares.rules.ts";
import { listenProblem } from "../startChecks.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { partOf } from "./workers.rules.ts";

/** What serves requests: the whole gateway, or one of its workers. */
export type Serving = {
  /** Returns the address. @throws CannotStart */
  listen: () => Promise<string>;
  /**
   * Ends what it serves. `for others`: other workers go on, so load balancers need not know, and connections that are
   * used are given time to end.
   */
  close: (how?: "for others") => Promise<void>;
};

type Served = {
  settings: Settings;
  log: FastifyBaseLogger;
  connection: Connection;
  db: Database;
  recountsLeft?: () => number;
  /** of the same gateway */
  others?: OtherWorkers;
};

/** How long a worker that is replaced serves its open connections. Each answer asks its caller to open another one. */
const replacedSeconds = 2;

/** Starts traces, if the settings name a collector. Only then OpenTelemetry is loaded. */
async function tracingOf(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...settings }: Settings,
  log: FastifyBaseLogger,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import("../tracing/openTelemetry.ts");
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

/** Makes the server of the settings, not yet listening. Limits of the gateway are divided by its workers. */
export async function openServing({ settings, log, connection, db, recountsLeft, others }: Served): Promise<Serving> {
  const workers = others ? settings.WORKERS : 1;
  const atOnce = partOf(settings.HEAVY_CONNECTIONS, workers);
  let isClosing = false;
  const tracing = await tracingOf(settings, log);
  const heavy = connect(
    connection,
    settings.TIME_ZONE,
    (error) => isClosing || log.error({ err: error }, "The database ended a connection"),
    atOnce,
    settings.HEAVY_SECONDS,
    // Heavy statements use one processor each, so that the others are free for light ones.
    0,
  );
  let replica: Replica | undefined;
  if (settings.REPLICA_DATABASE_URL) {
    const toRead = connect(
      settings.REPLICA_DATABASE_URL,
      settings.TIME_ZONE,
      (err) => isClosing || log.warn({ err }, "The replica ended a connection"),
      10,
      settings.STATEMENT_SECONDS,
    );
    const mostLagSeconds = settings.REPLICA_LAG_SECONDS;
    replica = await openReplica({ primary: db, replica: toRead, mostLagSeconds }, (fault) =>
      fault === null
        ? log.info("The replica is read")
        : log.warn({ fault }, "The replica is not read: the primary answers all"),
    );
  }
  const server = await createServer({
    db,
    heavy,
    shares: {
      ...usualShares,
      atOnce,
      questionsPerPerson: settings.HEAVY_PER_PERSON,
      rest: restOn(availableParallelism()),
      longRest: longRestOn(availableParallelism()),
      heavyCost: heavyCostOn(availableParallelism()),
      waitSeconds: settings.HEAVY_WAIT_SECONDS,
    },
    ...(replica ? { replica } : {}),
    dataDir: settings.DATA_DIR,
    objects: objectsOf(settings),
    timeZone: settings.TIME_ZONE,
    tdbRhythmDays: settings.TDB_RHYTHM_DAYS,
    uploadKeepHours: settings.UPLOAD_KEEP_HOURS,
    keptAnswerBytes: (settings.KEPT_ANSWERS_MB * 1024 * 1024) / workers,
    uploads: {
      ...usualLimits,
      idleSeconds: settings.UPLOAD_IDLE_SECONDS,
      mostMinutes: settings.UPLOAD_MINUTES,
      perUser: settings.UPLOADS_PER_USER,
      atOnce: partOf(settings.UPLOADS_AT_ONCE, workers),
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
    ...(recountsLeft ? { recountsLeft } : {}),
    ...(others ? { others } : {}),
  });
  return {
    listen: () =>
      server.listen({ port: settings.PORT, host: settings.HOST }).catch((error: unknown) => {
        throw listenProblem(error, settings);
      }),
    async close(how) {
      isClosing = true;
      // Load balancers see it at /readyz; requests are still served for this time.
      server.draining = how ?? "for good";
      await setTimeout((how ? Math.max(replacedSeconds, settings.DRAIN_SECONDS) : settings.DRAIN_SECONDS) * 1000);
      await server.close();
      await tracing?.close();
      await replica?.close();
      await heavy.destroy();
    },
  };
}
