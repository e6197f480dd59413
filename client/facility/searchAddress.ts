import { isSearchText } from "../../gateway/facility/searchText.rules.ts";

/** The search text in an address; undefined if it cannot be searched for. */
export function searchTextIn(url: URLSearchParams, name: string): string | undefined {
  const text = url.get(name)?.trim() ?? "";
  return isSearchText(text) ? text : undefined;
}
