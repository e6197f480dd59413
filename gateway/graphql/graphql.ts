import type {} from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { processRequest } from "graphql-upload-minimal";
import type { GraphQLParams } from "graphql-yoga";
import { z } from "zod";

import { requireViewer } from "../access/access.ts";
import { spreadsheetPagesRule } from "../input/page.rules.ts";
import { parse, parseJson, refuseDeep } from "../input/parse.ts";
import { Problem } from "../problem.ts";
import type { Question } from "../reading/questions.ts";
import { prefers } from "../rest/answer.ts";
import { answerUnchanged, tagOf } from "../rest/etag.ts";
import { keepAnswers, sendKeptAnswers } from "../reading/keepAnswers.ts";
import { mapRows, objectOf, sendNdjson } from "../rest/lines.ts";
import { sendTable, type TableFormat, tableFormatOf } from "../rest/table.ts";
import { readHeavily } from "../reading/shares.ts";
import { checkAnnounced, whileUploading } from "../input/upload.ts";
import { type Documents, findDocument } from "./persisted.ts";
import { shortPathOf, type Yoga } from "./yoga.ts";

/** Whether a browser opens the address without a query: it gets the explorer. */
const isForExplorer = ({ method, url, headers }: FastifyRequest): boolean =>
  method === "GET" && /^\/graphql(\?saved=[^&]*)?$/.test(url) && (headers.accept ?? "").includes("text/html");

const signInPage = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><link rel="icon" type="image/svg+xml" href="/favicon.svg"><title>GraphQL explorer</title></head>
  <body><main><h1>GraphQL explorer</h1><p role="alert">Please sign in to the platform first.</p><p><a href="/">To the platform</a></p></main></body>
</html>
`;

function sendExplorer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.context.viewer) return reply.sendFile("explorer.html");
  return reply.status(401).type("text/html; charset=utf-8").header("cache-control", "no-store").send(signInPage);
}

/** The most bytes of a body from a caller who is not signed in: enough for a query and for signing in. */
const unsignedBodyBytes = 16_384;

/** Checks the announced size before any of the body is read. @throws Problem UNAUTHENTICATED */
function checkUnsignedBody({ context, headers, method }: FastifyRequest): void {
  if (context.viewer || method !== "POST") return;
  const length = headers["content-length"];
  if (length !== undefined && Number(length) <= unsignedBodyBytes) return;
  const size =
    length === undefined
      ? "The body does not say its size (Content-Length)"
      : `The body has ${Number(length).toLocaleString("en")} bytes`;
  throw new Problem(
    "UNAUTHENTICATED",
    `${size}; the limit is ${unsignedBodyBytes.toLocaleString("en")} for callers who are not signed in. Sign in or send a token first.`,
  );
}

const isForm = ({ headers }: FastifyRequest): boolean => /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");

/**
 * For a damaged form the parser emits two errors, but has a listener only for the first. Without another listener the
 * second one would end the process.
 */
function surviveDamage({ raw }: FastifyRequest): void {
  const pipe = raw.pipe.bind(raw);
  raw.pipe = (reader, options) =>
    pipe(
      reader.on("error", () => {}),
      options,
    );
}

/** Reads the operation from a form. The files of the form are streamed while the operation runs. */
async function readForm(request: FastifyRequest, reply: FastifyReply): Promise<GraphQLParams> {
  surviveDamage(request);
  try {
    const operation = await processRequest(request.raw, reply.raw, { maxFiles: 1000 });
    if (Array.isArray(operation)) throw new Problem("MALFORMED", "Several operations in one request are not taken.");
    refuseDeep(operation, "operations");
    return operation as GraphQLParams;
  } catch (error) {
    throw error instanceof Problem
      ? error
      : new Problem("MALFORMED", error instanceof Error ? error.message : "The form cannot be read.");
  }
}

const textRule = z.string("must be a text");
const spreadsheetRules = z.strictObject({
  query: textRule,
  operationName: textRule.nullish(),
  variables: z.record(z.string(), z.unknown(), "must be an object").nullish(),
  extensions: z.unknown().optional(),
});

/**
 * The query of a request for a table: from the address of a GET, from the JSON of a POST.
 *
 * @throws Problem INVALID or MALFORMED
 */
function readQuestion({ method, query, body }: FastifyRequest): Question {
  if (method !== "GET") return parse(spreadsheetRules, body);
  const { variables, query: text, operationName } = query as Record<string, string | undefined>;
  return parse(spreadsheetRules, {
    query: text,
    operationName,
    variables: variables ? parseJson(variables, "variables") : null,
  });
}

/** The format of a table that the Accept header asks for; undefined if it asks for the usual answer. */
const formOf = ({ headers: { accept } }: FastifyRequest): TableFormat | "ndjson" | undefined =>
  tableFormatOf(accept) ?? (prefers(accept, "application/x-ndjson") ? "ndjson" : undefined);

async function sendSpreadsheet(
  server: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  form: TableFormat | "ndjson",
): Promise<FastifyReply> {
  requireViewer(request.context);
  const question = readQuestion(request);
  const pages = parse(spreadsheetPagesRule, (request.query as { pages?: unknown }).pages, "pages");
  if (pages === "all") readHeavily(request.context);
  const { header, rows } = server.questions.spreadsheet(request.context, question, pages);
  reply.header("cache-control", "no-store").header("vary", "accept");
  const name = question.operationName ?? /^\s*query\s+(\w+)/m.exec(question.query)?.[1] ?? "answer";
  if (form === "ndjson")
    return sendNdjson(
      reply,
      `${name}.ndjson`,
      mapRows(rows, (cells) => objectOf(header, cells)),
    );
  return sendTable(reply, { name, format: form }, header, rows);
}

/** The value of a text in JSON; undefined if it is none, which the GraphQL server refuses by itself. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text of a query as it was sent, as JSON or in the address, by which its answer is kept. */
function questionOf(request: FastifyRequest): string | undefined {
  if (isForExplorer(request) || isForm(request)) return undefined;
  return request.method === "GET" ? request.url : JSON.stringify(request.body);
}

/**
 * The GraphQL routes of the gateway: Yoga behind Fastify, which has parsed the body; answers as CSV and NDJSON; the
 * explorer's page.
 */
export function graphqlServer(server: FastifyInstance, yoga: Yoga, documents: Documents): void {
  const shortPath = shortPathOf(yoga);
  const answer = async (request: FastifyRequest, reply: FastifyReply, operation?: GraphQLParams) => {
    const persisted = operation ? undefined : await findDocument(documents, request, reply);
    if (persisted === "answered") return reply;
    const short = operation ? undefined : await shortPath(request, persisted);
    reply.header("cache-control", "no-store").header("vary", "accept");
    if (short && "mediaType" in short) {
      if (request.method === "GET") reply.header("etag", tagOf(short.text));
      return reply.header("content-type", `${short.mediaType}; charset=utf-8`).send(short.text);
    }
    // Failures, and answers that Yoga makes itself, are not kept.
    request.keeping = undefined;
    const response =
      short ??
      (await yoga.handleNodeRequestAndResponse(request, reply, {
        incoming: request,
        operation: operation ?? persisted,
      }));
    // Yoga's 415 has no explanation, so it is replaced.
    if (response.status === 415) throw new Problem("UNSUPPORTED", "The body must be sent as application/json.");
    // An upload that broke off has been answered already.
    if (reply.sent) return reply;
    for (const [name, value] of response.headers) reply.header(name, value);
    return reply.status(response.status).send(await response.text());
  };
  server.addHook("preValidation", async ({ query }) => {
    const given = query as Record<string, unknown>;
    for (const name of ["variables", "extensions"])
      if (typeof given[name] === "string") refuseDeep(jsonOf(given[name]), name);
  });
  sendKeptAnswers(server, "preValidation", questionOf);
  keepAnswers(server, ({ context }) => context.answersFrom);
  answerUnchanged(server);
  // The form is read part by part, not by Fastify.
  server.addContentTypeParser("multipart/form-data", (_, __, done) => done(null));
  server.route({
    method: ["GET", "POST"],
    url: "/graphql",
    onRequest: async (request) => checkUnsignedBody(request),
    handler: async (request, reply) => {
      if (isForExplorer(request)) return sendExplorer(request, reply);
      if (isForm(request)) {
        requireViewer(request.context);
        await checkAnnounced(request);
        return whileUploading(request, server.uploads, async () =>
          answer(request, reply, await readForm(request, reply)),
        );
      }
      const form = formOf(request);
      return form ? sendSpreadsheet(server, request, reply, form) : answer(request, reply);
    },
  });
}
