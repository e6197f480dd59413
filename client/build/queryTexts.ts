import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type DocumentNode, Kind, print, type SelectionSetNode, stripIgnoredCharacters, visit } from "graphql";
import { runnerImport } from "vite";
import type { Plugin } from "vite";

const generated = fileURLToPath(new URL("../gql/graphql.ts", import.meta.url));
const documents = fileURLToPath(new URL("../documents.ts", import.meta.url));
const call = /\bgraphql\(\s*`\s*(query|mutation|fragment)\s+(\w+)[^`]*`,?\s*\)/g;

let texts: Map<string, string>;

/** Adds `__typename` to each selection, as urql's cache does, so that the text that urql sends is the one that was hashed. */
const withTypeNames = (document: DocumentNode): DocumentNode =>
  visit(document, {
    SelectionSet(set, _, parent): SelectionSetNode | undefined {
      const isRoot = parent !== undefined && "kind" in parent && parent.kind === Kind.OPERATION_DEFINITION;
      const hasName = set.selections.some((one) => one.kind === Kind.FIELD && one.name.value === "__typename");
      if (isRoot || hasName) return undefined;
      return { ...set, selections: [...set.selections, { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } }] };
    },
  });

/** The first 132 bits of the text's SHA-256: short, because each request sends it. */
const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);

/**
 * Replaces each `graphql(…)` call by the query's text with its fragments. Otherwise the generated table of all queries would load with the
 * first screen, with each query in it twice. The hash by which the query is sent is beside the text (client/documents.ts). The gateway
 * has the texts in documents.json (gateway/graphql/persisted.ts).
 */
export const queryTexts: Plugin = {
  name: "query-texts",
  apply: "build",
  enforce: "pre",
  async buildStart() {
    const { module } = await runnerImport<Record<string, DocumentNode | undefined>>(generated);
    texts = new Map();
    for (const document of Object.values(module)) {
      const first = document?.definitions?.[0];
      if (first && "name" in first && first.name) texts.set(first.name.value, stripIgnoredCharacters(print(withTypeNames(document))));
    }
  },
  transform(code, id) {
    if (!/\/client\/(?!gql\/).*\.tsx?$/.test(id) || !code.includes("/gql/gql.ts")) return null;
    let isNamed = false;
    const replaced = code.replace(/^import \{ graphql \} from "[^"]*\/gql\/gql\.ts";$/m, "").replace(call, (_, kind: string, name: string) => {
      const text = texts.get(name);
      if (text === undefined) throw new Error(`${id}: nothing was generated for ${name}.`);
      // Fragments are needed for their types only; their text is in the queries.
      if (kind === "fragment") return "undefined";
      isNamed = true;
      return `nameDocument(${JSON.stringify(name)}, ${JSON.stringify(hashOf(text))}, ${JSON.stringify(text)})`;
    });
    if (/\bgraphql\(/.test(replaced)) throw new Error(`${id}: a call of graphql() that the build cannot read.`);
    return { code: isNamed ? `import { nameDocument } from ${JSON.stringify(documents)};\n${replaced}` : replaced, map: null };
  },
  generateBundle() {
    const operations = [...texts.values()].filter((text) => /^(query|mutation) /.test(text));
    this.emitFile({ type: "asset", fileName: ".vite/documents.json", source: JSON.stringify(Object.fromEntries(operations.map((text) => [hashOf(text), text]))) });
  },
};
