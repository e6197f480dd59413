import { type DocumentNode, Kind, type OperationDefinitionNode } from "graphql";

import { type Definition, readShape, type TextShape } from "./documentShape.ts";
import { refusal, type RefusalCode } from "./refusal.ts";

/** Limits on a document's shape, independent of the schema, checked before it is parsed. */

export const documentLimits = {
  /** bytes of the text */
  bytes: 65_536,
  /** names, values and signs of the text */
  tokens: 10_000,
  /** directives in the text */
  directives: 100,
  /** levels of fields, including those of fragments */
  depth: 15,
  /** aliases in the text */
  aliases: 100,
  /** fields, each fragment counted wherever it is spread */
  fields: 500,
  /** operations and fragments of a document */
  definitions: 500,
} as const;

/** The most bytes of a query from a caller who is not signed in: enough to sign in, and to ask who is signed in. */
export const unsignedBytes = 2048;

/** The deepest nesting of brackets in a text. It is limited because the parser is recursive. */
const readableLevels = 500;

/** Levels of fields, aliases, and fields, with each fragment counted wherever it is spread; of the largest operation or fragment. */
export type DocumentShape = { depth: number; aliases: number; fields: number };

const number = (value: number): string => value.toLocaleString("en");

/** Computes the figures of definitions. Those of a fragment are computed once and kept, so that fragments within fragments take no time. */
class Shapes {
  private readonly known = new Map<string, DocumentShape>();
  private readonly path: string[] = [];
  private readonly fragments: ReadonlyMap<string | null, Definition>;
  constructor(definitions: readonly Definition[]) {
    this.fragments = new Map(definitions.filter(({ isFragment }) => isFragment).map((fragment) => [fragment.name, fragment]));
  }

  of({ depth, aliases, fields, spreads }: Definition): DocumentShape {
    const sum = { depth, aliases, fields };
    for (const { name, around } of spreads) {
      const shape = this.ofFragment(name);
      if (around !== null) sum.depth = Math.max(sum.depth, around + shape.depth);
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
    const fragment = this.fragments.get(name);
    const shape = fragment ? this.of(fragment) : { depth: 0, aliases: 0, fields: 0 };
    this.path.pop();
    this.known.set(name, shape);
    return shape;
  }
}

function checkShape(text: TextShape): DocumentShape {
  const refuse = (code: RefusalCode, figure: number, limit: number, what: string, advice: string) => {
    if (figure > limit) throw refusal(`This ${what.replace("#", number(figure))}; the limit is ${number(limit)}. ${advice}`, code);
  };
  const { tokens, directives, depth, aliases, fields, definitions } = documentLimits;
  if (text.levels > readableLevels) refuse("TOO_DEEP", text.levels, depth, "query is # levels deep", "Ask for fewer levels in one query.");
  refuse("TOO_LONG", text.tokens, tokens, "document has # names, values and signs (tokens)", "Send several smaller queries, and long lists of values as variables.");
  refuse("TOO_WIDE", text.directives, directives, "query has # directives", `Ask with ${directives} directives (@include, @skip) or fewer.`);
  const parts = Math.ceil(text.aliases / aliases);
  refuse("TOO_WIDE", text.aliases, aliases, "query has # aliases", `Send it as ${number(parts)} queries, or ask one list with a filter, or nodes(ids:), for many things at once.`);
  refuse("TOO_LONG", text.definitions.length, definitions, "document has # operations and fragments", "Send only the operation that is to run, with its fragments.");
  const shapes = new Shapes(text.definitions);
  const all: DocumentShape = { depth: 0, aliases: 0, fields: 0 };
  for (const definition of text.definitions) {
    const shape = shapes.of(definition);
    for (const figure of ["depth", "aliases", "fields"] as const) all[figure] = Math.max(all[figure], shape[figure]);
  }
  refuse("TOO_WIDE", all.fields, fields, "query has # fields", `Ask for ${number(fields)} fields or fewer at a time.`);
  refuse("TOO_DEEP", all.depth, depth, "query is # levels deep", `Take ${all.depth - depth} of its levels out, or begin nearer to what you look for.`);
  return all;
}

/**
 * Refuses a text that is over a limit, before it is parsed.
 *
 * @throws GraphQLError with the figure, the limit and what to do
 */
export function checkText(text: string): DocumentShape & { readsSchema: boolean } {
  const bytes = Buffer.byteLength(text);
  if (bytes > documentLimits.bytes)
    throw refusal(
      `The query is ${number(bytes)} bytes long; the limit is ${number(documentLimits.bytes)}. ` +
        "Send several smaller queries, and long lists of values as variables.",
      "TOO_LONG",
    );
  const found = readShape(text, documentLimits.tokens);
  return { ...checkShape(found), readsSchema: found.readsSchema };
}

const shapes = new WeakMap<DocumentNode, DocumentShape>();

/** The figures of a document that was parsed from a text. @throws GraphQLError as checkText */
export function shapeOf(document: DocumentNode): DocumentShape {
  const known = shapes.get(document);
  if (known) return known;
  const shape = checkText(document.loc?.source.body ?? "");
  shapes.set(document, shape);
  return shape;
}

/** The operation that is asked for. @throws GraphQLError that lists the names if several are possible or none has the name */
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
