import type { Context } from "../context.ts";
import { invalid } from "../problem.ts";
import { todayIn } from "./fiscal.rules.ts";

/**
 * Returns a day as at which states are asked for.
 *
 * @param path the path of the argument
 * @throws Problem INVALID if it is in the future
 */
export function knownDay({ timeZone }: Context, day: string, path: string): string {
  const today = todayIn(timeZone);
  if (day > today) throw invalid([{ path, message: `lies in the future: today is ${today}` }]);
  return day;
}
