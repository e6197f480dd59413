import { builder } from "../graphql/builder.ts";
import { readSystem, type System as SystemRow } from "./system.ts";

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
    today: t.field({ type: "Date", description: "Today in that zone.", resolve: ({ today }) => today }),
  }),
});

builder.queryField("system", (t) =>
  t.field({ type: System, description: "Needs no sign-in.", resolve: (_, __, context) => readSystem(context) }),
);
