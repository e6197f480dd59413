/** Names that files are sent under. */

/** Characters that make a name look like another one, or that no file system likes. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** What is wrong with a file's name whatever the file is; undefined when nothing is. */
export function faultOfAnyFileName(name: string): string | undefined {
  if (name === "") return "The file has no name.";
  if (name.length > 255) return "The file's name is longer than 255 characters.";
  if (hidden.test(name)) return "The file's name holds invisible characters (control or direction marks). Rename it.";
  if (/[\\/]/.test(name)) return "The file's name holds a path. Send the file under its own name.";
  return undefined;
}

/** A name as it can be shown and logged, whatever was sent. */
export const shownFileName = (name: string): string => name.replaceAll(new RegExp(hidden, "gu"), "\uFFFD").slice(0, 255) || "(no name)";
