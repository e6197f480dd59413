import { cpus } from "node:os";

import { adHocQuestions } from "./adHocQuestions.ts";
import { startLoad } from "./children.ts";
import { ask, type Result, startFloor } from "./compare.ts";
import { dashQuestions } from "./dashQuestions.ts";
import { startDatabases } from "./databases.ts";
import { figuresTable } from "./figuresTable.ts";
import { type Goal, goalsOf, goalTable } from "./goals.ts";
import { installPostgraphile } from "./install.ts";
import { help, type Options, readOptions } from "./options.ts";
import { placeQuestions } from "./placeQuestions.ts";
import { startProduct } from "./product.ts";
import { readSamples } from "./samples.ts";

/** `npm run bench`: see --help. */

const questions = [...placeQuestions, ...dashQuestions, ...adHocQuestions];
const progress = (line: string): void => console.error(line);

async function run(options: Options): Promise<void> {
  const isAsked = (name: string) => options.questions.length === 0 || options.questions.includes(name);
  const databases = await startDatabases(options, progress);
  const installed = await installPostgraphile();
  const load = startLoad();
  const goals: Goal[] = [];
  const details: string[] = [];
  try {
    const largest = options.assessments.at(-1)!;
    const place = await databases.open(largest);
    const samples = await readSamples(place);
    const asked = questions.filter(({ name }) => isAsked(name));
    const product = await startProduct(place);
    const floor = await startFloor(place, asked);
    const postgraphile = typeof installed === "string" ? undefined : await installed.start(place);
    const results: Result[] = [];
    const meter = { load, postgresFolder: databases.folder, seconds: options.seconds };
    for (const question of asked) {
      progress(`${question.name} …`);
      const result = await ask(meter, question, { samples, answerers: { product, floor, postgraphile }, connections: options.connections });
      results.push(result);
      details.push(figuresTable(result));
    }
    await Promise.all([product.stop(), floor.stop(), postgraphile?.stop()]);
    goals.push(...goalsOf(results, typeof installed === "string" ? `could not be installed: ${installed}` : ""));
  } finally {
    await load.stop();
    await databases.stop();
    if (typeof installed !== "string") await installed.remove();
  }
  console.log(`${goalTable(goals)}\n\n${details.join("\n\n")}\n`);
  console.log(`${cpus().length} processors, ${cpus()[0]?.model}; Node.js ${process.version}`);
}

if (process.argv.includes("--help")) console.log(help);
else await run(readOptions(process.argv.slice(2)));
process.exit(0);
