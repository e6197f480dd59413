import { calendarKeys, type Key, type KeyName, keys, type Row, usualPosition } from "./questionKeys.ts";
import {
  type Measure,
  numberAt,
  type Part,
  type SubjectName,
  subjects,
  wholes,
  wholesOfSites,
} from "./questionSubjects.ts";
import { isPosition } from "../../gateway/facility/listFilter.rules.ts";
import { argumentsOfFilters, filters, filtersIn, type FilterTexts, filterWords } from "./siteFilters.ts";

/**
 * A question as it is built by clicks: what is counted, by which keys, of which part of the country and period, and in
 * which order. It has two more forms: the parameters of an address, and a GraphQL query that an analyst can go on with.
 */

/** The orders of groups; of a change also by what the figure is now. */
export const orders = {
  lowest: "lowest first",
  highest: "highest first",
  lowestNow: "lowest now first",
  highestNow: "highest now first",
  most: "largest number first",
  name: "by name",
} as const;
export type OrderName = keyof typeof orders;
const wordsOfOrder: Record<Exclude<OrderName, "name">, string> = {
  lowest: "ASC",
  highest: "DESC",
  lowestNow: "NOW_ASC",
  highestNow: "NOW_DESC",
  most: "COUNT_DESC",
};
const isChanging = (way: WayName | undefined) => way === "difference" || way === "percent";
/** The order that is kept when a figure becomes a change: by what it is now. */
export function orderBeside(way: string, order: OrderName): OrderName {
  if (way !== "difference" && way !== "percent") return order;
  return order === "lowest" ? "lowestNow" : order === "highest" ? "highestNow" : order;
}
/** The orders that a question may have: of a quotient also by what is divided. */
export function ordersOf(question: Figured & Pick<Question, "way">): OrderName[] {
  const { per, way } = question;
  const { counts } = measureIn(question);
  const isDivided = counts !== undefined && (per ?? counts.per) !== undefined && way === undefined;
  return isName<OrderName>(orders).filter((order) =>
    order === "most" ? isDivided : isChanging(way) || !order.endsWith("Now"),
  );
}

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
  /** with the key distance: latitude and longitude from where, and the name of that place */
  from: string | undefined;
  fromName: string | undefined;
  /** the name of the place of the filter "near"; without that filter a text that names no place */
  nearName: string | undefined;
  range: string;
  provinceId: number | undefined;
  implementingPartnerId: number | undefined;
  order: OrderName;
  /** at most so many groups */
  first: number | undefined;
  /** with a denominator: only groups in which it is so large or larger */
  least: number | undefined;
  /** of what is counted, by name */
  filters: FilterTexts;
};

export const firsts = [5, 10, 20, 50] as const;
export const leasts = [3, 5, 10, 20, 50] as const;

type About = Pick<Question, "subject" | "by" | "and" | "measure" | "range">;
const measureIn = ({ subject, measure }: Pick<Question, "subject" | "measure">) => subjects[subject].measures[measure]!;
export const hasPeriods = ({ by, and }: Pick<Question, "by" | "and">) =>
  calendarKeys.includes(by) || (and !== undefined && calendarKeys.includes(and));

const hasDistance = ({ by, and }: Pick<Question, "by" | "and">) => by === "distance" || and === "distance";
/** Whether the groups of a key have an order of their own. */
export const isInOrder = (key: KeyName) => calendarKeys.includes(key) || key === "distance";

const inDegrees = (position: string) => {
  const [latitude, longitude] = position.split(",").map(Number);
  return `latitude: ${latitude}, longitude: ${longitude}`;
};

/** By what a measure can be divided: the other counts of its subject. */
export function persOf({ subject, measure }: Pick<Question, "subject" | "measure">): Record<string, Measure> {
  const { counts } = measureIn({ subject, measure });
  if (!counts || counts.per) return {};
  const others = Object.entries(subjects[subject].measures).filter(
    ([name, other]) => name !== measure && other.counts && !other.counts.per,
  );
  return { ...Object.fromEntries(others), ...(subject === "sites" ? wholesOfSites : wholes) };
}

type Figured = Pick<Question, "subject" | "measure" | "per">;
const isState = ({ subject, measure, per }: Figured) =>
  [measure, per].some((name) => name !== undefined && subjects[subject].measures[name]?.isState);
/** By what the groups of a figure can be made. */
export const keysOf = (figured: Figured): KeyName[] =>
  subjects[figured.subject].keys.filter((key) => !calendarKeys.includes(key) || !isState(figured));
/** The periods that a question can have: sites by fiscal year need whole years. */
export function rangesOf({ by, and, ...figured }: Figured & Pick<Question, "by" | "and">): Record<string, string> {
  const hasYears = figured.subject === "sites" && (by === "year" || and === "year");
  return Object.fromEntries(
    Object.entries(subjects[figured.subject].ranges).filter(
      ([name]) => name === "" || !(isState(figured) || (hasYears && name.endsWith("QUARTER"))),
    ),
  );
}

/** How a figure can be shown: a change needs a period before, a running total periods to add up. */
export function waysOf(question: About & Pick<Question, "per">): WayName[] {
  const { counts } = measureIn(question);
  if (!counts) return [];
  const isChanging = hasPeriods(question) || question.range !== "";
  const isAdding = hasPeriods(question) && !counts.per && question.per === undefined && question.subject !== "sites";
  return [...(isChanging ? (["difference", "percent"] as const) : []), ...(isAdding ? (["running"] as const) : [])];
}

/** Whether the figure is a part of the sites by which it is divided. */
export const isPartOf = (question: Pick<Question, "subject" | "measure" | "per">): boolean =>
  measureIn(question).isSites === true && (question.per ?? "") in wholesOfSites;

/** Whether the figure is divided by sites in which it may have found nothing: 0 of them is an answer too. */
const isOfWhole = (question: Question) =>
  (question.per ?? "") in wholesOfSites || measureIn(question).counts?.per === "OF";

/** What a question's figure is: its words, how it is asked for and read. `unit`: how it is written. */
export type Figure = {
  label: string;
  unit: "share" | "points" | "percent" | "ratio" | "count";
  about: string | undefined;
  isChange: boolean;
  /** the unit of what a change compares */
  state: "share" | "ratio" | "count";
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
  const isPart = isPartOf(question);
  const whole = divisor && lower(divisor.each?.label ?? divisor.label);
  const base = !divisor
    ? measure.label
    : !isPart
      ? `${measure.label} ÷ ${whole}`
      : measure.label === "Sites"
        ? `Share of ${whole}`
        : `${measure.label}, as a share of ${whole}`;
  const label = way ? `${wordsOfWay[way]}${lower(base)}` : base;
  const { about } = measure;
  const unit = measure.isShare || isPart ? "share" : divisor ? "ratio" : "count";
  if (measure.plain && !divisor && !way && question.order !== "most")
    return {
      ...measure.plain,
      ...{ label, about, unit, state: unit, isChange: false, argument: undefined, of: measure.plain.of },
    };
  const isChange = isChanging(way);
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
    ...{ label, about, state: unit, isChange, argument: `measure: { ${given.join(", ")} }`, sort: "MEASURE" },
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

const mostOfName = 80;
const nameIn = (url: URLSearchParams, what: string) => url.get(what)?.slice(0, mostOfName).trim() || undefined;

/** The question of an address. What is missing or unknown there is as usual. */
export function questionIn(url: URLSearchParams): Question {
  const subject = choice(url.get("subject"), isName<SubjectName>(subjects), "sites");
  const { measures } = subjects[subject];
  const measure = choice(url.get("measure"), isName(measures), isName(measures)[0]!);
  const per = Object.keys(persOf({ subject, measure })).find((name) => name === url.get("per"));
  const own = keysOf({ subject, measure, per });
  const by = choice(url.get("by"), own, "district");
  const others = own.filter((key) => key !== by && !(calendarKeys.includes(key) && calendarKeys.includes(by)));
  const and = others.find((key) => key === url.get("and"));
  const ranges = isName(rangesOf({ subject, measure, per, by, and }));
  const range = choice(url.get("range"), ranges, ranges[0]!);
  const hasDenominator = per !== undefined || measures[measure]!.isShare === true;
  const way = waysOf({ subject, by, and, measure, per, range }).find((one) => one === url.get("way"));
  const position = url.get("from") ?? "";
  return {
    ...{ subject, by, and, measure, per, range, way },
    from: hasDistance({ by, and }) ? (isPosition(position) ? position : usualPosition) : undefined,
    fromName: hasDistance({ by, and }) && isPosition(position) ? nameIn(url, "fromName") : undefined,
    nearName: "near" in filters[subject] ? nameIn(url, "nearName") : undefined,
    provinceId: number(url.get("provinceId")),
    implementingPartnerId: number(url.get("partner")),
    order: choice(url.get("order"), ordersOf({ subject, measure, per, way }), isInOrder(by) ? "name" : "lowest"),
    first: number(url.get("first"), firsts),
    least: hasDenominator ? number(url.get("least"), leasts) : undefined,
    filters: filtersIn(subject, url),
  };
}

/** The same as the parameters of an address. */
export function addressOf(question: Question): URLSearchParams {
  const { subject, by, and, measure, per, way, from, range, provinceId, implementingPartnerId, order, first, least } =
    question;
  const values: Record<string, string | number | undefined> = {
    subject,
    by,
    and,
    measure,
    per,
    way,
    from,
    range,
    provinceId,
    partner: implementingPartnerId,
    order,
    first,
    least,
    fromName: question.fromName,
    nearName: question.nearName,
    ...question.filters,
  };
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
    ),
  );
}

/** Which groups are left out: those that are too small, and those about nothing. */
function minimumOf(question: Question, { argument }: Figure): string[] {
  const { order, least, from, filters: texts } = question;
  const isWhole = isOfWhole(question);
  const hasDenominator = isWhole && (order !== "name" || argument !== undefined);
  const denominator = order === "name" || least === undefined ? Number(hasDenominator) : least;
  // Most places lie in few bands.
  const isBare = !hasDenominator && (from !== undefined || (Object.keys(texts).length > 0 && !isWhole));
  return [...(isBare ? ["minimumSize: 1"] : []), ...(denominator > 0 ? [`minimumDenominator: ${denominator}`] : [])];
}

/**
 * The same as a GraphQL query. Its first line is the address, from which `questionOf` reads it again. `isShown`: also
 * with what the screen shows beside, the ids of places and partners for links, ranks and how many share them.
 */
export function queryOf(question: Question, isShown = false): string {
  const { subject, by, and, from, range, provinceId, implementingPartnerId, order, first } = question;
  const { field, argumentsOf } = subjects[subject];
  const figure = figureOf(question);
  const own: Key[] = and ? [keys[by], keys[and]] : [keys[by]];
  const given = [
    `by: [${own.map(({ word }) => word).join(", ")}]`,
    ...(from === undefined ? [] : [`distanceFrom: { ${inDegrees(from)} }`]),
    ...argumentsOf(range),
    ...(provinceId === undefined ? [] : [`provinceId: ${provinceId}`]),
    ...(implementingPartnerId === undefined ? [] : [`implementingPartnerId: ${implementingPartnerId}`]),
    ...argumentsOfFilters(subject, question.filters),
    ...(figure.isChange && !hasPeriods(question) ? ["against: { previous: true }"] : []),
    ...(figure.argument ? [figure.argument] : []),
    ...(order === "name" ? [] : [`sort: ${figure.sort}_${wordsOfOrder[order]}`]),
    ...minimumOf(question, figure),
    ...(first === undefined ? [] : [`first: ${first}`]),
  ];
  const beside = isShown ? [...own.flatMap(({ id }) => id ?? []), ...(order === "name" ? [] : ["rank", "tied"])] : [];
  const fields = [...new Set(own.flatMap((key) => key.fields)), ...beside, figure.fields];
  return `# ${addressOf(question).toString()}\nquery Question {\n  ${field}(${given.join(", ")}) {\n    ${fields.join("\n    ")}\n  }\n}\n`;
}

/** The question that the first line of a query names. */
export const questionNamedIn = (query: string): Question =>
  questionIn(new URLSearchParams(/^# (\S*)\n/.exec(query)?.[1] ?? ""));

/** The parts of a question that may need a right. */
export const partsOf = ({ subject, by, and, measure, per, filters: texts }: Question): object[] => [
  keys[by],
  ...(and ? [keys[and]] : []),
  ...[measure, per].flatMap((name) => (name === undefined ? [] : (subjects[subject].measures[name] ?? []))),
  ...Object.keys(texts).map((name) => filters[subject][name]!),
];

/** A query without what leaves out groups about nothing, which was written otherwise before December 2026. */
const bare = (query: string) => query.replaceAll(/, minimum(?:Size|Denominator): 1\b/g, "");

/** The question whose query this is; undefined if the query was not built here, or was changed since. */
export function questionOf(query: string): Question | undefined {
  const question = questionNamedIn(query);
  return bare(queryOf(question)) === bare(query) ? question : undefined;
}

/** Whether a place to be near is named that is not known, so that no distance limits the question. */
export const isPlaceless = ({ nearName, filters: { near } }: Question) => nearName !== undefined && near === undefined;

/** What it asks, as a sentence. `places`: the names of its province and partner. */
export function sentenceOf(question: Question, places: readonly string[] = []): string {
  const { subject, by, and, from, fromName, nearName, range, order, first, least } = question;
  const words = (key: KeyName) => {
    const label = keys[key].label.toLowerCase();
    return key === "distance" ? `${label} from ${fromName ?? from!.replace(",", ", ")}` : label;
  };
  const own = and ? [by, and] : [by];
  return [
    figureOf(question).label,
    ...places,
    ...filterWords(subject, question.filters, nearName),
    ...(isPlaceless(question) ? [`no distance set (“${nearName}” is no known place)`] : []),
    own.map((key, index) => `${index === 0 ? "by" : "and"} ${words(key)}`).join(" "),
    subjects[subject].ranges[range]!,
    ...(order === "name" && isInOrder(by) ? [] : [orders[order]]),
    ...(first === undefined ? [] : [`the first ${first}`]),
    ...(least === undefined || order === "name" ? [] : [`only of ${least} or more`]),
  ].join(", ");
}
