import { expect, test } from "vitest";
import { periodBeside } from "./periods.ts";
import { readReportPeriod, readReportScope, reportParams } from "./reportScope.ts";
import { reportSentences } from "./reportSentences.ts";

test.each([
  ["", { scope: {}, partner: -1 }],
  ["provinceId=2", { scope: { provinceId: 2 }, partner: -1 }],
  ["provinceId=2&districtId=9&partner=3", { scope: { districtId: 9 }, partner: 3 }],
  ["partner=3", { scope: { implementingPartnerId: 3 }, partner: -1 }],
  ["partner=x&provinceId=y", { scope: {}, partner: -1 }],
])("the scope of ?%s", (search, about) => {
  const read = readReportScope(new URLSearchParams(search));
  expect(read).toEqual(about);
  const again = new URLSearchParams(
    Object.entries(reportParams(read.scope, read.partner)).map(([name, value]) => [name, String(value)]),
  );
  expect(readReportScope(again)).toEqual(about);
});

test.each([
  ["", { year: 2026, quarter: 4 }, { year: 2026, quarter: 3 }],
  ["year=2026", { year: 2026, quarter: -1 }, { year: 2025, quarter: -1 }],
  ["chartYear=2025&chartQuarter=2", { year: 2025, quarter: 2 }, { year: 2025, quarter: 1 }],
  ["year=2027&quarter=1&chartYear=2025", { year: 2027, quarter: 1 }, { year: 2026, quarter: 4 }],
  ["chartQuarter=3", { year: 2026, quarter: 3 }, { year: 2026, quarter: 2 }],
  ["year=2027&quarter=1", { year: 2027, quarter: 1 }, { year: 2026, quarter: 4 }],
  ["year=2025&quarter=3", { year: 2025, quarter: 3 }, { year: 2025, quarter: 2 }],
  ["year=1999&quarter=7", { year: 2026, quarter: 4 }, { year: 2026, quarter: 3 }],
])("the period of ?%s, and the period before it", (search, period, before) => {
  expect(readReportPeriod(new URLSearchParams(search), "2026-11-23")).toEqual(period);
  expect(periodBeside(period, -1)).toEqual(before);
  expect(periodBeside(before, 1)).toEqual(period);
});

test.each([
  ["2026-10-01", { year: 2026, quarter: 4 }],
  ["2026-12-31", { year: 2026, quarter: 4 }],
  ["2027-01-01", { year: 2027, quarter: 1 }],
  ["2026-06-30", { year: 2026, quarter: 2 }],
])("on %s the default period is the last quarter that has ended", (today, period) => {
  expect(readReportPeriod(new URLSearchParams(), today)).toEqual(period);
});

const row = {
  state: "ENDED",
  facilities: 580,
  assessed: 200,
  sumSmartCareFunctional: 150,
  sumPrimaryPowerWorking: 100,
  sumBackupPowerWorking: 0,
  sumTrainedStaff: 1234,
  ...{ notRecordedSmartCareFunctional: 0, notRecordedPrimaryPowerWorking: 0, notRecordedBackupPowerWorking: 0 },
} as const;
const rest = ["Primary power works at 100 (50%), backup power at 0 (0%).", "1,234 staff are trained."];
test.each([
  [
    "shares of those assessed",
    row,
    undefined,
    ["200 of 580 facilities were assessed.", "SmartCare works at 150 of these (75%).", ...rest],
  ],
  [
    "the change since the period before",
    row,
    { ...row, assessed: 100, sumSmartCareFunctional: 60 },
    [
      "200 of 580 facilities were assessed (100 more than before).",
      "SmartCare works at 150 of these (75%, 15 points more than before).",
      ...rest,
    ],
  ],
  [
    "answers that nobody gave",
    {
      ...row,
      notRecordedSmartCareFunctional: 12,
      notRecordedPrimaryPowerWorking: 7,
      notRecordedBackupPowerWorking: 1200,
    },
    undefined,
    [
      "200 of 580 facilities were assessed.",
      "SmartCare works at 150 of these (75%, 12 not recorded).",
      "Primary power works at 100 (50%, 7 not recorded), backup power at 0 (0%, 1,200 not recorded).",
      "1,234 staff are trained.",
    ],
  ],
  ["nobody assessed", { ...row, assessed: 0 }, row, ["0 of 580 facilities were assessed (200 fewer than before)."]],
  [
    "a running period",
    { ...row, state: "RUNNING" as const, assessed: 0 },
    undefined,
    ["0 of 580 facilities were assessed so far."],
  ],
  [
    "a future period",
    { ...row, state: "AHEAD" as const, assessed: 0 },
    row,
    ["This period lies ahead: nothing can have been assessed in it yet."],
  ],
])("the sentences of a report: %s", (_, now, before, sentences) => {
  expect(reportSentences(now, before)).toEqual(sentences);
});
