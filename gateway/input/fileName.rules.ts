import { cutTo } from "./text.rules.ts";

/** Rules for the names of files that are sent. */

/** Invisible characters, which make a name look like another one or are not allowed in file systems. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What is wrong with the name of a file of any type; undefined if nothing is. */
export function faultOfAnyFileName(name: string): string | undefined {
  if (name === "") return "The file has no name.";
  if (name.length > 255) return "The file's name is longer than 255 characters.";
  if (hidden.test(name)) return "The file's name holds invisible characters (control or direction marks). Rename it.";
  if (/[\\/]/.test(name)) return "The file's name holds a path. Send the file under its own name.";
  return undefined;
}

/** A name in composed letters (NFC) that can be shown, stored and logged safely, made from any text that was sent. */
export const shownFileName = (name: string): string =>
  cutTo(255, name.normalize("NFC").replaceAll(new RegExp(hidden, "gu"), "\uFFFD")) || "(no name)";
