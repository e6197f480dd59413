import { isDeepStrictEqual } from "node:util";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { beyondSiteMessage, deny, mustEnrol } from "../access/access.ts";
import { recordAudits } from "../audit/audit.ts";
import { privilegeNames } from "../access/access.rules.ts";
import { findViewer } from "../auth/auth.ts";
import { findTokenViewer } from "../auth/token.ts";
import { type TokenLimit, tokenLimitOf } from "../auth/tokenLimit.ts";
import type { Context, CookieName, Viewer } from "../context.ts";
import { refuseDeep } from "../input/parse.ts";
import { Problem } from "../problem.ts";
import { networkOf } from "../access/network.ts";
import { shownPath } from "./log.ts";
import { noteWriting, readOnly } from "../reading/reading.ts";
import { closeUnread } from "../input/upload.ts";
import { toProblem } from "../rest/answer.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** what acts get to know about this request */
    context: Context;
  }
}

/** The address by which the caller reached the platform. */
const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;

/**
 * Whether a browser sent this request from a page of another origin, possibly with our cookies: its Origin is not the
 * host that it was sent to.
 */
function isForeign(request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return request.headers["sec-fetch-site"] === "cross-site";
  return origin !== originOf(request);
}

const leastOfUuid = 12;

/**
 * Whether a page sends a request for a person who is no longer the signed-in one. `X-Person` is their uuid, or at least
 * its last 12 characters, which are random. Such a request is answered as if nobody were signed in, so that nothing of
 * one person is shown to the other or written in their name.
 */
function isForOther({ headers }: FastifyRequest, viewer: Viewer | null): boolean {
  const person = headers["x-person"];
  if (person === undefined) return false;
  return typeof person !== "string" || person.length < leastOfUuid || viewer?.userUuid.endsWith(person) !== true;
}

/**
 * Whether the request's route begins with a path. The matched route is compared, because an address can be written in
 * several ways.
 */
const isOf = ({ routeOptions }: FastifyRequest, path: string): boolean => routeOptions.url?.startsWith(path) ?? false;

/** All calls that a site credential may make. A new call is closed to sites until it is added here. */
const forSites = new Set([
  ...["GET /site/me", "GET /site/me/receipts", "GET /site/me/needs", "POST /site/me/renew", "POST /tdb"],
  ...[
    "GET /tdb/resumable",
    "POST /tdb/resumable",
    "OPTIONS /tdb/resumable",
    "GET /tdb/resumable/:uuid/hashes",
    "POST /tdb/resumable/:uuid/finish",
  ],
  ...["GET /site/me/updates", "POST /site/me/updates/:uuid", "GET /download/:uuid", "HEAD /download/:uuid"],
  ...["HEAD", "PATCH", "DELETE"].map((method) => `${method} /tdb/resumable/:uuid`),
]);

/** @throws Problem FORBIDDEN if a site credential makes any other call */
function checkSite({ context, method, routeOptions }: FastifyRequest): void {
  if (context.viewer?.machine?.kind !== "site" || forSites.has(`${method} ${routeOptions.url?.replace("/api/v1", "")}`))
    return;
  throw deny(
    context,
    { action: "access.right", details: { right: "site" } },
    new Problem("FORBIDDEN", beyondSiteMessage),
  );
}

const forFeedsMessage = "The secret of a feed's address reads that feed only, and an access token is none.";
/** The secret in the address of a feed, which its reader cannot send otherwise. */
const feedSecretOf = ({ routeOptions, params }: FastifyRequest): string | undefined =>
  routeOptions.url === "/api/v1/ledger/atom/:secret" ? (params as { secret: string }).secret : undefined;

const isSafe = (request: FastifyRequest): boolean =>
  ["GET", "HEAD", "OPTIONS"].includes(request.method) && !isOf(request, "/api/v1/auth/logout");

const isBasic = (authorization: string): boolean => /^basic /i.test(authorization);

/**
 * Whether Basic authentication is allowed, for tools that can only send a name and a password: for all reads by REST,
 * except sign-in and what belongs to a session or a site.
 */
const isForSpreadsheets = (request: FastifyRequest): boolean =>
  (request.method === "GET" || request.method === "HEAD") &&
  isOf(request, "/api/v1/") &&
  !isOf(request, "/api/v1/auth") &&
  !isOf(request, "/api/v1/site/me");

/**
 * Whether a page sent the request. For such a request a browser would show its own dialog for name and password, if it
 * were challenged.
 */
const isOfPage = ({ headers }: FastifyRequest): boolean =>
  headers.cookie !== undefined ||
  headers["x-person"] !== undefined ||
  (headers["sec-fetch-mode"] !== undefined && headers["sec-fetch-mode"] !== "navigate");

const challenges = [
  'Basic realm="SmartCare deployment platform: user name and access token", charset="UTF-8"',
  "Bearer",
];

declare module "fastify" {
  interface FastifyContextConfig {
    /** the body is a file, whatever its type is */
    takesFile?: boolean;
  }
}

/**
 * Types of bodies that are files, which `whileUploading` (input/upload.ts) watches: a large one takes its time on a
 * slow line.
 */
const isFileType = /^(multipart\/form-data|text\/csv|application\/offset\+octet-stream)\b/i;

/**
 * Ends a request whose body, if it is no file, has not arrived after so many seconds, also when a byte comes now and
 * then.
 */
export function endLateBodies(server: FastifyInstance, seconds: number): void {
  server.addHook("preParsing", (request, _, body, done) => {
    const { raw, headers, routeOptions } = request;
    if (!raw.complete && !isFileType.test(headers["content-type"] ?? "") && !routeOptions.config.takesFile) {
      const words = `The body has not arrived within ${seconds} seconds.`;
      const timer = setTimeout(() => body.emit("error", new Problem("TIMEOUT", words)), seconds * 1000);
      for (const event of ["end", "close"]) raw.once(event, () => clearTimeout(timer));
    }
    done(null, body);
  });
}

/** Refuses JSON that is nested too deep, before a rule or the schema follows it level by level. */
export function refuseDeepBodies(server: FastifyInstance): void {
  server.addHook("preValidation", async ({ body, headers, routeOptions }) => {
    if (headers["content-type"]?.includes("json") && !routeOptions.config.takesFile) refuseDeep(body, "body");
  });
}

/** The parts of the context that all requests share. */
type Surroundings = Pick<
  Context,
  | "db"
  | "replica"
  | "files"
  | "timeZone"
  | "tdbRhythmDays"
  | "uploadKeepHours"
  | "secondFactorOf"
  | "onEvent"
  | "shares"
  | "statistics"
  | "ask"
>;

/**
 * Reads and sets the cookies of sign-in. With TLS their names begin with `__Host-`, which a browser accepts only from
 * this host and only over TLS. Others are not read there: any host of the domain, or a page without TLS, could set one.
 * The device's cookie gives no right and is sent with sign-ins only, which that name does not allow: `__Secure-`.
 */
function cookiesOf(request: FastifyRequest, reply: FastifyReply): Context["cookies"] {
  const secure = request.protocol === "https";
  const nameOf = (name: CookieName) => (secure ? `${name === "device" ? "__Secure-" : "__Host-"}${name}` : name);
  const optionsOf = (name: CookieName) =>
    ({ path: name === "device" ? "/api/v1/auth" : "/", httpOnly: true, sameSite: "lax", secure }) as const;
  return {
    read: (name) => request.cookies[nameOf(name)],
    set: (name, value, maxAgeSeconds) => {
      if (value === null) reply.clearCookie(nameOf(name), optionsOf(name));
      else reply.setCookie(nameOf(name), value, { ...optionsOf(name), maxAge: maxAgeSeconds });
    },
  };
}

function contextOf(request: FastifyRequest, reply: FastifyReply, surroundings: Surroundings): Context {
  // V8 copies a spread object that comes last a hundred times as fast as one that comes first (0.2 µs and 22 µs here).
  return {
    primary: surroundings.db,
    viewer: null,
    isLeft: () => reply.raw.destroyed,
    denials: [],
    received: [],
    requestId: request.id,
    log: (failure, message) => request.log.error({ err: failure }, message),
    origin: originOf(request),
    address: request.ip,
    network: networkOf(request.ip),
    cookies: cookiesOf(request, reply),
    ...surroundings,
  };
}

/**
 * Sets the viewer of a request. A person who must set up a second factor first is not a viewer: for everything else
 * they count as not signed in.
 */
function admit(context: Context, viewer: Viewer): void {
  context.caller = viewer.userUuid;
  if (mustEnrol(context, viewer.lacksSecondFactor)) context.enrolling = viewer;
  else context.viewer = viewer;
}

/**
 * Makes the function by which an act that waited for long finds out whether its caller still has the rights of its
 * start, by the session or token of the request.
 *
 * It is made here, not where it is stored: V8 puts a function that is written directly at a property among its old
 * objects, and with it the whole request stays in memory until the next full garbage collection.
 */
function lookingAgain(request: FastifyRequest, authorization: string | undefined): () => Promise<void> {
  const { context } = request;
  return async () => {
    const before = context.viewer;
    if (!before) return;
    const now =
      authorization === undefined
        ? await findViewer(context.primary, context.cookies.read("session"))
        : await findTokenViewer(context, authorization);
    if (!now || isForOther(request, now)) throw new Problem("UNAUTHENTICATED", "Please sign in.");
    const isLost = privilegeNames.some((name) => before.privileges[name] && !now.privileges[name]);
    const scopeOf = ({ implementingPartnerId, machine }: Viewer) => [implementingPartnerId, machine];
    if (isLost || !isDeepStrictEqual(scopeOf(before), scopeOf(now)))
      throw new Problem("FORBIDDEN", "Your rights were changed while this waited.");
    context.viewer = now;
  };
}

/** Gives each request its context, after the checks that REST and GraphQL share: its origin, and who is signed in. */
export function identify(server: FastifyInstance, surroundings: Surroundings, tokenLimit: TokenLimit): void {
  const limit = tokenLimitOf(surroundings.db, tokenLimit);
  server.decorateRequest("context");
  server.addHook("onRequest", async (request, reply) => {
    closeUnread(request, reply);
    const context = contextOf(request, reply, surroundings);
    request.context = context;
    const hasCookie = Boolean(context.cookies.read("session") ?? context.cookies.read("reset"));
    const isSignIn = isOf(request, "/api/v1/auth");
    if (!isSafe(request) && (hasCookie || isSignIn) && isForeign(request))
      throw new Problem("FORBIDDEN", "The request comes from a page of another site.");
    const feedSecret = feedSecretOf(request);
    const authorization = feedSecret === undefined ? request.headers.authorization : `Bearer ${feedSecret}`;
    context.lookAgain = lookingAgain(request, authorization);
    if (authorization === undefined) {
      const viewer = await findViewer(context.primary, context.cookies.read("session"));
      if (viewer && !isForOther(request, viewer)) admit(context, viewer);
      if (isSafe(request)) await readOnly(context);
      return;
    }
    reply.header("www-authenticate", "Bearer");
    if (isBasic(authorization) && !isForSpreadsheets(request))
      throw new Problem(
        "UNAUTHENTICATED",
        "Basic authentication is for reading by REST. Send the token as Authorization: Bearer.",
      );
    const viewer = await findTokenViewer(context, authorization);
    if ((viewer.feed === undefined) !== (feedSecret === undefined))
      throw new Problem("UNAUTHENTICATED", forFeedsMessage);
    admit(context, viewer);
    reply.removeHeader("www-authenticate");
    const { headers, problem } = await limit(viewer);
    reply.headers(headers);
    if (problem) throw problem;
    checkSite(request);
    if (isSafe(request)) await readOnly(context);
  });
  // Refusals are written to the audit log before the answer is sent, outside the transactions that were rolled back. If
  // that fails, the request fails.
  server.addHook("onSend", async (request, reply, payload) => {
    const { context } = request;
    if (!context) return payload;
    const call = `${request.method} ${shownPath(request)}`;
    const events = context.denials
      .splice(0)
      .map(({ details, ...denial }) => ({ ...denial, outcome: "denied" as const, details: { ...details, call } }));
    try {
      if (events.length > 0) {
        await recordAudits(context, events);
        // A refusal is recorded each time.
        request.keeping = undefined;
      }
    } catch (error) {
      return toProblem(error, request, reply);
    }
    if (reply.statusCode === 401 && isForSpreadsheets(request) && !isOfPage(request))
      reply.header("www-authenticate", challenges);
    if (!context.isReading) await noteWriting(context);
    return payload;
  });
}
