import { z } from "zod";

import { channels } from "../download/release.rules.ts";
import type * as act from "./rollout.ts";
import { rolloutStates } from "./rollout.rules.ts";

/** A rollout in REST: in the figures of the fleet and in the feed of changes. GraphQL plans and changes them. */

export const Rollout = z
  .object({
    uuid: z.string(),
    version: z.string().describe("The target version of the sites"),
    channel: z.enum(channels),
    state: z.enum(["planned", ...rolloutStates]).describe("planned: its first day is to come"),
    provinceIds: z.array(z.number()),
    districtIds: z.array(z.number()),
    implementingPartnerIds: z.array(z.number()),
    facilities: z.number().nullable().describe("How many facilities it names; null: it names none"),
    percentage: z.number(),
    startDay: z.string(),
    resumedDate: z.string().nullable().describe("When it last went on after a pause"),
    endedDate: z.string().nullable(),
    createdDate: z.string(),
  })
  .meta({ id: "Rollout" });

/** A rollout as a REST body. */
export const body = (row: act.Rollout): z.input<typeof Rollout> => {
  const {
    uuid,
    version,
    channel,
    state,
    provinceIds,
    districtIds,
    implementingPartnerIds,
    facilities,
    percentage,
    startDay,
    resumedDate,
    endedDate,
    createdDate,
  } = row;
  return {
    uuid,
    version,
    channel,
    state,
    provinceIds,
    districtIds,
    implementingPartnerIds,
    facilities,
    percentage,
    startDay,
    resumedDate,
    endedDate,
    createdDate,
  };
};
