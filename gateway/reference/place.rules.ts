import { z } from "zod";

import { idRule } from "../input/page.rules.ts";
import { storable } from "../input/text.rules.ts";

/** What the registry keeps of provinces, districts and partners. */

/** A name as the registry takes it. */
export const registeredName = (most: number) =>
  z
    .string("must be a text")
    .trim()
    .min(1, "must not be empty")
    .max(most, `may have at most ${most} characters`)
    .refine((name) => !/\p{Cc}/u.test(name), "holds a control character")
    .refine((name) => !/^[=+\-@]/.test(name), "begins like a formula of a spreadsheet")
    .refine(...storable);

export const placeKinds = ["province", "district", "implementingPartner"] as const;
export type PlaceKind = (typeof placeKinds)[number];
export const placeKindRule = z.enum(placeKinds, { error: `must be one of ${placeKinds.join(", ")}` });

/** The longest name of each kind. */
export const longestPlaceName: Record<PlaceKind, number> = { province: 128, district: 128, implementingPartner: 256 };

/** Changes of a place or partner; what is not given stays. */
export const changedPlaceRules = z.strictObject({
  name: registeredName(longestPlaceName.implementingPartner).optional(),
  provinceId: idRule.optional().describe("Only of a district: another province moves it with its facilities"),
});
export type ChangedPlace = z.output<typeof changedPlaceRules>;

export const placeClosingRules = z.strictObject({
  closedOn: z.iso.date("must be a day, YYYY-MM-DD").describe("From this day on it is closed: not ahead, not before its last facility was closed"),
});
export type PlaceClosing = z.output<typeof placeClosingRules>;
