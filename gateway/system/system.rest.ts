import { z } from "zod";

import { needs, type RestServer } from "../rest/route.ts";
import { findingStates } from "./doctor.ts";
import { readSystem, readSystemChecks } from "./system.ts";

const SystemChecks = z.object({
  state: z.enum(findingStates).describe("The worst of the findings"),
  findings: z.array(
    z.object({
      check: z.string().describe("What was checked"),
      state: z.enum(findingStates),
      found: z.string().describe("What was found, in a sentence"),
      remedy: z.string().optional().describe("The SQL or the line that mends it"),
    }),
  ),
});

export function systemRoutes(server: RestServer): void {
  server.get(
    "/system",
    {
      schema: {
        operationId: "getSystem",
        summary: "What this installation says of itself",
        tags: ["System"],
        response: {
          200: z.object({
            appName: z.string(),
            appVersion: z.string(),
            patchLevel: z.string(),
            javaVersion: z.string(),
            javaVendor: z.string(),
            demonstration: z.boolean(),
            timeZone: z.string(),
            utcOffset: z.int().nullable().describe("Minutes that its clock is ahead of UTC; null if that changes"),
            today: z.iso.date(),
          }),
        },
      },
    },
    (request) => readSystem(request.context),
  );
  server.get(
    "/system/checks",
    {
      ...needs("viewSystem"),
      schema: {
        operationId: "getSystemChecks",
        summary: "Checks database, storage, backup, derived figures and the public address now, as npm run doctor does",
        tags: ["System"],
        response: { 200: SystemChecks },
      },
    },
    (request) => readSystemChecks(request.context),
  );
}
