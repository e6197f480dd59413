import { GraphQLError, Kind } from "@0no-co/graphql.web";

/**
 * Replaces urql's parser and printer of GraphQL (see vite.config.ts). The build has checked each document, put its fragments into it and
 * named its types (client/build/documents.ts), and it is sent by its hash. So urql needs only the operation and the text, not a syntax tree.
 */

type TextDocument = {
  kind: typeof Kind.DOCUMENT;
  definitions: { kind: typeof Kind.OPERATION_DEFINITION; operation: string; name: { kind: typeof Kind.NAME; value: string } }[];
  loc: { start: number; end: number; source: { body: string; name: string; locationOffset: { line: number; column: number } } };
};

export { GraphQLError, Kind };

/** A document with its operation, the operation's name, and its text. */
export function parse(text: string): TextDocument {
  const [, operation = "", value = ""] = /^(query|mutation) (\w+)/.exec(text) ?? [];
  return {
    kind: Kind.DOCUMENT,
    definitions: [{ kind: Kind.OPERATION_DEFINITION, operation, name: { kind: Kind.NAME, value } }],
    loc: { start: 0, end: text.length, source: { body: text, name: value, locationOffset: { line: 1, column: 1 } } },
  };
}

/** The text of a document. */
export const print = ({ loc }: TextDocument): string => loc.source.body;
