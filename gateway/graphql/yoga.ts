import type { FastifyRequest } from "fastify";
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from "graphql";
import { createYoga, type GraphQLParams, type Plugin, processRegularResult } from "graphql-yoga";

import type { Context } from "../context.ts";
import type { QuestionAnswer, Questions } from "../reading/questions.ts";
import type { Statistics } from "../reading/reads.rules.ts";
import { measureQuestion } from "./limits/check.ts";
import { failuresPlugin } from "./errors.ts";
import type { DocumentCache } from "./limits/documentCache.ts";
import { costLimits } from "./limits/cost.ts";
import { operationOf } from "./limits/documentLimits.ts";
import { limitsPlugin, sharesPlugin, taught } from "./limits/limits.ts";
import { withParameters } from "./parameters.ts";
import { databaseOfQueryPlugin } from "./databaseOfQuery.ts";
import { operationSpans } from "../tracing/operationSpans.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { withVariables } from "./variableFaults.ts";
import { type NoteExport, spreadsheetOf } from "./spreadsheet/spreadsheet.ts";

/** The server context of Yoga: the gateway's request context, and the operation if it has already been read. */
type Incoming = { incoming: { context: Context }; operation?: GraphQLParams };

/** Passes an operation that was already read (from a form with files, or by its hash) to Yoga. */
const givenOperations: Plugin<Incoming, Incoming> = {
  onRequestParse: ({ serverContext, setRequestParser }) => {
    const { operation } = serverContext as Partial<Incoming>;
    if (operation) setRequestParser(() => operation);
  },
};

/**
 * Answers a hash without a text as Apollo's persisted queries want it where no texts are kept: clients (Apollo, urql)
 * then send texts. Our own client has documents (persisted.ts).
 */
const noPersistedQueries: Plugin = {
  onParams: ({ params }) => {
    if (params.query == null && params.extensions?.["persistedQuery"] != null)
      throw new GraphQLError("PersistedQueryNotSupported", {
        extensions: { code: "PERSISTED_QUERY_NOT_SUPPORTED", http: { status: 200 } },
      });
  },
};

type YogaParts = {
  documents: DocumentCache;
  statistics: () => Statistics | null;
  /** the texts of our own client's operations */ screens: ReadonlySet<string>;
  tracing?: Tracing | undefined;
};

/**
 * Yoga with the gateway's settings. Batches, multipart bodies, CORS and Yoga's own explorer are switched off; queries
 * have limits; failures are masked.
 */
export function yogaOf(schema: GraphQLSchema, { documents, statistics, screens, tracing }: YogaParts) {
  return createYoga<Incoming>({
    plugins: [
      givenOperations,
      noPersistedQueries,
      limitsPlugin(documents, statistics, screens),
      databaseOfQueryPlugin,
      sharesPlugin,
      failuresPlugin,
      ...(tracing ? [operationSpans(tracing, operationOf)] : []),
    ],
    schema,
    parserAndValidationCache: { documentCache: documents, errorCache: { get: () => undefined, set: () => {} } },
    graphqlEndpoint: "/graphql",
    context: ({ incoming }) => incoming.context,
    logging: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    // Fastify limits bodies; forms with files have separate limits (input/upload.ts).
    maxRequestBodySize: false,
    cors: false,
    maskedErrors: {
      maskError: (error) => {
        // A failure before anything runs is answered and logged as for REST (rest/answer.ts).
        if (!(error instanceof GraphQLError)) throw error;
        return taught(error);
      },
    },
  });
}
export type Yoga = ReturnType<typeof yogaOf>;

/** The answer's media type if the Accept header begins with a known one; undefined if Yoga must negotiate. */
function mediaTypeOf(accept = "*/*"): string | undefined {
  const [first = ""] = accept.split(/\s*,\s*/);
  if (first === "*/*") return "application/json";
  return /^application\/(graphql-response\+)?json$/.test(first) ? first : undefined;
}

/** The operation of the usual request, JSON by POST; undefined for any other request. */
function readPlain({ method, headers, body }: FastifyRequest): GraphQLParams | undefined {
  if (method !== "POST" || !/^application\/json\b/.test(headers["content-type"] ?? "")) return undefined;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const { query, variables, operationName, ...more } = body as Record<string, unknown>;
  const isPlain =
    typeof query === "string" &&
    typeof (variables ?? {}) === "object" &&
    !Array.isArray(variables) &&
    Object.keys(more).length === 0;
  return isPlain ? ({ query, variables, operationName } as GraphQLParams) : undefined;
}

/**
 * Answers the usual requests without the HTTP layer of Yoga, whose Request and Response take as long as a small query.
 * The other parts of Yoga, with its plugins, run as for all requests.
 *
 * @returns undefined for requests that Yoga must answer
 */
export function shortPathOf(yoga: Yoga) {
  const request = new yoga.fetchAPI.Request("http://gateway/graphql", { method: "POST" });
  return async (
    asked: FastifyRequest,
    given?: GraphQLParams,
  ): Promise<Response | { mediaType: string; text: string } | undefined> => {
    const mediaType = mediaTypeOf(asked.headers.accept);
    const params = mediaType && (given ?? readPlain(asked));
    if (!params) return undefined;
    let result: ExecutionResult;
    try {
      result = (await yoga.getResultForParams({ params, request }, { incoming: asked })) as ExecutionResult;
    } catch (error) {
      // The query was refused before anything ran.
      if (!(error instanceof GraphQLError)) throw error;
      result = { errors: [taught(error)] };
    }
    if (result.errors) return processRegularResult(result, yoga.fetchAPI, mediaType);
    return { mediaType, text: JSON.stringify(result) };
  };
}

/** Makes the interface by which other rooms run GraphQL queries. */
export function questionsOf(
  schema: GraphQLSchema,
  yoga: Yoga,
  statistics: () => Statistics | null,
  noteExport: NoteExport,
): Questions {
  const ask: Questions["ask"] = async (context, { query, variables, operationName }) => {
    const request = new yoga.fetchAPI.Request("http://gateway/graphql", { method: "POST" });
    const params = { query, ...(variables ? { variables } : {}), ...(operationName ? { operationName } : {}) };
    const answer = await yoga.getResultForParams({ params, request }, { incoming: { context } });
    return withVariables({ query, operationName: operationName ?? null }, answer as QuestionAnswer);
  };
  return {
    ask,
    limits: costLimits,
    measure: (question) => measureQuestion(schema, question, statistics()),
    spreadsheet: spreadsheetOf(schema, ask, noteExport),
    given: (question, values) => withParameters(schema, question, values),
  };
}
