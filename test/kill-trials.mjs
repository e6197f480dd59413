/** `npm run kill-trials`: whether what a screen said was kept arrives, once, when the browser is killed after it (test/trials). */
import { join } from "node:path";
import { runnerImport } from "vite";

import { buildAll, isBuilt, root } from "../gateway/build/build.mjs";

process.chdir(root);
if (!isBuilt()) await buildAll();
const { module } = await runnerImport(join(root, "test", "trials", "trials.ts"));
process.exit(await module.runTrials(process.argv.slice(2)));
