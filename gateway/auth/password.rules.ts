/** What a new password must not be, besides one of the most common ones (newPassword.ts). */

/** Names of the product: people who guess passwords try them first. */
const productNames = [
  "SmartCare",
  "Smart Care",
  "SmartCare deployment",
  "SmartCare deployment platform",
  "deployment platform",
  "Ministry of Health",
];

/** How a name is compared: letters and digits only, in any case. */
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * One to three characters again and again (aaaaaa, ababab), or characters counted up or down (123456, fedcba; 0 follows
 * 9).
 */
function isRun(text: string): boolean {
  const characters = [...text.toLowerCase()];
  const isRepeated = [1, 2, 3].some((length) =>
    characters.every((character, index) => character === characters[index % length]),
  );
  const codes = characters.map((character) => character.codePointAt(0)!);
  const isDigits = /^[0-9]+$/.test(text);
  const isCounted = [1, -1].some((step) =>
    codes.every((code, index) => {
      const difference = index === 0 ? step : code - codes[index - 1]!;
      return difference === step || (isDigits && difference === -9 * step);
    }),
  );
  return isRepeated || isCounted;
}

/** What is wrong with a new password of a person with these names, as a sentence; null if nothing is. */
export function passwordFault(password: string, names: readonly string[]): string | null {
  if (isRun(password)) return "must not be one run of repeated or counted characters, such as aaaaaa or 123456";
  const said = bare(password);
  if (productNames.some((name) => bare(name) === said)) return "must not be a name of this platform";
  if (said !== "" && names.some((name) => bare(name) === said)) return "must not be your own name or e-mail address";
  return null;
}
