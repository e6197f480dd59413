import { existsSync } from "node:fs";

import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import fastifyStatic from "@fastify/static";
import Fastify, { type FastifyInstance } from "fastify";

import type { Database } from "../db/connect.ts";
import { ping } from "../db/system.ts";
import { assessmentRoutes } from "./assessment/assessment.rest.ts";
import { auditRoutes } from "./audit/audit.rest.ts";
import { accountRoutes } from "./auth/account.rest.ts";
import { authRoutes } from "./auth/auth.rest.ts";
import { dashRoutes } from "./dash/dash.rest.ts";
import { downloadRoutes } from "./download/download.rest.ts";
import { facilityRoutes } from "./facility/facility.rest.ts";
import { graphqlServer } from "./graphql/graphql.ts";
import { Problem } from "./problem.ts";
import { referenceRoutes } from "./reference/reference.rest.ts";
import { identify } from "./request.ts";
import { answerProblem } from "./rest/answer.ts";
import { restServer } from "./rest/rest.ts";
import { schema } from "./schema.ts";
import { openFiles } from "./storage/files.ts";
import type { ObjectSettings } from "./storage/objectStorage.ts";
import { systemRoutes } from "./system/system.rest.ts";
import { tdbRoutes } from "./tdb/tdb.rest.ts";
import { tdbUploadRoutes } from "./tdb/tdbUpload.rest.ts";
import { uploadGate, type UploadLimits, usualLimits } from "./upload.ts";
import { userRoutes } from "./user/user.rest.ts";

/** The routes of all nouns: a new noun is a line here. */
const routes = [
  authRoutes,
  referenceRoutes,
  userRoutes,
  accountRoutes,
  facilityRoutes,
  assessmentRoutes,
  tdbRoutes,
  tdbUploadRoutes,
  downloadRoutes,
  dashRoutes,
  auditRoutes,
  systemRoutes,
];

/** One policy for every answer, without exceptions: only our own files, no inline script or style, no outside host. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    imgSrc: ["'self'", "data:", "blob:"],
    objectSrc: ["'none'"],
    baseUri: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
};

export type ServerOptions = {
  db: Database;
  /** where received files lie */
  dataDir: string;
  /** object storage for kept files, in place of the folder */
  objects?: ObjectSettings;
  timeZone: string;
  uploads?: UploadLimits;
  /** the built client; none in tests of the other halves */
  clientDir?: string;
  trustProxy?: boolean;
  logLevel?: string;
};

/** The whole product as one HTTP server, not yet listening. */
export async function createServer({
  db,
  dataDir,
  objects,
  timeZone,
  uploads = usualLimits,
  clientDir,
  trustProxy = false,
  logLevel = "warn",
}: ServerOptions): Promise<FastifyInstance> {
  const files = await openFiles(dataDir, objects);
  const server = Fastify({
    logger: { level: logLevel, redact: ["req.headers.cookie", "req.headers.authorization"] },
    trustProxy,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: answerProblem,
  });
  server.setErrorHandler(answerProblem);
  server.setNotFoundHandler((request, reply) =>
    answerProblem(new Problem("NOT_FOUND", `There is nothing at ${request.url.split("?")[0]}.`), request, reply),
  );
  await server.register(helmet, {
    contentSecurityPolicy,
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: false,
    referrerPolicy: { policy: "same-origin" },
  });
  await server.register(cookie);
  await server.register(compress, { threshold: 1024 });

  server.get("/healthz", async (_, reply) => {
    try {
      await ping(db);
      return { status: "ok" };
    } catch {
      return reply.status(503).send({ status: "unavailable" });
    }
  });
  await server.register(async (gateway) => {
    identify(gateway, { db, files, timeZone });
    gateway.decorate("uploads", { ...uploads, gate: uploadGate(uploads) });
    await gateway.register(async (graphql) => graphqlServer(graphql, schema));
    await gateway.register(async (rest) => restServer(rest, routes), { prefix: "/api/v1" });
  });
  if (clientDir && existsSync(clientDir)) {
    await server.register(fastifyStatic, {
      root: clientDir,
      cacheControl: false,
      // The build lays compressed forms beside the files (client/build/compressed.ts).
      preCompressed: true,
      // Vite's list of what belongs together is for us.
      dotfiles: "ignore",
      setHeaders: (reply, path) => {
        const isHashed = path.includes("/assets/");
        reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }
  return server;
}
