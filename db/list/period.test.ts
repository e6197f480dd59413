import { expect, test } from "vitest";

import { cutDays } from "./period.ts";

test("a range of days is cut into the longest periods that fit and the remaining days at both ends", () => {
  expect(cutDays({ start: "2022-07-15", end: "2026-05-09" })).toEqual({
    periods: [
      { period: "month", first: "2022-08-01", last: "2022-09-01" },
      { period: "year", first: "2022-10-01", last: "2024-10-01" },
      { period: "quarter", first: "2025-10-01", last: "2026-01-01" },
      { period: "month", first: "2026-04-01", last: "2026-04-01" },
    ],
    days: [
      { start: "2022-07-15", end: "2022-07-31" },
      { start: "2026-05-01", end: "2026-05-09" },
    ],
  });
  expect(cutDays({ start: "2024-02-01", end: "2024-02-29" })).toEqual({
    periods: [{ period: "month", first: "2024-02-01", last: "2024-02-01" }],
    days: [],
  });
  expect(cutDays({ start: "2022-07-15", end: "2026-05-31" }, "quarter")).toEqual({
    periods: [
      { period: "month", first: "2022-08-01", last: "2022-09-01" },
      { period: "quarter", first: "2022-10-01", last: "2026-01-01" },
      { period: "month", first: "2026-04-01", last: "2026-05-01" },
    ],
    days: [{ start: "2022-07-15", end: "2022-07-31" }],
  });
  expect(cutDays({ start: "2025-02-02", end: "2025-03-30" })).toEqual({
    periods: [],
    days: [{ start: "2025-02-02", end: "2025-03-30" }],
  });
});

const months = { month: 1, quarter: 3, year: 12 };
const startOf = (day: string, after: number) => {
  const [year, month] = day.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 + after, 1)).toISOString().slice(0, 10);
};
const next = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

test("the pieces of a range have no gaps and no overlaps, and each period begins in a month in which periods of its kind begin", () => {
  for (let n = 0; n < 2000; n += 1) {
    const start = new Date(Date.UTC(2020, 0, 1 + ((n * 37) % 800))).toISOString().slice(0, 10);
    const end = new Date(Date.parse(start) + ((n * 71) % 1700) * 86_400_000).toISOString().slice(0, 10);
    const { periods, days } = cutDays({ start, end });
    const pieces = [
      ...periods.map(({ period, first, last }) => ({ from: first, to: startOf(last, months[period]) })),
      ...days.map((left) => ({ from: left.start, to: next(left.end) })),
    ].toSorted((a, b) => (a.from < b.from ? -1 : 1));
    expect([start, ...pieces.map(({ to }) => to)]).toEqual([...pieces.map(({ from }) => from), next(end)]);
    for (const { period, first, last } of periods)
      for (const day of [first, last])
        expect({ period, day, month: Number(day.slice(5, 7)) % months[period] }).toMatchObject({
          month: { month: 0, quarter: 1, year: 10 }[period],
        });
  }
});
