/** What PostgreSQL cannot hold: U+0000, and half of a character that takes two (a lone surrogate). */
const unstorable = /[\0\p{Cs}]/u;
const notStorable = "holds a character that cannot be stored";

/** Whether PostgreSQL can hold a text. */
export const isStorable = (text: string): boolean => !unstorable.test(text);

/** Whether it can hold a value with all texts within it as JSON. */
function isStorableWithin(value: unknown): boolean {
  let isHeld = true;
  JSON.stringify(value, (key, each: unknown) => {
    isHeld &&= isStorable(key) && (typeof each !== "string" || isStorable(each));
    return each;
  });
  return isHeld;
}

/** For `refine`, with what they say. */
export const storable: [check: typeof isStorable, refusal: string] = [isStorable, notStorable];
export const storableWithin: [check: typeof isStorableWithin, refusal: string] = [isStorableWithin, notStorable];

/** The same text with a sign (U+FFFD) in place of what cannot be held: for what is written down as it came. */
export const madeStorable = (text: string): string => text.replaceAll(new RegExp(unstorable, "gu"), "\uFFFD");
