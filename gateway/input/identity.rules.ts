/**
 * The one form of texts that identify something or somebody: codes, identifiers, names, e-mail addresses, phone numbers
 * and passwords. Lists, forms, interfaces, files and searches use it, so that a code is the same text wherever it comes
 * from.
 */

/** Marks that cannot be seen: zero-width and direction characters, soft hyphens, byte order marks. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Words of ASCII with single spaces between them, which are in every form: most texts are, and this is fast. */
const isPlain = (text: string): boolean => /^(?:[!-~]+(?: [!-~]+)*)?$/.test(text);

/** A normalized text: no invisible marks, composed letters (NFC), single spaces, no spaces at the ends. */
export const fold = (text: string): string =>
  isPlain(text) ? text : text.replaceAll(invisible, "").normalize("NFC").replace(/\s+/g, " ").trim();

/**
 * A person's name or address: folded, without control characters. U+0000 stays, because it is refused everywhere.
 * U+FEFF, a space for JavaScript, is an invisible mark.
 */
export const personForm = (text: string): string =>
  isPlain(text) ? text : fold(text.replace(/[^\S\uFEFF]+/g, " ").replaceAll(/(?!\0)\p{Cc}/gu, ""));

/**
 * Marks that cannot be seen, but those that belong to what is written: joiners inside a word, joiners and the colour
 * mark of an emoji.
 */
const needless =
  /(?!(?<=(?!\p{DI})[\p{L}\p{M}])[\u200C\u200D](?=(?!\p{DI})[\p{L}\p{M}]))(?!(?<=\p{ExtPict}[\uFE0F\p{EMod}]?)\u200D(?=\p{ExtPict}))(?!(?<=\p{Emoji})\uFE0F)[\p{DI}\p{Cf}]/gu;

/** A text of one or more lines: composed letters (NFC), no needless marks, line breaks and tabs only between others. */
export const textForm = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\x85\u2028\u2029]/g, "\n")
    .replaceAll(/(?![\0\t\n])\p{Cc}/gu, "")
    .replaceAll(needless, "")
    .normalize("NFC")
    .trim();
/** The same on one line, with single spaces. */
export const lineForm = (text: string): string => textForm(text).replace(/\s+/g, " ");

/** A phone number as it is measured: without the signs that people put between digits. */
export const typedPhone = (text: string): string => fold(text.normalize("NFKC").replaceAll(/[-‐-―().,/\\]/g, ""));

/** A phone number: digits, + and single spaces. */
export const phoneForm = (text: string): string => fold(typedPhone(text).replaceAll(/[^\d+ ]/g, ""));

/** The form in which passwords are compared: compatible letters are equal (NFKC), spaces at the ends do not count. */
export const passwordForm = (password: string): string => password.normalize("NFKC").trim();

/** The form in which names are compared: normalized by `fold`, in lower case, with one kind of apostrophe. */
export const nameKey = (name: string): string =>
  fold(name)
    .toLowerCase()
    .replace(/[‘’ʼ`´]/g, "'");

/**
 * The form of a code or identifier. Spreadsheets write a code as `="0123"`, `'0123` or `123.0`: these are read as the
 * code. Zeros at the beginning stay. A text that is no code stays as it is: see `codeFault` and `isPlaceholder`.
 */
export function codeForm(text: string): string {
  const folded = personForm(text);
  const [, quoted, computed] = /^=(?:"(.*)"|(\d+))$/.exec(folded) ?? [];
  const bare = (quoted?.replaceAll('""', '"') ?? computed ?? folded)
    .trim()
    .replace(/^['’](?=[\p{L}\p{N}])/u, "")
    .trim();
  return bare.replace(/^(\d+)(?:\.0+|,0)$/, "$1");
}

/** Why a code in its form cannot be read; undefined if it can. */
export function codeFault(code: string): string | undefined {
  if (/^\d([.,]\d+)?E\+\d+$/i.test(code))
    return (
      "was shortened by a spreadsheet, so the code is lost: make the column a text column, " +
      "enter the code again and save the list"
    );
  return code.startsWith("=") ? "is a formula of a spreadsheet: save the list with the code itself" : undefined;
}

const placeholderWords = new Set([
  ..."na null nil none nan undefined unknown missing blank empty pending tbd tba tbc".split(" "),
  ..."tobedetermined tobeassigned tobeadvised tobeconfirmed".split(" "),
  ..."notavailable notapplicable notassigned notknown nocode noid".split(" "),
]);
/** What spreadsheets write in a cell whose formula has an error, after the sign `#`. */
const formulaErrors = new Set("na null ref value name num div0 spill calc".split(" "));

/**
 * Whether a text stands for a missing value: `#N/A`, `-`, `NULL`, `none`, `TBD`, `0` and the like. It identifies
 * nothing: nothing is found by it, and it is stored as no code and no name.
 */
export function isPlaceholder(text: string): boolean {
  const folded = fold(text).toLowerCase();
  // No placeholder has another digit than 0.
  if (folded === "" || /[1-9]/.test(folded)) return false;
  const bare = folded.replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (folded.startsWith("#") && formulaErrors.has(bare)) return true;
  return /^(?:0*|x{2,8})$/.test(bare) || placeholderWords.has(bare);
}

/** A code in its form, to find something by it; undefined if the text is a placeholder. */
export function codeIn(text: string): string | undefined {
  const code = codeForm(text);
  return isPlaceholder(code) ? undefined : code;
}

/** What is wrong with a code that somebody enters; undefined if nothing is. */
export const enteredCodeFault = (code: string): string | undefined =>
  isPlaceholder(code) ? "is a placeholder, not a code: leave it empty" : codeFault(code);
