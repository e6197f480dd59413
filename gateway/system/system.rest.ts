import { z } from "zod";

import type { RestServer } from "../rest/route.ts";
import { readSystem } from "./system.ts";

export function systemRoutes(server: RestServer): void {
  server.get(
    "/system",
    {
      schema: {
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
            today: z.iso.date(),
          }),
        },
      },
    },
    (request) => readSystem(request.context),
  );
}
