import { z } from "zod";

import { type WorklistKind, worklistKinds, worklistNames } from "../../db/situation/state.rules.ts";
import { dateRule } from "../calendar/period.rules.ts";
import { visitDays } from "../facility/state.rules.ts";
import { facilityUuidRule } from "../facility/facility.rules.ts";
import { idRule } from "../input/page.rules.ts";
import { textRule } from "../input/texts.rules.ts";

/** Rules for the work list: sites that need work, by kind, and people's notes about them. */

export { worklistKinds, worklistNames, type WorklistKind };

/** For each kind: what it lists, and how the begin of an entry is described. */
export const worklist: Record<WorklistKind, { about: string; since: string }> = {
  stopped: {
    about: "SmartCare worked at an earlier visit, and the last one that recorded it found that it does not.",
    since: "found not working",
  },
  lostPower: {
    about:
      "Primary or backup power worked at an earlier visit, and the last one that recorded it found that neither does.",
    since: "found without power",
  },
  silent: { about: "The next TDB is overdue, or none was ever sent though the system is deployed.", since: "overdue" },
  oldVersion: {
    about:
      "The latest assessment names a library version older than the newest of the reference list, or than one that a file to download requires by today.",
    since: "seen",
  },
  notVisited: { about: `The latest assessment is ${visitDays} days old or older.`, since: "last visited" },
};

export const worklistShows = ["open", "snoozed", "all"] as const;
const scopeShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
};
export const worklistFilterShape = {
  ...scopeShape,
  show: z
    .enum(worklistShows, `must be one of ${worklistShows.join(", ")}`)
    .default("open")
    .describe("open: those that are not snoozed; snoozed; or all"),
};
export const worklistKindRule = z.enum(worklistKinds, `must be one of ${worklistKinds.join(", ")}`);
export const worklistFilterRules = z.strictObject({ kind: worklistKindRule, ...worklistFilterShape });
export type WorklistFilter = z.output<typeof worklistFilterRules>;
export const worklistOrders = ["age", "partner", "district"] as const;
/** Whose entries are listed, and in which order. */
export type WorklistView = {
  orderBy?: (typeof worklistOrders)[number] | undefined;
  mine?: boolean | null | undefined;
  /** only of these facilities */ facilityUuids?: readonly string[] | undefined;
};

const mostOfComment = 512;
/** The most days for which an entry can be snoozed. */
const mostSnoozeDays = 366;
export const worklistNoteInputRules = z.strictObject({
  facilityUuid: facilityUuidRule,
  kind: worklistKindRule,
  comment: textRule(mostOfComment).min(1, "must not be empty").describe("What is to be known, or why it is snoozed"),
  snoozedUntil: dateRule
    .nullish()
    .describe(
      `The day on which the entry is shown again, at most ${mostSnoozeDays} days from today; without it the entry is not snoozed, also if it was`,
    ),
});
export type WorklistNoteInput = z.output<typeof worklistNoteInputRules>;

/** The error in a day until which an entry should be snoozed; null if there is none. */
export function snoozeError(today: string, until: string): string | null {
  if (until <= today) return "must be a day after today";
  const days = (Date.parse(until) - Date.parse(today)) / 86_400_000;
  return days > mostSnoozeDays ? `may be at most ${mostSnoozeDays} days from today` : null;
}
