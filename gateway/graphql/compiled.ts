import {
  defaultFieldResolver,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  isObjectType,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SourceLocation,
  valueFromASTUntyped,
} from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import type { Plugin } from "graphql-yoga";

import { hasPlainConditions } from "./conditions.ts";

/**
 * Queries that come again are executed by code that was made for them once, in place of a walk through the query at every field
 * of every row. Answers and errors are the same: what the compiled code would say otherwise is left to the usual executor.
 */

/** Each is some ten kilobytes of code. */
const mostCompiled = 500;

/** Where a value may come later: compiled code awaits what a resolver answers, but takes what merely lies there as it is. */
function awaitPageInfo(schema: GraphQLSchema): void {
  const type = schema.getType("PageInfo");
  if (isObjectType(type)) for (const field of Object.values(type.getFields())) field.resolve ??= defaultFieldResolver;
}

type Variables = Record<string, unknown>;
type State = CompiledQuery | "seen once" | "not to be compiled";

/** The variables as given, and the defaults of the others: compiled code takes a default only where null would do as well. */
const withDefaults = ({ variableDefinitions = [] }: OperationDefinitionNode, given: Variables): Variables => ({
  ...Object.fromEntries(variableDefinitions.flatMap(({ variable, defaultValue }) => (defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : []))),
  ...given,
});

/** A result whose errors are GraphQL's own: compiled code has another class for them, which tells lines and columns only. */
function usual({ data, errors, ...more }: ExecutionResult, document: DocumentNode): ExecutionResult {
  if (!errors) return { data, ...more };
  const source = document.loc?.source;
  const lines = source?.body.split(/(?<=\r\n|[\n\r](?!\n))/) ?? [];
  const positionOf = ({ line, column }: SourceLocation) => lines.slice(0, line - 1).join("").length + column - 1;
  const usualErrors = errors.map(
    ({ message, locations, path, originalError, extensions }) =>
      new GraphQLError(message, { source, positions: locations?.map(positionOf), path, originalError, extensions }),
  );
  return { errors: usualErrors, data, ...more };
}

export function compiledPlugin(schema: GraphQLSchema): Plugin {
  awaitPageInfo(schema);
  /** By document, of which Yoga keeps one for each text, and operation. */
  const known = new Map<DocumentNode, Map<string, State>>();

  /** The compiled query, from the second time on. */
  function find(document: DocumentNode, operationName: string): CompiledQuery | null {
    const ofDocument = known.get(document) ?? new Map<string, State>();
    const found = ofDocument.get(operationName);
    if (typeof found === "object") return found;
    if (found === "not to be compiled") return null;
    if (found === undefined) {
      if (known.size === mostCompiled) known.clear();
      known.set(document, ofDocument.set(operationName, "seen once"));
      return null;
    }
    const compiled = hasPlainConditions(document) ? compileQuery(schema, document, operationName || undefined) : null;
    const isCompiled = compiled !== null && isCompiledQuery(compiled);
    ofDocument.set(operationName, isCompiled ? compiled : "not to be compiled");
    return isCompiled ? compiled : null;
  }

  return {
    onExecute({ args, setExecuteFn }) {
      const { document, operationName, variableValues } = args as ExecutionArgs;
      const operation = getOperationAST(document, operationName);
      if (operation?.operation !== OperationTypeNode.QUERY) return;
      const compiled = find(document, operationName ?? "");
      if (!compiled) return;
      const given = (variableValues ?? {}) as Variables;
      const { variableDefinitions = [] } = operation;
      if (variableDefinitions.length && getVariableValues(schema, variableDefinitions, given).errors) return;
      setExecuteFn(async ({ rootValue, contextValue }: ExecutionArgs) =>
        usual(await compiled.query(rootValue, contextValue, withDefaults(operation, given)), document),
      );
    },
  };
}
