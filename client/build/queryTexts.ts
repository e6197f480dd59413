import { fileURLToPath } from "node:url";
import { type DocumentNode, print, stripIgnoredCharacters } from "graphql";
import { runnerImport } from "vite";
import type { Plugin } from "vite";

const generated = fileURLToPath(new URL("../gql/graphql.ts", import.meta.url));
const call = /\bgraphql\(\s*`\s*(query|mutation|fragment)\s+(\w+)[^`]*`,?\s*\)/g;

let texts: Map<string, string>;

/**
 * Puts each query where it is asked, as text with its fragments. The generated table of all queries, which the call names for
 * its types, would otherwise come with the first screen, each query in it twice.
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
      if (first && "name" in first && first.name) texts.set(first.name.value, stripIgnoredCharacters(print(document)));
    }
  },
  transform(code, id) {
    if (!/\/client\/(?!gql\/).*\.tsx?$/.test(id) || !code.includes("/gql/gql.ts")) return null;
    const replaced = code.replace(/^import \{ graphql \} from "[^"]*\/gql\/gql\.ts";$/m, "").replace(call, (_, kind: string, name: string) => {
      const text = texts.get(name);
      if (text === undefined) throw new Error(`${id}: nothing was generated for ${name}.`);
      // Fragments are read by their types alone; their text is in the queries.
      return kind === "fragment" ? "undefined" : JSON.stringify(text);
    });
    if (/\bgraphql\(/.test(replaced)) throw new Error(`${id}: a call of graphql() that the build cannot read.`);
    return { code: replaced, map: null };
  },
};
