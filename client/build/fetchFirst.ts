import type { Plugin } from "vite";

/** Vite's helper for `import()` is replaced by one whose failures can be tried again (client/shell/fetchFirst.ts says why). */
export const fetchFirst: Plugin = {
  name: "fetch-first",
  enforce: "pre",
  apply: "build",
  load: (id) => (id === "\0vite/preload-helper.js" ? `export { fetchFirst as __vitePreload } from "/shell/fetchFirst.ts";` : null),
};
