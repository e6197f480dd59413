import type { Context } from "../context.ts";
import { invalid } from "../problem.ts";
import { todayIn } from "./fiscal.rules.ts";

/** A day as at which states are asked for. What a day to come will find is not known. @throws Problem INVALID */
export function knownDay({ timeZone }: Context, day: string, path: string): string {
  const today = todayIn(timeZone);
  if (day > today) throw invalid([{ path, message: `lies in the future: today is ${today}` }]);
  return day;
}
