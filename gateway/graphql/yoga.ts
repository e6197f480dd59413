import { GraphQLError, type GraphQLSchema } from "graphql";
import { createYoga, type GraphQLParams, type Plugin } from "graphql-yoga";

import type { Context } from "../context.ts";
import type { QuestionAnswer, Questions } from "../questions.ts";
import { checkQuestion } from "./check.ts";
import { maskError } from "./errors.ts";
import { limitsPlugin, taught } from "./limits.ts";
import { queriesReadPlugin } from "./queriesRead.ts";
import { spreadsheetOf } from "./spreadsheet.ts";

/** What Yoga gets with a request: the gateway's context, and the operation where somebody else has read it. */
export type Incoming = { incoming: { context: Context }; operation?: GraphQLParams };

/** Operations that came as a form with files were read before Yoga saw the request. */
const operationsOfForms: Plugin<Incoming, Incoming> = {
  onRequestParse: ({ serverContext, setRequestParser }) => {
    const { operation } = serverContext as Partial<Incoming>;
    if (operation) setRequestParser(() => operation);
  },
};

/**
 * Yoga as this gateway uses it: batched arrays, multipart bodies, foreign origins and Yoga's own explorer are off; queries have
 * limits; failures become what the caller may see.
 */
export function yogaOf(schema: GraphQLSchema, log: (error: unknown) => void) {
  return createYoga<Incoming>({
    plugins: [operationsOfForms, limitsPlugin, queriesReadPlugin],
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
    maskedErrors: {
      maskError: (error) => {
        const masked = maskError(error, log);
        return masked instanceof GraphQLError ? taught(masked) : masked;
      },
    },
  });
}
export type Yoga = ReturnType<typeof yogaOf>;

/** What the rest of the gateway may ask of its GraphQL half. */
export function questionsOf(schema: GraphQLSchema, yoga: Yoga): Questions {
  const ask: Questions["ask"] = async (context, { query, variables, operationName }) => {
    const request = new yoga.fetchAPI.Request("http://gateway/graphql", { method: "POST" });
    const params = { query, ...(variables ? { variables } : {}), ...(operationName ? { operationName } : {}) };
    const answer = await yoga.getResultForParams({ params, request }, { incoming: { context } });
    return answer as QuestionAnswer;
  };
  return { ask, check: (question) => checkQuestion(schema, question), spreadsheet: spreadsheetOf(schema, ask) };
}
