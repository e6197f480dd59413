import { fiscalYearOf, yearStart } from "../../gateway/calendar/fiscal.rules.ts";

/** An example query, ready to be run. */
export type Example = { name: string; title: string; query: string; variables: Record<string, unknown> };

/** The first day of the month that is a number of months before a day. */
function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.toISOString().slice(0, 10);
}

/** Placeholders for values of variables that depend on today. */
const dependingOnToday: Record<string, (today: string) => unknown> = {
  "@today": (today) => today,
  "@monthAgo": (today) => monthsBefore(today, 1),
  "@threeMonthsAgo": (today) => monthsBefore(today, 3),
  "@fiscalYear": fiscalYearOf,
  "@lastFiscalYear": (today) => fiscalYearOf(today) - 1,
  "@fiscalYearStart": (today) => yearStart(fiscalYearOf(today)),
};

/**
 * Reads an example: the first line is its title, the second one may contain its variables as JSON.
 *
 * @param today YYYY-MM-DD
 */
export function readExample(name: string, text: string, today: string): Example {
  const [, title, , json = "{}", query] = /^# (.+)\n(# variables (\{.*\})\n)?([^]*)$/.exec(text) ?? [];
  if (!title || !query) throw new Error(`The example ${name} has no title.`);
  const variables = Object.entries(JSON.parse(json) as Record<string, unknown>).map(([key, value]) => {
    const made = typeof value === "string" ? dependingOnToday[value]?.(today) : undefined;
    return [key, made ?? value];
  });
  return {
    name,
    title,
    query: `# ${title}\n${query}`,
    variables: Object.fromEntries(variables) as Record<string, unknown>,
  };
}

/** Reads the questions of docs/questions.md. */
export const readQuestions = (page: string): Example[] =>
  [...page.matchAll(/^## \d+\. (.+)\n\n```graphql\n(query (\w+)[^]*?)```\n(?:\nVariables: `(.+)`)?/gm)].map(
    ([, title, query, name, variables]) => ({
      ...{ name: name!, title: title!, query: `# ${title}\n${query}` },
      variables: JSON.parse(variables ?? "{}") as Record<string, unknown>,
    }),
  );
