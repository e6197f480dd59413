import { existsSync } from "node:fs";

import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import fastifyStatic from "@fastify/static";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";

import { findNounsRead } from "../../db/derived/reads.ts";
import { type Database, onLostConnection } from "../../db/engine/connect.ts";
import { sharedLocks } from "../../db/engine/lock.ts";
import type { Replica } from "../../db/engine/replica/replica.ts";
import { findIsDemonstration } from "../../db/system.ts";
import { openWatch, type WatchSettings } from "../../db/engine/away/watch.ts";
import { assessmentRoutes } from "../assessment/assessment.rest.ts";
import { recordAudit } from "../audit/audit.ts";
import { auditRoutes } from "../audit/audit.rest.ts";
import { accountRoutes } from "../auth/account.rest.ts";
import { type TokenLimit, usualTokenLimit } from "../auth/tokenLimit.ts";
import { authRoutes } from "../auth/auth.rest.ts";
import { secondFactorRoutes } from "../auth/secondFactor.rest.ts";
import type { SecondFactorHolders } from "../auth/secondFactor.rules.ts";
import { newsOf } from "../change/news.ts";
import { changeRoutes } from "../change/change.rest.ts";
import { dashRoutes } from "../dash/dash.rest.ts";
import { fhirRoutes } from "../directory/fhir.rest.ts";
import { organisationUnitRoutes } from "../directory/organisationUnit.rest.ts";
import { fleetRoutes } from "../fleet/fleet.rest.ts";
import { downloadRoutes } from "../download/download.rest.ts";
import { facilityListRoutes } from "../facility/facilityList.rest.ts";
import { facilityExportRoutes } from "../facility/facilityExport.rest.ts";
import { registryRoutes } from "../facility/registry.rest.ts";
import { reconciliationRoutes } from "../registry/reconciliation.rest.ts";
import { registryImportRoutes } from "../registry/registryImport.rest.ts";
import { identifierRoutes } from "../facility/identifier.rest.ts";
import { facilityRoutes } from "../facility/facility.rest.ts";
import { documentCache } from "../graphql/limits/documentCache.ts";
import { graphqlServer } from "../graphql/graphql.ts";
import { readDocuments } from "../graphql/persisted.ts";
import { questionsOf, yogaOf } from "../graphql/yoga.ts";
import { allowOrigins } from "./crossOrigin.ts";
import { needless, sendHeaders } from "./headers.ts";
import { openLog } from "./log.ts";
import { ownSiteRoutes } from "../machine/ownSite.rest.ts";
import { serviceAccountRoutes } from "../machine/serviceAccount.rest.ts";
import { siteCredentialRoutes } from "../machine/siteCredential.rest.ts";
import { metricsRoute, openMetrics } from "./metrics.ts";
import { queryRoutes } from "../query/query.rest.ts";
import { readinessRoutes } from "./readiness.ts";
import { placeRoutes } from "../reference/place.rest.ts";
import { referenceRoutes } from "../reference/reference.rest.ts";
import { endSilentBodies, identify } from "./request.ts";
import { answerProblem } from "../rest/answer.ts";
import { answerUnreadable } from "./clientError.ts";
import { otherMethods } from "./otherMethods.ts";
import { boundaryRoutes } from "../reference/boundary.rest.ts";
import { restServer } from "../rest/rest.ts";
import { schema } from "../schema.ts";
import { keptAnswers, usualKeptBytes } from "../reading/kept.ts";
import { openShares } from "../reading/shares.ts";
import { type ShareSettings, usualShares } from "../reading/shares.rules.ts";
import { openFiles } from "../storage/files.ts";
import { keepStatistics } from "../reading/statistics.ts";
import type { ObjectSettings } from "../storage/bucket.ts";
import { usualLeastRoomBytes } from "../storage/room.ts";
import { situationRoutes } from "../situation/situation.rest.ts";
import { worklistRoutes } from "../situation/worklist.rest.ts";
import { targetRoutes } from "../target/target.rest.ts";
import { siteRoutes } from "../site/site.rest.ts";
import { systemRoutes } from "../system/system.rest.ts";
import { silenceRoutes } from "../tdb/silence.rest.ts";
import { usualKeepHours } from "../tdb/sending.rules.ts";
import { usualRhythmDays } from "../tdb/silence.rules.ts";
import { tdbRoutes } from "../tdb/tdb.rest.ts";
import { tdbUploadRoutes } from "../tdb/tdbUpload.rest.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { requestIdOf, spanRequests, tellStatements, toLog, toSpans, traceRequests } from "./trace.ts";
import { uploadGate, type UploadLimits, usualLimits } from "../input/upload.ts";
import { viewRoutes } from "../view/view.rest.ts";
import { userRoutes } from "../user/user.rest.ts";
import { userAccountRoutes } from "../user/userAccount.rest.ts";

/** What is worth compressing; NDJSON is on no list of that. */
const compressible = /^text\/(?!event-stream)|[+/](json|x-ndjson|xml|text)(;|$)/;

/** The routes of all nouns: a new noun is a line here. */
const routes = [
  authRoutes,
  referenceRoutes,
  boundaryRoutes,
  userRoutes,
  userAccountRoutes,
  accountRoutes,
  secondFactorRoutes,
  facilityListRoutes,
  facilityRoutes,
  facilityExportRoutes,
  identifierRoutes,
  registryRoutes,
  registryImportRoutes,
  reconciliationRoutes,
  placeRoutes,
  assessmentRoutes,
  tdbRoutes,
  tdbUploadRoutes,
  silenceRoutes,
  downloadRoutes,
  fleetRoutes,
  changeRoutes,
  siteRoutes,
  serviceAccountRoutes,
  siteCredentialRoutes,
  ownSiteRoutes,
  dashRoutes,
  situationRoutes,
  worklistRoutes,
  targetRoutes,
  organisationUnitRoutes,
  fhirRoutes,
  auditRoutes,
  queryRoutes,
  viewRoutes,
  systemRoutes,
];

export type ServerOptions = {
  db: Database;
  /** the same database for heavy statements, with its own connections and time limit */
  heavy?: Database;
  /** limits of heavy statements */
  shares?: ShareSettings;
  /** read by requests that only read */
  replica?: Replica;
  /** where received files lie */
  dataDir: string;
  /** object storage for kept files, in place of the folder */
  objects?: ObjectSettings;
  timeZone: string;
  tdbRhythmDays?: number;
  uploadKeepHours?: number;
  uploads?: UploadLimits;
  /** other origins whose pages may call by token */
  corsOrigins?: readonly string[];
  /** how often one access token may call */
  tokenLimit?: TokenLimit;
  /** who must have a second factor */
  secondFactorOf?: SecondFactorHolders;
  /** the built client; none in tests of the other halves */
  clientDir?: string;
  trustProxy?: boolean;
  log?: FastifyBaseLogger;
  /** after which silence the database counts as away */
  watching?: Partial<WatchSettings>;
  /** the token that Prometheus must send; none: only this machine may read the metrics */
  metricsToken?: string;
  /** how many facilities and provinces wait for a recount of their derived figures */
  recountsLeft?: () => number;
  /** with less free space on its disk the gateway is not ready */
  leastRoomBytes?: number;
  /** statements that take so long are logged; none are where it is missing */
  slowStatementMs?: number | undefined;
  /** traces are told to a collector; none are where it is missing */
  tracing?: Tracing | undefined;
  /** memory for answers that are kept; at 0 none are */
  keptAnswerBytes?: number;
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
}: ServerOptions): Promise<FastifyInstance> {
  const files = await openFiles(dataDir, objects && tracing ? { ...objects, headers: tracing.headers } : objects);
  const clientDocuments = clientDir ? await readDocuments(clientDir) : new Map<string, string>();
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: requestIdOf,
    trustProxy,
    forceCloseConnections: "idle",
    // As long as a request's headers may be: the rules limit the length of a value, not the router.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: answerProblem,
    clientErrorHandler: answerUnreadable,
  });
  const nothingThere = otherMethods(server);
  const gate = uploadGate(uploads);
  const documents = documentCache();
  const answers = keptAnswerBytes > 0 ? keptAnswers(keptAnswerBytes) : undefined;
  // Another server may have taken over, with other numbers for the same revisions.
  if (answers) onLostConnection(db, () => answers.clear());
  const watch = await openWatch(db, watching, heavy === db ? [] : [heavy]);
  const shares = openShares({ db, heavy }, shareSettings);
  const metrics = openMetrics(server.server, { db, watch, shares, replica, gate, documents, answers, recountsLeft, bytesLeft: files.staging.left });
  traceRequests(server, metrics);
  if (tracing) spanRequests(server, tracing);
  tellStatements(server, [...(slowStatementMs === undefined ? [] : [toLog(slowStatementMs)]), ...(tracing ? [toSpans(tracing)] : [])]);
  // The end waits for answers under way, not for a next request on the connections that they came on.
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
  await sendHeaders(server);
  allowOrigins(server, corsOrigins);
  await server.register(cookie);
  await server.register(compress, { threshold: 1024, customTypes: compressible });

  readinessRoutes(server, { db, watch, files, leastRoomBytes });
  metricsRoute(server, metrics, metricsToken);
  await server.register(async (gateway) => {
    endSilentBodies(gateway, uploads.idleSeconds);
    identify(gateway, { db, replica, files, timeZone, tdbRhythmDays, uploadKeepHours, secondFactorOf, shares, onEvent: metrics.event }, tokenLimit);
    gateway.decorate("kept", answers && { answers, nounsRead: await findNounsRead(db) });
    gateway.decorate("uploads", { ...uploads, gate });
    const log = (fault: unknown) => server.log.error({ err: fault }, "a fault");
    const statistics = await keepStatistics(db, log);
    const yoga = yogaOf(schema, { documents, statistics, log, tracing });
    gateway.decorate(
      "questions",
      questionsOf(schema, yoga, statistics, (context, details) => recordAudit(context, { action: "graphql.export", outcome: "done", details })),
    );
    await gateway.register(async (graphql) => graphqlServer(graphql, yoga, clientDocuments));
    await gateway.register(async (rest) => restServer(rest, routes), { prefix: "/api/v1" });
  });
  if (clientDir && existsSync(clientDir)) {
    await server.register(fastifyStatic, {
      root: clientDir,
      index: [(await findIsDemonstration(db)) ? "demonstration.html" : "index.html"],
      cacheControl: false,
      // The ETag serves the same purpose.
      lastModified: false,
      // The build lays compressed forms beside the files (client/build/compressed.ts).
      preCompressed: true,
      // Vite's manifest is for the build only.
      dotfiles: "ignore",
      // The explorer's page has its own route, for signed-in people.
      allowedPath: (path, _, request) => path !== "/explorer.html" || request.routeOptions.url === "/graphql",
      setHeaders: (reply, path) => {
        const isHashed = path.includes("/assets/");
        if (isHashed) needless.forEach((name) => reply.raw.removeHeader(name));
        reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }
  return server;
}
