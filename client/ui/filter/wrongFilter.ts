import { columnsName } from "../columns/listColumns.ts";
import { idInPath } from "../list/idInPath.ts";
import { scopeParams } from "../scope/ScopeLink.tsx";

/** The search parameters of a list, each with whether a text is one of its values. */
export type Filters = Readonly<Record<string, (text: string) => boolean>>;

export const isAny = (): boolean => true;
export const isId = (text: string): boolean => idInPath(text) !== undefined;
/** -1 stands for all partners. */
export const isPartner = (text: string): boolean => text === "-1" || isId(text);
export const isOneOf =
  (...texts: readonly string[]) =>
  (text: string): boolean =>
    texts.includes(text);

/** What is in addresses of lists beside filters: the scope that links keep, and which rows and columns are shown. */
const ofAll: ReadonlySet<string> = new Set([...scopeParams, "page", "rows", "sort", columnsName]);

/**
 * The first part of a list's address that the list does not understand: a name that it does not have, or a value that
 * the name does not have. A list never ignores it: the reader would take the list for a filtered one.
 */
export function wrongFilterIn(url: URLSearchParams, filters: Filters): { name: string; text: string } | undefined {
  for (const [name, text] of url) {
    const isRight = Object.hasOwn(filters, name) ? filters[name]!(text) : ofAll.has(name);
    if (!isRight) return { name, text };
  }
  return undefined;
}
