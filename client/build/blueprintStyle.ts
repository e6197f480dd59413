import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Root } from "postcss";
import { build } from "vite";
import type { Plugin } from "vite";
import { plainClassNames } from "./classNames.ts";

/*
 * Blueprint's stylesheet is one file for all its components: 46 kB gzip, of which the client uses a third. A selector is kept if the
 * scripts can produce each of its class names, as a literal or composed of literals. The styles of the first lists and of a visit
 * are loaded with the page, the rest with the first other screen or dialog. There is no list of components to maintain: a newly
 * imported component brings its style.
 */

const stylesheet = /@blueprintjs\/core\/lib\/css\/blueprint\.css$/;
const laterSheet = "@blueprintjs/core/lib/css/blueprint.css?later";
const main = fileURLToPath(new URL("../main.tsx", import.meta.url));

/** The entry points of the first part: the sign-in, the lists, a facility, a visit, notifications and the menu. */
const firstScreens = /\/(LoginScreen|Toasts|MenuDrawer|ProvincesScreen|DistrictsScreen|FacilitiesScreen|FacilityScreen|AssessmentScreen)\.tsx$/;

/** The client's scripts, Blueprint's scripts as far as they are used, and the client's own styles. */
type Texts = { first: string; all: string; styles: string; firstFiles: Set<string> };

/** Bundles the client without libraries and styles, which takes a second, and returns the texts. */
async function clientTexts(): Promise<Texts> {
  const styles: string[] = [];
  const ownAndBlueprint: Plugin = {
    name: "own-and-blueprint",
    enforce: "pre",
    resolveId: (source, importer) =>
      importer !== undefined && /^[@a-z]/.test(source) && !/^(@blueprintjs\/core|react-transition-group)\b/.test(source)
        ? { id: source, external: true }
        : null,
    async load(id) {
      if (!id.endsWith(".css")) return null;
      if (!stylesheet.test(id)) styles.push(await readFile(id, "utf8"));
      return { code: "", moduleType: "js" };
    },
  };
  const result = await build({
    configFile: false,
    logLevel: "error",
    plugins: [plainClassNames, ownAndBlueprint],
    // Constants are inlined, so that a class name is in the chunk that uses it.
    build: { write: false, target: "es2023", rolldownOptions: { input: main, optimization: { inlineConst: { mode: "all" } } } },
  });
  if (!("output" in result)) throw new Error("The client was to be bundled once.");
  const chunks = new Map(result.output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])));
  const first = new Set<string>();
  const take = (name: string) => {
    if (first.has(name) || !chunks.has(name)) return;
    first.add(name);
    chunks.get(name)?.imports.forEach(take);
  };
  for (const { fileName, isEntry, facadeModuleId } of chunks.values()) {
    if (isEntry || firstScreens.test(facadeModuleId ?? "")) take(fileName);
  }
  const ofFirst = [...chunks.values()].filter(({ fileName }) => first.has(fileName));
  const text = (some: Iterable<{ code: string }>) => [...some].map(({ code }) => code).join("\n");
  return {
    first: text(ofFirst),
    all: text(chunks.values()),
    styles: styles.join("\n"),
    firstFiles: new Set(ofFirst.flatMap(({ moduleIds }) => moduleIds)),
  };
}

/** Whether these scripts can produce a class name of Blueprint: `bp6-button`, or `bp6-intent-` concatenated with `primary`. */
function namedBy(scripts: string): (name: string) => boolean {
  const literals = new Set(scripts.match(/\bbp6-[\w-]+/g));
  const words = new Set(scripts.match(/(?<=["'`}])[\w-]+(?=["'`$])/g)?.map((word) => word.replace(/^-/, "")));
  const areWords = (text: string): boolean =>
    words.has(text) || [...text.matchAll(/-/g)].some(({ index }) => words.has(text.slice(0, index)) && areWords(text.slice(index + 1)));
  const beginnings = (name: string) => [...name.matchAll(/-/g)].map(({ index }) => index);
  return (name) =>
    !name.startsWith("bp6-") ||
    literals.has(name) ||
    beginnings(name).some(
      (end) => (literals.has(name.slice(0, end)) || literals.has(name.slice(0, end + 1))) && areWords(name.slice(end + 1)),
    );
}

/** `:not(…)` with its content: a class that an element must not have is not required. */
const negation = /:not\((?:[^()]|\([^()]*\))*\)/g;

/** Whether the selector can match an element that these scripts create. */
function matcher(scripts: string): (selector: string) => boolean {
  const isNamed = namedBy(scripts);
  return (selector) => {
    const asked = selector.replace(negation, "");
    const attributes = asked.match(/(?<=\[)data-[\w-]+/g) ?? [];
    return (asked.match(/(?<=\.)bp6-[\w-]+/g) ?? []).every(isNamed) && attributes.every((name) => scripts.includes(name));
  };
}

/** Removes the other selectors, and rules without any selector left. */
function keepSelectors(root: Root, isKept: (selector: string) => boolean): void {
  root.walkRules((rule) => {
    if (rule.parent?.type === "atrule" && "name" in rule.parent && rule.parent.name.endsWith("keyframes")) return;
    const selectors = rule.selectors.filter(isKept);
    if (selectors.length > 0) rule.selectors = selectors;
    else rule.remove();
  });
}

/** Removes the custom properties that are not read by the remaining rules, nor by the client's own styles and scripts. */
function dropUnread(root: Root, { all, styles }: Texts): void {
  const elsewhere = new Set(`${all}\n${styles}`.match(/--bp-[\w-]+/g));
  let before: number;
  let count = 0;
  do {
    before = count;
    const read = new Set<string>();
    root.walkDecls(({ value }) => value.match(/--bp-[\w-]+/g)?.forEach((name) => read.add(name)));
    root.walkDecls(/^--bp-/, (property) => {
      if (read.has(property.prop) || elsewhere.has(property.prop)) return;
      property.remove();
      count += 1;
    });
  } while (count !== before);
}

let texts: Promise<Texts>;

/** Reduces Blueprint's stylesheet to the styles that the client can use, in two parts. */
export const usedBlueprintStyle: Plugin = {
  name: "used-blueprint-style",
  apply: "build",
  enforce: "pre",
  buildStart() {
    texts = clientTexts();
  },
  async transform(code, id) {
    if (!/\/client\/.*\.tsx?$/.test(id) || !code.includes('from "@blueprintjs/core"')) return null;
    return (await texts).firstFiles.has(id) ? null : { code: `import "${laterSheet}";\n${code}`, map: null };
  },
  config: () => ({
    css: {
      postcss: {
        plugins: [
          {
            postcssPlugin: "used-blueprint-style",
            async Once(root) {
              const [file = "", query] = root.source?.input.from?.split("?") ?? [];
              if (!stylesheet.test(file)) return;
              const { first, all } = await texts;
              const [isOfFirst, isOfAny] = [matcher(first), matcher(all)];
              keepSelectors(root, isOfAny);
              dropUnread(root, await texts);
              keepSelectors(root, query === undefined ? isOfFirst : (selector) => !isOfFirst(selector));
            },
          },
        ],
      },
    },
  }),
};
