import { isSearchText } from "../../gateway/facility/searchText.rules.ts";

/** The text that an address asks to search for, undefined where none can be. */
export function searchTextIn(url: URLSearchParams, name: string): string | undefined {
  const text = url.get(name)?.trim() ?? "";
  return isSearchText(text) ? text : undefined;
}
