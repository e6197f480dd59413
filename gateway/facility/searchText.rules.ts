import { isStorable } from "../input/text.rules.ts";

/** How long a text may be by which facilities are searched. */
export const searchMinimum = 3;
export const searchMaximum = 128;

/** Whether this text may be searched. The client checks it before it asks; the gateway checks again (`searchTextRule`). */
export const isSearchText = (text: string): boolean =>
  text.length >= searchMinimum && text.length <= searchMaximum && isStorable(text);
