import { expect, test } from "vitest";
import { chartOf } from "./questionChart.ts";
import { questionIn } from "./question.ts";

const asked = (address: string) => questionIn(new URLSearchParams(address));
const visits = (year: number, calMonth: number, partner: string | null, assessments: number) => ({
  ...{ year, quarter: Math.floor(((calMonth + 2) % 12) / 3) + 1, calMonth, assessments },
  implementingPartner: partner && { implementingPartner: partner },
});
const byMonth = "subject=visits&by=month&and=partner&measure=visits&order=name";

test("visits by month and partner are a line for each partner over all months, 0 where nothing was counted", () => {
  const rows = [visits(2026, 12, "A", 4), visits(2027, 10, null, 2), visits(2026, 9, "A", 7), visits(2026, 12, "B", 1)];
  const { chart, note } = chartOf(asked(byMonth), rows, [])!;
  expect([chart.layout, chart.series.map(({ label }) => label), note]).toEqual([
    "lines",
    ["A", "No implementing partner", "B"],
    undefined,
  ]);
  const { label, title } = chart.rows[0]!;
  expect([label, title, chart.rows.length]).toEqual(["Dec ’25", "Dec 2025", 11]);
  expect(chart.rows.map(({ values }) => values)).toEqual([
    [4, 0, 1],
    ...Array.from({ length: 8 }, () => [0, 0, 0]),
    [7, 0, 0],
    [0, 2, 0],
  ]);
});

test("of more partners the eight with the highest figures have a line, and a share that is not known has no point", () => {
  const names = "ABCDEFGHIJ".split("");
  const many = chartOf(
    asked(byMonth),
    names.flatMap((name, at) => [visits(2026, 10, name, at), visits(2026, 11, name, 0)]),
    [],
  );
  expect([many!.chart.series.map(({ label }) => label).join(""), many!.note]).toEqual([
    "CDEFGHIJ",
    "The chart shows the 8 of 10 with the highest figures.",
  ]);
  const share = (quarter: number, name: string, value: number | null) => ({
    ...{ year: 2026, quarter, province: { name } },
    completeness: { count: 1, of: 2, share: value },
  });
  const { chart } = chartOf(
    asked("by=province&and=quarter&measure=assessed&range=LAST_YEAR"),
    [share(1, "Lusaka", 0.5), share(3, "Lusaka", null)],
    [],
  )!;
  expect(chart.rows.map(({ title, words, values }) => [title, words, values])).toEqual([
    ["QTR 1 2026", ["50 %"], [0.5]],
    ["QTR 2 2026", ["–"], [Number.NaN]],
    ["QTR 3 2026", ["–"], [Number.NaN]],
  ]);
});

test.each([
  ["two places", "by=province&and=type&measure=sites"],
  ["the first groups only", `${byMonth}&first=10`],
])("%s are bars", (_, address) => {
  const rows = [visits(2026, 10, "A", 1), visits(2026, 11, "A", 1)].map((row) => ({ ...row, facilities: 1 }));
  expect(chartOf(asked(address), rows, rows)!.chart.layout).toBe("lying");
});
