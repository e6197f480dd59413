import { z } from "zod";

import { sortNames } from "../../db/facility/facilityFields.rules.ts";
import { startRule } from "../calendar/period.rules.ts";
import { queryShapeOf, sortRuleOf } from "../input/listQuery.rules.ts";
import { idRule, listQueryRules } from "../input/page.rules.ts";
import { type FacilityFilter, filterShape, namedSitesRule, periodChecks, searchTextRule } from "./facility.rules.ts";
import { answers, type FacilityMatch } from "./facilityFilter.rules.ts";
import { listMatch, listParameters, type ListTexts, parameterOf } from "./listFilter.rules.ts";
import { modes } from "./mode.rules.ts";

/**
 * Query parameters of the REST lists and files of facilities: the filters of listFilter.rules.ts, a place, a partner
 * (or `none`), and an order.
 */

const sinceRule = (name: "assessedBefore" | "noTdbSince") => startRule.optional().describe(parameterOf(name).about);
const listShape = {
  ...queryShapeOf(listParameters),
  assessedBefore: sinceRule("assessedBefore"),
  noTdbSince: sinceRule("noTdbSince"),
  implementingPartnerId: z
    .union([z.literal("none"), idRule], "must be the id of a partner, or none")
    .optional()
    .describe("Supported today by this partner; none: by no partner."),
};

/** The input of a list of facilities: a scope, and a filter. */
export type FacilityListQuery = FacilityFilter & { match?: FacilityMatch };

type InARowNamed = Omit<NonNullable<FacilityMatch["inARow"]>, "answer"> & { answer: string };
/** The name of an answer in GraphQL and in addresses. */
const wordOf = (answer: string) => answer.replaceAll(/[A-Z]/g, "_$&").toUpperCase();

/** The input of a list for its checked query parameters. */
export function listOf({
  implementingPartnerId,
  facilityUuid,
  ...query
}: ListTexts & {
  implementingPartnerId?: number | "none" | undefined;
  facilityUuid?: string[] | undefined;
}): FacilityListQuery {
  const { inARow, ...asked } = (listMatch(query) ?? {}) as FacilityMatch & { inARow?: InARowNamed };
  const match = {
    ...(implementingPartnerId === "none" ? { hasImplementingPartner: false } : {}),
    ...(facilityUuid ? { facilityUuids: facilityUuid } : {}),
    ...asked,
    ...(inARow ? { inARow: { ...inARow, answer: answers.find((name) => wordOf(name) === inARow.answer)! } } : {}),
  };
  return {
    ...Object.fromEntries(Object.entries(query).filter(([name]) => !(name in listParameters))),
    ...(typeof implementingPartnerId === "number" ? { implementingPartnerId } : {}),
    ...(Object.keys(match).length > 0 ? { match } : {}),
  };
}

const keys = ["name", ...sortNames, "district", "province", "implementingPartner", "mode", "lastAssessed"] as const;

/** Query parameters of an export of facilities: the filters of their lists and of the search, and the order. */
export const facilityExportRules = z
  .strictObject({
    ...filterShape,
    ...listShape,
    facilityUuid: namedSitesRule,
    search: searchTextRule.optional(),
    sort: sortRuleOf(keys, "By name; with search the best match first."),
  })
  .superRefine(periodChecks);

/** The parameter for the form of a REST list of facilities, which has precedence over the Accept header. */
export const formRules = {
  format: z
    .enum(["json", "geojson"], "must be json or geojson")
    .optional()
    .describe("geojson: as GeoJSON, as with Accept: application/geo+json."),
};

/** Query parameters of a REST list: a page, its form, and filters in addition to those of its path. */
export const facilityListRules = listQueryRules.extend({
  ...formRules,
  provinceId: idRule.optional(),
  districtId: idRule.optional(),
  ...listShape,
});

/** Query parameters of a REST list by mode, which may be the mode in a period or as at a day. */
export const modePeriodRules = facilityListRules
  .extend({ year: filterShape.year, quarter: filterShape.quarter, month: filterShape.month, asOf: filterShape.asOf })
  .superRefine(({ year, quarter, month, asOf }, context) =>
    periodChecks({ year, quarter, month, asOf, mode: modes[0] }, context),
  );
