import { z } from "zod";

import { sendingModes } from "../../db/situation/state.rules.ts";
import { endRule } from "../calendar/period.rules.ts";
import { filterTextRule, idRule, partnerOrAllRule } from "../input/page.rules.ts";

/**
 * When a facility is silent, and when its TDBs are irregular. A facility is expected to send if the system is deployed
 * there according to its latest assessment, or if it ever sent a TDB: the list is meant for facilities that stopped
 * sending, whatever a later assessment says. A facility without assessments that never sent one is not expected to.
 */

/** The default number of days between two TDBs of a facility. */
export const usualRhythmDays = 30;
/** A facility counts as irregular for this number of days after the receipt of an irregular TDB, including that day. */
export const recentDays = 90;
/** Present modes in which the system is deployed, so that there is something to send. */
export { sendingModes };
/** Both constants in the form that the queries need. */
export const siteRule = { modes: sendingModes, recentDays };

/** The kinds of irregularity, each with its name and meaning. */
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

const scopeShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: partnerOrAllRule.nullish(),
};
const asOf = endRule
  .nullish()
  .describe("As at the end of this day, by the TDBs and assessments up to and including it; without it now");
/** The part of the country in which silent facilities are counted, and the day as at which they are judged. */
export const siteCountRules = z.strictObject({ ...scopeShape, asOf });

export const siteFilterShape = {
  ...scopeShape,
  show: z
    .enum(siteSets, { error: `must be one of ${siteSets.join(", ")}` })
    .default("overdue")
    .describe(
      "overdue (never sent included), neverSent, irregular (a TDB of the last 90 days is), expected, or all facilities",
    ),
  sort: z
    .enum(siteOrders, { error: `must be one of ${siteOrders.join(", ")}` })
    .default("silence")
    .describe(
      "silence: overdue the longest first, never sent last; facility: by name; place: by province, district and name",
    ),
  search: filterTextRule.describe("Part of the facility's name or code"),
  asOf,
};
/** Which sites a list shows, in which order. */
export const siteFilterRules = z.strictObject(siteFilterShape);
export type SiteFilter = z.output<typeof siteFilterRules>;
