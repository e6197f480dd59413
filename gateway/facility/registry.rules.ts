import { z } from "zod";

import { byField, fieldNames, type FieldName, type ValuesOf } from "../../db/facility/facilityFields.rules.ts";
import { codeForm, enteredCodeFault } from "../input/identity.rules.ts";
import { idRule, sentBackRule } from "../input/page.rules.ts";
import { reasonRule } from "../input/texts.rules.ts";
import { registeredName } from "../reference/place.rules.ts";
import { facilityUuidRule } from "./facility.rules.ts";
import { valueRule } from "./settings.rules.ts";

/** Rules for the acts of the registry: adding, changing, closing and merging facilities. */

const nameRule = registeredName(256);
/** The uuid of a new facility. It is a text of another system, and is stored in the form of codes. */
const newUuidRule = z
  .string("must be a text")
  .overwrite(codeForm)
  .refine((uuid) => enteredCodeFault(uuid) === undefined, "is a placeholder or a spreadsheet's text, not a uuid")
  .pipe(facilityUuidRule);

type Value<Name extends FieldName> = NonNullable<ValuesOf<FieldName>[Name]>;
type FieldRules = { [Name in FieldName]: z.ZodOptional<z.ZodNullable<z.ZodType<Value<Name>, Value<Name>>>> };
const fieldRules = byField(fieldNames, (_name, field) =>
  valueRule(field).nullable().optional().describe(field.about),
) as object as FieldRules;

const places = { districtId: idRule.describe("The district that it lies in: another one moves it") };
const rest = { implementingPartnerId: idRule.nullable().optional(), ...fieldRules };

const bothOrNeither = (
  { latitude, longitude }: { latitude?: number | null | undefined; longitude?: number | null | undefined },
  context: z.RefinementCtx,
): void => {
  if ((latitude ?? null) !== null && longitude === null)
    context.addIssue({ code: "custom", path: ["longitude"], message: "is empty while the latitude is given" });
  if ((longitude ?? null) !== null && latitude === null)
    context.addIssue({ code: "custom", path: ["latitude"], message: "is empty while the longitude is given" });
};

/** A new facility. */
export const newFacilityRules = z
  .strictObject({ facilityUuid: newUuidRule.nullish(), facilityName: nameRule, ...places, ...rest })
  .superRefine(bothOrNeither);
export type NewFacility = z.output<typeof newFacilityRules>;

/** What may be sent back as GET /facilityMetadata/{facilityUuid} answered it, but not changed here. */
export const echoedFacilityNames = [
  "facilityUuid",
  "district",
  "province",
  "provinceId",
  "implementingPartner",
  "closedOn",
  "closeReason",
  "identifiers",
] as const;
const echoed = Object.fromEntries(echoedFacilityNames.map((name) => [name, sentBackRule])) as Record<
  (typeof echoedFacilityNames)[number],
  typeof sentBackRule
>;

/** Changes of a facility; what is not given stays. */
export const changedFacilityRules = z
  .strictObject({ facilityName: nameRule.optional(), districtId: places.districtId.optional(), ...rest, ...echoed })
  .superRefine(bothOrNeither);
export type ChangedFacility = z.output<typeof changedFacilityRules>;

export const closingRules = z.strictObject({
  closedOn: z.iso
    .date("must be a day, YYYY-MM-DD")
    .describe("From this day on it is closed: not before its last visit, not ahead"),
  reason: reasonRule,
});
export type Closing = z.output<typeof closingRules>;

export const mergeRules = z.strictObject({ into: facilityUuidRule.describe("The facility that stays") });
