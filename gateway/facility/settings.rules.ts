import { z } from "zod";

import {
  byField,
  type EditableName,
  editableNames,
  type FacilityField,
  type ValuesOf,
} from "../../db/facility/facilityFields.rules.ts";
import { codeForm, enteredCodeFault } from "../input/identity.rules.ts";
import { idRule } from "../input/page.rules.ts";
import { lineRule, textIn, textRule } from "../input/texts.rules.ts";
import { facilityUuidRule } from "./facility.rules.ts";

/** Rules for a facility's settings and connectivity, used by the form and the gateway. */

/**
 * A facility's connectivity. Without a connection there is no type and no details; without mobile coverage there is no
 * provider.
 */
export const connectivityRules = z
  .strictObject({
    facilityUuid: facilityUuidRule,
    present: z.boolean("must be true, false or null").nullish(),
    type: idRule.nullish().describe("Id of a connectivity type; cleared unless present"),
    details: textRule(256).nullish().describe("Cleared unless present"),
    mobileCoverage: z.boolean("must be true, false or null").nullish(),
    mobileProvider: idRule.nullish().describe("Id of a provider; cleared without mobile coverage"),
  })
  .transform(({ facilityUuid, present, type, details, mobileCoverage, mobileProvider }) => ({
    facilityUuid,
    present: present ?? null,
    type: present ? (type ?? null) : null,
    details: present ? details || null : null,
    mobileCoverage: mobileCoverage ?? null,
    mobileProvider: mobileCoverage ? (mobileProvider ?? null) : null,
  }));
export type Connectivity = z.output<typeof connectivityRules>;

/** The rule for a code that identifies a facility. */
const codeRule = (most: number) =>
  textIn(codeForm, most)
    .superRefine((code, context) => {
      const message = enteredCodeFault(code);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .transform((code) => code || null);

/** The rule for a value of a plain field. */
export const valueRule = (field: FacilityField) => {
  if (field.type === "choice") return z.enum(field.values, `must be one of ${field.values.join(", ")}`);
  if (field.type === "text" && field.isCode) return codeRule(field.most);
  if (field.type === "text") return lineRule(field.most).transform((value) => value || null);
  if (field.type === "count")
    return z
      .int("must be a whole number")
      .min(0, "must not be negative")
      .max(field.most, `may be at most ${field.most}`);
  const range = `must be between -${field.most} and ${field.most}`;
  return z.number("must be a number").min(-field.most, range).max(field.most, range);
};
type Value<Name extends EditableName> = NonNullable<ValuesOf<EditableName>[Name]>;
type EditableRules = { [Name in EditableName]: z.ZodOptional<z.ZodNullable<z.ZodType<Value<Name>, Value<Name>>>> };
/** The rules for editable fields; null: not known. */
const editableRules = byField(editableNames, (_name, field) =>
  valueRule(field).nullable().optional().describe(field.about),
) as object as EditableRules;

/** A facility's partner, active service areas and editable fields; what is not given stays. */
export const settingsRules = z.strictObject({
  implementingPartnerId: idRule.nullable().optional(),
  serviceAreas: z
    .array(idRule)
    .max(1000, "has too many entries")
    .refine((areas) => new Set(areas).size === areas.length, "names a service area twice")
    .optional()
    .describe("Ids of the active service areas"),
  ...editableRules,
});
export type Settings = z.output<typeof settingsRules>;
