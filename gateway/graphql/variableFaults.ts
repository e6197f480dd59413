import { type FieldNode, Kind, parse, type SelectionNode, type SelectionSetNode, type ValueNode } from "graphql";

import type { InputError } from "../problem.ts";
import type { Question, QuestionAnswer } from "../reading/questions.ts";
import { operationOf } from "./limits/documentLimits.ts";

/**
 * The error for a wrong value has the path of a field's argument, for example `filter.province`. A person who only
 * fills in the variables of a saved query does not know its fields. So the name of the variable that the value came
 * from is added.
 */

/** The fields of a selection with this key in the answer, including those of fragments. */
function fieldsAt(
  { selections }: SelectionSetNode,
  key: string,
  fragments: ReadonlyMap<string, SelectionSetNode>,
): FieldNode[] {
  return selections.flatMap((selection: SelectionNode): FieldNode[] => {
    if (selection.kind === Kind.FIELD) return (selection.alias ?? selection.name).value === key ? [selection] : [];
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments.get(selection.name.value);
    return inner ? fieldsAt(inner, key, fragments) : [];
  });
}

/** The variable that a value came from, with the rest of the path within it; undefined if it came from none. */
function variableIn(value: ValueNode, path: readonly string[]): string | undefined {
  if (value.kind === Kind.VARIABLE) return [value.name.value, ...path].join(".");
  const [key = "", ...rest] = path;
  if (value.kind === Kind.OBJECT) {
    const field = value.fields.find(({ name }) => name.value === key);
    return field && variableIn(field.value, rest);
  }
  return value.kind === Kind.LIST && value.values[Number(key)]
    ? variableIn(value.values[Number(key)]!, rest)
    : undefined;
}

/**
 * The variable of a wrong argument.
 *
 * @param place the path of its field in the answer
 * @param path the path of the argument
 */
function variableOf(
  { query, operationName }: Question,
  place: readonly (string | number)[],
  path: string,
): string | undefined {
  const document = parse(query);
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet]] : [],
    ),
  );
  let fields: FieldNode[] = [];
  for (const key of place.filter((each) => typeof each === "string")) {
    const within =
      fields.length > 0
        ? fields.flatMap(({ selectionSet }) => selectionSet ?? [])
        : [operationOf(document, operationName).selectionSet];
    fields = within.flatMap((selection) => fieldsAt(selection, key, fragments));
  }
  const [name = "", ...rest] = path.split(".");
  const argument = fields.flatMap((field) => field.arguments ?? []).find((each) => each.name.value === name);
  return argument && variableIn(argument.value, rest);
}

type Failure = NonNullable<QuestionAnswer["errors"]>[number] & { path?: readonly (string | number)[] };

/** The answer in which the error of each wrong value has the path of its variable, and the argument in the message. */
export function withVariables(question: Question, answer: QuestionAnswer): QuestionAnswer {
  if (!answer.errors?.some(({ extensions }) => extensions?.["errors"])) return answer;
  const errors = (answer.errors as readonly Failure[]).map((failure) => {
    const { errors: inputs } = (failure.extensions ?? {}) as { errors?: InputError[] };
    if (!inputs || !failure.path) return failure;
    const named = inputs.map(({ path, message }): InputError => {
      const variable = variableOf(question, failure.path!, path);
      return variable === undefined
        ? { path, message }
        : {
            path: variable,
            message: `${message} (${path} of ${failure.path!.filter((each) => typeof each === "string").join(".")})`,
          };
    });
    const words = named.map(({ path, message }) => `${path}: ${message}`).join("; ");
    return {
      message: words || failure.message,
      ...(failure.path ? { path: failure.path } : {}),
      extensions: { ...failure.extensions, errors: named },
    };
  });
  return { ...answer, errors };
}
