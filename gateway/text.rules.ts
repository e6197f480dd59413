/** What PostgreSQL cannot hold: U+0000, and half of a character that takes two (a lone surrogate). */
const unstorable = /[\0\p{Cs}]/u;

/** A text that PostgreSQL can hold. */
export const storable = (text: string): boolean => !unstorable.test(text);

/** Whether it can hold a value with all texts within it as JSON. */
export function storableWithin(value: unknown): boolean {
  let isStorable = true;
  JSON.stringify(value, (key, each: unknown) => {
    isStorable &&= storable(key) && (typeof each !== "string" || storable(each));
    return each;
  });
  return isStorable;
}

/** The same text with a sign (U+FFFD) in place of what cannot be held: for what is written down as it came. */
export const madeStorable = (text: string): string => text.replaceAll(new RegExp(unstorable, "gu"), "\uFFFD");
