import { z } from "zod";

import { fold, isPlaceholder } from "../input/identity.rules.ts";
import { idRule, sentBackRule, uuidTextRule } from "../input/page.rules.ts";
import { textIn } from "../input/texts.rules.ts";

/** Rules for the registry's acts on provinces, districts and partners. */

/** The rule for a name in the registry. `most`: the most characters. */
export const registeredName = (most: number) =>
  textIn(fold, most)
    .min(1, "must not be empty")
    .refine((name) => !isPlaceholder(name), "is a placeholder, not a name")
    .refine((name) => !/\p{Cc}/u.test(name), "holds a control character")
    .refine((name) => !/^[=+\-@]/.test(name), "begins like a formula of a spreadsheet");

export const placeKinds = ["province", "district", "implementingPartner"] as const;
export type PlaceKind = (typeof placeKinds)[number];
export const placeKindRule = z.enum(placeKinds, { error: `must be one of ${placeKinds.join(", ")}` });

/** The longest name of each kind. */
export const longestPlaceName: Record<PlaceKind, number> = { province: 128, district: 128, implementingPartner: 256 };

const placeNameRule = registeredName(longestPlaceName.implementingPartner);

/** A new place or partner. */
export const newPlaceRules = z.strictObject({
  name: placeNameRule,
  provinceId: idRule.nullish().describe("Of a district, which needs it: the province that it lies in"),
});
export type NewPlace = z.output<typeof newPlaceRules>;

/** What may be sent back, but not changed. */
export const echoedPlaceNames = ["kind", "id", "province", "isOpen", "closedOn", "version"] as const;

/** Changes of a place or partner. A value that is not given stays. */
export const changedPlaceRules = z.strictObject({
  name: placeNameRule.optional(),
  provinceId: idRule.nullish().describe("For districts only: another province moves the district with its facilities"),
  kind: sentBackRule,
  id: sentBackRule,
  province: sentBackRule,
  isOpen: sentBackRule,
  closedOn: sentBackRule,
  version: sentBackRule,
});
export type ChangedPlace = z.output<typeof changedPlaceRules>;

export const placeClosingRules = z.strictObject({
  closedOn: z.iso
    .date("must be a day, YYYY-MM-DD")
    .describe("From this day on it is closed: not ahead, not before its last facility was closed"),
});
export type PlaceClosing = z.output<typeof placeClosingRules>;

const mostFacilities = 20_000;
const mostDistricts = 1000;

/** The input for splitting a place or partner: the name of the new one, and the parts that move to it. */
export const placeSplitRules = z.strictObject({
  name: placeNameRule.describe("The name of the new place"),
  districtIds: z
    .array(idRule)
    .max(mostDistricts, `may name at most ${mostDistricts}`)
    .nullish()
    .describe("Of a province, which needs them: the districts that go to the new one, with their facilities"),
  facilityUuids: z
    .array(uuidTextRule)
    .max(mostFacilities, `may name at most ${mostFacilities}`)
    .nullish()
    .describe("Of a district or a partner, which need them: the facilities that go to the new one"),
});
export type PlaceSplit = z.output<typeof placeSplitRules>;
