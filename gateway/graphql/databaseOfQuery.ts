import { OperationTypeNode } from "graphql";
import type { Plugin } from "graphql-yoga";

import type { Context } from "../context.ts";
import { readOnly } from "../reading/reading.ts";
import { operationOf } from "./limits/documentLimits.ts";
import { nounsOfDocument } from "../reading/nounsOfDocument.ts";

/**
 * A query only reads: it may use a replica, and its answer may be kept. A mutation uses the primary, also for the
 * fields of its answer.
 */
export const databaseOfQueryPlugin: Plugin<Context & { incoming: { context: Context } }> = {
  onExecute: ({ args: { schema, document, operationName, contextValue, variableValues } }) => {
    const { context } = contextValue.incoming;
    const values = (variableValues ?? {}) as Record<string, unknown>;
    // Which field lists there are depends on the person.
    const isOfList = JSON.stringify(values).includes('"fieldList":');
    context.answersFrom = isOfList ? undefined : nounsOfDocument(schema, document, values);
    const isQuery = operationOf(document, operationName).operation === OperationTypeNode.QUERY;
    if (!context.replica || !isQuery) return undefined;
    return readOnly(context).then(() => {
      // The resolvers get a copy of the context, which Yoga has made.
      contextValue.db = context.db;
    });
  },
};
