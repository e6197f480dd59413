import { codeForm } from "../input/identity.rules.ts";
import { isStorable } from "../input/text.rules.ts";

/** The length of a text for searching facilities, in characters. */
export const searchMinimum = 3;
export const searchMaximum = 128;

/** How many characters a text has for the search: in the form in which the gateway reads and counts it. */
export const searchLength = (text: string): number => [...codeForm(text)].length;

/**
 * Whether a text can be searched for. The client checks it before it sends the request; the gateway checks again
 * (`searchTextRule`).
 */
export const isSearchText = (text: string): boolean =>
  searchLength(text) >= searchMinimum && searchLength(text) <= searchMaximum && isStorable(text);
