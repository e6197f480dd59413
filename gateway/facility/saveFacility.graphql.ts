import { byField, editableNames } from "../../db/facility/facilityFields.rules.ts";
import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { Facility, scalarOf } from "./facility.graphql.ts";
import { type FacilityRow, readFacility } from "./facility.ts";
import { facilityUuidRule } from "./facility.rules.ts";
import { saveFacilityConnectivity, saveFacilitySettings } from "./saveFacility.ts";
import { connectivityRules, settingsRules } from "./settings.rules.ts";

/** Mutations of a facility's settings and connectivity. */

type Payload = { facility?: FacilityRow; errors: InputError[] };
const payload = (name: string) =>
  builder.objectRef<Payload>(name).implement({
    fields: (t) => ({
      facility: t.field({ type: Facility, nullable: true, resolve: ({ facility }) => facility }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const SettingsPayload = payload("UpdateFacilitySettingsPayload");
const ConnectivityPayload = payload("UpdateFacilityConnectivityPayload");

const SettingsInput = builder.inputType("UpdateFacilitySettingsInput", {
  description: "What is not given stays.",
  fields: (t) => ({
    facilityUuid: t.string({ required: true }),
    implementingPartnerId: t.int(),
    serviceAreas: t.intList({ description: "Ids of the active service areas." }),
    ...byField(editableNames, (_name, field) =>
      t.field({ type: scalarOf(field), description: `${field.about} null: not known.` }),
    ),
  }),
});
const ConnectivityInput = builder.inputType("UpdateFacilityConnectivityInput", {
  description: "All of it: what is not given is cleared.",
  fields: (t) => ({
    facilityUuid: t.string({ required: true }),
    present: t.boolean(),
    type: t.int({ description: "Id of a connectivity type; cleared unless present." }),
    details: t.string({ description: "Cleared unless present." }),
    mobileCoverage: t.boolean(),
    mobileProvider: t.int({ description: "Id of a provider; cleared without mobile coverage." }),
  }),
});

/** Runs a save, and returns the facility as it is then. */
const saved = (context: Context, facilityUuid: string, save: () => Promise<unknown>) =>
  withErrors(async () => {
    requireRight(context, "editFacility", "somewhere");
    await save();
    return { facility: await readFacility(context, facilityUuid) };
  });

builder.mutationFields((t) => ({
  updateFacilitySettings: t.field({
    type: SettingsPayload,
    description: "Needs editAssessments or administrator.",
    args: { input: t.arg({ type: SettingsInput, required: true }) },
    resolve: (_, { input: { facilityUuid, ...settings } }, context) =>
      saved(context, facilityUuid, () =>
        saveFacilitySettings(context, {
          ...parse(settingsRules, settings),
          facilityUuid: parse(facilityUuidRule, facilityUuid, "facilityUuid"),
        }),
      ),
  }),
  updateFacilityConnectivity: t.field({
    type: ConnectivityPayload,
    description: "Needs editAssessments or administrator.",
    args: { input: t.arg({ type: ConnectivityInput, required: true }) },
    resolve: (_, { input }, context) =>
      saved(context, input.facilityUuid, () => saveFacilityConnectivity(context, parse(connectivityRules, input))),
  }),
}));
