import { cpus, loadavg } from "node:os";

import { adHocQuestions } from "./adHocQuestions.ts";
import { askAlongside } from "./alongside.ts";
import { screensTable } from "./bytesOfScreens.ts";
import { type Load, startLoad } from "./children.ts";
import { ask, type Result, startFloor } from "./compare.ts";
import { measureCsv } from "./csv.ts";
import { dashboardsOf } from "./dashboards.ts";
import { dashQuestions } from "./dashQuestions.ts";
import { type Databases, startDatabases } from "./databases.ts";
import { endure } from "./endurance.ts";
import { measureKept } from "./keptMemory.ts";
import { weatherStorm } from "./keptStorm.ts";
import { figuresTable } from "./figuresTable.ts";
import { type Goal, goalsOf, goalTable } from "./goals.ts";
import { install, type Installed } from "./install.ts";
import { measureLighthouse } from "./lighthouse.ts";
import { BadOption, help, type Options, readOptions } from "./options.ts";
import { startPeer } from "./peer.ts";
import type { Place } from "./place.ts";
import { placeQuestions } from "./placeQuestions.ts";
import { startProduct } from "./product.ts";
import type { Question } from "./questions.ts";
import { readSamples, type Samples } from "./samples.ts";
import { saveQuestions } from "./saveQuestions.ts";
import { measureTerms } from "./searchTerms.ts";
import { measureShares } from "./shares.ts";
import { endureSiege } from "./siege.ts";
import { measureCharts } from "./sqlTime.ts";
import { measureStart } from "./start.ts";
import { measureUpload } from "./upload.ts";

/** `npm run bench`: see --help. The tables go to stdout, the progress to stderr. */

const reading = [...placeQuestions, ...dashQuestions, ...adHocQuestions];
const others = [
  "sqlTime",
  "alongside",
  "kept",
  "searchTerms",
  "csv",
  "shares",
  "siege",
  "storm",
  "upload",
  "start",
  "bytes",
  "lighthouse",
];
const names = [...reading, ...saveQuestions].map(({ name }) => name).concat(others);
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

/** Measures the questions that PostGraphile can answer too, or the requested ones of them, while others save. */
async function askBesideSaves(
  { options, databases, load, installed, samples }: Bench,
  place: Place,
  isAsked: (name: string) => boolean,
): Promise<Section> {
  const compared = reading.filter(({ values }) => values);
  const requested = compared.filter(({ name }) => isAsked(name));
  const product = await startProduct(place);
  const postgraphile = typeof installed === "string" ? undefined : await startPeer(place, installed.folder);
  const meter = { load, postgresFolder: databases.folder, seconds: options.seconds, warm: options.warm };
  const section = await askAlongside(meter, requested.length > 0 ? requested : compared, {
    samples,
    product,
    postgraphile,
  });
  await Promise.all([product.stop(), postgraphile?.stop()]);
  return section;
}

/** Measures the search terms on a copy, which becomes a larger country. */
async function ofTerms({ databases }: Bench, place: Place): Promise<Section> {
  const copy = await databases.copy(place);
  const section = await part("searchTerms", () => measureTerms(copy.place));
  await copy.drop();
  return section;
}

/** Parts that write are measured on a copy, so that a kept database is not changed. */
async function onCopy(bench: Bench, place: Place, isAsked: (name: string) => boolean): Promise<Section[]> {
  const { options, databases, load, samples } = bench;
  const saves = saveQuestions.filter(({ name }) => isAsked(name));
  const isSiege = options.questions.includes("siege");
  const terms = isAsked("searchTerms") ? [await ofTerms(bench, place)] : [];
  if (saves.length === 0 && !isAsked("alongside") && !isAsked("upload") && options.loadMinutes === 0 && !isSiege)
    return terms;
  progress("a copy to write into");
  const copy = await databases.copy(place);
  const sections = [...terms, await part("saves", () => askAll(bench, copy.place, saves))];
  if (isAsked("alongside")) sections.push(await part("alongside", () => askBesideSaves(bench, copy.place, isAsked)));
  if (isAsked("upload")) sections.push(await part("upload", () => measureUpload(copy.place, samples, load)));
  const long = { samples, questions: [...reading, ...saveQuestions], load, minutes: options.loadMinutes };
  if (isSiege)
    sections.push(
      await part("siege", () =>
        endureSiege(copy.place, {
          samples,
          question: reading[0]!,
          load,
          seconds: 60 * Math.max(1, options.loadMinutes),
        }),
      ),
    );
  else if (long.minutes > 0)
    sections.push(await part(`${long.minutes} minutes of load`, () => endure(copy.place, long)));
  await copy.drop();
  return sections;
}

async function measureAll(
  options: Options,
  databases: Databases,
  load: Load,
  installed: Installed | string,
): Promise<Section[]> {
  const isAsked = (name: string) => options.questions.length === 0 || options.questions.includes(name);
  const sections: Section[] = [];
  const sizes: { assessments: number; place: Place; samples: Samples }[] = [];
  for (const assessments of options.assessments) {
    const place = await databases.open(assessments);
    sizes.push({ assessments, place, samples: await readSamples(place) });
  }
  if (isAsked("sqlTime"))
    sections.push(
      await part("SQL time of the dashboards", async () => dashboardsOf(await measureCharts(sizes, databases.folder))),
    );
  const { place: at, samples: about } = sizes.at(-1)!;
  const bench = { options, databases, load, installed, samples: about };
  sections.push(
    await part("questions", () =>
      askAll(
        bench,
        at,
        reading.filter(({ name }) => isAsked(name)),
      ),
    ),
  );
  if (isAsked("shares"))
    sections.push(
      await part("shares", () =>
        measureShares(at, { samples: about, question: reading[0]!, load, seconds: Math.max(10, options.seconds) }),
      ),
    );
  if (isAsked("kept")) sections.push(await part("kept", () => measureKept(at, load, Math.max(30, options.seconds))));
  if (isAsked("csv")) sections.push(await part("csv", () => measureCsv(at, about)));
  if (isAsked("start")) sections.push(await part("start", () => measureStart(at)));
  sections.push(...(await onCopy(bench, at, isAsked)));
  if (isAsked("lighthouse")) sections.push(await part("lighthouse", () => measureLighthouse(at, about)));
  if (isAsked("bytes")) sections.push(await part("bytes", async () => ({ goals: [], text: screensTable() })));
  return sections;
}

/** The storm has its own servers and its own copy of the demonstration. */
async function runStorm({ answers }: Options): Promise<void> {
  const { goals, text } = await part("storm", () => weatherStorm(answers, progress));
  console.log(`${goalTable(goals)}\n\n${text}`);
}

async function run(options: Options): Promise<void> {
  if (options.questions.includes("storm")) await runStorm(options);
  if (options.questions.join() === "storm") return;
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
${options.assessments.at(-1)} assessments, ${options.tdbs} TDBs, ${options.facilities ? "the ministry's facility list" : "made-up facilities"}; ${options.seconds} s a measurement, after ${options.warm} s of load before each question; no answer compressed
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
