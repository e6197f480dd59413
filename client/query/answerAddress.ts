/**
 * The address of a saved query's answer holds the variables by their names, and how the answer is sorted under a name
 * with a dot, which no variable can have. Other names with a dot, such as those of the charts that there once were, are
 * passed over.
 */
const sortName = "table.sort";

export const sortIn = (params: URLSearchParams): string | undefined => params.get(sortName) ?? undefined;

/** The variables among the parameters of an address. */
export const variablesIn = (params: URLSearchParams): [name: string, value: string][] =>
  [...params].filter(([name]) => !name.includes("."));

/** The parameters of an address with these variables. */
export const addressWith = (
  variables: readonly [name: string, value: string][],
  sort: string | undefined,
): URLSearchParams => new URLSearchParams([...variables, ...(sort ? [[sortName, sort]] : [])]);
