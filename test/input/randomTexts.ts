import { isStorable } from "../../gateway/input/text.rules.ts";

/** Texts of all kinds, made by chance but the same for the same seed. */

const special = [
  ..."\0\u0001\u0007\t\n\r\u0085\u00A0\u00AD\u034F\u061C\u115F\u200B\u200C\u200D\u200E\u202E\u2028\u2066\u2069\u3164",
  ..."\uFEFF\uFE0F\uFFFE\uFFFFé'\"\\%_;,=+-@<>&{}$#/?😀👩🏽",
  ...["e\u0301", "A\u030A", "\u1100\u1161", "\uD800", "\uDFFF", "👩‍🚀", "क‍्य", "می‌خواهم", "\u{E0001}", "\u{10FFFF}"],
  ...["\u0378", "null", "undefined", "0", "1e999", "../", "${x}", "{{x}}", "--", "'; drop table facility; --"],
];

/** Numbers from 0 to 1 (mulberry32). */
export function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A text of up to 10 kB: half of them are short, and a third have ordinary letters only. */
export function randomText(chance: () => number): string {
  const length = Math.floor(chance() < 0.9 ? chance() * 40 : chance() ** 3 * 3000);
  const plain = chance() < 0.35;
  const one = (): string => {
    if (plain || chance() < 0.4) return "abcdefghij klmnopqrstuvwxyz0123456789"[Math.floor(chance() * 37)]!;
    if (chance() < 0.5) return special[Math.floor(chance() * special.length)]!;
    return String.fromCodePoint(Math.floor(chance() * (chance() < 0.7 ? 0x3000 : 0x110000)));
  };
  const text = Array.from({ length }, one).join("");
  // Otherwise most long texts would be refused for one character.
  return chance() < 0.8 && !isStorable(text) ? text.replaceAll(/[\0\p{Cs}]/gu, "") : text;
}
