import { rowLabel } from "../dash/periods.ts";

/**
 * A question as it is built by clicks: what is counted, by which keys, of which part of the country and period, and in
 * which order. It has two more forms: the parameters of an address, and a GraphQL query that an analyst can go on with.
 */

type Row = Record<string, unknown>;
const at = (row: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);
const textAt = (row: Row, ...path: string[]) => (at(row, ...path) as string | null | undefined) ?? undefined;

/** What groups have in common: its name, its key in GraphQL, the fields that are asked for, and a group's words. */
type Key = { label: string; word: string; fields: string; wordsOf: (row: Row) => string | undefined };
const ofText = (label: string, word: string, field: string): Key => ({
  ...{ label, word, fields: field },
  wordsOf: (row) => textAt(row, field),
});
const calendar = (label: string, word: string, fields: string): Key => ({
  ...{ label, word, fields },
  wordsOf: (row) =>
    word === "YEAR"
      ? `FY ${String(row["year"])}`
      : rowLabel(row as { year: number; quarter: number; calMonth?: number }, true),
});
export const keys = {
  province: {
    ...{ label: "Province", word: "PROVINCE", fields: "province { name }" },
    wordsOf: (row) => textAt(row, "province", "name"),
  },
  district: {
    ...{ label: "District", word: "DISTRICT", fields: "district { name province { name } }" },
    wordsOf: (row) => {
      const name = textAt(row, "district", "name");
      return name && `${name}, ${textAt(row, "district", "province", "name") ?? ""}`;
    },
  },
  partner: {
    ...{ label: "Partner", word: "IMPLEMENTING_PARTNER", fields: "implementingPartner { implementingPartner }" },
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

/** A figure of a group. `of`: the denominator of a share. `words`: what is told in the sentence. */
type Measure = {
  label: string;
  fields: string;
  sort: string;
  isShare?: true;
  valueOf: (row: Row) => number | null;
  of?: (row: Row) => { count: number; of: number };
};
const numberAt = (row: Row, ...path: string[]) => (at(row, ...path) as number | null | undefined) ?? null;
const count = (label: string, field: string, sort: string): Measure => ({
  ...{ label, fields: field, sort },
  valueOf: (row) => numberAt(row, field),
});
const median = (label: string, field: string, sort: string): Measure => ({
  ...{ label, fields: `${field} { median known }`, sort: `${sort}_MEDIAN` },
  valueOf: (row) => numberAt(row, field, "median"),
});
const answer = (label: string, field: string, sort: string): Measure => ({
  ...{ label, fields: `${field} { yes no share }`, sort: `${sort}_SHARE`, isShare: true },
  valueOf: (row) => numberAt(row, field, "share"),
  of: (row) => {
    const yes = numberAt(row, field, "yes") ?? 0;
    return { count: yes, of: yes + (numberAt(row, field, "no") ?? 0) };
  },
});

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
      works: answer("Share of assessed sites that work", "smartCareFunctional", "SMART_CARE_FUNCTIONAL"),
      primary: answer(
        "Share of assessed sites where primary power works",
        "primaryPowerWorking",
        "PRIMARY_POWER_WORKING",
      ),
      backup: answer("Share of assessed sites where backup power works", "backupPowerWorking", "BACKUP_POWER_WORKING"),
      assessed: {
        ...{ label: "Share of sites that were assessed", fields: "completeness { count of share }" },
        ...{ sort: "COMPLETENESS_SHARE", isShare: true },
        valueOf: (row) => numberAt(row, "completeness", "share"),
        of: (row) => ({
          count: numberAt(row, "completeness", "count") ?? 0,
          of: numberAt(row, "completeness", "of") ?? 0,
        }),
      },
      sites: count("Sites", "facilities", "FACILITIES"),
      efirst: count("Sites in mode E-First", "efirst", "EFIRST"),
      staff: count("Staff trained", "sumTrainedStaff", "SUM_TRAINED_STAFF"),
      sinceVisit: median("Days since the last visit, in the median", "daysSinceLastVisit", "DAYS_SINCE_LAST_VISIT"),
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
      visits: count("Visits", "assessments", "ASSESSMENTS"),
      sites: count("Sites visited", "facilities", "FACILITIES"),
      between: median("Days between two visits, in the median", "daysBetweenVisits", "DAYS_BETWEEN_VISITS"),
    } as Record<string, Measure>,
    ranges: days,
    argumentsOf: (range: string) => [`start: "${range}"`, `end: "${range}"`],
  },
  tdbs: {
    label: "TDBs",
    field: "tdbGroups",
    keys: [...places, "type", "owner", ...calendarKeys] as readonly KeyName[],
    measures: {
      tdbs: count("TDBs received", "tdbCount", "TDB_COUNT"),
      sites: count("Sites that sent a TDB", "facilities", "FACILITIES"),
      clients: count("Clients", "totalPatients", "TOTAL_PATIENTS"),
    } as Record<string, Measure>,
    ranges: days,
    argumentsOf: (range: string) => [`start: "${range}"`, `end: "${range}"`],
  },
};
export type SubjectName = keyof typeof subjects;

export const orders = { lowest: "lowest first", highest: "highest first", name: "by name" } as const;
export type OrderName = keyof typeof orders;

export type Question = {
  subject: SubjectName;
  by: KeyName;
  /** a second key */
  and: KeyName | undefined;
  measure: string;
  range: string;
  provinceId: number | undefined;
  implementingPartnerId: number | undefined;
  order: OrderName;
  /** at most so many groups */
  first: number | undefined;
  /** with a share: only groups of so many sites or more */
  least: number | undefined;
};

export const firsts = [10, 20, 50] as const;
export const leasts = [3, 5, 10] as const;

export const measureOf = ({ subject, measure }: Question): Measure => subjects[subject].measures[measure]!;

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
  const isShare = measures[measure]!.isShare === true;
  return {
    ...{ subject, by, measure },
    and: others.find((key) => key === url.get("and")),
    range: choice(url.get("range"), isName(ranges), isName(ranges)[0]!),
    provinceId: number(url.get("provinceId")),
    implementingPartnerId: number(url.get("partner")),
    order: choice(url.get("order"), isName<OrderName>(orders), calendarKeys.includes(by) ? "name" : "lowest"),
    first: number(url.get("first"), firsts),
    least: isShare ? number(url.get("least"), leasts) : undefined,
  };
}

/** The same as the parameters of an address. */
export function addressOf(question: Question): URLSearchParams {
  const { subject, by, and, measure, range, provinceId, implementingPartnerId, order, first, least } = question;
  const values = { subject, by, and, measure, range, provinceId, partner: implementingPartnerId, order, first, least };
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
    ),
  );
}

/** The same as a GraphQL query. Its first line is the address, from which `questionOf` reads it again. */
export function queryOf(question: Question): string {
  const { subject, by, and, range, provinceId, implementingPartnerId, order, first, least } = question;
  const { field, argumentsOf } = subjects[subject];
  const measure = measureOf(question);
  const own = and ? [keys[by], keys[and]] : [keys[by]];
  const given = [
    `by: [${own.map(({ word }) => word).join(", ")}]`,
    ...argumentsOf(range),
    ...(provinceId === undefined ? [] : [`provinceId: ${provinceId}`]),
    ...(implementingPartnerId === undefined ? [] : [`implementingPartnerId: ${implementingPartnerId}`]),
    ...(order === "name" ? [] : [`sort: ${measure.sort}_${order === "lowest" ? "ASC" : "DESC"}`]),
    ...(order === "name" || least === undefined ? [] : [`minimumDenominator: ${least}`]),
    ...(first === undefined ? [] : [`first: ${first}`]),
  ];
  const fields = [...new Set(own.flatMap((key) => key.fields.split(/ (?![^{]*\})/))), measure.fields];
  return `# ${addressOf(question).toString()}\nquery Question {\n  ${field}(${given.join(", ")}) {\n    ${fields.join("\n    ")}\n  }\n}\n`;
}

/** The question whose query this is; undefined if the query was not built here, or was changed since. */
export function questionOf(query: string): Question | undefined {
  const question = questionIn(new URLSearchParams(/^# (\S*)\n/.exec(query)?.[1] ?? ""));
  return queryOf(question) === query ? question : undefined;
}

/** What it asks, as a sentence. `places`: the names of its province and partner. */
export function sentenceOf(question: Question, places: readonly string[] = []): string {
  const { subject, by, and, range, order, first, least } = question;
  const own = and ? [by, and] : [by];
  return [
    measureOf(question).label,
    ...places,
    own.map((key, index) => `${index === 0 ? "by" : "and"} ${keys[key].label.toLowerCase()}`).join(" "),
    subjects[subject].ranges[range]!,
    ...(order === "name" && calendarKeys.includes(by) ? [] : [orders[order]]),
    ...(first === undefined ? [] : [`the first ${first}`]),
    ...(least === undefined || order === "name" ? [] : [`only shares of ${least} sites or more`]),
  ].join(", ");
}

/** A group in words: the values of its keys. */
export const groupWords = ({ by, and }: Question, row: Row): string[] =>
  (and ? [by, and] : [by]).map((key) => keys[key].wordsOf(row) ?? "Not recorded");

/** A figure in words: "69 %, 41 of 59", "1,204". */
export function figureWords(question: Question, row: Row): { value: string; of: string | undefined } {
  const measure = measureOf(question);
  const value = measure.valueOf(row);
  if (value === null) return { value: "–", of: undefined };
  const part = measure.of?.(row);
  return {
    value: measure.isShare ? `${Math.round(1000 * value) / 10} %` : value.toLocaleString("en"),
    of: part && `${part.count.toLocaleString("en")} of ${part.of.toLocaleString("en")}`,
  };
}

/** Questions to begin with. */
export const usualQuestions: readonly string[] = [
  "subject=sites&by=district&measure=works&order=lowest&first=10&least=5",
  "subject=sites&by=partner&measure=works&order=lowest",
  "subject=sites&by=province&measure=primary&order=lowest",
  "subject=sites&by=district&measure=assessed&range=THIS_YEAR&order=lowest&first=20",
  "subject=sites&by=version&measure=sites&order=highest",
  "subject=sites&by=mode&and=province&measure=sites&order=name",
  "subject=visits&by=quarter&measure=visits&range=LAST_4_QUARTERS&order=name",
  "subject=visits&by=province&measure=between&range=LAST_12_MONTHS&order=highest",
  "subject=tdbs&by=month&measure=tdbs&range=LAST_12_MONTHS&order=name",
];
