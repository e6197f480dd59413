/** Which columns of a table are shown: those chosen in the address, and those of the filters that are set. */

/** A column that can be chosen. */
export type Choice = { id: string; header: string };

/** The search parameter with the chosen columns, separated by commas. Without it the usual ones are shown. */
export const columnsName = "columns";

/**
 * The columns that are shown, in the order of the table. `added`: those that a filter adds. A name that is not known is
 * ignored; an address without any known one shows the usual ones.
 */
export function columnsIn(
  url: URLSearchParams,
  known: readonly string[],
  usual: readonly string[],
  added: readonly string[],
): string[] {
  const named = (url.get(columnsName) ?? "").split(",").filter((id) => known.includes(id));
  const chosen = named.length ? named : usual;
  return known.filter((id) => chosen.includes(id) || added.includes(id));
}

/** The value of the parameter for these columns: empty for the usual ones. */
export const columnsText = (shown: readonly string[], usual: readonly string[]): string =>
  shown.length === usual.length && usual.every((id) => shown.includes(id)) ? "" : shown.join(",");
