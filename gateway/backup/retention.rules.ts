import { z } from "zod";

/** Which backups are kept: the newest of each day, week and month, for the last ones that have a backup. */

export type Retention = { days: number; weeks: number; months: number };
export const usualRetention = "7 days, 4 weeks, 12 months";

const pattern = /^(\d{1,4}) days?, (\d{1,4}) weeks?, (\d{1,4}) months?$/;

/** A rule as operators write it. It keeps at least one day, so that the newest backup stays. */
export const retentionRule = z
  .string()
  .refine((text) => Number(pattern.exec(text)?.[1] ?? 0) > 0, {
    message: `must be written as "${usualRetention}", with 1 or more days`,
    abort: true,
  })
  .transform((text): Retention => {
    const [days, weeks, months] = pattern.exec(text)!.slice(1).map(Number) as [number, number, number];
    return { days, weeks, months };
  });

/** The name of the folder of a scheduled backup: its time in UTC. */
export const folderOf = (takenAt: Date): string => takenAt.toISOString().slice(0, 16).replace(":", "");
const folderPattern = /^(\d{4}-\d{2}-\d{2}T\d{2})(\d{2})$/;

/** The time of such a folder; undefined for any other folder. */
export function momentOf(folder: string): Date | undefined {
  const match = folderPattern.exec(folder);
  if (!match) return undefined;
  const moment = new Date(`${match[1]}:${match[2]}:00Z`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** The Monday of a day. */
function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The folders of scheduled backups that the rule does not keep. Days are in UTC. */
export function listToRemove(folders: readonly string[], { days, weeks, months }: Retention): string[] {
  const newestFirst = folders
    .filter((folder) => momentOf(folder) !== undefined)
    .toSorted()
    .toReversed();
  const kept = new Set<string>();
  const keep = (most: number, spanOf: (day: string) => string) => {
    const spans = new Set<string>();
    for (const folder of newestFirst) {
      const span = spanOf(folder.slice(0, 10));
      if (spans.has(span)) continue;
      if (spans.size === most) return;
      spans.add(span);
      kept.add(folder);
    }
  };
  keep(days, (day) => day);
  keep(weeks, weekOf);
  keep(months, (day) => day.slice(0, 7));
  return newestFirst.filter((folder) => !kept.has(folder));
}
