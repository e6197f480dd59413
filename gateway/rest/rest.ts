import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";

import { version } from "../../package.json";
import { requireCaller, requireEnroller } from "../access/access.ts";
import { parse } from "../input/parse.ts";
import { readHeavily } from "../reading/shares.ts";
import { nounsOfCall } from "./answersFrom.ts";
import { describeAll, describeCall, securitySchemes } from "./description/describe.ts";
import { answerUnchanged, tagAnswers } from "./etag.ts";
import { examplesText } from "./description/examples.ts";
import { keepAnswers, sendKeptAnswers } from "../reading/keepAnswers.ts";
import type { RestServer } from "./route.ts";

/** Calls that need no session: signing in, the system information, and the OpenAPI description. */
const isOpen = (url: string): boolean =>
  url === "/api/v1/system" ||
  ["/api/v1/auth", "/api/v1/openapi.json", "/api/v1/docs"].some((open) => url === open || url.startsWith(`${open}/`));

/** Calls that set up a second factor. People who may do nothing else before that can use them. */
const isForEnrolment = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.startsWith("/api/v1/user/me/secondFactor") ?? false;

/**
 * Answers that are the same for every signed-in person, so a browser may cache them: places, partners, facilities and
 * figures. Everything else is personal.
 */
const openToAll =
  /^\/api\/v1\/(province|district|implementingPartner|facility|serviceArea|connectivity|smartCareAssessmentVersion|dash|download|docs|openapi|system)/;
const isOpenToAll = ({ routeOptions }: FastifyRequest): boolean => openToAll.test(routeOptions.url ?? "");

/** Whether a call returns a whole list as a file. */
const isExport = (url: string): boolean => /(^|[/.])(csv|ndjson|geojson)(\/|$)/.test(url);

/** Refuses callers who are not signed in, except for the calls that need no session. @throws Problem */
export function requireAdmission(request: FastifyRequest): void {
  const [path = ""] = request.url.split("?");
  if (isOpen(path)) return;
  if (isForEnrolment(request)) requireEnroller(request.context);
  else requireCaller(request.context);
}

const noParameters = z.strictObject({});

/** The REST part of the gateway: what all routes share, the routes of the nouns, the OpenAPI document and its page. */
export async function restServer(server: FastifyInstance, routes: ((server: RestServer) => void)[]): Promise<void> {
  server.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => (input) => {
    try {
      return { value: parse(schema, input, httpPart) };
    } catch (error) {
      return { error: error as Error };
    }
  });
  // Bodies are JSON, or forms where a route says so.
  server.removeContentTypeParser("text/plain");
  // A call without query parameters refuses all of them, so that a mistyped one is noticed.
  server.addHook("onRoute", ({ schema }) => {
    if (schema && !schema.hide) schema.querystring ??= noParameters;
  });
  // The response rules are documentation only; the handlers' types keep the answers in line with them.
  server.setSerializerCompiler(() => (body) => JSON.stringify(body));
  // Before the values are checked, so that callers who are not signed in get no information. The calls of sites were
  // checked before (http/request.ts).
  server.addHook("preValidation", async (request) => requireAdmission(request));
  server.addHook("preHandler", async ({ context, routeOptions }) => {
    if (isExport(routeOptions.url ?? "")) readHeavily(context);
  });
  server.addHook("onSend", async (request, reply) => {
    if (!reply.hasHeader("cache-control"))
      reply.header("cache-control", isOpenToAll(request) ? "private, no-cache" : "no-store");
  });
  tagAnswers(server);
  keepAnswers(server, nounsOfCall);
  answerUnchanged(server);
  sendKeptAnswers(server, "onRequest", (request) =>
    request.method === "GET" && nounsOfCall(request) ? request.url : undefined,
  );
  await server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "SmartCare deployment platform",
        version,
        contact: { name: "The administrators of this platform" },
        license: { name: "Not licensed", identifier: "LicenseRef-Not-Licensed" },
        description: `Dates are YYYY-MM-DD and times HH:MM in the ministry's time zone. Lists are whole unless \`limit\` asks for pages. Errors are application/problem+json.\n\n${examplesText}`,
      },
      servers: [{ url: "/" }],
      components: { securitySchemes },
    },
    transform: describeCall,
    transformObject: describeAll(isOpen),
  });
  await server.register(swaggerUi, {
    routePrefix: "/docs",
    indexPrefix: "/api/v1",
    staticCSP: false,
    uiConfig: { layout: "BaseLayout" },
  });
  const typed = server.withTypeProvider<ZodTypeProvider>();
  for (const register of routes) register(typed);
  server.get("/openapi.json", { schema: { hide: true } }, async ({ protocol, host }) => ({
    ...server.swagger(),
    servers: [{ url: `${protocol}://${host}` }],
  }));
}
