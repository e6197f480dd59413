import { cpus, loadavg } from "node:os";

import { type Load, startLoad } from "./children.ts";
import { ask, type Result, startFloor } from "./compare.ts";
import { countQuestions } from "./countQuestions.ts";
import { dashQuestions } from "./dashQuestions.ts";
import { type Databases, startDatabases } from "./databases.ts";
import { endure } from "./endurance.ts";
import { askEveryRead } from "./everyRead.ts";
import { figuresTable } from "./figuresTable.ts";
import { type Goal, goalsOf, goalTable } from "./goals.ts";
import { install, type Installed } from "./install.ts";
import { BadOption, help, type Options, readOptions } from "./options.ts";
import { startPeer } from "./peer.ts";
import type { Place } from "./place.ts";
import { placeQuestions } from "./placeQuestions.ts";
import { startProduct } from "./product.ts";
import type { Question } from "./questions.ts";
import { readSamples, type Samples } from "./samples.ts";
import { saveQuestions } from "./saveQuestions.ts";
import { endureSiege } from "./siege.ts";

/** `npm run bench`: see --help. The tables go to stdout, the progress to stderr. */

const reading = [...placeQuestions, ...dashQuestions, ...countQuestions];
const names = [...[...reading, ...saveQuestions].map(({ name }) => name), "siege", "everyRead"];
const usage = `${help}\n\nQuestions: ${names.join(", ")}`;

type Section = { goals: Goal[]; text: string };
type Bench = { options: Options; databases: Databases; load: Load; installed: Installed | string; samples: Samples };

const begun = performance.now();
const progress = (line: string): void =>
  console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${line}`);

/** One part of the bench. If it fails, the others are still measured, and the failure is reported as a missed goal. */
async function part(name: string, work: () => Promise<Section>): Promise<Section> {
  progress(name);
  try {
    return await work();
  } catch (error) {
    return {
      goals: [{ what: name, measured: "failed", wanted: "an answer", reached: false, why: String(error) }],
      text: "",
    };
  }
}

/** Puts questions to the product, the floor and PostGraphile on one database. */
async function askAll(
  { options, databases, load, installed, samples }: Bench,
  place: Place,
  questions: Question[],
): Promise<Section> {
  if (questions.length === 0) return { goals: [], text: "" };
  const isWriting = questions.some(({ writes }) => writes);
  const product = await startProduct(place);
  const first = isWriting ? undefined : await startProduct(place, { keeps: false });
  const floor = await startFloor(place, questions);
  const postgraphile =
    typeof installed === "string" || isWriting ? undefined : await startPeer(place, installed.folder);
  const results: Result[] = [];
  const meter = { load, postgresFolder: databases.folder, seconds: options.seconds, warm: options.warm };
  for (const question of questions) {
    progress(question.name);
    results.push(
      await ask(meter, question, {
        samples,
        answerers: { product, first, floor, postgraphile },
        connections: options.connections,
      }),
    );
  }
  await Promise.all([product.stop(), first?.stop(), floor.stop(), postgraphile?.stop()]);
  return {
    goals: goalsOf(results, typeof installed === "string" ? installed : ""),
    text: results.map(figuresTable).join("\n\n"),
  };
}

/** Parts that write are measured on a copy, so that a kept database is not changed. */
async function onCopy(bench: Bench, place: Place, saves: Question[]): Promise<Section[]> {
  const { options, databases, load, samples } = bench;
  const isSiege = options.questions.includes("siege");
  if (saves.length === 0 && options.loadMinutes === 0 && !isSiege) return [];
  progress("a copy to write into");
  const copy = await databases.copy(place);
  const sections = [await part("saves", () => askAll(bench, copy.place, saves))];
  const seconds = 60 * Math.max(1, options.loadMinutes);
  const questions = [...reading, ...saveQuestions];
  if (isSiege)
    sections.push(
      await part("siege", () => endureSiege(copy.place, { samples, question: reading[0]!, load, seconds })),
    );
  else if (options.loadMinutes > 0)
    sections.push(
      await part(`${options.loadMinutes} minutes of load`, () =>
        endure(copy.place, { samples, questions, load, minutes: options.loadMinutes }),
      ),
    );
  await copy.drop();
  return sections;
}

async function measureAll(
  options: Options,
  databases: Databases,
  load: Load,
  installed: Installed | string,
): Promise<Section[]> {
  const isAsked = ({ name }: Question) => options.questions.length === 0 || options.questions.includes(name);
  const place = await databases.open(options.assessments);
  const bench = { options, databases, load, installed, samples: await readSamples(place) };
  const read = await part("questions", () => askAll(bench, place, reading.filter(isAsked)));
  const every = options.questions.includes("everyRead")
    ? [await part("everyRead", () => askEveryRead(place, bench.samples))]
    : [];
  return [read, ...every, ...(await onCopy(bench, place, saveQuestions.filter(isAsked)))];
}

async function run(options: Options): Promise<void> {
  const loadBefore = loadavg()[0]!;
  const databases = await startDatabases(options, progress);
  const installed = await install("postgraphile", "5");
  const load = startLoad();
  try {
    const sections = await measureAll(options, databases, load, installed);
    const settings = await databases.settings();
    console.log(goalTable(sections.flatMap(({ goals }) => goals)));
    for (const { text } of sections) if (text) console.log(`\n${text}`);
    console.log(`
${options.assessments} assessments, ${options.tdbs} TDBs, ${options.facilities ? "the ministry's facility list" : "made-up facilities"}; ${options.seconds} s a measurement, after ${options.warm} s of load before each question; no answer compressed
${cpus().length} processors (${cpus()[0]?.model}), shared by load, gateway and PostgreSQL; load average before: ${loadBefore.toFixed(2)}; Node.js ${process.version}
${settings}
PostGraphile ${typeof installed === "string" ? installed : `${installed.version}, Amber preset, row-level security and JSON web tokens as its documentation shows them, 10 connections like the product and the floor; it runs on this Node.js with the one function added that it lacks before 22`}`);
  } finally {
    await load.stop();
    await databases.stop();
    if (typeof installed !== "string") await installed.remove();
  }
}

try {
  if (process.argv.includes("--help")) console.log(usage);
  else await run(readOptions(process.argv.slice(2), names));
  process.exit(0);
} catch (error) {
  console.error(error instanceof BadOption ? `${error.message}\n\n${usage}` : error);
  process.exit(error instanceof BadOption ? 2 : 1);
}
