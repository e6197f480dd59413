/** `npm run bench`: measures the product's speed (test/bench). */
import { importProgram } from "./support/program.mjs";

await importProgram("bench", ["bench/bench.ts", "bench/floor.ts", "bench/load.ts", "bench/postgraphile.ts"]);
