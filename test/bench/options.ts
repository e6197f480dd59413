import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export type Options = {
  /** size of the history */
  assessments: number;
  tdbs: number;
  /** names of what is measured; empty: all */
  questions: string[];
  /** of each measurement */
  seconds: number;
  /** of load on each answerer before a question is measured */
  warm: number;
  connections: number[];
  /** where the loaded databases stay; undefined: a temporary folder, removed at the end */
  data: string | undefined;
  /** the ministry's facility list; undefined: a made-up one */
  facilities: string | undefined;
  /** of the endurance run; 0: none */
  loadMinutes: number;
};

export const help = `npm run bench -- [options]

  --assessments 5000000               size of the history
  --tdbs 1000000
  --questions facilityList,search,…   only these (listed below)
  --seconds 3                         of each measurement
  --warm 10                           seconds of load before a question is measured, on each that answers it
  --connections 1,16,64
  --load-minutes 0                    an endurance run of 64 connections, so many minutes; with --questions siege, which is
                                      only run when it is named, the minutes of the siege; everyRead, every call that
                                      reads, once, is only run when it is named, too
  --quick                             list, page, counts and search only, unless others are named; a small history, 1 s
                                      each, 16 and 64 connections: about three minutes
  --data FOLDER                       keeps the loaded databases there and takes them up again; without it they are
                                      loaded into a temporary folder and removed
  --facilities FILE                   the facility list (default ../shared/data/zambia-facilities.csv; where that is
                                      not there, as many made-up facilities)`;

/** What is wrong with the command line, in words for the caller. */
export class BadOption extends Error {}

/** What `--quick` stands for. */
const quickly = {
  assessments: "10000",
  tdbs: "4000",
  questions: "facilityList,facilityPage,counts,search",
  seconds: "1",
  warm: "2",
  connections: "16,64",
};

const usualFacilities = "../shared/data/zambia-facilities.csv";

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new BadOption(`--${name}: "${text}" is not a whole number.`);
  return value;
}

const usual = {
  assessments: "5000000",
  tdbs: "1000000",
  questions: "",
  seconds: "3",
  warm: "10",
  connections: "1,16,64",
  "load-minutes": "0",
};

function parse(args: string[]) {
  try {
    const option = { type: "string" } as const;
    const options = {
      assessments: option,
      tdbs: option,
      questions: option,
      seconds: option,
      warm: option,
      connections: option,
      "load-minutes": option,
      data: option,
      facilities: option,
    };
    const { quick, ...given } = parseArgs({ args, options: { ...options, quick: { type: "boolean" } } }).values;
    return { ...usual, ...(quick ? quickly : {}), ...given };
  } catch (error) {
    // The first sentence of Node.js says what is wrong; the next ones say how to pass options to another program.
    throw new BadOption(`${(error as Error).message.split(". ")[0]!.replace(/\.$/, "")}.`);
  }
}

/** The options of the command line; `names` are all questions. @throws BadOption */
export function readOptions(args: string[], names: readonly string[]): Options {
  const values = parse(args);
  const list = (text: string) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean);
  const questions = list(values.questions);
  const unknown = questions.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new BadOption(`--questions: there is no ${unknown.join(", ")}.`);
  return {
    assessments: wholeNumber("assessments", values.assessments),
    tdbs: wholeNumber("tdbs", values.tdbs),
    questions,
    seconds: wholeNumber("seconds", values.seconds),
    warm: wholeNumber("warm", values.warm),
    connections: list(values.connections)
      .map((text) => wholeNumber("connections", text))
      .toSorted((one, other) => one - other),
    data: values.data && resolve(values.data),
    facilities: values.facilities
      ? resolve(values.facilities)
      : existsSync(usualFacilities)
        ? resolve(usualFacilities)
        : undefined,
    loadMinutes: wholeNumber("load-minutes", values["load-minutes"]),
  };
}
