import { table } from "../bench/table.ts";
import { openDevice } from "./device.ts";
import { help, type Options, readOptions } from "./options.ts";
import { type Service, startService } from "./service.ts";
import { type Trial, type Variant, variants, type Visit } from "./variants.ts";

/** Runs the trials, several side by side, and prints whether what the screens said was true. */

/** `says`: what a screen said instead of offering a form */
type Outcome = { visits: Visit[]; says: string | undefined; faults: string[]; seconds: number };

/** A disk of this size has room for the browser, its files and a district, and a little more. */
const diskMb = 160;
/** How far a visit's time may be from that of Save. Device and gateway have the same clock here. */
const clockMs = 5000;

/** Numbers from 0 to 1, the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** On a slow line a facility's page takes some seconds until it is ready, so that cuts come in between. */
const deviceOptions: { [variant in Variant]?: Parameters<typeof openDevice>[2] } = {
  "full-disk": { diskMb },
  cut: { bytesPerSecond: 40_000 },
};

async function runTrial(service: Service, variant: Variant, place: number, seed: number): Promise<Outcome> {
  const begun = Date.now();
  const faults: string[] = [];
  let says: string | undefined;
  const { facilities } = service;
  const facility = facilities[place % facilities.length]!;
  const elsewhere = facilities.find(
    ({ district, facilityName }) => district !== facility.district && facilityName !== facility.facilityName,
  )!;
  const variantPlace = Object.keys(variants).indexOf(variant);
  const device = await openDevice(
    service.url,
    `127.${1 + variantPlace}.${place >> 8}.${place & 255}`,
    deviceOptions[variant],
  );
  const trial: Trial = {
    service,
    device,
    facilities: [facility, elsewhere],
    random: numbersFrom(seed * 1_000_003 + variantPlace * 10_007 + place),
    visits: [],
    fault: (text) => faults.push(text),
    says: (text) => (says = text),
  };
  try {
    await variants[variant](trial);
  } catch (error) {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  await device.end();
  return { visits: trial.visits, says, faults, seconds: (Date.now() - begun) / 1000 };
}

type Row = Record<"saidKept" | "once" | "lost" | "twice" | "saidNotKept" | "arrivedAnyway", number>;

/** Counts which visits of a variant have arrived, and checks their name and time. */
async function count(service: Service, outcomes: Outcome[]): Promise<Row> {
  const row: Row = { saidKept: 0, once: 0, lost: 0, twice: 0, saidNotKept: 0, arrivedAnyway: 0 };
  for (const { visits, faults } of outcomes) {
    for (const { comments, facility, isSaidKept, login, savedFrom, savedTo } of visits) {
      const arrived = await service.arrived(facility.facilityUuid, comments);
      const isRight = arrived.every(
        ({ userName, assessedAt }) =>
          userName === login &&
          Date.parse(assessedAt) >= savedFrom - clockMs &&
          Date.parse(assessedAt) <= savedTo + clockMs,
      );
      if (!isRight) {
        faults.push("wrong");
        console.log(
          `Under the wrong name or time: ${JSON.stringify({ arrived, login, savedFrom: new Date(savedFrom).toISOString() })}`,
        );
      }
      if (arrived.length > 1) row.twice += 1;
      if (isSaidKept) {
        row.saidKept += 1;
        if (arrived.length === 1 && isRight) row.once += 1;
        if (arrived.length === 0) row.lost += 1;
      } else {
        row.saidNotKept += 1;
        row.arrivedAnyway += arrived.length;
      }
    }
  }
  return row;
}

/** Runs the trials of one variant, and prints a line for each. */
async function runVariant(
  service: Service,
  variant: Variant,
  { trials, from, atOnce, seed }: Options,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = Array.from({ length: trials }, (_, place) => from + place);
  const lane = async () => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const outcome = await runTrial(service, variant, place, seed);
      outcomes.push(outcome);
      const answers = outcome.visits.map(({ isSaidKept }) => (isSaidKept ? "kept" : "not kept"));
      console.log(
        `${variant} ${place}: ${[...answers, outcome.says].filter(Boolean).join(", ")}; ${outcome.seconds.toFixed(1)} s${outcome.faults.map((fault) => `\n  ${fault}`).join("")}`,
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return outcomes;
}

const head = [
  "variant",
  "trials",
  "said kept",
  "arrived once",
  "lost",
  "twice",
  "said not kept",
  "of these arrived",
  "no form",
  "trials with faults",
  "mean s",
];

/** Runs what the command line asks for; returns the program's exit code. */
export async function runTrials(args: string[]): Promise<number> {
  const options = args.includes("--help") ? help : readOptions(args);
  if (typeof options === "string") {
    console.log(options === help ? help : `${options}\n\n${help}`);
    return options === help ? 0 : 2;
  }
  const service = await startService();
  const rows: (string | number)[][] = [];
  let isBad = false;
  try {
    for (const variant of options.variants) {
      const outcomes = await runVariant(service, variant, options);
      // Counted at the very end, so that visits that are sent late count too.
      const { saidKept, once, lost, twice, saidNotKept, arrivedAnyway } = await count(service, outcomes);
      const formless = outcomes.filter(({ says }) => says !== undefined).length;
      const faulty = outcomes.filter(({ faults }) => faults.length > 0).length;
      const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0) / outcomes.length;
      rows.push([
        variant,
        ...[outcomes.length, saidKept, once, lost, twice, saidNotKept, arrivedAnyway, formless, faulty].map(String),
        seconds,
      ]);
      console.log(`\n${table(head, rows)}\n`);
      if (once < saidKept || twice > 0 || faulty > 0) isBad = true;
    }
  } finally {
    await service.stop();
  }
  return isBad ? 1 : 0;
}
