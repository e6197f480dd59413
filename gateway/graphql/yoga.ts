import type { FastifyRequest } from "fastify";
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from "graphql";
import { createYoga, type GraphQLParams, type Plugin, processRegularResult } from "graphql-yoga";

import type { Context } from "../context.ts";
import type { QuestionAnswer, Questions } from "../reading/questions.ts";
import type { Statistics } from "../reading/reads.rules.ts";
import { checkQuestion, measureQuestion } from "./limits/check.ts";
import { failuresPlugin } from "./errors.ts";
import type { DocumentCache } from "./limits/documentCache.ts";
import { costLimits } from "./limits/cost.ts";
import { operationOf } from "./limits/documentLimits.ts";
import { limitsPlugin, sharesPlugin, taught } from "./limits/limits.ts";
import { parametersOf, withParameters } from "./parameters.ts";
import { queriesReadPlugin } from "./queriesRead.ts";
import { operationSpans } from "../tracing/operationSpans.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { withVariables } from "./variableFaults.ts";
import { type NoteExport, spreadsheetOf } from "./spreadsheet/spreadsheet.ts";

/** What Yoga gets with a request: the gateway's context, and the operation if it has already been read. */
export type Incoming = { incoming: { context: Context }; operation?: GraphQLParams };

/** Operations that came as a form with files were read before Yoga saw the request. */
const operationsOfForms: Plugin<Incoming, Incoming> = {
  onRequestParse: ({ serverContext, setRequestParser }) => {
    const { operation } = serverContext as Partial<Incoming>;
    if (operation) setRequestParser(() => operation);
  },
};

type YogaParts = { documents: DocumentCache; statistics: () => Statistics | null; tracing?: Tracing | undefined };

/**
 * Yoga as this gateway uses it: batched arrays, multipart bodies, foreign origins and Yoga's own explorer are off; queries have
 * limits; failures become what the caller may see.
 */
export function yogaOf(schema: GraphQLSchema, { documents, statistics, tracing }: YogaParts) {
  return createYoga<Incoming>({
    plugins: [operationsOfForms, limitsPlugin(documents, statistics), queriesReadPlugin, sharesPlugin, failuresPlugin, ...(tracing ? [operationSpans(tracing, operationOf)] : [])],
    schema,
    parserAndValidationCache: { documentCache: documents, errorCache: { get: () => undefined, set: () => {} } },
    graphqlEndpoint: "/graphql",
    context: ({ incoming }) => incoming.context,
    logging: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    // Fastify limits bodies other than forms; forms with files have limits of their own (upload.ts).
    maxRequestBodySize: false,
    cors: false,
    maskedErrors: {
      maskError: (error) => {
        // What fails before anything runs is answered, and logged, as for REST (rest/answer.ts).
        if (!(error instanceof GraphQLError)) throw error;
        return taught(error);
      },
    },
  });
}
export type Yoga = ReturnType<typeof yogaOf>;

/** The answer's media type, if the Accept header simply names one; undefined if Yoga has to negotiate. */
function mediaTypeOf(accept = "*/*"): string | undefined {
  const [first = ""] = accept.split(/\s*,\s*/);
  if (first === "*/*") return "application/json";
  return /^application\/(graphql-response\+)?json$/.test(first) ? first : undefined;
}

/** A request as most callers send it: JSON by POST and nothing else. */
function readPlain({ method, headers, body }: FastifyRequest): GraphQLParams | undefined {
  if (method !== "POST" || !/^application\/json\b/.test(headers["content-type"] ?? "")) return undefined;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const { query, variables, operationName, ...more } = body as Record<string, unknown>;
  const isPlain = typeof query === "string" && typeof (variables ?? {}) === "object" && !Array.isArray(variables) && Object.keys(more).length === 0;
  return isPlain ? ({ query, variables, operationName } as GraphQLParams) : undefined;
}

/**
 * Answers what most callers send without Yoga's HTTP half, whose Request and Response cost as much as a small query does. The
 * rest of Yoga, with its plugins, is as for all.
 *
 * @returns undefined for what it leaves to Yoga
 */
export function shortPathOf(yoga: Yoga) {
  const request = new yoga.fetchAPI.Request("http://gateway/graphql", { method: "POST" });
  return async (asked: FastifyRequest, given?: GraphQLParams): Promise<Response | { mediaType: string; text: string } | undefined> => {
    const mediaType = mediaTypeOf(asked.headers.accept);
    const params = mediaType && (given ?? readPlain(asked));
    if (!params) return undefined;
    let result: ExecutionResult;
    try {
      result = (await yoga.getResultForParams({ params, request }, { incoming: asked })) as ExecutionResult;
    } catch (error) {
      // Refused before anything ran.
      if (!(error instanceof GraphQLError)) throw error;
      result = { errors: [taught(error)] };
    }
    if (result.errors) return processRegularResult(result, yoga.fetchAPI, mediaType);
    return { mediaType, text: JSON.stringify(result) };
  };
}

/** What the rest of the gateway may ask of GraphQL. */
export function questionsOf(schema: GraphQLSchema, yoga: Yoga, statistics: () => Statistics | null, noteExport: NoteExport): Questions {
  const ask: Questions["ask"] = async (context, { query, variables, operationName }) => {
    const request = new yoga.fetchAPI.Request("http://gateway/graphql", { method: "POST" });
    const params = { query, ...(variables ? { variables } : {}), ...(operationName ? { operationName } : {}) };
    const answer = await yoga.getResultForParams({ params, request }, { incoming: { context } });
    return withVariables({ query, operationName: operationName ?? null }, answer as QuestionAnswer);
  };
  return {
    ask,
    check: (question) => checkQuestion(schema, question, statistics()),
    limits: costLimits,
    measure: (question) => measureQuestion(schema, question, statistics()),
    spreadsheet: spreadsheetOf(schema, ask, noteExport),
    parameters: (question) => parametersOf(schema, question),
    given: (question, values) => withParameters(schema, question, values),
  };
}
