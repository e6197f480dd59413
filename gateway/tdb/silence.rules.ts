import { z } from "zod";

import { sendingModes } from "../../db/state.rules.ts";
import { dateRule } from "../calendar/period.rules.ts";
import { filterTextRule, idRule } from "../input/page.rules.ts";

/**
 * When a site has gone silent, and what is irregular about the TDBs that it sends. A facility should send when the system is
 * deployed there by its latest assessment, or when it ever sent one: who stopped sending is what the list is for, whatever a
 * later assessment says. A facility that nobody has assessed and that never sent is not expected to.
 */

/** Days from one TDB of a facility to the next, unless the setting says otherwise. */
export const usualRhythmDays = 30;
/** An irregular TDB marks its facility for so many days from its receipt, that day included. */
export const recentDays = 90;
/** Present modes in which the system is deployed, so that there is something to send. */
export { sendingModes };
/** The same two as the queries take them. */
export const siteRule = { modes: sendingModes, recentDays };

/** Kinds of irregularity in words, each with what it means. */
export const irregularities = {
  deltaWithoutBase: { words: "Delta without a base", meaning: "No full TDB of the facility was made before it." },
  creationBack: { words: "Creation date went back", meaning: "One that was made later had been received before." },
  clientsBack: { words: "Client count went back", meaning: "One that was made before counted more clients." },
} as const;
export type IrregularityKind = keyof typeof irregularities;
export const irregularityKinds = Object.keys(irregularities) as [IrregularityKind, ...IrregularityKind[]];

const siteSets = ["overdue", "neverSent", "irregular", "expected", "all"] as const;
export type SiteSet = (typeof siteSets)[number];
const siteOrders = ["silence", "facility", "place"] as const;
export type SiteOrder = (typeof siteOrders)[number];
export const siteLevels = ["province", "district", "ip"] as const;
export type SiteLevel = (typeof siteLevels)[number];

const scopeShape = { provinceId: idRule.nullish(), districtId: idRule.nullish(), implementingPartnerId: idRule.nullish() };
const asOf = dateRule.nullish().describe("As at the end of this day, by the TDBs and assessments up to and including it; without it now");
/** The part of the country that silent sites are counted in, and the day as at which they are. */
export const siteCountRules = z.strictObject({ ...scopeShape, asOf });

export const siteFilterShape = {
  ...scopeShape,
  show: z
    .enum(siteSets, { error: `must be one of ${siteSets.join(", ")}` })
    .default("overdue")
    .describe("overdue (never sent included), neverSent, irregular (a TDB of the last 90 days is), expected, or all facilities"),
  sort: z
    .enum(siteOrders, { error: `must be one of ${siteOrders.join(", ")}` })
    .default("silence")
    .describe("silence: silent the longest first, never sent last; facility: by name; place: by province, district and name"),
  search: filterTextRule.describe("Part of the facility's name or code"),
  asOf,
};
/** Which sites a list shows, in which order. */
export const siteFilterRules = z.strictObject(siteFilterShape);
export type SiteFilter = z.output<typeof siteFilterRules>;
