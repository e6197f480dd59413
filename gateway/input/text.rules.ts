/** Characters that PostgreSQL cannot store: U+0000 and lone surrogates. */
const unstorable = /[\0\p{Cs}]/u;
const notStorable = "holds a character that cannot be stored";

/** Whether PostgreSQL can store a text. */
export const isStorable = (text: string): boolean => !unstorable.test(text);

/** Whether PostgreSQL can store a value, with all texts in it, as JSON. */
function isStorableWithin(value: unknown): boolean {
  let isHeld = true;
  JSON.stringify(value, (key, each: unknown) => {
    isHeld &&= isStorable(key) && (typeof each !== "string" || isStorable(each));
    return each;
  });
  return isHeld;
}

/** Arguments for `refine`. */
export const storable: [check: typeof isStorable, refusal: string] = [isStorable, notStorable];
export const storableWithin: [check: typeof isStorableWithin, refusal: string] = [isStorableWithin, notStorable];

/** The text with U+FFFD in place of characters that cannot be stored. */
export const madeStorable = (text: string): string => text.replaceAll(new RegExp(unstorable, "gu"), "\uFFFD");

/** A value of JSON with all texts in it made storable. */
export const madeStorableWithin = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_key, each: unknown) => (typeof each === "string" ? madeStorable(each) : each)),
  ) as Value;

/** A text cut to so many characters, of which none is cut in two. */
export const cutTo = (most: number, text: string): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");

/** A whole number with commas between thousands, as the screens show it. */
export const numberText = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");
