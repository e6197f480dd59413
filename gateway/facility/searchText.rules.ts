/** How long a text may be by which facilities are searched. */
export const searchMinimum = 3;
export const searchMaximum = 128;

/**
 * Whether a search may ask for this text; the client asks before it does, the gateway has the last word (`searchTextRule`). What can
 * be stored is spelt again (text.rules.ts): the first lists ask this, and would load with it all that checks texts.
 */
export const isSearchText = (text: string): boolean =>
  text.length >= searchMinimum && text.length <= searchMaximum && !/[\0\p{Cs}]/u.test(text);
