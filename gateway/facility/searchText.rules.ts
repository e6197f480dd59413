import { isStorable } from "../text.rules.ts";

/** How long a text may be by which facilities are searched. */
export const searchMinimum = 3;
export const searchMaximum = 128;

/** Whether a search may ask for this text; the client asks before it does, the gateway has the last word (`searchTextRule`). */
export const isSearchText = (text: string): boolean =>
  text.length >= searchMinimum && text.length <= searchMaximum && isStorable(text);
