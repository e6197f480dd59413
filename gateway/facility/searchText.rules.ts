import { isStorable } from "../input/text.rules.ts";

/** The length of a text for searching facilities, in characters. */
export const searchMinimum = 3;
export const searchMaximum = 128;

/**
 * Whether a text can be searched for. The client checks it before it sends the request; the gateway checks again
 * (`searchTextRule`).
 */
export const isSearchText = (text: string): boolean =>
  text.length >= searchMinimum && text.length <= searchMaximum && isStorable(text);
