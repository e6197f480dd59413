import { expect, test } from "vitest";

import { directionOf } from "./direction.rules.ts";

test.each([
  ["works", "yes", "no", "worse"],
  ["works", "no", "yes", "better"],
  ["works", "not recorded", "no", "new"],
  ["works", "not recorded", "yes", "new"],
  ["power", "no", "not recorded", "neither"],
  ["power", "yes", "not recorded", "neither"],
  ["backupPower", "yes", "no", "worse"],
  ["version", "4.9", "4.10", "better"],
  ["version", "4.10", "4.9", "worse"],
  ["version", "4.5", "4.5.0", "neither"],
  ["version", "4.5-rc", "4.5", "better"],
  ["version", "4.5", "unknown", "neither"],
  ["version", "not recorded", "4.5", "new"],
  ["mode", "EFirst", "NotOperational", "worse"],
  ["mode", "NotDeployed", "Partial", "better"],
  ["mode", "ELast", "EFirst", "neither"],
  ["silence", "in time", "overdue", "worse"],
  ["silence", "overdue", "in time", "better"],
  ["silence", "no data", "overdue", "new"],
  ["partner", "Partner A", "Partner B", "neither"],
  ["partner", "none", "Partner B", "neither"],
  ["registry", "not listed", "listed", "new"],
  ["registry", "open", "closed", "neither"],
  ["registry", "no", "yes", "neither"],
  ["connectivity", "no", "yes", "better"],
  ["connectivity", "yes", "not recorded", "neither"],
  ["action", null, "agreed", "neither"],
  ["action", "agreed", "done", "better"],
  ["action", "agreed", "dropped", "neither"],
  ["note", null, "noted", "neither"],
  ["setAside", "counted", "set aside", "neither"],
] as const)("%s from %s to %s is %s", (kind, from, to, direction) =>
  expect(directionOf({ kind, from, to })).toBe(direction),
);
