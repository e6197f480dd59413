import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import * as act from "./place.ts";
import { changedPlaceRules, newPlaceRules, placeClosingRules, placeKinds, placeSplitRules } from "./place.rules.ts";
import { type Split, splitPlace } from "./placeSplit.ts";

/** Fields and mutations of the registry's places and partners. */

const needed = "Needs editRegistry or administrator.";
const Kind = builder.enumType("RegistryPlaceKind", {
  description: "What the registry has besides facilities.",
  values: placeKinds,
});

const Place = builder.objectRef<act.Place>("RegistryPlace").implement({
  description: "A province, district or partner as it is in the registry.",
  fields: (t) => ({
    kind: t.field({ type: Kind, description: "Which of the three it is.", resolve: ({ kind }) => kind }),
    placeId: t.int({ description: "Its id.", resolve: ({ id }) => id }),
    name: t.exposeString("name"),
    provinceId: t.exposeInt("provinceId", { nullable: true, description: "The id of a district's province." }),
    province: t.exposeString("province", { nullable: true, description: "The name of a district's province." }),
    isOpen: t.exposeBoolean("isOpen", { description: "Whether it is in use." }),
    closedOn: t.exposeString("closedOn", {
      nullable: true,
      description: "From this day on it is closed; null while it is open, or where no day is known.",
    }),
    version: t.exposeInt("version", { description: "Rises with each change." }),
  }),
});
const Counted = builder.objectRef<act.CountedPlace>("CountedRegistryPlace").implement({
  description: "A province, district or partner of the registry with what depends on it.",
  fields: (t) => ({
    place: t.field({ type: Place, description: "The province, district or partner.", resolve: (row) => row }),
    districts: t.exposeInt("districts", { description: "Districts of the province, the closed ones too." }),
    openFacilities: t.exposeInt("openFacilities", { description: "Facilities that are open." }),
    closedFacilities: t.exposeInt("closedFacilities", { description: "Facilities that are closed." }),
    people: t.exposeInt("people", { description: "Users of the partner." }),
    serviceAccounts: t.exposeInt("serviceAccounts", { description: "Service accounts that are limited to it." }),
    undoableMerges: t.exposeInt("undoableMerges", {
      description: "Facilities that lay there, were merged and can still be separated.",
    }),
  }),
});

builder.queryField("registryPlaces", (t) =>
  t.field({
    type: [Counted],
    nullable: true,
    description: `Provinces, districts or partners by name, the closed ones too, with what depends on each. ${needed}`,
    args: { kind: t.arg({ type: Kind, required: true, description: "Which of the three." }) },
    resolve: (_, { kind }, context) => act.listPlaces(context, kind),
  }),
);

const payload = (name: string) =>
  builder.objectRef<{ place?: act.Place; errors: InputError[] }>(name).implement({
    fields: (t) => ({
      place: t.field({
        type: Place,
        nullable: true,
        description: "As it is now; of one that was removed, as it was.",
        resolve: ({ place }) => place,
      }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const done = (context: Context, change: () => Promise<act.Place>) =>
  withErrors(async () => {
    requireRight(context, "editRegistry");
    return { place: await change() };
  });
const SplitPayload = builder
  .objectRef<Partial<Split> & { errors: InputError[] }>("SplitRegistryPlacePayload")
  .implement({
    fields: (t) => ({
      from: t.field({
        type: Place,
        nullable: true,
        description: "The one that was split, as it is now.",
        resolve: ({ from }) => from,
      }),
      into: t.field({ type: Place, nullable: true, description: "The new one.", resolve: ({ into }) => into }),
      moved: t.int({
        nullable: true,
        description: "How many districts or facilities went to it.",
        resolve: ({ moved }) => moved,
      }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const which = (t: Parameters<Parameters<typeof builder.inputType>[1]["fields"]>[0]) => ({
  kind: t.field({ type: Kind, required: true, description: "Which of the three." }),
  placeId: t.int({ required: true, description: "Its id." }),
});
const PlaceInput = builder.inputType("RegistryPlaceInput", {
  description: "Names a province, district or partner.",
  fields: which,
});
const CloseInput = builder.inputType("CloseRegistryPlaceInput", {
  description: "From which day on it is closed.",
  fields: (t) => ({
    ...which(t),
    closedOn: t.string({
      required: true,
      description: "YYYY-MM-DD: not ahead, not before its last facility was closed.",
    }),
  }),
});
const ChangeInput = builder.inputType("ChangeRegistryPlaceInput", {
  description: "What is not given stays.",
  fields: (t) => ({
    ...which(t),
    name: t.string(),
    provinceId: t.int({ description: "For districts only: another province moves the district with its facilities." }),
  }),
});
const AddInput = builder.inputType("AddRegistryPlaceInput", {
  description: "A new province, district or partner.",
  fields: (t) => ({
    kind: t.field({ type: Kind, required: true, description: "Which of the three." }),
    name: t.string({
      required: true,
      description:
        "No other one may have it, whatever its case and accents; of a district: no other one of its province.",
    }),
    provinceId: t.int({ description: "Of a district, which needs it: the province that it lies in." }),
  }),
});
const SplitInput = builder.inputType("SplitRegistryPlaceInput", {
  description:
    "What a new province, district or partner takes over from one that there is: some must go and some must stay.",
  fields: (t) => ({
    ...which(t),
    name: t.string({ required: true, description: "The name of the new place." }),
    districtIds: t.intList({
      description: "Of a province, which needs them: the districts that go to the new one, with their facilities.",
    }),
    facilityUuids: t.stringList({
      description: "Of a district or a partner, which need them: the facilities that go to the new one.",
    }),
  }),
});

builder.mutationFields((t) => ({
  addRegistryPlace: t.field({
    type: payload("AddRegistryPlacePayload"),
    description: `Adds a province, district or partner. ${needed}`,
    args: { input: t.arg({ type: AddInput, required: true }) },
    resolve: (_, { input: { kind, ...values } }, context) =>
      done(context, () => act.addPlace(context, kind, parse(newPlaceRules, values))),
  }),
  splitRegistryPlace: t.field({
    type: SplitPayload,
    description: `Makes a new province, district or partner of a part of one: districts of a province, or facilities of a district or a partner, with their visits, TDBs and counts. ${needed}`,
    args: { input: t.arg({ type: SplitInput, required: true }) },
    resolve: (_, { input: { kind, placeId: id, ...values } }, context) =>
      withErrors(() => {
        requireRight(context, "editRegistry");
        return splitPlace(context, { kind, id }, parse(placeSplitRules, values));
      }),
  }),
  changeRegistryPlace: t.field({
    type: payload("ChangeRegistryPlacePayload"),
    description: `Renames a province, district or partner, or moves a district with its facilities. ${needed}`,
    args: { input: t.arg({ type: ChangeInput, required: true }) },
    resolve: (_, { input: { kind, placeId: id, name, provinceId } }, context) =>
      done(context, () =>
        act.changePlace(
          context,
          { kind, id },
          parse(changedPlaceRules, { name: name ?? undefined, provinceId: provinceId ?? undefined }),
        ),
      ),
  }),
  closeRegistryPlace: t.field({
    type: payload("CloseRegistryPlacePayload"),
    description: `Closes a province, district or partner from a day on: lists to choose from leave it out. ${needed}`,
    args: { input: t.arg({ type: CloseInput, required: true }) },
    resolve: (_, { input: { kind, placeId: id, closedOn } }, context) =>
      done(context, () => act.closePlace(context, { kind, id }, parse(placeClosingRules, { closedOn }))),
  }),
  reopenRegistryPlace: t.field({
    type: payload("ReopenRegistryPlacePayload"),
    description: `Opens a closed province, district or partner again. ${needed}`,
    args: { input: t.arg({ type: PlaceInput, required: true }) },
    resolve: (_, { input: { kind, placeId: id } }, context) =>
      done(context, () => act.reopenPlace(context, { kind, id })),
  }),
  removeRegistryPlace: t.field({
    type: payload("RemoveRegistryPlacePayload"),
    description: `Removes a province, district or partner that nothing depends on. ${needed}`,
    args: { input: t.arg({ type: PlaceInput, required: true }) },
    resolve: (_, { input: { kind, placeId: id } }, context) =>
      done(context, () => act.removePlace(context, { kind, id })),
  }),
}));
