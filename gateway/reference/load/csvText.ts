import { isUtf8 } from "node:buffer";
import { StringDecoder } from "node:string_decoder";

import type { Encoding } from "./encodings.rules.ts";

/** Decodes CSV files as spreadsheets save them: UTF-8 or UTF-16, Windows-1252, or MacRoman. */

/**
 * The characters of Windows-1252 from 0x80 to 0x9F; all others are those of Latin 1. (The decoder of some Node.js
 * versions decodes Latin 1 instead.)
 */
const windowsSigns = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";
const decodeWindows = (bytes: Buffer): string =>
  bytes.toString("latin1").replace(/[\u0080-\u009F]/g, (sign) => windowsSigns[sign.charCodeAt(0) - 0x80]!);

/** The characters of MacRoman from 0x80 to 0xFF. */
const macSigns =
  "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø" +
  "¿¡¬√ƒ≈∆«»…\u00A0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uF8FFÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";
const decodeMac = (bytes: Buffer): string =>
  bytes.toString("latin1").replace(/[\u0080-\u00FF]/g, (sign) => macSigns[sign.charCodeAt(0) - 0x80]!);

/**
 * The encoding of a whole text. `isSure`: it follows from the text itself. Without marks, a text that is not UTF-8 is
 * Windows-1252 or MacRoman; what counts then is in which of them more of its signs are letters and apostrophes.
 */
export function encodingOf(bytes: Buffer): { encoding: Encoding; isSure: boolean } {
  const sure = (encoding: Encoding) => ({ encoding, isSure: true });
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return sure("utf-16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return sure("utf-16be");
  const start = bytes.subarray(0, 64);
  const zeros = (odd: number) => start.filter((byte, index) => byte === 0 && index % 2 === odd).length;
  if (zeros(1) > start.length / 4 && zeros(0) === 0) return sure("utf-16le");
  if (zeros(0) > start.length / 4 && zeros(1) === 0) return sure("utf-16be");
  if (isUtf8(bytes)) return sure("utf-8");
  const sample = bytes.subarray(0, 1024 * 1024);
  // Damaged UTF-8 has more characters beyond ASCII that can be read than damaged ones.
  const wide = sample.toString("utf8").match(/[\u0080-\u{10FFFF}]/gu) ?? [];
  if (wide.filter((sign) => sign !== "\u{FFFD}").length * 2 > wide.length) return sure("utf-8");
  const likely = (text: string) => text.match(/[à-öø-ÿÉÈÇÑÖÜÄ’“”–]/g)?.length ?? 0;
  const isMac = likely(decodeMac(sample)) > likely(decodeWindows(sample));
  return { encoding: isMac ? "macintosh" : "windows-1252", isSure: false };
}

/**
 * The number of bytes at the end of a piece that are the beginning of a character whose other bytes are in the next
 * piece.
 */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/**
 * Whether bytes that are not valid UTF-8 contain multi-byte UTF-8 characters: then they are damaged UTF-8, and not
 * another encoding.
 */
const holdsWide = (bytes: Buffer): boolean =>
  /[\u0080-\u{10FFFF}]/u.test(bytes.toString("utf8").replaceAll("\u{FFFD}", ""));

/** Decodes UTF-16 piece by piece. */
async function* decodeWide(pieces: AsyncIterable<Buffer>, encoding: "utf-16le" | "utf-16be") {
  const decoder = new StringDecoder("utf16le");
  let held = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([held, piece]);
    const whole = bytes.length - (bytes.length % 2);
    held = bytes.subarray(whole);
    yield decoder.write(
      encoding === "utf-16be" ? Buffer.from(bytes.subarray(0, whole)).swap16() : bytes.subarray(0, whole),
    );
  }
  yield decoder.end();
}

/**
 * Decodes piece by piece. If no encoding is given, bytes that cannot be UTF-8 are read as Windows-1252, unless a UTF-8
 * character beyond ASCII came before: then the file is damaged UTF-8, and U+FFFD marks the place.
 */
export async function* decodeCsv(pieces: AsyncIterable<Buffer>, given?: Encoding): AsyncGenerator<string, void> {
  if (given === "utf-16le" || given === "utf-16be") return yield* decodeWide(pieces, given);
  if (given === "macintosh") {
    for await (const piece of pieces) yield decodeMac(piece);
    return;
  }
  let held = Buffer.alloc(0);
  let encoding = (given === "windows-1252" ? given : given ? "utf8" : "ascii") as "ascii" | "utf8" | "windows-1252";
  const decode = (bytes: Buffer): string => {
    if (encoding === "ascii") {
      if (isUtf8(bytes)) encoding = bytes.some((byte) => byte >= 0x80) ? "utf8" : "ascii";
      else encoding = holdsWide(bytes) ? "utf8" : "windows-1252";
    }
    return encoding === "windows-1252" ? decodeWindows(bytes) : bytes.toString("utf8");
  };
  for await (const piece of pieces) {
    const bytes = Buffer.concat([held, piece]);
    const cut = bytes.length - (encoding === "windows-1252" ? 0 : unfinished(bytes));
    held = bytes.subarray(cut);
    if (cut > 0) yield decode(bytes.subarray(0, cut));
  }
  if (held.length > 0) yield decode(held);
}

/** Why a file with this beginning is not CSV; undefined if it may be. */
export function whyNoText(start: Buffer): string | undefined {
  const text = start.subarray(0, 4).toString("latin1");
  if (text.startsWith("PK\x03\x04"))
    return "the file is a workbook or an archive (.xlsx, .ods, .zip): save its sheet as CSV";
  const isJson = /^(?:\xEF\xBB\xBF)?\s*[[{]/.test(start.subarray(0, 64).toString("latin1"));
  if (isJson) return "the file is JSON: save the list as CSV";
  if (text.startsWith("\xFF\xFE") || text.startsWith("\xFE\xFF"))
    return "the file is saved as UTF-16 (“Unicode text”): save it as CSV in UTF-8";
  const head = start
    .toString("latin1")
    .replace(/^\xEF\xBB\xBF/, "")
    .trimStart();
  if (head.startsWith("<"))
    return "the file is a web page or XML (a spreadsheet may have named it .xls): save the list as .xlsx or as CSV";
  if (head.startsWith("%PDF")) return "the file is a PDF: ask for the list as a spreadsheet or as CSV";
  if (text.startsWith("\x1F\x8B")) return "the file is compressed (.gz): unpack it first";
  // A text file has no control characters except tabs and line ends. A single one further on is reported with its row
  // and column.
  return start.subarray(0, 16).some((byte) => byte < 9 || (byte > 13 && byte < 32))
    ? "the file is no text: save the list as CSV"
    : undefined;
}

/**
 * The text, and the delimiter of its cells: the one that a first line such as `sep=;` names, which spreadsheets write
 * (`hasSeparatorLine`); otherwise comma, semicolon or tab, whichever is most frequent in the first line.
 */
export async function withDelimiter(
  text: AsyncGenerator<string, void>,
): Promise<{ text: AsyncGenerator<string, void>; delimiter: string; hasSeparatorLine: boolean }> {
  let start = "";
  // Do not wait for the end of a first line that is longer than this.
  while (!/[\r\n]/.test(start.trimStart()) && start.length < 65_536) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
  }
  const [, named] = /^\uFEFF?"?sep=([,;\t|])"?(?=[\r\n]|$)/i.exec(start) ?? [];
  const first = /\S[^\r\n]*/.exec(start.replaceAll(/"[^"]*"/g, ""))?.[0] ?? "";
  const count = (sign: string) => first.split(sign).length;
  const guessed = [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
  async function* whole() {
    if (start !== "") yield start.replace(/^\u{FEFF}/u, "");
    yield* text;
  }
  return { text: whole(), delimiter: named ?? guessed, hasSeparatorLine: named !== undefined };
}
