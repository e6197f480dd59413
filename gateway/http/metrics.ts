import { timingSafeEqual } from "node:crypto";
import type { Server, Socket } from "node:net";

import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  type Aggregator,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from "prom-client";

import { findBackupFailure, findLastBackup } from "../../db/system/doctor.ts";
import { type Database, poolUse } from "../../db/engine/connect.ts";
import type { Replica } from "../../db/engine/replica/replica.ts";
import type { Watch } from "../../db/engine/away/watch.ts";
import { newsOf } from "../change/news.ts";
import type { DocumentCache } from "../graphql/limits/documentCache.ts";
import { version } from "../../package.json";
import { Problem } from "../problem.ts";
import type { KeptAnswers } from "../reading/kept.ts";
import type { Shares } from "../reading/shares.ts";
import type { UploadGate } from "../input/upload.ts";

/** Metrics of this gateway for Prometheus, and the check of who may read them. */

/** What one process has counted. */
export type Figures = MetricObjectWithValues<MetricValue<string>>[];
/** The workers of a gateway answer for all of them: they share their figures, and read the sum. */
export type OtherWorkers = { share: (read: () => Promise<Figures>) => void; sum: () => Promise<string> };

export type Metrics = {
  /** Counts a request that has ended. */
  request: (ended: { method: string; route: string; status: number; seconds: number }) => void;
  /** Counts an event of the audit log: sign-ins and their failures, saves, uploads, refusals. */
  event: (event: { action: string; outcome: string }) => void;
  /** Everything in Prometheus' text format. */
  read: () => Promise<string>;
  contentType: string;
};

/** The database is queried for figures at most once in this time, however often they are read. */
const everyMs = 60_000;

/** Returns the last result if it is recent enough. */
function kept<Value>(forMs: number, find: () => Promise<Value>): () => Promise<Value> {
  let last: { at: number; value: Promise<Value> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > forMs) last = { at: Date.now(), value: find() };
    return last.value;
  };
}

/** Bytes over all connections of a server, including open ones, so that long uploads count while they run. */
function bytesOf(server: Server): () => { received: number; sent: number } {
  const open = new Set<Socket>();
  const closed = { received: 0, sent: 0 };
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      closed.received += socket.bytesRead;
      closed.sent += socket.bytesWritten;
    });
  });
  return () => {
    const sum = { ...closed };
    for (const { bytesRead, bytesWritten } of open) {
      sum.received += bytesRead;
      sum.sent += bytesWritten;
    }
    return sum;
  };
}

type Measured = {
  db: Database;
  watch: Watch;
  shares: Shares;
  replica?: Replica | undefined;
  gate: UploadGate;
  documents: DocumentCache;
  answers: KeptAnswers | undefined;
  recountsLeft: () => number;
  /** Bytes that the disk of DATA_DIR has left. */
  bytesLeft: () => Promise<number>;
  others: OtherWorkers | undefined;
};

/** Metrics of one server, or the sum over all workers of its gateway. Those of the process (memory, CPU, event loop) are measured from the first reading on. */
export function openMetrics(
  server: Server,
  { db, watch, shares, replica, gate, documents, answers, recountsLeft, bytesLeft, others }: Measured,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "platform_http_requests_total",
    help: "Requests that ended, by route and status (499: the caller did not wait)",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "platform_http_request_duration_seconds",
    help: "From a request's headers to the end of its answer, by route",
    labelNames: ["method", "route"],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 60, 600],
    registers,
  });
  const events = new Counter({
    name: "platform_audit_events_total",
    help: "Events given to the audit, by action and outcome; a failed sign-in is session.sign-in, failed",
    labelNames: ["action", "outcome"],
    registers,
  });
  const bytes = bytesOf(server);
  const figure = (name: string, help: string, value: () => number, aggregator: Aggregator = "sum") =>
    new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        this.set(value());
      },
    });
  const total = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  figure("platform_workers", "Processes that serve the requests of this gateway", () => 1);
  total("platform_received_bytes_total", "Bytes received over all connections", () => bytes().received);
  total("platform_sent_bytes_total", "Bytes sent over all connections", () => bytes().sent);
  figure("platform_uploads_under_way", "Uploads that this gateway is receiving", () => gate.underWay());
  figure(
    "platform_database_up",
    "1 while the database answers, 0 while it is away; looked at every second",
    () => (watch.fault() === null ? 1 : 0),
    "min",
  );
  figure("platform_database_connections", "Connections to the database that are open", () => poolUse(db).open);
  figure("platform_database_connections_busy", "Connections to the database that are in use", () => poolUse(db).busy);
  figure(
    "platform_database_connections_most",
    "Connections to the database that this gateway opens at most",
    () => poolUse(db).most,
  );
  figure(
    "platform_database_waiting",
    "Statements that wait for a connection to the database",
    () => poolUse(db).waiting,
  );
  total(
    "platform_database_waited_seconds_total",
    "Seconds that statements have waited for a connection to the database, all together",
    () => poolUse(db).waitedSeconds,
  );
  figure("platform_heavy_running", "Statements under way that read much", () => shares.use().running);
  figure("platform_heavy_waiting", "Statements that read much and wait for their turn", () => shares.use().waiting);
  figure("platform_feed_waiting", "Callers that wait for news of the feed of changes", () => newsOf(db).waiting);
  figure("platform_recounts_left", "Facilities and provinces whose derived figures wait to be recounted", recountsLeft);
  figure("platform_graphql_documents", "GraphQL documents that are kept parsed and validated", () => documents.size);
  figure(
    "platform_graphql_document_bytes",
    "Memory that they take, by the size of their texts",
    () => documents.calculatedSize,
  );
  figure("platform_kept_answers", "Answers that are kept", () => answers?.use().answers ?? 0);
  figure("platform_kept_answer_bytes", "Memory that they take", () => answers?.use().bytes ?? 0);
  figure("platform_kept_answers_sent", "Answers that were sent again since the start", () => answers?.use().found ?? 0);
  const found = (name: string, help: string, value: () => Promise<number | undefined>) =>
    new Gauge({
      name,
      help,
      registers,
      // It is of the machine or the database, and the same for all workers.
      aggregator: "max",
      // A figure that cannot be read is left out, so that the others can still be read.
      async collect() {
        const known = await value().catch(() => undefined);
        if (known === undefined) this.remove();
        else this.set(known);
      },
    });
  found("platform_disk_free_bytes", "Bytes that the disk of DATA_DIR has left", bytesLeft);
  const backup = kept(everyMs, async () => (watch.fault() === null ? await findLastBackup(db) : undefined));
  const secondsSince = (time: string | undefined) =>
    time === undefined ? undefined : (Date.now() - Date.parse(time)) / 1000;
  found("platform_backup_age_seconds", "Since the last completed backup; absent where none was made", async () =>
    secondsSince((await backup())?.takenAt),
  );
  found(
    "platform_backup_proved_age_seconds",
    "Since a backup was last restored into a scratch database and counted; absent where none was",
    async () => secondsSince((await backup())?.provedAt),
  );
  found("platform_backup_proved_rows", "Rows that were counted then", async () => (await backup())?.provedRows);
  const failure = kept(everyMs, async () =>
    watch.fault() === null ? Number((await findBackupFailure(db)) !== undefined) : undefined,
  );
  found("platform_backup_failed", "1 where the last scheduled backup failed, else 0", failure);
  found("platform_backup_checked_age_seconds", "Since a backup was last read back; absent where none was", async () =>
    secondsSince((await backup())?.checkedAt),
  );
  if (replica) {
    const { state } = replica;
    figure(
      "platform_replica_read",
      "1 while the replica is read, 0 while the primary answers in its place",
      () => (state().fault === null ? 1 : 0),
      "min",
    );
    figure(
      "platform_replica_lag_seconds",
      "How far the replica may be behind; looked at every second",
      () => state().lagSeconds,
      "max",
    );
    total(
      "platform_replica_requests_total",
      "Requests that only read and were given to the replica",
      () => state().requests.replica,
    );
    total(
      "platform_replica_passed_total",
      "Requests that only read and were given to the primary: the replica was away, or lacked what the caller wrote",
      () => state().requests.primary,
    );
    total(
      "platform_replica_failures_total",
      "Statements that the replica failed at (it went away, or its replay was in their way); the primary answered them",
      () => state().failures,
    );
  }
  new Gauge({
    name: "platform_build_info",
    help: "The version that runs",
    labelNames: ["version"],
    registers,
    aggregator: "max",
  }).set({ version }, 1);

  let begun = false;
  const measured = () => {
    if (!begun) collectDefaultMetrics({ register: registry });
    begun = true;
    return registry;
  };
  others?.share(() => measured().getMetricsAsJSON());
  return {
    request: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    event: ({ action, outcome }) => events.inc({ action, outcome }),
    read: () => (others ? others.sum() : measured().metrics()),
    contentType: registry.contentType,
  };
}

const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const ownNames = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** Whether a request came from this machine itself, and not through a proxy that runs on it. */
const isLocal = ({ raw, headers }: FastifyRequest): boolean =>
  loopback.test(raw.socket.remoteAddress ?? "") &&
  ownNames.test(headers.host ?? "") &&
  !forwarding.some((name) => headers[name] !== undefined);

function isToken(given: string | undefined, token: string): boolean {
  const wanted = Buffer.from(`Bearer ${token}`);
  const found = Buffer.from(given ?? "");
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

/**
 * `GET /metrics`: if a token is configured, only for requests with it; otherwise only for requests from this machine,
 * while all others get 404.
 */
export function metricsRoute(
  server: FastifyInstance,
  metrics: Pick<Metrics, "read" | "contentType">,
  token: string | undefined,
): void {
  server.get("/metrics", async (request, reply) => {
    if (token === undefined && !isLocal(request)) throw new Problem("NOT_FOUND", "There is nothing at /metrics.");
    if (token !== undefined && !isToken(request.headers.authorization, token)) {
      reply.header("www-authenticate", "Bearer");
      throw new Problem("UNAUTHENTICATED", "The figures need the token of the setting METRICS_TOKEN.");
    }
    return reply
      .header("content-type", metrics.contentType)
      .header("cache-control", "no-store")
      .send(await metrics.read());
  });
}
