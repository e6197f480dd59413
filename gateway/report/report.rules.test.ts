import { expect, test } from "vitest";

import { maySignReport, stateOfQuarter } from "./reportQuarter.rules.ts";
import { noPrivileges } from "../access/access.rules.ts";
import { sentencesOf } from "./report.rules.ts";

test.each([
  ["", 0],
  ["Seen by Dr. Banda and No. 3", 1],
  ["It works at 3.5 % of the sites. The rest (12) follows!", 2],
  ["One site stopped.\nWhy? Nobody knows.", 3],
])("the sentences of %o: %i", (text, count) => expect(sentencesOf(text)).toBe(count));

test.each([
  ["2026-09-30", "running"],
  ["2026-10-01", "over"],
  ["2026-06-30", "ahead"],
  ["2026-07-01", "running"],
])("on %s quarter 4 of 2026 is %s", (today, state) =>
  expect(stateOfQuarter({ year: 2026, quarter: 4 }, today)).toBe(state),
);

type Scope = { provinceId?: number; implementingPartnerId?: number };
test.each<[privilege: "administrator" | "manageUsers" | "editAssessments", scope: Scope, may: boolean]>([
  ["administrator", {}, true],
  ["manageUsers", { implementingPartnerId: 7 }, true],
  ["manageUsers", { provinceId: 1, implementingPartnerId: 7 }, true],
  ["manageUsers", { implementingPartnerId: 8 }, false],
  ["manageUsers", { provinceId: 1 }, false],
  ["editAssessments", { implementingPartnerId: 7 }, false],
])("%s of partner 7 may sign a report of %o: %s", (privilege, scope, may) =>
  expect(maySignReport({ privileges: { ...noPrivileges, [privilege]: true }, implementingPartnerId: 7 }, scope)).toBe(
    may,
  ),
);
