/** `npm run upgrade-trial`: the previous release and this one on one database, during an upgrade (test/upgrade). */
import { importProgram } from "./support/program.mjs";

const { runTrial } = await importProgram("upgrade", ["upgrade/trial.ts"]);
process.exit(await runTrial(process.argv.slice(2)));
