import { requireRight } from "../access/access.ts";
import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { uuidId } from "../graphql/node.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { dashReads } from "../dash/dashReads.rules.ts";
import type { InputError } from "../problem.ts";
import * as acts from "./target.ts";
import { attainmentRules, newTargetRules, targetFilterRules, type TargetMeasure } from "./target.rules.ts";

/** GraphQL types, fields and mutations of targets, and of how much of them was reached. */

const TargetMeasureEnum = builder.enumType("TargetMeasure", {
  description: "What a target is set for.",
  values: {
    FUNCTIONAL: { value: "functional", description: "Facilities where SmartCare works." },
    PRIMARY_POWER_WORKING: { value: "primaryPowerWorking", description: "Facilities whose primary power works." },
    BACKUP_POWER_WORKING: { value: "backupPowerWorking", description: "Facilities whose backup power works." },
    EFIRST: { value: "efirst", description: "Facilities in mode E-First." },
  } satisfies Record<string, { value: TargetMeasure; description: string }>,
});

const formerShare = "percent is the same. A share is a fraction everywhere else. Goes on 1 January 2027.";

export const Target = builder.objectRef<acts.Target>("Target").implement({
  description: "The share of the facilities assessed that is aimed at in a fiscal year.",
  fields: (t) => ({
    uuid: t.exposeString("uuid", { description: "Names the target." }),
    measure: t.expose("measure", { type: TargetMeasureEnum, description: "What is aimed at." }),
    year: t.exposeInt("year", { description: "Fiscal year." }),
    percent: t.exposeFloat("percent", { description: "In percent of the facilities assessed." }),
    share: t.exposeFloat("percent", { description: "`percent` by its former name.", deprecationReason: formerShare }),
    provinceId: t.exposeInt("provinceId", {
      nullable: true,
      description: "Set where it is a province's; without any of the three it is the country's.",
    }),
    districtId: t.exposeInt("districtId", { nullable: true, description: "Set where it is a district's." }),
    implementingPartnerId: t.exposeInt("implementingPartnerId", {
      nullable: true,
      description: "Set where it is a partner's.",
    }),
    unit: t.exposeString("unit", { description: "Name of the province, district or partner, or National." }),
  }),
});

const TargetAttainment = builder.objectRef<acts.Attainment>("TargetAttainment").implement({
  description: "A target held against the figures of a scope.",
  fields: (t) => ({
    targetUuid: t.exposeString("targetUuid", { description: "Names the target." }),
    measure: t.expose("measure", { type: TargetMeasureEnum, description: "What is aimed at." }),
    year: t.exposeInt("year", { description: "Fiscal year." }),
    quarter: t.exposeInt("quarter", {
      description: "Fiscal quarter whose figures are held against it; -1: of the entire year.",
    }),
    percent: t.exposeFloat("percent", { description: "Aimed at, in percent of the facilities assessed." }),
    share: t.exposeFloat("percent", { description: "`percent` by its former name.", deprecationReason: formerShare }),
    provinceId: t.exposeInt("provinceId", {
      nullable: true,
      description: "Set where the target is a province's; without any of the three it is the country's.",
    }),
    districtId: t.exposeInt("districtId", { nullable: true, description: "Set where the target is a district's." }),
    implementingPartnerId: t.exposeInt("implementingPartnerId", {
      nullable: true,
      description: "Set where the target is a partner's.",
    }),
    unit: t.exposeString("unit", {
      description: "Whose target it is: name of the province, district or partner, or National.",
    }),
    value: t.exposeInt("value", { description: "Facilities that count." }),
    assessed: t.exposeInt("assessed", { description: "Of these that were assessed." }),
    notRecorded: t.exposeInt("notRecorded", {
      description: "Of those assessed, facilities whose assessment records no answer: neither yes nor no.",
    }),
    reached: t.exposeFloat("reached", {
      nullable: true,
      description: "The share that was reached, in percent; null where nobody was assessed.",
    }),
    attainment: t.exposeFloat("attainment", {
      nullable: true,
      description: "How much of the target that is, in percent: 100 where it is met.",
    }),
  }),
});

builder.queryFields((t) => ({
  targets: t.connection({
    type: Target,
    nullable: true,
    description: "Targets, the newest fiscal year first.",
    args: {
      year: t.arg.int({ description: "Only those of this fiscal year." }),
      offset: t.arg.int({ description: "Rows to skip, for numbered pages." }),
    },
    resolve: (_, { year, ...page }, context, info) =>
      readConnection(
        acts.listTargets,
        context,
        { ...parse(targetFilterRules, { year }), page: parse(connectionRules, page) },
        info,
      ),
  }),
  attainment: t.field({
    type: [TargetAttainment],
    nullable: true,
    extensions: { reads: dashReads(null).series },
    description:
      "The targets that hold for a scope, and how much of each was reached: for each year and measure the district's, its province's, the partner's, or the country's.",
    args: {
      year: t.arg.int({
        required: true,
        description: "Fiscal year: year Y runs from 1 October Y-1 to 30 September Y.",
      }),
      quarter: t.arg.int({
        defaultValue: -1,
        description: "Fiscal quarter, 1 (October to December) to 4; -1 for the entire year.",
      }),
      years: t.arg.int({ defaultValue: 1, description: "How many fiscal years, 1 to 9, of which `year` is the last." }),
      provinceId: t.arg.int({ description: "Only facilities of this province." }),
      districtId: t.arg.int({ description: "Only facilities of this district." }),
      implementingPartnerId: t.arg.int({
        description: "Only facilities that this partner supports today; -1 or none: all.",
      }),
    },
    resolve: (_, { quarter, years, ...asked }, context) =>
      acts.readAttainment(context, parse(attainmentRules, { ...asked, quarter: quarter ?? -1, years: years ?? 1 })),
  }),
}));

const SetTargetInput = builder.inputType("SetTargetInput", {
  description: "A target: of one province, one district or one partner, or without them of the country.",
  fields: (t) => ({
    measure: t.field({ type: TargetMeasureEnum, required: true, description: "What is aimed at." }),
    year: t.int({ required: true, description: "Fiscal year." }),
    percent: t.float({
      description: "In percent of the facilities assessed, 0 to 100, at most one decimal. Required.",
    }),
    share: t.float({ description: "`percent` by its former name.", deprecationReason: formerShare }),
    provinceId: t.int({ description: "The province's id." }),
    districtId: t.int({ description: "The district's id." }),
    implementingPartnerId: t.int({ description: "The implementing partner's id." }),
  }),
});

type Changed = { target?: acts.Target; errors: InputError[] };
const payload = (name: string, about: string) =>
  builder.objectRef<Changed>(name).implement({
    description: about,
    fields: (t) => ({
      target: t.field({ type: Target, nullable: true, description: about, resolve: ({ target }) => target }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong with the input; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });
const SetTargetPayload = payload("SetTargetPayload", "The target as it was set.");
const RemoveTargetPayload = payload("RemoveTargetPayload", "The target that was removed.");

builder.mutationFields((t) => ({
  setTarget: t.field({
    type: SetTargetPayload,
    description:
      "Sets the target of a measure, a fiscal year and a unit, in place of the one that there was. Needs administrator.",
    args: { input: t.arg({ type: SetTargetInput, required: true, description: "The target." }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        requireRight(context, "setTargets");
        return { target: await acts.setTarget(context, parse(newTargetRules, input)) };
      }),
  }),
  removeTarget: t.field({
    type: RemoveTargetPayload,
    description: "Removes a target. Needs administrator.",
    args: { uuid: t.arg.string({ required: true, description: "Of the target." }) },
    resolve: (_, { uuid }, context) =>
      withErrors(async () => {
        requireRight(context, "setTargets");
        return { target: await acts.removeTarget(context, uuidId(uuid, "target")) };
      }),
  }),
}));
