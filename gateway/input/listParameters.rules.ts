import { isStorable } from "./text.rules.ts";

/**
 * Filters of lists: parameters of screen addresses and of REST, which are texts, and the values for which they stand.
 * Each list has its own catalogue. This file does not import zod, because the client's first lists need it.
 */

type Kind = "flag" | "choice" | "choices" | "day" | "text" | "count" | "box" | "circle" | "uuid";
export type ListParameter = {
  kind: Kind;
  /** its label in the form of filters, and in front of a shown value */
  label: string;
  /** its description in REST and GraphQL */
  about: string;
  /** for a flag: how yes and no are shown; and "not recorded", if neither may be known */
  words?: readonly [yes: string, no: string, notRecorded?: string];
  /**
   * the values of which one (`choice`), or one or more (`choices`), can be chosen, each with its label; of a day the
   * relative ranges that may be given instead
   */
  choices?: Readonly<Record<string, string>>;
  /** the least and the most characters of a text */
  least?: number;
  most?: number;
};

/** The texts that a flag may have. */
export const notRecorded = "notRecorded";
export const flagTexts = ({ words = ["", ""] }: ListParameter): string[] =>
  ["yes", "no", notRecorded].slice(0, words.length);

/** The message for a text that a kind of parameter cannot have. */
export const wantedText: Record<Kind, (parameter: ListParameter) => string> = {
  flag: (parameter) => `must be ${flagTexts(parameter).join(" or ")}`,
  choice: ({ choices }) => `must be one of ${Object.keys(choices ?? {}).join(", ")}`,
  choices: ({ choices }) => `must be a comma list of ${Object.keys(choices ?? {}).join(", ")}`,
  day: () => "must be a date, YYYY-MM-DD",
  count: () => "must be a whole number from 0",
  box: () => "must be west, south, east and north in degrees, with commas between them",
  circle: () =>
    "must be latitude, longitude and kilometres, up to 1000, with commas between them; after them also from how many kilometres",
  uuid: () => "must be a UUID",
  text: ({ least = 1, most = 256 }) => `must have ${least} to ${most} characters`,
};

/** A real calendar date between 1900 and 9998. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < "1900-01-01" || text > "9998-12-31") return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

type Circle = { latitude: number; longitude: number; kilometres?: number; fromKilometres?: number };
function isCircle(text: string): boolean {
  if (!/^(-?\d{1,3}(\.\d{1,9})?,){2}(\d{1,4}(\.\d{1,9})?)?(,\d{1,4}(\.\d{1,9})?)?$/.test(text)) return false;
  const { latitude, longitude, kilometres: to, fromKilometres: from } = circleIn(text);
  const isDistance = to === undefined ? from !== undefined : to > (from ?? 0) && to <= 1000;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && isDistance && (from ?? 0) <= 1000;
}
function circleIn(text: string): Circle {
  const [latitude, longitude, to, from] = text.split(",");
  return {
    ...{ latitude: Number(latitude), longitude: Number(longitude) },
    ...(to ? { kilometres: Number(to) } : {}),
    ...(from === undefined ? {} : { fromKilometres: Number(from) }),
  };
}
/** "within 20 km of -15.4, 28.3", "20 to 50 km from -15.4, 28.3". */
function circleWords(text: string): string {
  const { latitude, longitude, kilometres: to, fromKilometres: from } = circleIn(text);
  const position = `${latitude}, ${longitude}`;
  if (from === undefined) return `within ${to} km of ${position}`;
  return `${to === undefined ? `over ${from}` : `${from} to ${to}`} km from ${position}`;
}

const chosenIn = (text: string): string[] => [...new Set(text.split(","))];

/** Whether a parameter may have this text. */
export function isTextOf(parameter: ListParameter, text: string): boolean {
  const { kind, choices, least = 1, most = 256 } = parameter;
  switch (kind) {
    case "flag":
      return flagTexts(parameter).includes(text);
    case "choice":
      return Object.hasOwn(choices ?? {}, text);
    case "choices":
      return chosenIn(text).every((one) => Object.hasOwn(choices ?? {}, one));
    case "day":
      return isDay(text) || Object.hasOwn(choices ?? {}, text);
    case "count":
      return /^\d{1,9}$/.test(text);
    case "box":
      return /^(-?\d{1,3}(\.\d{1,9})?(,|$)){4}$/.test(text) && !text.endsWith(",");
    case "circle":
      return isCircle(text);
    case "uuid":
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
    case "text":
      return text.trim().length >= least && text.length <= most && isStorable(text);
  }
}

export type ListValue = boolean | number | string | string[] | number[] | Circle;

/**
 * The value that such a text stands for. That of "not recorded" depends on the list: it is no value of the parameter's
 * argument.
 */
export function valueOf({ kind }: ListParameter, text: string): ListValue {
  switch (kind) {
    case "flag":
      return text === "yes";
    case "choices":
      return chosenIn(text);
    case "count":
      return Number(text);
    case "box":
      return text.split(",").map(Number);
    case "circle":
      return circleIn(text);
    default:
      return text.trim();
  }
}

/** How a text is shown after the parameter's label. */
export function wordsOf(parameter: ListParameter, text: string): string {
  const { kind, words, choices } = parameter;
  if (kind === "flag") return words?.[flagTexts(parameter).indexOf(text)] ?? text;
  if (kind === "choice") return choices?.[text] ?? text;
  if (kind === "day" && choices) return choices[text] ?? `since ${text}`;
  if (kind === "circle") return circleWords(text);
  return kind === "choices"
    ? chosenIn(text)
        .map((one) => choices?.[one] ?? one)
        .join(" or ")
    : text;
}
