import { z } from "zod";

import { byField, type EditableName, editableNames, type FacilityField, type ValuesOf } from "../../db/facilityFields.rules.ts";
import { idRule, listQueryRules } from "../input/page.rules.ts";
import { monthRule, quarterRule, yearRule } from "../calendar/period.rules.ts";
import { storable } from "../input/text.rules.ts";
import { periodFaults } from "./listPeriod.rules.ts";
import { modes } from "./mode.rules.ts";
import { searchMaximum, searchMinimum } from "./searchText.rules.ts";

export { type Mode, modeLabels, modes } from "./mode.rules.ts";
export const modeRule = z.enum(modes, { error: `must be one of ${modes.join(", ")}` });

/** A facility's name to machines: any text of 1 to 64 characters; many real ones are no UUIDs. */
export const facilityUuidRule = z.string().min(1).max(64).refine(...storable);

/** What is typed into the facility search. */
export const searchTextRule = z
  .string()
  .trim()
  .min(searchMinimum, `must have at least ${searchMinimum} characters`)
  .max(searchMaximum, `may have at most ${searchMaximum} characters`)
  .refine(...storable);

const filterShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
  mode: modeRule.nullish(),
  year: yearRule.nullish(),
  quarter: quarterRule.nullish(),
  month: monthRule.nullish(),
};
type Filter = z.output<z.ZodObject<typeof filterShape>>;

const periodChecks = (filter: Filter, context: z.RefinementCtx): void => {
  for (const { path, message } of periodFaults(filter)) context.addIssue({ code: "custom", path: [path], message });
};

/** Filters of a facility list: a scope, a mode, and the period in which the facility had that mode (its present one without). */
export const facilityFilterRules = z.strictObject(filterShape).superRefine(periodChecks);
export type FacilityFilter = z.output<typeof facilityFilterRules>;

/** Query parameters of an export of facilities: the filters of their lists and of the search. */
export const facilityExportRules = z.strictObject({ ...filterShape, search: searchTextRule.optional() }).superRefine(periodChecks);

/** Query parameters of a REST list by mode: a page, a partner within the place, and the period of the mode. */
export const modePeriodRules = listQueryRules
  .extend({
    year: filterShape.year,
    quarter: filterShape.quarter,
    month: filterShape.month,
    implementingPartnerId: filterShape.implementingPartnerId,
  })
  .superRefine((query, context) => periodChecks({ ...query, mode: modes[0] }, context));

const detailsMaximum = 256;

/** How a facility is connected. Without connection there is no type and no details, without mobile coverage no provider. */
export const connectivityRules = z
  .strictObject({
    facilityUuid: facilityUuidRule,
    present: z.boolean("must be true, false or null").nullish(),
    type: idRule.nullish().describe("Id of a connectivity type; cleared unless present"),
    details: z
      .string("must be a text")
      .trim()
      .max(detailsMaximum, `may have at most ${detailsMaximum} characters`)
      .refine(...storable)
      .nullish()
      .describe("Cleared unless present"),
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

const valueRule = (field: FacilityField) => {
  if (field.type === "choice") return z.enum(field.values, `must be one of ${field.values.join(", ")}`);
  if (field.type === "text")
    return z
      .string("must be a text")
      .trim()
      .max(field.most, `may have at most ${field.most} characters`)
      .refine(...storable)
      .transform((value) => value || null);
  if (field.type === "count") return z.int("must be a whole number").min(0, "must not be negative").max(field.most, `may be at most ${field.most}`);
  const range = `must be between -${field.most} and ${field.most}`;
  return z.number("must be a number").min(-field.most, range).max(field.most, range);
};
type Value<Name extends EditableName> = NonNullable<ValuesOf<EditableName>[Name]>;
type EditableRules = { [Name in EditableName]: z.ZodOptional<z.ZodNullable<z.ZodType<Value<Name>, Value<Name>>>> };
/** What a value of an editable field may be; null where it is not known. */
const editableRules = byField(editableNames, (_name, field) => valueRule(field).nullable().optional().describe(field.about)) as object as EditableRules;

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
