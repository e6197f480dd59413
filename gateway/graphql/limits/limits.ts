import { type ExecutionResult, GraphQLError, OperationTypeNode, validate } from "graphql";
import type { Plugin } from "graphql-yoga";

import type { Context } from "../../context.ts";
import type { Statistics } from "../../reading/reads.rules.ts";
import { readHeavily } from "../../reading/shares.ts";
import { type Cost, costLimits, measureCost, refuseCostly, screenCost } from "./cost.ts";
import type { DocumentCache } from "./documentCache.ts";
import {
  checkText,
  documentLimits,
  type DocumentShape,
  operationOf,
  shapeOf,
  unsignedBytes,
} from "./documentLimits.ts";
import { errorsForCaller } from "../errors.ts";
import { refusal, signInFirst } from "./refusal.ts";

const { depth, aliases, fields, directives, tokens, bytes } = documentLimits;
const limits = { ...costLimits, depth, aliases, fields, directives, tokens, bytes };

/** The cost of an operation, as every answer has it in `extensions.cost`. */
const report = ({ nodes, cost }: Cost, { depth, aliases, fields }: DocumentShape) => ({
  nodes,
  cost,
  depth,
  aliases,
  fields,
  limits,
});

const malformed = (message: string) =>
  new GraphQLError(message, { extensions: { code: "MALFORMED", http: { status: 400 } } });

/** Messages that say what to do, as replacements for Yoga's messages. */
const teaching: [RegExp, string][] = [
  [
    /^Batching is not supported/,
    "Send one operation in a request, as an object: a batch of several (an array) is not taken.",
  ],
  [/^POST body sent invalid JSON/, "Send one operation as a JSON object, with its text in query."],
  [
    /^Can only perform a mutation operation from a POST request/,
    "A mutation is sent by POST, as JSON: GET is for queries.",
  ],
];

/** A failure of Yoga or GraphQL, with a message that says what to do if the library's message does not. */
export function taught(error: GraphQLError): GraphQLError {
  const [, message] = teaching.find(([pattern]) => pattern.test(error.message)) ?? [];
  if (!message) return error;
  const { originalError: within, ...extensions } = error.extensions;
  // The library's internal error is hidden, and the status is that of an unreadable body.
  return new GraphQLError(message, { extensions: within ? { ...extensions, http: { status: 400 } } : extensions });
}

/** The contexts of heavy operations. */
const heavyOperations = new WeakSet<object>();

/** Makes heavy operations wait in the queue. It must run after the database has been chosen (databaseOfQuery.ts). */
export const sharesPlugin: Plugin<Context> = {
  onExecute: ({ args: { contextValue } }) => {
    if (heavyOperations.has(contextValue)) readHeavily(contextValue);
  },
};

/** Validation stops after this number of errors. */
const mostErrors = 10;

/** Refuses a text that is too long for a caller who is not signed in. @throws GraphQLError */
function checkUnsigned(text: string): void {
  const size = Buffer.byteLength(text);
  if (size > unsignedBytes)
    throw signInFirst(
      `The query is ${size.toLocaleString("en")} bytes long; the limit is ${unsignedBytes.toLocaleString("en")} for callers who are not signed in. ` +
        `Sign in or send a token: the limit is then ${bytes.toLocaleString("en")}.`,
    );
  if (checkText(text).readsSchema)
    throw signInFirst("The schema (introspection) can only be read by signed-in callers. Sign in or send a token.");
}

/**
 * Refuses operations that are too long, too deep, too wide or too expensive before anything runs. First the caller is
 * identified, then the text is checked, then it is parsed, then its shape is checked, then it is validated. Before it is
 * executed its cost is checked; then its database is chosen (databaseOfQuery.ts), and its heavy statements wait in the queue
 * (reading/shares.ts). The answer's `extensions` contain the cost.
 *
 * @param screens the texts of our own client's operations
 */
export const limitsPlugin = (
  documents: DocumentCache,
  statistics: () => Statistics | null,
  screens: ReadonlySet<string>,
): Plugin<object, { incoming: { context: Context } }> => ({
  onRequestParse: ({ request, requestParser, setRequestParser }) => {
    if (request.method !== "GET" || !requestParser) return;
    setRequestParser(async (asked) => {
      try {
        return await requestParser(asked);
      } catch (error) {
        throw error instanceof SyntaxError
          ? malformed("In the address, variables and extensions must be JSON.")
          : error;
      }
    });
  },
  onParams: ({ params, context }) => {
    const { query, operationName } = params ?? {};
    if (typeof query === "string") {
      if (!context.incoming.context.viewer) checkUnsigned(query);
      else if (!documents.get(query)) checkText(query);
    }
    if (!["string", "undefined"].includes(typeof (operationName ?? undefined)))
      throw malformed("operationName must be a text.");
  },
  onParse:
    ({ params }) =>
    ({ result, context }) => {
      if (result instanceof Error || !result) return;
      try {
        shapeOf(result);
      } catch (error) {
        documents.delete(params.source.toString());
        throw error;
      }
      operationOf(result, (context as { params?: { operationName?: string | null } }).params?.operationName);
    },
  onValidate: ({ params: { documentAST }, setValidationFn }) => {
    setValidationFn((schema, document, rules, options) =>
      validate(schema, document, rules, { ...options, maxErrors: mostErrors }),
    );
    return ({ valid }) => {
      if (!valid) documents.delete(documentAST.loc!.source.body);
    };
  },
  onExecute: ({ args, setResultAndStopExecution }) => {
    const { schema, document, operationName } = args;
    const variables = (args.variableValues ?? {}) as Record<string, unknown>;
    try {
      const operation = operationOf(document, operationName);
      const measured = measureCost(schema, document, operation, variables, statistics());
      refuseCostly(measured, screens.has(document.loc!.source.body) ? screenCost : undefined);
      const cost = report(measured.cost, shapeOf(document));
      const { shares } = args.contextValue as Partial<Context>;
      if (operation.operation === OperationTypeNode.QUERY && shares?.isHeavy(measured.cost.reads))
        heavyOperations.add(args.contextValue as object);
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (Symbol.asyncIterator in result) return;
          setResult({ ...result, extensions: { ...result.extensions, cost } });
        },
      };
    } catch (error) {
      setResultAndStopExecution({
        errors: [error instanceof GraphQLError ? error : refusal("The query cannot be measured.")],
      });
    }
  },
  onExecutionResult: (answered) => {
    const { errors, ...more } = answered.result as ExecutionResult;
    if (errors)
      answered.setResult({
        errors: errorsForCaller(errors, more.data, answered.context.incoming.context.viewer !== null),
        ...more,
      });
  },
});
