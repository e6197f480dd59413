import { isUtf8 } from "node:buffer";

/** Decodes CSV files as spreadsheets save them: UTF-8 with or without a byte order mark, or Windows-1252. */

/**
 * The characters of Windows-1252 from 0x80 to 0x9F; all others are those of Latin 1. (The decoder of some Node.js
 * versions decodes Latin 1 instead.)
 */
const windowsSigns = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";
const decodeWindows = (bytes: Buffer): string =>
  bytes.toString("latin1").replace(/[\u0080-\u009F]/g, (sign) => windowsSigns[sign.charCodeAt(0) - 0x80]!);

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

/**
 * Decodes piece by piece. Bytes that cannot be UTF-8 are read as Windows-1252, unless a UTF-8 character beyond ASCII
 * came before: then the file is damaged UTF-8, and U+FFFD marks the place.
 */
export async function* decodeCsv(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let held = Buffer.alloc(0);
  let encoding = "ascii" as "ascii" | "utf8" | "windows-1252";
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
  // A text file has no control characters except tabs and line ends. A single one further on is reported with its row
  // and column.
  return start.subarray(0, 16).some((byte) => byte < 9 || (byte > 13 && byte < 32))
    ? "the file is no text: save the list as CSV"
    : undefined;
}

/**
 * The text, and the delimiter of its cells: the one that a first line such as `sep=;` names, which spreadsheets write
 * (`hasSeparatorLine`); otherwise comma or semicolon, whichever is more frequent in the first line.
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
  async function* whole() {
    if (start !== "") yield start.replace(/^\u{FEFF}/u, "");
    yield* text;
  }
  const delimiter = named ?? (count(";") > count(",") ? ";" : ",");
  return { text: whole(), delimiter, hasSeparatorLine: named !== undefined };
}
