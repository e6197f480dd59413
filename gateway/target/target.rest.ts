import { z } from "zod";

import { quarterRule, yearRule } from "../calendar/period.rules.ts";
import { scopeShape, yearsRule } from "../dash/dash.rules.ts";
import type { RestServer } from "../rest/route.ts";
import * as acts from "./target.ts";
import { targetMeasures } from "./target.rules.ts";

/**
 * The route of what was reached of the targets, and a target as the feed of changes has it. GraphQL lists and sets
 * them.
 */

const targetShape = {
  measure: z.enum(targetMeasures),
  year: z.number().describe("Fiscal year"),
  percent: z.number().describe("Aimed at, in percent of the facilities assessed"),
  provinceId: z
    .number()
    .nullable()
    .describe("Set where it is a province's; without any of the three it is the country's"),
  districtId: z.number().nullable(),
  implementingPartnerId: z.number().nullable(),
  unit: z.string().describe("Name of the province, district or partner, or National"),
};
export const Target = z.object({ uuid: z.string(), ...targetShape }).meta({ id: "Target" });
const Attainment = z
  .object({
    targetUuid: z.string(),
    ...targetShape,
    quarter: z.number().describe("Fiscal quarter whose figures are held against it; -1: of the entire year"),
    value: z.number().describe("Facilities that count"),
    assessed: z.number().describe("Of these that were assessed"),
    notRecorded: z
      .number()
      .describe("Of those assessed, facilities whose assessment records no answer: neither yes nor no"),
    reached: z.number().nullable().describe("The share that was reached, in percent; null where nobody was assessed"),
    attainment: z.number().nullable().describe("How much of the target that is, in percent: 100 where it is met"),
  })
  .meta({ id: "TargetAttainment" });

/** A target as a REST body. */
export const body = ({
  uuid,
  measure,
  year,
  percent,
  provinceId,
  districtId,
  implementingPartnerId,
  unit,
}: acts.Target): z.input<typeof Target> => ({
  ...{ uuid, measure, year, percent, provinceId, districtId, implementingPartnerId, unit },
});
const tags = ["Targets"];

export function targetRoutes(server: RestServer): void {
  server.get(
    "/dash/attainment/:year/:quarter",
    {
      schema: {
        operationId: "getAttainment",
        summary: "The targets that hold for a scope, and how much of each was reached",
        description:
          "For each year and measure the nearest target: the district's, its province's, the partner's, or the country's. Percentages are of the facilities assessed in the year, or in the quarter.",
        tags,
        params: z.strictObject({ year: yearRule, quarter: quarterRule }),
        querystring: z.strictObject({
          ...scopeShape,
          years: yearsRule.default(1).describe("How many fiscal years, 1 to 9, of which the path's year is the last"),
        }),
        response: { 200: z.array(Attainment) },
      },
    },
    (request) => acts.readAttainment(request.context, { ...request.params, ...request.query }),
  );
}
