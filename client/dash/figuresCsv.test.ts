import { expect, test } from "vitest";
import { figureRows, figuresCsv } from "./figuresCsv.ts";

test("the file has the figures of the table, of how many, and nothing where nothing was counted", () => {
  const chart = {
    layout: "stacked" as const,
    valueTitle: "Facilities",
    series: [
      { label: "Works, now", tone: "deep" as const },
      { label: "Not assessed", tone: "hollow" as const, aside: true },
    ],
    rows: [
      { label: "QTR 1", title: "QTR 1, Oct to Dec 2025", values: [0.25, 2] },
      { label: "QTR 2", title: "QTR 2", values: [0, 6], look: "nobody" as const },
      { label: "QTR 3", title: "QTR 3", values: [0, 0], look: "ahead" as const },
    ],
  };
  const counts = [4, 0, 0].map((assessed, at) => ({ assessed, facilities: 6, isAhead: at === 2, notRecorded: [] }));
  expect(figuresCsv(figureRows(chart, counts)).split("\r\n")).toEqual([
    'Period,"Works, now",Not assessed,Assessed,Facilities',
    '"QTR 1, Oct to Dec 2025",0.25,2,4,6',
    "QTR 2,,6,0,6",
    "QTR 3,,,,6",
    "",
  ]);
});
