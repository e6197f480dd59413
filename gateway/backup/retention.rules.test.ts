import { expect, test } from "vitest";

import { folderOf, listToRemove, momentOf, retentionRule, usualRetention } from "./retention.rules.ts";

const daily = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => folderOf(new Date(Date.parse(`${from}T00:00:00Z`) + at * 86_400_000)));

test("parses a rule, and refuses invalid ones", () => {
  expect(retentionRule.parse(usualRetention)).toEqual({ days: 7, weeks: 4, months: 12 });
  expect(retentionRule.parse("1 day, 0 weeks, 1 month")).toEqual({ days: 1, weeks: 0, months: 1 });
  for (const text of [
    "",
    "7",
    "0 days, 4 weeks, 12 months",
    "7 days",
    "7 days, 4 weeks, -1 months",
    "7 days, 4 weeks, 12 months, 3 years",
  ])
    expect(retentionRule.safeParse(text).success, text).toBe(false);
});

test("a backup's folder is named after its time, and other folders are not recognised as backups", () => {
  expect(folderOf(new Date("2026-11-23T00:07:31Z"))).toBe("2026-11-23T0007");
  expect(momentOf("2026-11-23T0007")).toEqual(new Date("2026-11-23T00:07:00Z"));
  for (const name of ["2026-11-23", "2026-13-23T0007", "before-the-upgrade", ".proof", "2026-11-23T0007.old"])
    expect(momentOf(name), name).toBeUndefined();
});

test("of 400 daily backups, the last 7 and the newest of 4 weeks and of 12 months remain", () => {
  const all = daily("2025-10-20", 400);
  const removed = new Set(listToRemove(all, { days: 7, weeks: 4, months: 12 }));
  expect(all.filter((folder) => !removed.has(folder)).map((folder) => folder.slice(0, 10))).toEqual([
    ...[
      "2025-12-31",
      "2026-01-31",
      "2026-02-28",
      "2026-03-31",
      "2026-04-30",
      "2026-05-31",
      "2026-06-30",
      "2026-07-31",
      "2026-08-31",
      "2026-09-30",
      "2026-10-31",
    ],
    ...[
      "2026-11-08",
      "2026-11-15",
      "2026-11-17",
      "2026-11-18",
      "2026-11-19",
      "2026-11-20",
      "2026-11-21",
      "2026-11-22",
      "2026-11-23",
    ],
  ]);
});

test("keeps the newest of several backups of a day, and does not count days without a backup", () => {
  const folders = ["2026-01-05T0000", "2026-03-09T0000", "2026-03-09T1200", "before-the-upgrade"];
  expect(listToRemove(folders, { days: 2, weeks: 0, months: 0 })).toEqual(["2026-03-09T0000"]);
  expect(listToRemove(folders, { days: 1, weeks: 0, months: 0 })).toEqual(["2026-03-09T0000", "2026-01-05T0000"]);
  expect(listToRemove([], { days: 1, weeks: 1, months: 1 })).toEqual([]);
});

test("removing backups every day keeps the same ones as removing them all at the end", () => {
  const rule = { days: 7, weeks: 4, months: 12 };
  const all = daily("2025-01-01", 500);
  let kept: string[] = [];
  for (const folder of all) {
    kept.push(folder);
    const removed = listToRemove(kept, rule);
    kept = kept.filter((each) => !removed.includes(each));
  }
  expect(kept.toSorted()).toEqual(all.filter((each) => !listToRemove(all, rule).includes(each)));
});
