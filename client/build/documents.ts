import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type DocumentNode, print, stripIgnoredCharacters } from "graphql";
import { type Plugin, runnerImport } from "vite";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const call = /\bgraphql\(\s*`\s*(query|mutation|fragment)\s+(\w+)[^`]*`,?\s*\)/g;

type Operation = DocumentNode & { ["__meta__"]?: { hash: string } };

/** The generated documents by name. */
let generated: Map<string, Operation>;

/**
 * Puts the text and hash that codegen generated in place of each `graphql(…)` call. Otherwise the table of all documents
 * would load with the first screen. The gateway gets codegen's texts by hash as documents.json.
 */
export const documents: Plugin = {
  name: "documents",
  apply: "build",
  enforce: "pre",
  async buildStart() {
    const { module } = await runnerImport<Record<string, Operation>>(at("../gql/graphql.ts"));
    const nameOf = ({ definitions: [first] }: Operation) =>
      first && "name" in first && first.name ? first.name.value : "";
    generated = new Map(Object.values(module).map((document) => [nameOf(document), document]));
  },
  transform(code, id) {
    if (!/\/client\/(?!gql\/).*\.tsx?$/.test(id) || !code.includes("/gql/gql.ts")) return null;
    const replaced = code.replace(call, (_, kind: string, name: string) => {
      const document = generated.get(name);
      if (!document) throw new Error(`${id}: nothing was generated for ${name}.`);
      // Fragments are needed for their types only.
      if (kind === "fragment") return "undefined";
      const parts = [name, document["__meta__"]?.hash, stripIgnoredCharacters(print(document))];
      return `nameDocument(${parts.map((part) => JSON.stringify(part)).join(", ")})`;
    });
    if (/\bgraphql\(/.test(replaced)) throw new Error(`${id}: a call of graphql() that the build cannot read.`);
    const imported = `import { nameDocument } from ${JSON.stringify(at("../documents.ts"))};`;
    return { code: replaced.replace(/^import \{ graphql \} from "[^"]*\/gql\/gql\.ts";$/m, imported), map: null };
  },
  async generateBundle() {
    const texts = await readFile(at("../gql/persisted-documents.json"));
    this.emitFile({ type: "asset", fileName: ".vite/documents.json", source: texts });
  },
};
