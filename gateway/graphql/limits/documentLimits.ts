import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  Source,
  TokenKind,
} from "graphql";

import { refusal, type RefusalCode } from "./refusal.ts";

/**
 * Limits on a document's shape, independent of the schema, checked before it is validated, most before it is parsed.
 */

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

/**
 * The deepest nesting of brackets of all kinds in a text, as in JSON. It is limited because the parser is recursive.
 */
const readableLevels = 64;

const number = (value: number): string => value.toLocaleString("en");

/**
 * Refuses a figure over its limit.
 *
 * @param what what has the figure, with `#` for it
 * @param advice what to do instead
 */
function refuse(code: RefusalCode, figure: number, limit: number, what: string, advice: string): void {
  if (figure <= limit) return;
  throw refusal(`This ${what.replace("#", number(figure))}; the limit is ${number(limit)}. ${advice}`, code);
}

const opening = new Set<string>([TokenKind.PAREN_L, TokenKind.BRACKET_L, TokenKind.BRACE_L]);
const closing = new Set<string>([TokenKind.PAREN_R, TokenKind.BRACKET_R, TokenKind.BRACE_R]);

/** Counts a text's tokens with GraphQL's lexer, up to the first that cannot be read: the parser reports that one. */
export function countTokens(text: string) {
  const count = { tokens: 0, directives: 0, aliases: 0, levels: 0, readsSchema: false };
  const lexer = new Lexer(new Source(text));
  let level = 0;
  /** Brackets around arguments and variables, whose colons are no aliases. */
  let round = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) {
      const { kind, value } = lexer.token;
      count.tokens += 1;
      if (opening.has(kind)) level += 1;
      else if (closing.has(kind)) level -= 1;
      count.levels = Math.max(count.levels, level);
      if (kind === TokenKind.PAREN_L) round += 1;
      else if (kind === TokenKind.PAREN_R) round -= 1;
      else if (kind === TokenKind.AT) count.directives += 1;
      else if (kind === TokenKind.COLON && round === 0) count.aliases += 1;
      else if (kind === TokenKind.NAME && (value === "__schema" || value === "__type")) count.readsSchema = true;
    }
  } catch {
    // What follows is not parsed either.
  }
  return count;
}

/**
 * Refuses a text that is over a limit, before it is parsed, which needs a hundred times the text's size in memory.
 *
 * @returns whether the text may contain introspection
 * @throws GraphQLError with the figure, the limit and what to do
 */
export function checkText(text: string): { readsSchema: boolean } {
  const { bytes, tokens, directives, aliases, depth } = documentLimits;
  const size = Buffer.byteLength(text);
  if (size > bytes)
    throw refusal(
      `The query is ${number(size)} bytes long; the limit is ${number(bytes)}. ` +
        "Send several smaller queries, and long lists of values as variables.",
      "TOO_LONG",
    );
  const found = countTokens(text);
  if (found.levels > readableLevels)
    refuse("TOO_DEEP", found.levels, depth, "query is # levels deep", "Ask for fewer levels in one query.");
  refuse(
    "TOO_LONG",
    found.tokens,
    tokens,
    "document has # names, values and signs (tokens)",
    "Send several smaller queries, and long lists of values as variables.",
  );
  const fewer = `Ask with ${directives} directives (@include, @skip) or fewer.`;
  refuse("TOO_WIDE", found.directives, directives, "query has # directives", fewer);
  const parts = number(Math.ceil(found.aliases / aliases));
  const ways = `Send it as ${parts} queries, or ask one list with a filter, or nodes(ids:), for many things at once.`;
  refuse("TOO_WIDE", found.aliases, aliases, "query has # aliases", ways);
  return found;
}

/**
 * Levels of fields, aliases, and fields, with each fragment counted wherever it is spread; of the largest operation or
 * fragment.
 */
export type DocumentShape = { depth: number; aliases: number; fields: number };

export const fragmentsOf = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]));

/** Measures a document. The figures of a fragment are kept, so that fragments within fragments take no time. */
function measureShape(document: DocumentNode): DocumentShape {
  const fragments = fragmentsOf(document);
  const known = new Map<string, DocumentShape>();
  const path: string[] = [];

  function ofSelections(set: SelectionSetNode | undefined): DocumentShape {
    const sum = { depth: 0, aliases: 0, fields: 0 };
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        const within = ofSelections(selection.selectionSet);
        // Levels of introspection are not counted: its usual query is deep, and GraphQL has a rule against its misuse.
        const levels = selection.name.value.startsWith("__") ? 1 : 1 + within.depth;
        sum.depth = Math.max(sum.depth, levels);
        sum.aliases += within.aliases + (selection.alias ? 1 : 0);
        sum.fields += within.fields + 1;
      } else {
        const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
        const within = isSpread ? ofFragment(selection.name.value) : ofSelections(selection.selectionSet);
        sum.depth = Math.max(sum.depth, within.depth);
        sum.aliases += within.aliases;
        sum.fields += within.fields;
      }
    }
    return sum;
  }

  function ofFragment(name: string): DocumentShape {
    const found = known.get(name);
    if (found) return found;
    if (path.includes(name)) {
      const circle = [...path.slice(path.indexOf(name)), name].join(" → ");
      throw refusal(`A fragment cannot spread itself: ${circle}. Take one of these spreads out.`);
    }
    path.push(name);
    const shape = ofSelections(fragments.get(name)?.selectionSet);
    path.pop();
    known.set(name, shape);
    return shape;
  }

  const all: DocumentShape = { depth: 0, aliases: 0, fields: 0 };
  for (const definition of document.definitions) {
    let shape = all;
    if (definition.kind === Kind.FRAGMENT_DEFINITION) shape = ofFragment(definition.name.value);
    else if (definition.kind === Kind.OPERATION_DEFINITION) shape = ofSelections(definition.selectionSet);
    for (const figure of ["depth", "aliases", "fields"] as const) all[figure] = Math.max(all[figure], shape[figure]);
  }
  return all;
}

const shapes = new WeakMap<DocumentNode, DocumentShape>();

/**
 * The figures of a document.
 *
 * @throws GraphQLError with the figure, the limit and what to do if one is over its limit
 */
export function shapeOf(document: DocumentNode): DocumentShape {
  const known = shapes.get(document);
  if (known) return known;
  const { definitions, fields, depth } = documentLimits;
  const onlyOne = "Send only the operation that is to run, with its fragments.";
  refuse("TOO_LONG", document.definitions.length, definitions, "document has # operations and fragments", onlyOne);
  const shape = measureShape(document);
  refuse(
    "TOO_WIDE",
    shape.fields,
    fields,
    "query has # fields",
    `Ask for ${number(fields)} fields or fewer at a time.`,
  );
  const shallower = `Take ${shape.depth - depth} of its levels out, or begin nearer to what you look for.`;
  refuse("TOO_DEEP", shape.depth, depth, "query is # levels deep", shallower);
  shapes.set(document, shape);
  return shape;
}

/** Parses a text that is within the limits. @throws GraphQLError if it is over one, or cannot be parsed */
export function parseWithin(text: string): DocumentNode {
  checkText(text);
  const document = parse(text);
  shapeOf(document);
  return document;
}

/**
 * The operation that is asked for.
 *
 * @throws GraphQLError that lists the names if several are possible or none has the name
 */
export function operationOf(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const names = operations.slice(0, 10).map((operation) => operation.name?.value ?? "one without a name");
  const found = name ? operations.find((operation) => operation.name?.value === name) : operations[0];
  if (operations.length === 0) throw refusal("The document has no operation: begin it with { or query.");
  if (!name && operations.length > 1)
    throw refusal(
      `The document has ${operations.length} operations (${names.join(", ")}): say with operationName which one to run.`,
    );
  if (!found)
    throw refusal(`There is no operation ${JSON.stringify(name)} in the document. It has: ${names.join(", ")}.`);
  return found;
}
