import { z } from "zod";

import type { RestServer } from "../rest/route.ts";
import { type Boundaries, listDistrictBoundaries, listProvinceBoundaries } from "./boundary.ts";
import { districtBoundaryRules, stepsPerDegree } from "./boundary.rules.ts";

/** Routes of outlines, for maps. */

const BoundariesBody = z
  .object({
    credit: z.string().nullable().describe("The attribution of the outlines, to be shown on the map"),
    outlines: z.array(
      z.object({
        id: z.number().describe("Of the province or district"),
        name: z.string(),
        path: z.string().describe(`A path of SVG in steps of 1/${stepsPerDegree} degree: east, and north`),
        box: z.array(z.number()).describe("West, south, east and north of it, in the same steps"),
      }),
    ),
  })
  .meta({ id: "Boundaries" });
const body = ({ credit, outlines }: Boundaries) => ({
  credit,
  outlines: outlines.map(({ id, name, path, west, south, east, north }) => ({
    id,
    name,
    path,
    box: [west, south, east, north],
  })),
});
const tags = ["Places"];

export function boundaryRoutes(server: RestServer): void {
  server.get(
    "/boundaries/provinces",
    {
      schema: {
        operationId: "getProvinceBoundaries",
        summary: "Outlines of the provinces",
        description: "By name; provinces without an outline are left out.",
        tags,
        response: { 200: BoundariesBody },
      },
    },
    async (request) => body(await listProvinceBoundaries(request.context)),
  );
  server.get(
    "/boundaries/districts",
    {
      schema: {
        operationId: "getDistrictBoundaries",
        summary: "Outlines of the districts",
        description: "By name: all, those of a province, or one. Districts without an outline are left out.",
        tags,
        querystring: districtBoundaryRules,
        response: { 200: BoundariesBody },
      },
    },
    async (request) => body(await listDistrictBoundaries(request.context, request.query)),
  );
}
