import { OperationTypeNode } from "graphql";
import type { Plugin } from "graphql-yoga";

import type { Context } from "../context.ts";
import { readOnly } from "../reading/reading.ts";
import { recordReads } from "../reading/record.ts";
import { operationOf } from "./limits/documentLimits.ts";

/** A query only reads: it may use a replica, and its answer may be kept. A mutation uses the primary, also for the fields of its answer. */
export const queriesReadPlugin: Plugin<Context & { incoming: { context: Context } }> = {
  onExecute: ({ args: { document, operationName, contextValue } }) => {
    const { context } = contextValue.incoming;
    if ((!context.replica && !context.record) || operationOf(document, operationName).operation !== OperationTypeNode.QUERY) return undefined;
    return readOnly(context).then(() => {
      // The resolvers get a copy of the context, which Yoga has made.
      contextValue.db = context.db;
      recordReads(contextValue);
    });
  },
};
