import { shownFileName } from "../../gateway/input/fileName.rules.ts";

const longestName = 60;

/** A file's name for the list, shortened if it is long. */
export function cutName(name: string): string {
  const shown = shownFileName(name);
  return shown.length > longestName ? `${shown.slice(0, longestName)}…` : shown;
}
