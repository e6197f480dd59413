import { builder } from "../graphql/builder.ts";
import { enumOf } from "../graphql/enums.ts";
import { type Finding as FindingRow, findingStates } from "./doctor.ts";
import type { SetUpStep as SetUpStepRow, SetUpStepName } from "./setUp.rules.ts";
import {
  readSystem,
  readSetUp,
  readSystemChecks,
  type System as SystemRow,
  type SystemChecks as SystemChecksRow,
} from "./system.ts";

const System = builder.objectRef<SystemRow>("System").implement({
  description: "What this installation says of itself.",
  fields: (t) => ({
    appName: t.exposeString("appName"),
    appVersion: t.exposeString("appVersion"),
    patchLevel: t.exposeString("patchLevel"),
    javaVersion: t.exposeString("javaVersion"),
    javaVendor: t.exposeString("javaVendor"),
    demonstration: t.exposeBoolean("demonstration", { description: "True when all data is made up." }),
    timeZone: t.exposeString("timeZone", { description: "The ministry's time zone." }),
    utcOffset: t.exposeInt("utcOffset", {
      nullable: true,
      description: "Minutes that its clock is ahead of UTC; null if that changes, as with summer time.",
    }),
    today: t.field({ type: "Date", description: "Today in that zone.", resolve: ({ today }) => today }),
  }),
});

builder.queryField("system", (t) =>
  t.field({ type: System, description: "Needs no sign-in.", resolve: (_, __, context) => readSystem(context) }),
);

const FindingState = builder.enumType("FindingState", {
  description: "How a check ended.",
  values: Object.fromEntries(findingStates.map((value) => [value.toUpperCase(), { value }])) as Record<
    string,
    { value: (typeof findingStates)[number] }
  >,
});

const SystemFinding = builder.objectRef<FindingRow>("SystemFinding").implement({
  description: "What one check of the installation found.",
  fields: (t) => ({
    check: t.exposeString("check", { description: "What was checked." }),
    state: t.field({ type: FindingState, description: "How it ended.", resolve: ({ state }) => state }),
    found: t.exposeString("found", { description: "What was found, in a sentence." }),
    remedy: t.exposeString("remedy", { nullable: true, description: "The SQL or the line that mends it." }),
  }),
});

const SystemChecks = builder.objectRef<SystemChecksRow>("SystemChecks").implement({
  description: "What the checks of this installation found.",
  fields: (t) => ({
    state: t.field({ type: FindingState, description: "The worst of the findings.", resolve: ({ state }) => state }),
    findings: t.field({
      type: [SystemFinding],
      description: "A finding or more for each check.",
      resolve: ({ findings }) => findings,
    }),
  }),
});

builder.queryField("systemChecks", (t) =>
  t.field({
    type: SystemChecks,
    nullable: true,
    description:
      "Checks database, storage, backup, derived figures and the public address now, as npm run doctor does. Needs administrator: null with an error otherwise.",
    resolve: (_, __, context) => readSystemChecks(context),
  }),
);

const SetUpStepNameEnum = enumOf<SetUpStepName>(
  "SetUpStepName",
  "A part of what a country needs before its first visits.",
  {
    places: "Provinces and districts.",
    outlines: "Outlines of provinces and districts for maps.",
    facilities: "Open facilities.",
    partners: "Open facilities that a partner supports.",
    versions: "SmartCare versions that a visit can name.",
    serviceAreas: "Service areas that a facility can have.",
    people: "Active accounts of people.",
    fieldLists: "Field lists with sites.",
  },
);

const SetUpStep = builder.objectRef<SetUpStepRow>("SetUpStep").implement({
  description: "A part of what a country needs before its first visits, and how much of it is there.",
  fields: (t) => ({
    step: t.expose("step", { type: SetUpStepNameEnum, description: "Which part." }),
    count: t.exposeInt("count", { description: "How many are there." }),
    of: t.exposeInt("of", { nullable: true, description: "Of how many; null where any number will do." }),
    isDone: t.exposeBoolean("isDone", { description: "Whether enough are there." }),
  }),
});

builder.queryField("setUp", (t) =>
  t.field({
    type: [SetUpStep],
    nullable: true,
    description:
      "The steps of setting up the country, in their order. Needs administrator: null with an error otherwise.",
    resolve: (_, __, context) => readSetUp(context),
  }),
);
