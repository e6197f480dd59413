import { GraphQLError } from "graphql";
import type { Plugin } from "graphql-yoga";

import { checkCost, checkIds, type Cost, costLimits } from "./cost.ts";
import { checkDocument, checkText, type DocumentShape, documentLimits, operationOf } from "./documentLimits.ts";
import { refusal } from "./refusal.ts";

const { depth, aliases, fields } = documentLimits;
const limits = { ...costLimits, depth, aliases, fields };

/** What an operation costs, as every answer names it in `extensions.cost`. */
const report = (cost: Cost, { depth, aliases, fields }: DocumentShape) => ({ ...cost, depth, aliases, fields, limits });

const malformed = (message: string) => new GraphQLError(message, { extensions: { code: "MALFORMED", http: { status: 400 } } });

/** Yoga's own refusals, in words that say what to do. */
const teaching: [RegExp, string][] = [
  [/^Batching is not supported/, "Send one operation in a request, as an object: a batch of several (an array) is not taken."],
  [/^POST body sent invalid JSON/, "Send one operation as a JSON object, with its text in query."],
  [/^Can only perform a mutation operation from a POST request/, "A mutation is sent by POST, as JSON: GET is for queries."],
];

/** A failure of Yoga's or GraphQL's own, with advice where the library has none. */
export function taught(error: GraphQLError): GraphQLError {
  const [, message] = teaching.find(([pattern]) => pattern.test(error.message)) ?? [];
  if (!message) return error;
  const { originalError: within, ...extensions } = error.extensions;
  // What the library failed at within is nobody's business outside; its status stays the one of a body that cannot be read.
  return new GraphQLError(message, { extensions: within ? { ...extensions, http: { status: 400 } } : extensions });
}

/**
 * Refuses what is too long, too deep, too wide or too dear before anything of it runs, and names the cost of what did run in its
 * answer's `extensions`.
 */
export const limitsPlugin: Plugin = {
  onRequestParse: ({ request, requestParser, setRequestParser }) => {
    if (request.method !== "GET" || !requestParser) return;
    setRequestParser(async (asked) => {
      try {
        return await requestParser(asked);
      } catch (error) {
        throw error instanceof SyntaxError ? malformed("In the address, variables and extensions must be JSON.") : error;
      }
    });
  },
  onParams: ({ params }) => {
    checkText(params?.query);
    if (!["string", "undefined"].includes(typeof (params?.operationName ?? undefined))) throw malformed("operationName must be a text.");
  },
  onParse:
    () =>
    ({ result, context }) => {
      if (result instanceof Error || !result) return;
      checkDocument(result);
      operationOf(result, (context as { params?: { operationName?: string | null } }).params?.operationName);
    },
  onExecute: ({ args, setResultAndStopExecution }) => {
    const { schema, document, operationName } = args;
    const variables = (args.variableValues ?? {}) as Record<string, unknown>;
    try {
      const operation = operationOf(document, operationName);
      checkIds(operation, variables);
      const cost = report(checkCost(schema, document, operation, variables), checkDocument(document));
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (Symbol.asyncIterator in result) return;
          setResult({ ...result, extensions: { ...result.extensions, cost } });
        },
      };
    } catch (error) {
      setResultAndStopExecution({ errors: [error instanceof GraphQLError ? error : refusal("The query cannot be measured.")] });
    }
  },
};
