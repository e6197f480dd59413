/** `npm run bytes`: what a cold visit of each screen fetches, in kB of script and style, and what comes on demand. */
import { join } from "node:path";
import { runnerImport } from "vite";

import { buildAll, isBuilt, root } from "../gateway/build.mjs";

if (!isBuilt()) await buildAll();
const { module } = await runnerImport(join(root, "test", "bytes.ts"));
const { screens, onDemand } = module.measureBytes();

const kB = (bytes) => (bytes / 1000).toFixed(1).padStart(8);
const line = ({ name, script, style }) => `${name.padEnd(24)}${[script.gzip, script.brotli, style.gzip, style.brotli].map(kB).join("")}`;
const head = (title) => `${title.padEnd(24)}${["script gz", "br", "style gz", "br"].map((word) => word.padStart(10).slice(-9).padStart(8)).join("")}`;

console.log(head("A cold visit (kB)"));
for (const screen of screens) console.log(line(screen));
console.log(`\n${head("On demand, beside it")}`);
for (const one of onDemand) console.log(line(one));
