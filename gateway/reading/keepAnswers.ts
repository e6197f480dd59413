import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Viewer } from "../context.ts";
import type { KeptAnswer, KeptAnswers, RevisedNoun, Revisions } from "./kept.ts";

/** Sends kept answers again, and keeps new ones if their nouns are listed (reading/kept.ts), for REST and GraphQL. */

declare module "fastify" {
  interface FastifyInstance {
    /** the answers that this gateway keeps */
    kept: KeptAnswers | undefined;
  }
  interface FastifyRequest {
    /** the question whose answer may be kept, and the rights and revisions before it is answered */
    keeping?: { question: string; rights: string; revisions: Revisions } | undefined;
  }
}

/**
 * What may decide an answer about a caller: callers for whom it is the same share kept answers. Answers that depend on
 * more, such as the person, are not kept.
 *
 * @returns undefined for sites, which read about themselves only
 */
function rightsOf({ privileges, implementingPartnerId, machine }: Viewer): string | undefined {
  if (machine?.kind === "site") return undefined;
  return JSON.stringify([privileges, implementingPartnerId, machine?.limit]);
}

/** The headers that belong to an answer; others belong to a request. */
const headersOfAnswers = ["content-type", "cache-control", "etag", "link", "vary", "content-disposition"];

function headersOf(reply: FastifyReply): Record<string, string> {
  const set = headersOfAnswers.filter((name) => reply.hasHeader(name));
  return Object.fromEntries(set.map((name) => [name, String(reply.getHeader(name))]));
}

type Found = { question: string; answer: KeptAnswer };

async function sendKept(request: FastifyRequest, reply: FastifyReply, kept: KeptAnswers, { question, answer }: Found) {
  const { body, form } = await kept.formOf(question, answer, request.headers["accept-encoding"] ?? "");
  reply.headers(answer.headers);
  if (form) reply.header("content-encoding", form);
  const varied = answer.headers["vary"]?.split(/,\s*/) ?? [];
  if (form || body.length >= 1024) reply.header("vary", [...new Set([...varied, "accept-encoding"])].join(", "));
  return reply.send(body);
}

/**
 * Sends a kept answer, if there is one, at this hook. `questionOf` returns the text that decides an answer besides its
 * caller and the rows; undefined for requests whose answers are never kept.
 */
export function sendKeptAnswers(
  server: FastifyInstance,
  hook: "onRequest" | "preValidation",
  questionOf: (request: FastifyRequest) => string | undefined,
): void {
  const { kept } = server;
  if (!kept) return;
  server.addHook(hook, async (request, reply) => {
    const { context, headers, protocol, host } = request;
    const { viewer } = context;
    const rights = viewer && rightsOf(viewer);
    const asked = rights && questionOf(request);
    if (!viewer?.revisions || !rights || asked === undefined) return undefined;
    const question = [todayIn(context.timeZone), protocol, host, headers.accept ?? "", rights, asked].join("\n");
    const answer = kept.find(question, viewer.revisions);
    if (answer) return sendKept(request, reply, kept, { question, answer });
    request.keeping = { question, rights, revisions: viewer.revisions };
    return undefined;
  });
}

/**
 * Keeps answers before they are sent: after they got their ETag, and before they are compressed. `nounsOf`: those from
 * which an answer comes; undefined if it must not be kept.
 */
export function keepAnswers(
  server: FastifyInstance,
  nounsOf: (request: FastifyRequest) => readonly RevisedNoun[] | undefined,
): void {
  const { kept } = server;
  if (!kept) return;
  server.addHook("onSend", async (request, reply, payload) => {
    const { keeping, context } = request;
    if (!keeping || reply.statusCode !== 200) return;
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return;
    // The rights may have been looked at again since (Context.lookAgain).
    if (!context.viewer || rightsOf(context.viewer) !== keeping.rights) return;
    const nouns = nounsOf(request);
    const { question, revisions } = keeping;
    if (nouns) kept.keep(question, { nouns, revisions }, { headers: headersOf(reply), body: payload });
  });
}
