import { getVariableValues, GraphQLError, type GraphQLSchema, OperationTypeNode, validate } from "graphql";

import type { InputError } from "../../problem.ts";
import type { Question, QuestionMeasure } from "../../reading/questions.ts";
import type { Statistics } from "../../reading/reads.rules.ts";
import { type Cost, measureCost, refuseCostly } from "./cost.ts";
import { operationOf, parseWithin } from "./documentLimits.ts";

const at = (path: string, errors: readonly GraphQLError[]): InputError[] =>
  errors.map(({ message, locations }) => ({
    path,
    message: `${message}${locations?.[0] ? ` (line ${locations[0].line})` : ""}`,
  }));

/** Checks a query and its variables against the schema and the limits, and says what it costs, without running it. */
export function measureQuestion(
  schema: GraphQLSchema,
  { query, variables, operationName }: Question,
  statistics: Statistics | null,
): QuestionMeasure {
  let cost: Cost | null = null;
  const refused = (errors: InputError[]): QuestionMeasure => ({
    nodes: cost?.nodes ?? null,
    cost: cost?.cost ?? null,
    errors,
  });
  try {
    const document = parseWithin(query);
    const errors = validate(schema, document);
    if (errors.length > 0) return refused(at("query", errors));
    const operation = operationOf(document, operationName);
    if (operation.operation !== OperationTypeNode.QUERY)
      return refused([{ path: "query", message: "must be a query, not a mutation" }]);
    const known = new Set((operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value));
    const strange = Object.keys(variables ?? {}).filter((name) => !known.has(name));
    if (strange.length > 0)
      return refused(strange.map((name) => ({ path: `variables.${name}`, message: "is not a variable of the query" })));
    const measured = measureCost(schema, document, operation, variables ?? {}, statistics);
    cost = measured.cost;
    const values = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {});
    if (values.errors) return refused(at("variables", values.errors));
    refuseCostly(measured);
    return refused([]);
  } catch (error) {
    if (error instanceof GraphQLError) return refused(at("query", [error]));
    throw error;
  }
}

/**
 * Checks a query and its variables against the schema and the limits without running it. Empty if it would be answered.
 */
export const checkQuestion = (
  schema: GraphQLSchema,
  question: Question,
  statistics: Statistics | null = null,
): InputError[] => measureQuestion(schema, question, statistics).errors;
