import { rowLabel, rowWords } from "../dash/periods.ts";

/**
 * A question as it is built by clicks: what is counted, by which keys, of which part of the country and period, and in
 * which order. It has two more forms: the parameters of an address, and a GraphQL query that an analyst can go on with.
 */

type Row = Record<string, unknown>;
const at = (row: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);
const textAt = (row: Row, ...path: string[]) => (at(row, ...path) as string | null | undefined) ?? undefined;

/**
 * What groups have in common: its name, its key in GraphQL, the fields that are asked for, the field with its id, and a
 * group's words.
 */
type Key = { label: string; word: string; fields: string; id?: string; wordsOf: (row: Row) => string | undefined };
const ofText = (label: string, word: string, field: string): Key => ({
  ...{ label, word, fields: field },
  wordsOf: (row) => textAt(row, field),
});
const calendar = (label: string, word: string, fields: string): Key => ({
  ...{ label, word, fields },
  wordsOf: (row) => {
    const period = row as { year: number; quarter: number; calMonth?: number };
    return word === "YEAR" ? `FY ${period.year}` : word === "MONTH" ? rowWords(period) : rowLabel(period, true);
  },
});
export const keys = {
  province: {
    ...{ label: "Province", word: "PROVINCE", fields: "province { name }", id: "province { provinceId }" },
    wordsOf: (row) => textAt(row, "province", "name"),
  },
  district: {
    ...{ label: "District", word: "DISTRICT", fields: "district { name province { name } }" },
    id: "district { districtId }",
    wordsOf: (row) => {
      const name = textAt(row, "district", "name");
      return name && `${name}, ${textAt(row, "district", "province", "name") ?? ""}`;
    },
  },
  partner: {
    ...{ label: "Partner", word: "IMPLEMENTING_PARTNER", fields: "implementingPartner { implementingPartner }" },
    id: "implementingPartner { implementingPartnerId }",
    wordsOf: (row) => textAt(row, "implementingPartner", "implementingPartner") ?? "No partner",
  },
  mode: ofText("Deployment mode", "MODE", "functionalityStatusMode"),
  version: ofText("Library version", "LIBRARY_VERSION", "libraryVersion"),
  type: ofText("Type of facility", "FACILITY_TYPE", "facilityType"),
  owner: ofText("Owner", "FACILITY_OWNER", "facilityOwner"),
  area: {
    ...{ label: "Service area", word: "SERVICE_AREA", fields: "serviceArea { name }" },
    wordsOf: (row) => textAt(row, "serviceArea", "name"),
  },
  month: calendar("Month", "MONTH", "year quarter calMonth"),
  quarter: calendar("Quarter", "QUARTER", "year quarter"),
  year: calendar("Fiscal year", "YEAR", "year"),
} as const satisfies Record<string, Key>;
export type KeyName = keyof typeof keys;
export const calendarKeys: readonly KeyName[] = ["month", "quarter", "year"];

/**
 * A figure of a group. `counts`: of what it is made in a `measure` of GraphQL; a median has none. `plain`: the field and
 * the order by which it is asked for without one. `of`: the denominator of a share.
 */
type Measure = {
  label: string;
  counts?: { count: string; per?: string };
  /** divided by so many of it */
  each?: { label: string; size: number };
  plain?: { fields: string; sort: string; valueOf: (row: Row) => number | null; of?: (row: Row) => Part };
  isShare?: true;
};
type Part = { count: number; of: number };
const wordOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const numberAt = (row: Row, ...path: string[]) => (at(row, ...path) as number | null | undefined) ?? null;
const count = (label: string, field: string): Measure => ({
  ...{ label, counts: { count: wordOf(field) } },
  plain: { fields: field, sort: wordOf(field), valueOf: (row) => numberAt(row, field) },
});
const median = (label: string, field: string): Measure => ({
  label,
  plain: {
    ...{ fields: `${field} { median known }`, sort: `${wordOf(field)}_MEDIAN` },
    valueOf: (row) => numberAt(row, field, "median"),
  },
});
const shareOfAnswers = (label: string, field: string): Measure => ({
  ...{ label, isShare: true },
  counts: { count: `SUM_${wordOf(field)}`, per: `RECORDED_${wordOf(field)}` },
});
const answer = (label: string, field: string): Measure => ({
  ...shareOfAnswers(label, field),
  plain: {
    ...{ fields: `${field} { yes no share }`, sort: `${wordOf(field)}_SHARE` },
    valueOf: (row) => numberAt(row, field, "share"),
    of: (row) => {
      const yes = numberAt(row, field, "yes") ?? 0;
      return { count: yes, of: yes + (numberAt(row, field, "no") ?? 0) };
    },
  },
});
const works = "smartCareFunctional";
/** By what counts can be divided, besides other counts. */
const there = { label: "Sites that there are", counts: { count: "OF" } };

const places: readonly KeyName[] = ["province", "district", "partner"];
/** Ranges of days of visits and receipts. */
const days: Record<string, string> = {
  LAST_12_MONTHS: "last 12 months",
  LAST_90_DAYS: "last 90 days",
  THIS_QUARTER: "this quarter",
  PREVIOUS_QUARTER: "last quarter",
  LAST_4_QUARTERS: "last four quarters",
  THIS_YEAR: "this fiscal year",
  PREVIOUS_YEAR: "last fiscal year",
};

/** What is counted: its list of groups in GraphQL, the keys and measures that it has, and how a period is said. */
export const subjects = {
  sites: {
    label: "Sites",
    field: "facilityGroups",
    keys: [...places, "mode", "version", "type", "owner", "area", ...calendarKeys] as readonly KeyName[],
    measures: {
      works: answer("Share of assessed sites that work", works),
      primary: answer("Share of assessed sites where primary power works", "primaryPowerWorking"),
      backup: answer("Share of assessed sites where backup power works", "backupPowerWorking"),
      assessed: {
        ...{ label: "Share of sites that were assessed", isShare: true, counts: { count: "ASSESSED", per: "OF" } },
        plain: {
          ...{ fields: "completeness { count of share }", sort: "COMPLETENESS_SHARE" },
          valueOf: (row) => numberAt(row, "completeness", "share"),
          of: (row) => ({
            count: numberAt(row, "completeness", "count") ?? 0,
            of: numberAt(row, "completeness", "of") ?? 0,
          }),
        },
      },
      sites: count("Sites", "facilities"),
      working: count("Sites that work", "sumSmartCareFunctional"),
      efirst: count("Sites in mode E-First", "efirst"),
      elast: count("Sites in mode E-Last", "elast"),
      staff: count("Staff trained", "sumTrainedStaff"),
      sinceVisit: median("Days since the last visit, in the median", "daysSinceLastVisit"),
      population: {
        ...{ label: "People in catchment areas", counts: { count: "CATCHMENT_POPULATION" } },
        each: { label: "10,000 people", size: 10_000 },
      },
    } as Record<string, Measure>,
    ranges: {
      "": "as they stand today",
      THIS_QUARTER: "this quarter",
      LAST_QUARTER: "last quarter",
      THIS_YEAR: "this fiscal year",
      LAST_YEAR: "last fiscal year",
    } as Record<string, string>,
    argumentsOf: (range: string) => (range ? [`period: { relative: ${range} }`] : []),
  },
  visits: {
    label: "Visits",
    field: "assessmentGroups",
    keys: [...places, "mode", "version", "type", "owner", ...calendarKeys] as readonly KeyName[],
    measures: {
      visits: count("Visits", "assessments"),
      sites: count("Sites visited", "facilities"),
      works: shareOfAnswers("Share of visited sites that work", works),
      primary: shareOfAnswers("Share of visited sites where primary power works", "primaryPowerWorking"),
      staff: count("Staff trained", "sumTrainedStaff"),
      between: median("Days between two visits, in the median", "daysBetweenVisits"),
    } as Record<string, Measure>,
    ranges: days,
    argumentsOf: (range: string) => [`start: "${range}"`, `end: "${range}"`],
  },
  tdbs: {
    label: "TDBs",
    field: "tdbGroups",
    keys: [...places, "type", "owner", ...calendarKeys] as readonly KeyName[],
    measures: {
      tdbs: count("TDBs received", "tdbCount"),
      sites: count("Sites that sent a TDB", "facilities"),
      clients: count("Clients", "totalPatients"),
      bytes: count("Bytes received", "fileSize"),
      between: median("Days between two TDBs, in the median", "daysBetweenTdbs"),
    } as Record<string, Measure>,
    ranges: days,
    argumentsOf: (range: string) => [`start: "${range}"`, `end: "${range}"`],
  },
};
export type SubjectName = keyof typeof subjects;

export const orders = { lowest: "lowest first", highest: "highest first", name: "by name" } as const;
export type OrderName = keyof typeof orders;

/** How a figure is shown, if not as it is. */
export const ways = {
  difference: "Change since the period before",
  percent: "Change in percent since the period before",
  running: "Running total",
} as const;
export type WayName = keyof typeof ways;

export type Question = {
  subject: SubjectName;
  by: KeyName;
  /** a second key */
  and: KeyName | undefined;
  measure: string;
  /** the count by which the measure is divided */
  per: string | undefined;
  way: WayName | undefined;
  range: string;
  provinceId: number | undefined;
  implementingPartnerId: number | undefined;
  order: OrderName;
  /** at most so many groups */
  first: number | undefined;
  /** with a denominator: only groups in which it is so large or larger */
  least: number | undefined;
};

export const firsts = [10, 20, 50] as const;
export const leasts = [3, 5, 10] as const;

type About = Pick<Question, "subject" | "by" | "and" | "measure" | "range">;
const measureIn = ({ subject, measure }: Pick<Question, "subject" | "measure">) => subjects[subject].measures[measure]!;
const hasPeriods = ({ by, and }: Pick<Question, "by" | "and">) =>
  calendarKeys.includes(by) || (and !== undefined && calendarKeys.includes(and));

/** By what a measure can be divided: the other counts of its subject. */
export function persOf({ subject, measure }: Pick<Question, "subject" | "measure">): Record<string, Measure> {
  const { counts } = measureIn({ subject, measure });
  if (!counts || counts.per) return {};
  const others = Object.entries(subjects[subject].measures).filter(
    ([name, other]) => name !== measure && other.counts && !other.counts.per,
  );
  return { ...Object.fromEntries(others), there };
}

/** How a figure can be shown: a change needs a period before, a running total periods to add up. */
export function waysOf(question: About & Pick<Question, "per">): WayName[] {
  const { counts } = measureIn(question);
  if (!counts) return [];
  const isChanging = hasPeriods(question) || question.range !== "";
  const isAdding = hasPeriods(question) && !counts.per && question.per === undefined && question.subject !== "sites";
  return [...(isChanging ? (["difference", "percent"] as const) : []), ...(isAdding ? (["running"] as const) : [])];
}

/** What a question's figure is: its words, how it is asked for and read. `unit`: how it is written. */
type Figure = {
  label: string;
  unit: "share" | "points" | "percent" | "ratio" | "count";
  isChange: boolean;
  /** the argument `measure` of GraphQL, if it needs one */
  argument: string | undefined;
  fields: string;
  sort: string;
  valueOf: (row: Row) => number | null;
  of: ((row: Row) => Part) | undefined;
};
const lower = (label: string) => (/^[A-Z]{2}/.test(label) ? label : `${label[0]!.toLowerCase()}${label.slice(1)}`);
const wordsOfWay = {
  difference: "Change of ",
  percent: "Change in percent of ",
  running: "Running total of ",
} as const;

/** The figure of a question: its measure as it is, or divided, changed or added up. */
export function figureOf(question: Question): Figure {
  const { per, way } = question;
  const measure = measureIn(question);
  const divisor = per === undefined ? undefined : persOf(question)[per]!;
  const base = divisor ? `${measure.label} ÷ ${lower(divisor.each?.label ?? divisor.label)}` : measure.label;
  const label = way ? `${wordsOfWay[way]}${lower(base)}` : base;
  const unit = measure.isShare ? "share" : divisor ? "ratio" : "count";
  if (measure.plain && !divisor && !way)
    return { ...measure.plain, label, unit, isChange: false, argument: undefined, of: measure.plain.of };
  const isChange = way === "difference" || way === "percent";
  const { count: counted, per: own } = measure.counts!;
  const under = divisor?.counts?.count ?? own;
  const given = [
    `count: ${counted}`,
    ...(under ? [`per: ${under}`] : []),
    ...(divisor?.each ? [`each: ${divisor.each.size}`] : []),
    ...(isChange ? [`change: ${way.toUpperCase()}`] : []),
    ...(way === "running" ? ["running: true"] : []),
  ];
  const parts = [
    "value",
    ...(under ? ["count", "of"] : way === "running" ? ["count"] : []),
    ...(isChange ? ["now", "before"] : []),
  ];
  return {
    ...{ label, isChange, argument: `measure: { ${given.join(", ")} }`, sort: "MEASURE" },
    unit: way === "percent" ? "percent" : way === "difference" && unit === "share" ? "points" : unit,
    fields: `measure { ${parts.join(" ")} }`,
    valueOf: (row) => numberAt(row, "measure", "value"),
    of: under
      ? (row) => ({ count: numberAt(row, "measure", "count") ?? 0, of: numberAt(row, "measure", "of") ?? 0 })
      : undefined,
  };
}

const choice = <Name extends string>(text: string | null, among: readonly Name[], usual: Name): Name =>
  among.includes(text as Name) ? (text as Name) : usual;
const number = (text: string | null, among?: readonly number[]): number | undefined =>
  /^\d{1,9}$/.test(text ?? "") && (among?.includes(Number(text)) ?? true) ? Number(text) : undefined;
const isName = <Name extends string>(given: object): Name[] => Object.keys(given) as Name[];

/** The question of an address. What is missing or unknown there is as usual. */
export function questionIn(url: URLSearchParams): Question {
  const subject = choice(url.get("subject"), isName<SubjectName>(subjects), "sites");
  const { keys: own, measures, ranges } = subjects[subject];
  const by = choice(url.get("by"), own, "district");
  const others = own.filter((key) => key !== by && !(calendarKeys.includes(key) && calendarKeys.includes(by)));
  const measure = choice(url.get("measure"), isName(measures), isName(measures)[0]!);
  const and = others.find((key) => key === url.get("and"));
  const range = choice(url.get("range"), isName(ranges), isName(ranges)[0]!);
  const per = Object.keys(persOf({ subject, measure })).find((name) => name === url.get("per"));
  const hasDenominator = per !== undefined || measures[measure]!.isShare === true;
  return {
    ...{ subject, by, and, measure, per, range },
    way: waysOf({ subject, by, and, measure, per, range }).find((way) => way === url.get("way")),
    provinceId: number(url.get("provinceId")),
    implementingPartnerId: number(url.get("partner")),
    order: choice(url.get("order"), isName<OrderName>(orders), calendarKeys.includes(by) ? "name" : "lowest"),
    first: number(url.get("first"), firsts),
    least: hasDenominator ? number(url.get("least"), leasts) : undefined,
  };
}

/** The same as the parameters of an address. */
export function addressOf(question: Question): URLSearchParams {
  const { subject, by, and, measure, per, way, range, provinceId, implementingPartnerId, order, first, least } =
    question;
  const values = {
    subject,
    by,
    and,
    measure,
    per,
    way,
    range,
    provinceId,
    partner: implementingPartnerId,
    order,
    first,
    least,
  };
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
    ),
  );
}

/**
 * The same as a GraphQL query. Its first line is the address, from which `questionOf` reads it again. `isShown`: also
 * with what the screen shows beside, the ids of places and partners for links, and ranks.
 */
export function queryOf(question: Question, isShown = false): string {
  const { subject, by, and, range, provinceId, implementingPartnerId, order, first, least } = question;
  const { field, argumentsOf } = subjects[subject];
  const figure = figureOf(question);
  const own: Key[] = and ? [keys[by], keys[and]] : [keys[by]];
  const given = [
    `by: [${own.map(({ word }) => word).join(", ")}]`,
    ...argumentsOf(range),
    ...(provinceId === undefined ? [] : [`provinceId: ${provinceId}`]),
    ...(implementingPartnerId === undefined ? [] : [`implementingPartnerId: ${implementingPartnerId}`]),
    ...(figure.isChange && !hasPeriods(question) ? ["against: { previous: true }"] : []),
    ...(figure.argument ? [figure.argument] : []),
    ...(order === "name" ? [] : [`sort: ${figure.sort}_${order === "lowest" ? "ASC" : "DESC"}`]),
    ...(order === "name" || least === undefined ? [] : [`minimumDenominator: ${least}`]),
    ...(first === undefined ? [] : [`first: ${first}`]),
  ];
  const beside = isShown ? [...own.flatMap(({ id }) => id ?? []), ...(order === "name" ? [] : ["rank"])] : [];
  const fields = [...new Set(own.flatMap((key) => key.fields.split(/ (?![^{]*\})/))), ...beside, figure.fields];
  return `# ${addressOf(question).toString()}\nquery Question {\n  ${field}(${given.join(", ")}) {\n    ${fields.join("\n    ")}\n  }\n}\n`;
}

/** The question that the first line of a query names. */
export const questionNamedIn = (query: string): Question =>
  questionIn(new URLSearchParams(/^# (\S*)\n/.exec(query)?.[1] ?? ""));

/** The question whose query this is; undefined if the query was not built here, or was changed since. */
export function questionOf(query: string): Question | undefined {
  const question = questionNamedIn(query);
  return queryOf(question) === query ? question : undefined;
}

/** What it asks, as a sentence. `places`: the names of its province and partner. */
export function sentenceOf(question: Question, places: readonly string[] = []): string {
  const { subject, by, and, range, order, first, least } = question;
  const own = and ? [by, and] : [by];
  return [
    figureOf(question).label,
    ...places,
    own.map((key, index) => `${index === 0 ? "by" : "and"} ${keys[key].label.toLowerCase()}`).join(" "),
    subjects[subject].ranges[range]!,
    ...(order === "name" && calendarKeys.includes(by) ? [] : [orders[order]]),
    ...(first === undefined ? [] : [`the first ${first}`]),
    ...(least === undefined || order === "name" ? [] : [`only of ${least} or more`]),
  ].join(", ");
}

/** A group in words: the values of its keys. */
export const groupWords = ({ by, and }: Question, row: Row): string[] =>
  (and ? [by, and] : [by]).map((key) => keys[key].wordsOf(row) ?? "Not recorded");

const rounded = (value: number) => (Math.round(100 * value) / 100).toLocaleString("en");
const tenths = (value: number) => (Math.round(10 * value) / 10).toLocaleString("en");
/** A value in words: "69 %", "1,204", "2.35", "-12.5 points". */
function valueWords(unit: Figure["unit"], value: number | null): string {
  if (value === null) return "–";
  if (unit === "share") return `${tenths(100 * value)} %`;
  if (unit === "points") return `${tenths(100 * value)} points`;
  if (unit === "percent") return `${tenths(value)} %`;
  return rounded(value);
}

/** A figure in words: "69 %", "41 of 59". Of a change also what it is now, and was before. */
export function figureWords(question: Question, row: Row) {
  const { valueOf, of, unit, isChange } = figureOf(question);
  const value = valueOf(row);
  const part = of?.(row);
  const { counts, isShare } = measureIn(question);
  const stateUnit = isShare ? "share" : question.per === undefined && !counts?.per ? "count" : "ratio";
  const state = (name: string) => valueWords(stateUnit, numberAt(row, "measure", name));
  return {
    value: isChange && value !== null && value > 0 ? `+${valueWords(unit, value)}` : valueWords(unit, value),
    of:
      part && (value !== null || isChange)
        ? `${part.count.toLocaleString("en")} ${stateUnit === "share" ? "of" : "÷"} ${part.of.toLocaleString("en")}`
        : undefined,
    ...(isChange ? { now: state("now"), before: state("before") } : {}),
  };
}
