import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Viewer } from "../context.ts";
import type { KeptAnswer, KeptAnswers } from "../reading/kept.ts";
import { newRecord, type NounsRead, type ReadRecord, recordReads } from "../reading/record.ts";

/** Sends kept answers again, and keeps new ones where that is allowed (reading/kept.ts), for REST and GraphQL. */

declare module "fastify" {
  interface FastifyInstance {
    /** the answers that this gateway keeps, and the function that finds which nouns a statement reads */
    kept: { answers: KeptAnswers; nounsRead: NounsRead } | undefined;
  }
  interface FastifyRequest {
    /** the question whose answer will be kept, and for whom it is answered */
    keeping?: { question: string; viewer: Viewer; record: ReadRecord } | undefined;
  }
}

/** The headers that belong to an answer; others belong to a request. */
const headersOfAnswers = ["content-type", "cache-control", "etag", "link", "vary", "content-disposition"];

function headersOf(reply: FastifyReply): Record<string, string> {
  const found = headersOfAnswers.map((name) => [name, reply.getHeader(name)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]));
}

async function sendKept(request: FastifyRequest, reply: FastifyReply, kept: KeptAnswers, question: string, answer: KeptAnswer): Promise<FastifyReply> {
  const { body, form } = await kept.formOf(question, answer, request.headers["accept-encoding"] ?? "");
  reply.headers(answer.headers);
  if (form) reply.header("content-encoding", form);
  if (form || body.length >= 1024) reply.header("vary", [...new Set([...(answer.headers["vary"]?.split(/,\s*/) ?? []), "accept-encoding"])].join(", "));
  return reply.send(body);
}

/**
 * Sends a kept answer, if there is one, at this hook. `questionOf` returns the text that decides an answer besides its caller and the rows; undefined for
 * requests whose answers are never kept.
 */
export function sendKeptAnswers(server: FastifyInstance, hook: "onRequest" | "preValidation", questionOf: (request: FastifyRequest) => string | undefined): void {
  const { kept } = server;
  if (!kept) return;
  const { answers, nounsRead } = kept;
  server.addHook(hook, async (request, reply) => {
    const { context, headers, protocol, host } = request;
    const { viewer } = context;
    const asked = viewer?.revisions && questionOf(request);
    if (!viewer || asked === undefined) return undefined;
    const question = [todayIn(context.timeZone), protocol, host, headers.accept ?? "", asked].join("\n");
    const answer = answers.find(question, viewer);
    if (answer) return sendKept(request, reply, answers, question, answer);
    context.record = newRecord(nounsRead);
    request.keeping = { question, viewer, record: context.record };
    if (context.isReading) recordReads(context);
    return undefined;
  });
}

/** Keeps answers before they are sent: after they got their ETag, and before they are compressed. */
export function keepAnswers(server: FastifyInstance): void {
  const { kept } = server;
  if (!kept) return;
  server.addHook("onSend", async (request, reply, payload) => {
    const { keeping, context } = request;
    if (!keeping || reply.statusCode !== 200 || context.denials.length > 0) return;
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return;
    kept.answers.keep(keeping.question, keeping.viewer, keeping.record, { headers: headersOf(reply), body: payload });
  });
}
