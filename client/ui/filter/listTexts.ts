import {
  isTextOf,
  type ListParameter,
  type ListValue,
  valueOf,
  wordsOf,
} from "../../../gateway/input/listParameters.rules.ts";
import { formatDate } from "../text/dates.ts";
import type { Chip } from "./Chips.tsx";
import type { Filters } from "./wrongFilter.ts";

/** The filters in a list's address, read by the list's catalogue of parameters. */

type Parameters<Name extends string> = Readonly<Record<Name, ListParameter>>;
type Texts<Name extends string> = { [One in Name]?: string | undefined };

const given = <Name extends string>(parameters: Parameters<Name>, url: URLSearchParams): [Name, string][] =>
  (Object.keys(parameters) as Name[]).flatMap((name): [Name, string][] =>
    url.has(name) ? [[name, url.get(name)!]] : [],
  );

/** The texts of these parameters in an address. */
export const textsOf = <Name extends string>(parameters: Parameters<Name>, url: URLSearchParams): Texts<Name> =>
  Object.fromEntries(given(parameters, url)) as Texts<Name>;

/** The same, each with whether a text is one of its values. */
export const filtersOf = (parameters: Readonly<Record<string, ListParameter>>): Filters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, (text: string) => isTextOf(parameter, text)]),
  );

/** The first invalid one, as it is in the address. */
export function wrongTextOf<Name extends string>(
  parameters: Parameters<Name>,
  url: URLSearchParams,
): { name: Name; text: string } | undefined {
  const wrong = given(parameters, url).find(([name, text]) => !isTextOf(parameters[name], text));
  return wrong && { name: wrong[0], text: wrong[1] };
}

/** The valid ones, as values. */
export function valuesOf<Name extends string>(
  parameters: Parameters<Name>,
  url: URLSearchParams,
): { [One in Name]?: ListValue } {
  const right = given(parameters, url).filter(([name, text]) => isTextOf(parameters[name], text));
  return Object.fromEntries(right.map(([name, text]) => [name, valueOf(parameters[name], text)])) as {
    [One in Name]?: ListValue;
  };
}

/** Says that nothing matches these filters; undefined without filters. `none`: "No event". */
export const noneMatch = (none: string, chips: readonly Chip[]): string | undefined =>
  chips.length > 0
    ? `${none} matches ${chips.map(({ words }) => `“${words}”`).join(" and ")}. Remove a filter above to see more.`
    : undefined;

/** All of them in words. */
export const chipsOf = <Name extends string>(parameters: Parameters<Name>, url: URLSearchParams): Chip[] =>
  given(parameters, url).map(([name, text]) => {
    const parameter = parameters[name];
    const isKnown = parameter.kind !== "day" || isTextOf(parameter, text);
    const words = wordsOf(parameter, text).replace(/^(since )?(\d{4}-\d\d-\d\d)$/, (all, before = "", day: string) =>
      isKnown ? `${before}${formatDate(day)}` : all,
    );
    return { name, words: `${parameter.label}: ${words}` };
  });
