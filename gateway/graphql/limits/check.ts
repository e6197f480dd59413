import { getVariableValues, GraphQLError, type GraphQLSchema, OperationTypeNode, parse, validate } from "graphql";

import type { InputError } from "../../problem.ts";
import type { Question } from "../../reading/questions.ts";
import type { Statistics } from "../../reading/reads.rules.ts";
import { checkCost, checkIds } from "./cost.ts";
import { checkText, operationOf } from "./documentLimits.ts";

const at = (path: string, errors: readonly GraphQLError[]): InputError[] =>
  errors.map(({ message, locations }) => ({ path, message: `${message}${locations?.[0] ? ` (line ${locations[0].line})` : ""}` }));

/** Checks a query and its variables against the schema and the limits without running it. Empty if it would be answered. */
export function checkQuestion(schema: GraphQLSchema, { query, variables, operationName }: Question, statistics: Statistics | null = null): InputError[] {
  try {
    checkText(query);
    const document = parse(query);
    const errors = validate(schema, document);
    if (errors.length > 0) return at("query", errors);
    const operation = operationOf(document, operationName);
    if (operation.operation !== OperationTypeNode.QUERY) return [{ path: "query", message: "must be a query, not a mutation" }];
    const known = new Set((operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value));
    const strange = Object.keys(variables ?? {}).filter((name) => !known.has(name));
    if (strange.length > 0) return strange.map((name) => ({ path: `variables.${name}`, message: "is not a variable of the query" }));
    const values = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {});
    if (values.errors) return at("variables", values.errors);
    checkIds(operation, variables ?? {});
    checkCost(schema, document, operation, variables ?? {}, statistics);
    return [];
  } catch (error) {
    if (error instanceof GraphQLError) return at("query", [error]);
    throw error;
  }
}
