import { expect, test } from "vitest";

import { changeWords } from "./ledgerWords.rules.ts";

test.each([
  ["works", "works", "yes", "no", "VISIT", "Works: yes → no"],
  ["power", "power", "not recorded", "yes", "VISIT", "Power: not recorded → yes"],
  ["mode", "mode", "ELast", "NotOperational", "VISIT", "Mode: E-Last → Not operational"],
  ["silence", "silence", "in time", "overdue", "TDB", "Data: in time → overdue"],
  ["partner", "partner", "none", "Partner A", "FACILITY", "Partner: none → Partner A"],
  ["registry", "moved", "Monze, Southern", "Choma, Southern", "FACILITY", "Moved: Monze, Southern → Choma, Southern"],
  ["registry", "closed", "open", "closed", "FACILITY", "Closed"],
  ["registry", "merged", "Monze Clinic", "merged", "FACILITY", "Merged with Monze Clinic"],
  ["registry", "parted", "merged", "listed", "FACILITY", "Merge undone"],
  ["connectivity", "internet", "no", "yes", "FACILITY", "Internet: no → yes"],
  ["action", "done", "agreed", "done", "ACTION", "Action done"],
  ["note", "silent", null, "noted", "WORKLIST", "Note on Data overdue"],
  ["setAside", "setAside", "counted", "set aside", "TDB", "TDB set aside"],
  ["setAside", "restored", "set aside", "counted", "VISIT", "Visit restored"],
] as const)("%s %s from %s to %s of %s: %s", (kind, event, from, to, source, words) =>
  expect(changeWords({ kind, event, from, to, source })).toBe(words),
);
