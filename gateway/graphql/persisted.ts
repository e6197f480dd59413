import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { FastifyReply, FastifyRequest } from "fastify";
import type { GraphQLParams } from "graphql-yoga";
import { z } from "zod";

import { parse, parseJson } from "../input/parse.ts";
import { Problem } from "../problem.ts";

/**
 * The client sends the hash of a document instead of its text, and sends queries by GET, so that browsers and the
 * gateway can use ETags. An unknown hash comes from an older or newer client, which then sends the text.
 */

/** Texts by hash, as the client's build wrote them (client/build/documents.ts). */
export type Documents = ReadonlyMap<string, string>;

/** The documents of a built client; empty if it has none. */
export async function readDocuments(clientDir: string): Promise<Documents> {
  const text = await readFile(join(clientDir, ".vite", "documents.json"), "utf8").catch(() => "{}");
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}

const askedRules = z.object({
  documentId: z.string("must be a text").max(100, "is too long"),
  variables: z.record(z.string(), z.unknown(), "must be an object").nullish(),
});

/** The hash (`documentId`) and variables of a request; undefined if it has no hash, or a text. */
function readAsked({ method, query, body }: FastifyRequest): z.infer<typeof askedRules> | undefined {
  const given = (method === "GET" ? query : body) as Record<string, unknown> | null | undefined;
  if (typeof given !== "object" || given === null || !("documentId" in given) || "query" in given) return undefined;
  const { variables } = given;
  return parse(
    askedRules,
    method === "GET" && typeof variables === "string"
      ? { ...given, variables: parseJson(variables, "variables") }
      : given,
  );
}

const notFound = {
  errors: [
    {
      message: "This gateway does not know the document: send its text.",
      extensions: { code: "PERSISTED_QUERY_NOT_FOUND" },
    },
  ],
};

/**
 * The operation of a request that has a hash, with the document's text. Undefined if it has no hash; `"answered"` if
 * the hash is unknown and was answered.
 * @throws Problem
 */
export async function findDocument(
  documents: Documents,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<GraphQLParams | "answered" | undefined> {
  const asked = readAsked(request);
  if (!asked) return undefined;
  const query = documents.get(asked.documentId);
  if (query === undefined) {
    await reply.status(404).header("cache-control", "no-store").send(notFound);
    return "answered";
  }
  if (request.method === "GET" && /(?:^|\} )mutation /.test(query))
    throw new Problem("MALFORMED", "A mutation is sent by POST.");
  return { query, ...(asked.variables ? { variables: asked.variables } : {}) };
}
