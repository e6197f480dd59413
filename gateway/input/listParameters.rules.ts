/**
 * What a list may be narrowed by: parameters of its address and of REST, which are texts, and the values that they stand for. Each list has a catalogue of
 * its own. No zod, because the client's first lists read this.
 */

type Kind = "flag" | "choice" | "choices" | "day" | "text" | "count" | "box";
export type ListParameter = {
  kind: Kind;
  /** In the form of filters, and before the value where one is shown. */
  label: string;
  /** In the descriptions of both interfaces. */
  about: string;
  /** What a yes and a no are shown as. */
  words?: readonly [yes: string, no: string];
  /** Of which one (`choice`), or one or more (`choices`), may be chosen, each with its words. */
  choices?: Readonly<Record<string, string>>;
  /** How many characters a text has. */
  least?: number;
  most?: number;
  /** The right without which it is refused. */
  needs?: "viewAssessments" | "viewTdbs";
};

/** What is wrong with a text that a kind of parameter cannot have. */
export const wantedText: Record<Kind, (parameter: ListParameter) => string> = {
  flag: () => "must be yes or no",
  choice: ({ choices }) => `must be one of ${Object.keys(choices ?? {}).join(", ")}`,
  choices: ({ choices }) => `must be a comma list of ${Object.keys(choices ?? {}).join(", ")}`,
  day: () => "must be a date, YYYY-MM-DD",
  count: () => "must be a whole number from 0",
  box: () => "must be west, south, east and north in degrees, with commas between them",
  text: ({ least = 1, most = 256 }) => `must have ${least} to ${most} characters`,
};

/** A real calendar date between 1900 and 9998. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < "1900-01-01" || text > "9998-12-31") return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const chosenIn = (text: string): string[] => [...new Set(text.split(","))];

/** Whether a parameter may have this text. */
export function isTextOf({ kind, choices, least = 1, most = 256 }: ListParameter, text: string): boolean {
  switch (kind) {
    case "flag":
      return text === "yes" || text === "no";
    case "choice":
      return Object.hasOwn(choices ?? {}, text);
    case "choices":
      return chosenIn(text).every((one) => Object.hasOwn(choices ?? {}, one));
    case "day":
      return isDay(text);
    case "count":
      return /^\d{1,9}$/.test(text);
    case "box":
      return /^(-?\d{1,3}(\.\d{1,9})?(,|$)){4}$/.test(text) && !text.endsWith(",");
    case "text":
      return text.trim().length >= least && text.length <= most && !text.includes("\0");
  }
}

export type ListValue = boolean | number | string | string[] | number[];

/** The value that such a text stands for. */
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
    default:
      return text.trim();
  }
}

/** What a text is shown as, after the parameter's label. */
export function wordsOf({ kind, words, choices }: ListParameter, text: string): string {
  if (kind === "flag") return (text === "yes" ? words?.[0] : words?.[1]) ?? text;
  if (kind === "choice") return choices?.[text] ?? text;
  return kind === "choices" ? chosenIn(text).map((one) => choices?.[one] ?? one).join(" or ") : text;
}
