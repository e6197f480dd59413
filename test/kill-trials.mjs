/**
 * `npm run kill-trials`: kills browsers after the screen said that a visit is stored, and counts what arrives
 * (test/trials).
 */
import { importProgram } from "./support/program.mjs";

const { runTrials } = await importProgram("trials", ["trials/trials.ts"]);
process.exit(await runTrials(process.argv.slice(2)));
