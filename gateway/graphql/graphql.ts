import type {} from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { GraphQLSchema } from "graphql";
import { createYoga } from "graphql-yoga";

import { maskError } from "./errors.ts";

/** A browser that opens the address itself, without a question, gets the explorer. */
const isForExplorer = ({ method, url, headers }: FastifyRequest): boolean =>
  method === "GET" && url === "/graphql" && (headers.accept ?? "").includes("text/html");

/**
 * The GraphQL half of the gateway: Yoga behind Fastify, which has parsed the body. Batched arrays, multipart bodies, foreign
 * origins and Yoga's own explorer are off; failures become what the caller may see.
 */
export function graphqlServer(server: FastifyInstance, schema: GraphQLSchema): void {
  const yoga = createYoga<{ incoming: FastifyRequest }>({
    schema,
    graphqlEndpoint: "/graphql",
    context: ({ incoming }) => incoming.context,
    logging: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    cors: false,
    maskedErrors: { maskError: (error) => maskError(error, (fault) => server.log.error(fault)) },
  });
  server.route({
    method: ["GET", "POST"],
    url: "/graphql",
    handler: async (request, reply) => {
      if (isForExplorer(request)) return reply.sendFile("explorer.html");
      const response = await yoga.handleNodeRequestAndResponse(request, reply, { incoming: request });
      for (const [name, value] of response.headers) reply.header(name, value);
      reply.header("cache-control", "no-store");
      return reply.status(response.status).send(await response.text());
    },
  });
}
