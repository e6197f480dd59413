import {
  listMatch,
  type ListParameterName,
  listParameterNames,
  nearWords,
  parameterOf,
} from "../../gateway/facility/listFilter.rules.ts";
import { isTextOf, type ListParameter, wordsOf } from "../../gateway/input/listParameters.rules.ts";

/** The filters of a question: those of lists of facilities, and those that only a question has. */

/** A right without which a part of a question is not answered. */
export type Need = "viewAssessments" | "viewTdbs";

type Filter = ListParameter & {
  /** the arguments of the groups in GraphQL for which a text stands */
  argumentsOf: (text: string) => Record<string, unknown>;
  /** Without this right it is not offered. */
  needs?: Need;
  /** the filter of lists of facilities that it is */
  ofList?: ListParameterName;
  /** how a text is said in a sentence, if not by the label and its words */
  said?: (text: string) => string;
};
/** How a flag is said: of yes, no and, if that may be so, of what is not recorded. */
const flagSaid = (yes: string, no: string, unknown = ""): Filter["said"] => {
  const said: Record<string, string> = { yes, no, notRecorded: unknown };
  return (text) => said[text]!;
};
const lower = (label: string) =>
  /^([A-Z]{2}|SmartCare)/.test(label) ? label : `${label[0]!.toLowerCase()}${label.slice(1)}`;
/** Filters of lists that a question calls or says in other words. */
const ownWords: { [Name in ListParameterName]?: Pick<Filter, "said"> & { label?: string } } = {
  assessed: { said: flagSaid("ever assessed", "never assessed") },
  functional: {
    said: flagSaid(
      "where SmartCare works",
      "where SmartCare does not work",
      "without a record of whether SmartCare works",
    ),
  },
  power: {
    label: "Any power (primary or backup)",
    said: flagSaid(
      "with power (primary or backup)",
      "without power (neither primary nor backup)",
      "without a record of power",
    ),
  },
  oldVersion: { said: flagSaid("with a version older than the newest", "with the newest version") },
  silent: { said: flagSaid("whose next TDB is overdue", "whose TDBs are in time") },
  connected: {
    said: flagSaid("connected to a network", "not connected to a network", "without a record of their network"),
  },
  inARow: {
    said: (text) => {
      const [visits, what] = wordsOf(parameterOf("inARow"), text).split(" × ");
      return `where ${lower(what!)} at the last ${visits} visits`;
    },
  },
  sent: { said: flagSaid("that ever sent a TDB", "that never sent a TDB") },
  near: { label: "Within", said: (text) => wordsOf(parameterOf("near"), text) },
  position: { said: flagSaid("with a known position", "without a known position") },
};

const choice = (
  label: string,
  choices: Record<string, string>,
  argumentsOf: Filter["argumentsOf"],
  needs?: Need,
): Filter => ({ ...{ kind: "choice", label, about: "", choices, argumentsOf }, ...(needs ? { needs } : {}) });
const answerOf = (label: string, argument: string): Filter => ({
  said: flagSaid(`where ${lower(label)} works`, `where ${lower(label)} does not work`),
  ...{ kind: "flag", label, about: "", words: ["works", "does not work"] },
  argumentsOf: (text) => ({ filter: { latestAssessment: { [argument]: text === "yes" } } }),
});
const since = "in the last 12 months";
const from = "LAST_12_MONTHS";
const changes: Record<string, [words: string, change: object]> = {
  toEFirst: [`from E-Last to E-First ${since}`, { movedFrom: ["ELast"], movedTo: ["EFirst"] }],
  becameEFirst: [`from any mode to E-First ${since}`, { movedTo: ["EFirst"] }],
  leftEFirst: [`from E-First to another mode ${since}`, { movedFrom: ["EFirst"] }],
  stopped: [`from working to not working ${since}`, { lost: ["SMART_CARE_FUNCTIONAL"] }],
  mended: [`from not working to working ${since}`, { gained: ["SMART_CARE_FUNCTIONAL"] }],
};

/** Not those with a box of degrees or a personal list, and not closed sites, which no figure counts. */
const ofLists = listParameterNames.filter((name) => !["outside", "fieldList", "closed"].includes(name));
const siteFilters: Record<string, Filter> = {
  ...Object.fromEntries(
    ofLists.map((name): [string, Filter] => [
      name,
      {
        ...parameterOf(name),
        ...ownWords[name],
        ofList: name,
        argumentsOf: (text) => ({ filter: listMatch({ [name]: text }) }),
      },
    ]),
  ),
  primaryPower: answerOf("Primary power", "primaryPowerWorking"),
  backupPower: {
    ...answerOf("Backup power", "backupPower"),
    words: ["there", "not there"],
    said: flagSaid("with backup power", "without backup power"),
  },
  mobile: {
    ...{ kind: "flag", label: "Mobile coverage", about: "", words: ["there", "not there"] },
    said: flagSaid("with mobile coverage", "without mobile coverage"),
    argumentsOf: (text) => ({ filter: { mobileCoverage: text === "yes" } }),
  },
  below: {
    ...{ kind: "text", label: "Library version older than", about: "", most: 64 },
    argumentsOf: (text) => ({ filter: { latestAssessment: { libraryVersionBelow: text.trim() } } }),
  },
  moved: choice(
    "Changed",
    Object.fromEntries(Object.entries(changes).map(([name, [words]]) => [name, words])),
    (text) => ({ filter: { change: { from, ...changes[text]![1] } } }),
  ),
  fell: choice(
    "Clients",
    { LAST_90_DAYS: "fewer than 90 days ago", LAST_12_MONTHS: "fewer than 12 months ago" },
    (text) => ({ filter: { change: { from: text, clientsFell: true } } }),
    "viewTdbs",
  ),
  upgraded: choice(
    "Last upgrade",
    { LAST_12_MONTHS: "before the last 12 months", LAST_24_MONTHS: "before the last 24 months" },
    (text) => ({ filter: { upgradedBefore: text } }),
    "viewAssessments",
  ),
};
const visitFilters: Record<string, Filter> = {
  noted: {
    ...{ kind: "text", label: "Notes with the text", about: "", least: 3, most: 128, needs: "viewAssessments" },
    argumentsOf: (text) => ({ search: text.trim() }),
  },
  found: choice("Mode found", { EFirst: "E-First", EFast: "E-Fast", ELast: "E-Last" }, (text) => ({ mode: text })),
  foundWorking: {
    ...{ kind: "flag", label: "SmartCare", about: "", words: ["worked", "did not work"] },
    argumentsOf: (text) => ({ smartCareFunctional: text === "yes" }),
  },
};
/** The filters of a subject, by name. */
export const filters: Record<"sites" | "visits" | "tdbs", Record<string, Filter>> = {
  ...{ sites: siteFilters, visits: visitFilters, tdbs: {} },
};
type Subject = keyof typeof filters;

export type FilterTexts = Readonly<Record<string, string>>;

/** The filters of an address that a subject has, in the order of the catalogue. */
export const filtersIn = (subject: Subject, url: URLSearchParams): FilterTexts =>
  Object.fromEntries(
    Object.entries(filters[subject]).flatMap(([name, filter]) => {
      const text = url.get(name);
      return text !== null && isTextOf(filter, text) ? [[name, text]] : [];
    }),
  );

/** Values that are names of GraphQL, not texts. */
const names = /^(modes?|notRecorded|answer|movedFrom|movedTo|lost|gained)$/;
function literalOf(value: unknown, key = ""): string {
  if (Array.isArray(value)) return `[${value.map((one) => literalOf(one, key)).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, one]) => `${name}: ${literalOf(one, name)}`)
      .join(", ")} }`;
  return typeof value === "string" && names.test(key) ? value : JSON.stringify(value);
}
/** Objects put together: what both have is put together too. */
function merged(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...(one as unknown[]), ...(other as unknown[])];
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) return other;
  const all: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) all[name] = name in all ? merged(all[name], value) : value;
  return all;
}

/** The arguments of the groups in GraphQL for which the filters stand. */
export function argumentsOfFilters(subject: Subject, texts: FilterTexts): string[] {
  const given = Object.entries(texts);
  if (given.length === 0) return [];
  const all = given.reduce<unknown>(
    (before, [name, text]) => merged(before, filters[subject][name]!.argumentsOf(text)),
    {},
  ) as object;
  return Object.entries(all).map(([name, value]) => `${name}: ${literalOf(value, name)}`);
}

/** The filters in words: "where SmartCare works", "within 20 km of -15.4, 28.3", or of the name of that place. */
export const filterWords = (subject: Subject, texts: FilterTexts, nearName?: string): string[] =>
  Object.entries(texts).map(([name, text]) => {
    const filter = filters[subject][name]!;
    const words = filter.said?.(text) ?? `${lower(filter.label)} ${wordsOf(filter, text)}`;
    return name === "near" ? nearWords(words, nearName) : words;
  });

/** The same filters of a list of facilities; undefined if a list lacks one. */
export function listFilters(subject: Subject, texts: FilterTexts): Record<string, string> | undefined {
  const isOfList = Object.keys(texts).every((name) => filters[subject][name]!.ofList !== undefined);
  return isOfList ? { ...texts } : undefined;
}
