import { z } from "zod";

import { fleetStates, updateOutcomes } from "../../db/fleet/rollout.rules.ts";
import { dateRule } from "../calendar/period.rules.ts";
import { channels } from "../download/release.rules.ts";
import { facilityUuidRule } from "../facility/facility.rules.ts";
import { idRule, uuidRule, wholeNumber } from "../input/page.rules.ts";
import { textRule } from "../input/texts.rules.ts";
import { versionRule } from "../input/version.rules.ts";

/** Rules for rollouts (which sites get which version, and when) and for the reports of sites. */

export { type UpdateOutcome, updateOutcomes } from "../../db/fleet/rollout.rules.ts";

const mostPlaces = 200;
const mostFacilities = 10_000;
const ids = z
  .array(idRule)
  .max(mostPlaces, `may name at most ${mostPlaces}`)
  .default([])
  .transform((given) => [...new Set(given)]);
const percentageRule = wholeNumber
  .refine((share) => share >= 1 && share <= 100, "must be 1 to 100")
  .meta({ minimum: 1, maximum: 100 });

/** A new rollout. Each given part of the scope narrows it; without any it is for all sites. */
export const newRolloutRules = z.strictObject({
  version: versionRule.describe("The target version of the sites"),
  channel: z
    .enum(channels, `must be one of ${channels.join(", ")}`)
    .default("general")
    .describe("pilot: by files of the pilot channel too"),
  provinceIds: ids.describe("Only sites of these provinces (or of districtIds)"),
  districtIds: ids.describe("Only sites of these districts (or of provinceIds)"),
  implementingPartnerIds: ids.describe("Only sites of these partners"),
  facilityUuids: z
    .array(facilityUuidRule)
    .max(mostFacilities, `may name at most ${mostFacilities}`)
    .transform((given) => [...new Set(given)])
    .nullish()
    .describe("Only these facilities"),
  percentage: percentageRule
    .default(100)
    .describe("So many percent of the sites: always the same ones, and a larger share has those of a smaller one"),
  startDay: dateRule.describe("The first day on which sites hear of it"),
  leaveBehind: z
    .boolean()
    .default(false)
    .describe("Make it also where no path leads from the versions that some of the sites run"),
});
export type NewRollout = z.output<typeof newRolloutRules>;

export const rolloutStates = ["running", "paused", "ended"] as const;
export type RolloutState = (typeof rolloutStates)[number];

const rolloutChangeShape = {
  state: z
    .enum(rolloutStates, `must be one of ${rolloutStates.join(", ")}`)
    .nullish()
    .describe("paused: sites hear nothing of it; running: it continues; ended: for good"),
  percentage: percentageRule.nullish().describe("So many percent of the sites"),
};
const isSomething = ({ state, percentage }: { state?: unknown; percentage?: unknown }) =>
  state != null || percentage != null;
export const rolloutChangeRules = z
  .strictObject(rolloutChangeShape)
  .refine(isSomething, { path: ["state"], message: "is needed unless percentage is given" });
export type RolloutChange = z.output<typeof rolloutChangeRules>;

/** Why a site has nothing to fetch. */
export const updateReasons = ["noRollout", "paused", "reached", "reported", "noPath"] as const;
export type UpdateReason = (typeof updateReasons)[number];

const updateReportShape = {
  outcome: z
    .enum(updateOutcomes, `must be one of ${updateOutcomes.join(", ")}`)
    .describe("Whether the file was applied or failed"),
  why: textRule(512).nullish().describe("Why it failed; required for a failed outcome"),
};
export const updateReportRules = z
  .strictObject(updateReportShape)
  .refine(({ outcome, why }) => outcome === "applied" || Boolean(why), {
    path: ["why"],
    message: "is required if it failed",
  })
  .refine(({ outcome, why }) => outcome === "failed" || !why, {
    path: ["why"],
    message: "can only be given if the file failed",
  });
export type UpdateReport = z.output<typeof updateReportRules>;

const scopeShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
};
export const fleetScopeRules = z.strictObject(scopeShape);
export const aboutStuck =
  "Only sites that are stuck: the next file failed, nothing was heard of it for 14 days, or no path leads on";
export const fleetSiteFilterShape = {
  ...scopeShape,
  state: z
    .enum(fleetStates, `must be one of ${fleetStates.join(", ")}`)
    .nullish()
    .describe("Only sites in this state"),
  stuck: z.boolean("must be true or false").nullish().describe(aboutStuck),
  rolloutUuid: uuidRule.nullish().describe("Only those that this rollout covers"),
  downloadUuid: uuidRule.nullish().describe("Only those that still need this file"),
  version: versionRule.nullish().describe("Only those that run this version, as it is written"),
};
export const fleetSiteFilterRules = z
  .strictObject(fleetSiteFilterShape)
  .refine(({ state, stuck }) => state == null || !stuck, {
    path: ["stuck"],
    message: "cannot be given together with state",
  });
export type FleetSiteFilter = z.output<typeof fleetSiteFilterRules>;
