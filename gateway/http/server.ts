import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import fastifyStatic from "@fastify/static";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";

import { type Database, onLostConnection } from "../../db/engine/connect.ts";
import { sharedLocks } from "../../db/engine/lock.ts";
import type { Replica } from "../../db/engine/replica/replica.ts";
import { findIsDemonstration } from "../../db/system/system.ts";
import { openWatch, type WatchSettings } from "../../db/engine/away/watch.ts";
import { recordAudit } from "../audit/audit.ts";
import { type TokenLimit, usualTokenLimit } from "../auth/tokenLimit.ts";
import type { SecondFactorHolders } from "../auth/secondFactor.rules.ts";
import { setMinistryZone } from "../calendar/rangeDays.rules.ts";
import { newsOf } from "../change/news.ts";
import { documentCache } from "../graphql/limits/documentCache.ts";
import { graphqlServer } from "../graphql/graphql.ts";
import { readDocuments } from "../graphql/persisted.ts";
import type { Context } from "../context.ts";
import { questionsOf, yogaOf } from "../graphql/yoga.ts";
import { allowOrigins } from "./crossOrigin.ts";
import { leaveOutHeadersOfPages, sendHeaders } from "./headers.ts";
import { openLog } from "./log.ts";
import { trustOf, type TrustedProxies } from "../access/network.ts";
import { metricsRoute, openMetrics, type OtherWorkers } from "./metrics.ts";
import { readinessRoutes } from "./readiness.ts";
import { endLateBodies, identify, refuseDeepBodies } from "./request.ts";
import { answerProblem } from "../rest/answer.ts";
import { answerUnreadable, refuseWithoutHost } from "./clientError.ts";
import { expectLikeOthers, letSend } from "./expect.ts";
import { otherMethods } from "./otherMethods.ts";
import { requireAdmission, restServer } from "../rest/rest.ts";
import { routes } from "../faces.ts";
import { schema } from "../schema.ts";
import { keptAnswers, usualKeptBytes } from "../reading/kept.ts";
import { openShares } from "../reading/shares.ts";
import { type ShareSettings, usualShares } from "../reading/shares.rules.ts";
import { openFiles } from "../storage/files.ts";
import { keepStatistics } from "../reading/statistics.ts";
import type { ObjectSettings } from "../storage/bucket.ts";
import { usualLeastRoomBytes } from "../storage/room.ts";
import { usualKeepHours } from "../tdb/sending.rules.ts";
import { usualRhythmDays } from "../tdb/silence.rules.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { requestIdOf, spanRequests, reportStatements, toLog, toSpans, traceRequests } from "./trace.ts";
import { uploadGate, type UploadLimits, usualLimits } from "../input/upload.ts";

/** The content types that are compressed. Unlike the default list, it includes NDJSON. */
const compressible = /^text\/(?!event-stream)|[+/](json|x-ndjson|xml|text)(;|$)/;

export type ServerOptions = {
  db: Database;
  /** the same database for heavy statements, with its own connections and time limit */
  heavy?: Database;
  /** limits of heavy statements */
  shares?: ShareSettings;
  /** serves the requests that only read */
  replica?: Replica;
  /** the folder of received files */
  dataDir: string;
  /** object storage for stored files, instead of the folder */
  objects?: ObjectSettings;
  timeZone: string;
  tdbRhythmDays?: number;
  uploadKeepHours?: number;
  uploads?: UploadLimits;
  /** other origins whose pages may call with a token */
  corsOrigins?: readonly string[];
  /** how often one access token may call */
  tokenLimit?: TokenLimit;
  /** who must have a second factor */
  secondFactorOf?: SecondFactorHolders;
  /** the folder of the built client; missing in tests that do not need it */
  clientDir?: string;
  /** whose `X-Forwarded-*` headers are believed; nobody's by default */
  trustProxy?: TrustedProxies;
  log?: FastifyBaseLogger;
  /** the times after which the database counts as away (db/engine/away/watch.ts) */
  watching?: Partial<WatchSettings>;
  /** the token that Prometheus must send; none: only this machine may read the metrics */
  metricsToken?: string;
  /** how many facilities and provinces wait for a recount of their derived figures */
  recountsLeft?: () => number;
  /** with less free space on its disk the gateway is not ready */
  leastRoomBytes?: number;
  /** statements that take at least this many milliseconds are logged; none by default */
  slowStatementMs?: number | undefined;
  /** sends traces to a collector; none by default */
  tracing?: Tracing | undefined;
  /** memory for kept answers; with 0 none are kept */
  keptAnswerBytes?: number;
  /** the other workers of the same gateway, if it has any */
  others?: OtherWorkers;
};

/** The whole product as one HTTP server, not yet listening. */
export async function createServer({
  db,
  heavy = db,
  shares: shareSettings = usualShares,
  replica,
  dataDir,
  objects,
  timeZone,
  tdbRhythmDays = usualRhythmDays,
  uploadKeepHours = usualKeepHours,
  uploads = usualLimits,
  corsOrigins = [],
  tokenLimit = usualTokenLimit,
  secondFactorOf = "off",
  clientDir,
  trustProxy = false,
  log = openLog({ level: "warn", format: "json" }),
  watching = {},
  metricsToken,
  recountsLeft = () => 0,
  leastRoomBytes = usualLeastRoomBytes,
  slowStatementMs,
  tracing,
  keptAnswerBytes = usualKeptBytes,
  others,
}: ServerOptions): Promise<FastifyInstance> {
  setMinistryZone(timeZone);
  const files = await openFiles(dataDir, objects && tracing ? { ...objects, headers: tracing.headers } : objects);
  const pages = clientDir && existsSync(clientDir) ? readdirSync(clientDir) : [];
  const clientDocuments = clientDir ? await readDocuments(clientDir) : new Map<string, string>();
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: requestIdOf,
    trustProxy: trustOf(trustProxy),
    forceCloseConnections: "idle",
    // What is on its way when a worker is replaced is served.
    return503OnClosing: false,
    // As much as a request's headers may have: the zod rules limit the length of a value, not the router.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: answerProblem,
    clientErrorHandler: answerUnreadable,
    // Node would answer it without a body.
    http: { requireHostHeader: false },
  });
  const nothingThere = otherMethods(server, new Set(["", ...pages].map((name) => `/${name}`)));
  refuseWithoutHost(server);
  expectLikeOthers(server);
  const gate = uploadGate(uploads);
  const documents = documentCache();
  // The rows of a replica may be older than the revisions, which the primary counts.
  const answers = keptAnswerBytes > 0 && !replica ? keptAnswers(keptAnswerBytes) : undefined;
  // Another server may have taken over, whose revisions may have other numbers.
  if (answers) onLostConnection(db, () => answers.clear());
  const watch = await openWatch(db, watching, heavy === db ? [] : [heavy]);
  const shares = openShares({ db, heavy }, shareSettings);
  const metrics = openMetrics(server.server, {
    db,
    watch,
    shares,
    replica,
    gate,
    documents,
    answers,
    recountsLeft,
    bytesLeft: files.staging.left,
    others,
  });
  traceRequests(server, metrics);
  if (tracing) spanRequests(server, tracing);
  reportStatements(server, [
    ...(slowStatementMs === undefined ? [] : [toLog(slowStatementMs)]),
    ...(tracing ? [toSpans(tracing)] : []),
  ]);
  // Closing waits only for the present answers, not for further requests on kept-alive connections.
  server.addHook("preClose", async () => {
    server.server.keepAliveTimeout = 1;
    newsOf(db).close();
  });
  server.addHook("onClose", async () => {
    watch.close();
    await sharedLocks(db).end();
  });
  server.setErrorHandler(answerProblem);
  server.setNotFoundHandler((request, reply) => answerProblem(nothingThere(request), request, reply));
  sendHeaders(server);
  allowOrigins(server, corsOrigins);
  await server.register(cookie);
  await server.register(compress, { threshold: 1024, customTypes: compressible });

  readinessRoutes(server, { db, watch, files, leastRoomBytes });
  metricsRoute(server, metrics, metricsToken);
  await server.register(async (gateway) => {
    endLateBodies(gateway, uploads.idleSeconds);
    refuseDeepBodies(gateway);
    const statistics = await keepStatistics(db, (fault) => server.log.error({ err: fault }, "a fault"));
    const surroundings = {
      db,
      replica,
      files,
      timeZone,
      tdbRhythmDays,
      uploadKeepHours,
      secondFactorOf,
      shares,
      statistics,
    };
    const ask: Context["ask"] = (context, query) => gateway.questions.ask(context, { query });
    identify(gateway, { ...surroundings, ask, onEvent: metrics.event }, tokenLimit);
    gateway.decorate("kept", answers);
    gateway.decorate("uploads", { ...uploads, gate });
    const yoga = yogaOf(schema, { documents, statistics, screens: new Set(clientDocuments.values()), tracing });
    gateway.decorate(
      "questions",
      questionsOf(schema, yoga, statistics, (context, details) =>
        recordAudit(context, { action: "graphql.export", outcome: "done", details }),
      ),
    );
    await gateway.register(async (graphql) => {
      letSend(graphql);
      graphqlServer(graphql, yoga, clientDocuments);
    });
    await gateway.register(
      async (rest) => {
        letSend(rest, requireAdmission);
        await restServer(rest, routes);
      },
      { prefix: "/api/v1" },
    );
  });
  if (clientDir && existsSync(clientDir)) {
    const files = {
      cacheControl: false,
      // The ETag is enough.
      lastModified: false,
      // A range of a compressed file is useless.
      acceptRanges: false,
      // The build writes compressed forms next to the files (vite.config.ts).
      preCompressed: true,
    };
    await server.register(fastifyStatic, {
      ...files,
      root: join(clientDir, "assets"),
      prefix: "/assets/",
      decorateReply: false,
      // The name changes with the content, so a cached file is never validated again.
      etag: false,
      setHeaders: (reply) => {
        leaveOutHeadersOfPages(reply);
        reply.header("cache-control", "public, max-age=31536000, immutable");
      },
    });
    await server.register(fastifyStatic, {
      ...files,
      root: clientDir,
      index: [(await findIsDemonstration(db)) ? "demonstration.html" : "index.html"],
      // Vite's manifest is for the build only.
      dotfiles: "ignore",
      // The explorer's page has its own route, for signed-in people.
      allowedPath: (path, _, request) => path !== "/explorer.html" || request.routeOptions.url === "/graphql",
      setHeaders: (reply) => void reply.header("cache-control", "no-cache"),
    });
  }
  return server;
}
