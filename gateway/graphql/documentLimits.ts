import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from "graphql";

import { refusal } from "./refusal.ts";

/** What a document may look like, whatever the schema says to it: looked at before it is validated. */

export const documentLimits = {
  /** characters of the query text */
  length: 400_000,
  /** levels of fields, fragments followed */
  depth: 15,
  /** aliases in the text */
  aliases: 100,
  /** fields, each fragment counted wherever it is spread */
  fields: 500,
  /** operations and fragments of a document: the readers follow fragments by calling themselves, and look at each from each operation */
  definitions: 500,
} as const;

/** Levels of fields, aliases in the text, and fields with each fragment counted wherever it is spread. */
export type DocumentShape = { depth: number; aliases: number; fields: number };

const number = (value: number): string => value.toLocaleString("en");

/** Levels of brackets that a text may have at most to be read at all. */
const readableLevels = 500;

/** Counts aliases and levels of brackets in one pass, without reading the text as GraphQL. */
function scan(text: string): { aliases: number; levels: number } {
  let [aliases, levels, level, round] = [0, 0, 0, 0];
  // Strings and comments are passed over; outside of round brackets only an alias has a colon.
  for (const [sign] of text.matchAll(/"""[^]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|[()[\]{}:]/g)) {
    if (sign === ":") aliases += round === 0 ? 1 : 0;
    else if (sign === "(" || sign === "[" || sign === "{") {
      level += 1;
      levels = Math.max(levels, level);
      if (sign === "(") round += 1;
    } else if (sign === ")" || sign === "]" || sign === "}") {
      level -= 1;
      if (sign === ")") round -= 1;
    }
  }
  return { aliases, levels };
}

/** Texts that were right: most come again. */
const rightTexts = new Set<string>();

/** Refuses a text by what can be seen before it is read. @throws GraphQLError */
export function checkText(text: unknown): void {
  if (typeof text !== "string" || rightTexts.has(text)) return;
  if (text.length > documentLimits.length)
    throw refusal(
      `The query is ${number(text.length)} characters long; the limit is ${number(documentLimits.length)}. ` +
        "Send several smaller queries, and long lists of values as variables.",
    );
  const { aliases, levels } = scan(text);
  if (aliases > documentLimits.aliases)
    throw refusal(
      `This query has ${number(aliases)} aliases; the limit is ${documentLimits.aliases}. Send it as ${number(Math.ceil(aliases / documentLimits.aliases))} queries, ` +
        "or ask one list with a filter, or nodes(ids:), for many things at once.",
    );
  if (levels > readableLevels)
    throw refusal(`This query is ${number(levels)} levels deep; the limit is ${documentLimits.depth}. Ask for fewer levels in one query.`);
  if (rightTexts.size === 1000) rightTexts.clear();
  if (text.length < 10_000) rightTexts.add(text);
}

/** Counts what one selection asks for; a fragment is counted once and remembered, so that fragments of fragments cost no time. */
class Shapes {
  private readonly known = new Map<string, DocumentShape>();
  private readonly path: string[] = [];
  constructor(private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>) {}

  of(set: SelectionSetNode | undefined): DocumentShape {
    const sum = { depth: 0, aliases: 0, fields: 0 };
    for (const selection of set?.selections ?? []) {
      let shape: DocumentShape;
      if (selection.kind === Kind.FRAGMENT_SPREAD) shape = this.ofFragment(selection.name.value);
      else {
        shape = this.of(selection.selectionSet);
        if (selection.kind === Kind.FIELD) {
          // What the schema says of itself is deep by nature; graphql-js has a rule of its own against its abuse.
          const depth = selection.name.value.startsWith("__") ? 0 : shape.depth;
          shape = { depth: depth + 1, aliases: shape.aliases + (selection.alias ? 1 : 0), fields: shape.fields + 1 };
        }
      }
      sum.depth = Math.max(sum.depth, shape.depth);
      sum.aliases += shape.aliases;
      sum.fields += shape.fields;
    }
    return sum;
  }

  private ofFragment(name: string): DocumentShape {
    const known = this.known.get(name);
    if (known) return known;
    if (this.path.includes(name)) {
      const circle = [...this.path.slice(this.path.indexOf(name)), name].join(" → ");
      throw refusal(`A fragment cannot spread itself: ${circle}. Take one of these spreads out.`);
    }
    this.path.push(name);
    const shape = this.of(this.fragments.get(name)?.selectionSet);
    this.path.pop();
    this.known.set(name, shape);
    return shape;
  }
}

const seen = new WeakMap<DocumentNode, DocumentShape>();

/**
 * The figures of a document, or the first of them that is over its limit.
 *
 * @throws GraphQLError with the figure, the limit and what to do
 */
export function checkDocument(document: DocumentNode): DocumentShape {
  const known = seen.get(document);
  if (known) return known;
  const { length } = document.definitions;
  if (length > documentLimits.definitions)
    throw refusal(
      `This document has ${number(length)} operations and fragments; the limit is ${documentLimits.definitions}. Send only the operation that is to run, with its fragments.`,
    );
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const shapes = new Shapes(fragments);
  const all: DocumentShape = { depth: 0, aliases: 0, fields: 0 };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const shape = shapes.of(definition.selectionSet);
    all.depth = Math.max(all.depth, shape.depth);
    all.aliases = Math.max(all.aliases, shape.aliases);
    all.fields = Math.max(all.fields, shape.fields);
  }
  const refuse = (figure: keyof DocumentShape, what: string, advice: string) => {
    if (all[figure] <= documentLimits[figure]) return;
    throw refusal(`This query ${what.replace("#", number(all[figure]))}; the limit is ${number(documentLimits[figure])}. ${advice}`);
  };
  refuse("fields", "has # fields", `Ask for ${number(documentLimits.fields)} fields or fewer at a time.`);
  refuse("depth", "is # levels deep", `Take ${all.depth - documentLimits.depth} of its levels out, or begin nearer to what you look for.`);
  seen.set(document, all);
  return all;
}

/** The operation that is asked for. @throws GraphQLError that lists the names when it is not clear */
export function operationOf(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const names = operations.slice(0, 10).map((operation) => operation.name?.value ?? "one without a name");
  const found = name ? operations.find((operation) => operation.name?.value === name) : operations[0];
  if (operations.length === 0) throw refusal("The document has no operation: begin it with { or query.");
  if (!name && operations.length > 1)
    throw refusal(`The document has ${operations.length} operations (${names.join(", ")}): say with operationName which one to run.`);
  if (!found) throw refusal(`There is no operation ${JSON.stringify(name)} in the document. It has: ${names.join(", ")}.`);
  return found;
}
