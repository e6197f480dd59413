import type {} from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { GraphQLSchema } from "graphql";
import { processRequest } from "graphql-upload-minimal";
import { createYoga, type GraphQLParams, type Plugin } from "graphql-yoga";

import { requireViewer } from "../access/access.ts";
import { Problem } from "../problem.ts";
import { checkAnnounced, whileUploading } from "../upload.ts";

import { maskError } from "./errors.ts";

/** A browser that opens the address itself, without a question, gets the explorer. */
const isForExplorer = ({ method, url, headers }: FastifyRequest): boolean =>
  method === "GET" && url === "/graphql" && (headers.accept ?? "").includes("text/html");

type Incoming = { incoming: FastifyRequest; operation?: GraphQLParams };

/** Operations that came as a form with files were read before Yoga saw the request. */
const operationsOfForms: Plugin<Incoming, Incoming> = {
  onRequestParse: ({ serverContext, setRequestParser }) => {
    const { operation } = serverContext as Partial<Incoming>;
    if (operation) setRequestParser(() => operation);
  },
};

const isForm = ({ headers }: FastifyRequest): boolean => /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");

/** Reads the operation of a form; its files stream while the operation runs. */
async function readForm(request: FastifyRequest, reply: FastifyReply): Promise<GraphQLParams> {
  try {
    const operation = await processRequest(request.raw, reply.raw, { maxFiles: 1000 });
    if (Array.isArray(operation)) throw new Problem("MALFORMED", "Several operations in one request are not taken.");
    return operation as GraphQLParams;
  } catch (error) {
    throw error instanceof Problem ? error : new Problem("MALFORMED", error instanceof Error ? error.message : "The form cannot be read.");
  }
}

/**
 * The GraphQL half of the gateway: Yoga behind Fastify, which has parsed the body. Batched arrays, multipart bodies, foreign
 * origins and Yoga's own explorer are off; failures become what the caller may see.
 */
export function graphqlServer(server: FastifyInstance, schema: GraphQLSchema): void {
  const yoga = createYoga<Incoming>({
    plugins: [operationsOfForms],
    schema,
    graphqlEndpoint: "/graphql",
    context: ({ incoming }) => incoming.context,
    logging: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    // Fastify limits bodies that are no forms; forms with files have limits of their own (upload.ts).
    maxRequestBodySize: false,
    cors: false,
    maskedErrors: { maskError: (error) => maskError(error, (err) => server.log.error({ err }, "a fault")) },
  });
  const answer = async (request: FastifyRequest, reply: FastifyReply, operation?: GraphQLParams) => {
    const response = await yoga.handleNodeRequestAndResponse(request, reply, { incoming: request, operation });
    for (const [name, value] of response.headers) reply.header(name, value);
    reply.header("cache-control", "no-store");
    return reply.status(response.status).send(await response.text());
  };
  // The form is read part by part, not by Fastify.
  server.addContentTypeParser("multipart/form-data", (_, __, done) => done(null));
  server.route({
    method: ["GET", "POST"],
    url: "/graphql",
    handler: async (request, reply) => {
      if (isForExplorer(request)) return reply.sendFile("explorer.html");
      if (!isForm(request)) return answer(request, reply);
      requireViewer(request.context);
      await checkAnnounced(request);
      return whileUploading(request, server.uploads, async () => answer(request, reply, await readForm(request, reply)));
    },
  });
}
