import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parse,
  print,
  typeFromAST,
  valueFromASTUntyped,
} from "graphql";

import { parseJson } from "../input/parse.ts";
import { type InputError, invalid } from "../problem.ts";
import type { Question, QuestionParameter } from "../reading/questions.ts";
import { operationOf } from "./limits/documentLimits.ts";

/** The variables of a query as parameters of an address, for example `?province=Southern&year=2026`. */

function typed(schema: GraphQLSchema, document: DocumentNode, operationName: string | null | undefined) {
  return (operationOf(document, operationName).variableDefinitions ?? []).map((definition) => ({
    name: definition.variable.name.value,
    text: print(definition.type),
    type: typeFromAST(schema, definition.type) as GraphQLInputType | undefined,
    standard: definition.defaultValue && valueFromASTUntyped(definition.defaultValue),
  }));
}

const unwrapped = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? type.ofType : type);

/** The parameters of a query, with their defaults. */
export function parametersOf(
  schema: GraphQLSchema,
  { query, variables, operationName }: Question,
): QuestionParameter[] {
  return typed(schema, parse(query), operationName).map(({ name, text, type, standard }) => {
    const value = variables?.[name] ?? standard ?? null;
    const inner = type && unwrapped(type);
    const choices = inner && isEnumType(inner) ? inner.getValues().map((each) => each.name) : null;
    return { name, type: text, required: text.endsWith("!") && value === null, value, choices };
  });
}

/** A text from an address, converted to this type; undefined if it cannot be converted. */
function valueOf(text: string, type: GraphQLInputType): unknown {
  const inner = unwrapped(type);
  if (isListType(inner)) {
    const values =
      text === "" ? [] : text.split(",").map((each) => valueOf(each.trim(), inner.ofType as GraphQLInputType));
    return values.includes(undefined) ? undefined : values;
  }
  if (isInputObjectType(inner)) {
    try {
      return parseJson(text, "value");
    } catch {
      return undefined;
    }
  }
  if (isEnumType(inner)) return inner.getValue(text) ? text : undefined;
  if (inner.name === "Int") return /^-?\d{1,10}$/.test(text) ? Number(text) : undefined;
  if (inner.name === "Float") return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (inner.name === "Boolean") return { true: true, false: false }[text];
  if (inner.name === "Date") return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
  return text;
}

const meanings: Record<string, string> = {
  Int: "a whole number",
  Float: "a number",
  Boolean: "true or false",
  Date: "a date, YYYY-MM-DD",
};

/** The expected values of a type, as text for a message. */
function wordsOf(type: GraphQLInputType): string {
  const inner = unwrapped(type);
  if (isListType(inner)) return `${wordsOf(inner.ofType as GraphQLInputType)}, or several with commas between them`;
  if (isEnumType(inner))
    return `one of ${inner
      .getValues()
      .map(({ name }) => name)
      .join(", ")}`;
  return meanings[inner.name] ?? (isInputObjectType(inner) ? "JSON" : "a text");
}

/**
 * The query with its variables replaced by the values of an address. An empty text counts as no value.
 *
 * @throws Problem INVALID that names each wrong parameter
 */
export function withParameters(
  schema: GraphQLSchema,
  question: Question,
  given: Readonly<Record<string, string | string[]>>,
): Question {
  const known = new Map(typed(schema, parse(question.query), question.operationName).map((each) => [each.name, each]));
  const variables: Record<string, unknown> = { ...question.variables };
  const errors: InputError[] = [];
  for (const [path, asked] of Object.entries(given)) {
    const variable = known.get(path);
    if (!variable) errors.push({ path, message: "is not a known key" });
    if (!variable?.type) continue;
    const isList = isListType(unwrapped(variable.type));
    if (Array.isArray(asked) && !isList) {
      errors.push({ path, message: "is given twice" });
      continue;
    }
    const text = Array.isArray(asked) ? asked.join(",") : asked;
    const value = text === "" ? null : valueOf(text, variable.type);
    if (value === undefined) errors.push({ path, message: `must be ${wordsOf(variable.type)}` });
    else if (value === null && isNonNullType(variable.type)) errors.push({ path, message: "is required" });
    else variables[path] = value;
  }
  if (errors.length > 0) throw invalid(errors);
  return { ...question, variables };
}
