import type { Plugin } from "vite";

/**
 * Blueprint composes its thousand class names at run time, so that every bundle has all of them. This makes them plain constants: unused ones are
 * dropped, and the remaining ones show which styles are used (blueprintStyle.ts).
 */
export const plainClassNames: Plugin = {
  name: "plain-class-names",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/@blueprintjs/core/lib/esm/common/classes.js")) return null;
    const namespace = /let NS = "([\w-]+)";/.exec(code)?.[1];
    if (!namespace) throw new Error("Blueprint's table of class names is not what client/build/classNames.ts knows.");
    const names = new Map<string, string>([["NS", namespace]]);
    const named = (text: string) => text.replace(/\$\{(\w+)\}/g, (whole, name: string) => names.get(name) ?? whole);
    return code
      .replace(/^export const (\w+) = `([^`]*)`;/gm, (_, name: string, text: string) => {
        names.set(name, named(text));
        return `export const ${name} = ${JSON.stringify(names.get(name))};`;
      })
      .replaceAll("${NS}", namespace);
  },
};
