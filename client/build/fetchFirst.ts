import type { Plugin } from "vite";

/** Replaces Vite's helper for `import()` by one that can be repeated after a failure (client/shell/fetchFirst.ts says why). */
export const fetchFirst: Plugin = {
  name: "fetch-first",
  enforce: "pre",
  apply: "build",
  load: (id) => (id === "\0vite/preload-helper.js" ? `export { fetchFirst as __vitePreload } from "/shell/fetchFirst.ts";` : null),
};
