import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import { requireRight } from "../access/access.ts";
import type { InputError } from "../problem.ts";
import { Facility } from "./facility.graphql.ts";
import { type FacilityRow, readFacility } from "./facility.ts";
import { facilityUuidRule } from "./facility.rules.ts";
import * as act from "./identifier.ts";
import { identifiersRules, type IdentifierSystem, systemRule, systemRules } from "./identifier.rules.ts";

/** Fields and mutations of facilities' identifiers. */

const System = builder.objectRef<IdentifierSystem>("IdentifierSystem").implement({
  description: "A system that knows facilities by identifiers of its own.",
  fields: (t) => ({
    system: t.exposeString("system", { description: "The key of the system in the interfaces." }),
    name: t.exposeString("name"),
    pattern: t.exposeString("pattern", {
      nullable: true,
      description: "A regular expression that a whole value matches; null: any text.",
    }),
    isUnique: t.exposeBoolean("isUnique", { description: "Whether an identifier belongs to one facility at a time." }),
  }),
});

builder.queryField("identifierSystems", (t) =>
  t.field({
    type: [System],
    nullable: true,
    description: "The systems that know facilities by identifiers.",
    resolve: (_, __, context) => act.listSystems(context),
  }),
);

type Payload = { facility?: FacilityRow; errors: InputError[] };
const IdentifiersPayload = builder.objectRef<Payload>("UpdateFacilityIdentifiersPayload").implement({
  fields: (t) => ({
    facility: t.field({ type: Facility, nullable: true, resolve: ({ facility }) => facility }),
    errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
  }),
});
const SystemPayload = (name: string) =>
  builder.objectRef<{ identifierSystem?: IdentifierSystem; errors: InputError[] }>(name).implement({
    fields: (t) => ({
      identifierSystem: t.field({
        type: System,
        nullable: true,
        description: "The system.",
        resolve: ({ identifierSystem }) => identifierSystem,
      }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });

const IdentifierInput = builder.inputType("FacilityIdentifierInput", {
  description: "An identifier under which another system knows a facility.",
  fields: (t) => ({
    system: t.string({ required: true, description: "One of identifierSystems." }),
    value: t.string({ required: true, description: "The identifier." }),
    from: t.string({ description: "Its first day; none: since ever." }),
    until: t.string({ description: "Its last day; none: still in use." }),
  }),
});
const IdentifiersInput = builder.inputType("UpdateFacilityIdentifiersInput", {
  description: "All of them: what is not in the list is removed.",
  fields: (t) => ({
    facilityUuid: t.string({ required: true }),
    identifiers: t.field({ type: [IdentifierInput], required: true, description: "All identifiers of the facility." }),
  }),
});
const SystemInput = builder.inputType("SaveIdentifierSystemInput", {
  description: "A new system of identifiers, or all of one that was added.",
  fields: (t) => ({
    system: t.string({ required: true, description: "The key of the system in the interfaces." }),
    name: t.string({ required: true }),
    pattern: t.string({ description: "A regular expression that a whole value matches; none: any text." }),
    isUnique: t.boolean({ required: true, description: "Whether an identifier belongs to one facility at a time." }),
  }),
});

builder.mutationFields((t) => ({
  updateFacilityIdentifiers: t.field({
    type: IdentifiersPayload,
    description: "Needs editRegistry or administrator.",
    args: { input: t.arg({ type: IdentifiersInput, required: true }) },
    resolve: (_, { input: { facilityUuid, ...rest } }, context) =>
      withErrors(async () => {
        requireRight(context, "editRegistry");
        const uuid = parse(facilityUuidRule, facilityUuid, "facilityUuid");
        await act.saveFacilityIdentifiers(context, { ...parse(identifiersRules, rest), facilityUuid: uuid });
        return { facility: await readFacility(context, uuid) };
      }),
  }),
  saveIdentifierSystem: t.field({
    type: SystemPayload("SaveIdentifierSystemPayload"),
    description: "Adds a system of identifiers, or changes one that was added. Needs administrator.",
    args: { input: t.arg({ type: SystemInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        requireRight(context, "manageIdentifierSystems");
        return { identifierSystem: await act.saveSystem(context, parse(systemRules, input)) };
      }),
  }),
  removeIdentifierSystem: t.field({
    type: SystemPayload("RemoveIdentifierSystemPayload"),
    description: "Removes a system that no facility uses. Needs administrator.",
    args: { system: t.arg.string({ required: true, description: "The key of the system in the interfaces." }) },
    resolve: (_, { system }, context) =>
      withErrors(async () => {
        requireRight(context, "manageIdentifierSystems");
        return { identifierSystem: await act.removeSystem(context, parse(systemRule, system, "system")) };
      }),
  }),
}));
