import type { DocumentNode, ExecutionResult, OperationDefinitionNode } from "graphql";
import type { Plugin } from "graphql-yoga";

import type { Tracing } from "./tracing.ts";

type Choose = (document: DocumentNode, name: string | null | undefined) => OperationDefinitionNode;

/**
 * A span for each executed operation, above those of its statements. The text of a query may contain values, so it is
 * left out.
 */
export const operationSpans = (tracing: Tracing, operationOf: Choose): Plugin => ({
  onExecute: ({ args: { document, operationName }, executeFn, setExecuteFn }) => {
    const { operation, name } = operationOf(document, operationName);
    const facts = { "graphql.operation.type": operation, "graphql.operation.name": name?.value };
    setExecuteFn((args: Parameters<typeof executeFn>[0]) => {
      const span = tracing.begin({ name: `${operation} ${name?.value ?? ""}`.trim(), kind: "internal", facts });
      return tracing.within(span, async () => {
        try {
          const result = (await executeFn(args)) as ExecutionResult;
          span.end({ "graphql.errors": result.errors?.length });
          return result;
        } catch (error) {
          span.end({}, (error as Error).name);
          throw error;
        }
      });
    });
  },
});
