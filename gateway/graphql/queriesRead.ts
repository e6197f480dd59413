import { OperationTypeNode } from "graphql";
import type { Plugin } from "graphql-yoga";

import type { Context } from "../context.ts";
import { readOnly } from "../reading.ts";
import { operationOf } from "./documentLimits.ts";

/** A query reads only; a mutation is done on the primary, with all that its answer reads. */
export const queriesReadPlugin: Plugin<Context & { incoming: { context: Context } }> = {
  onExecute: ({ args: { document, operationName, contextValue } }) => {
    const { context } = contextValue.incoming;
    if (!context.replica || operationOf(document, operationName).operation !== OperationTypeNode.QUERY) return undefined;
    return readOnly(context).then(() => {
      // What the resolvers get is a copy that Yoga made.
      contextValue.db = context.db;
    });
  },
};
