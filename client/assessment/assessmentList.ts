import { assessmentParameters } from "../../gateway/assessment/listFilter.rules.ts";
import { notRecorded } from "../../gateway/input/listParameters.rules.ts";
import type { AssessmentSort, FunctionalityStatusMode } from "../gql/graphql.ts";
import { placesIn } from "../reference/placeFilter.ts";
import { valuesOf } from "../ui/filter/listTexts.ts";
import { sortIn, sortValue } from "../ui/filter/listSort.ts";
import { offsetOf, rowsIn } from "../ui/list/pageOffset.ts";

/** The state of the list of a person's assessments in its address: filters, order and page. */

export const assessmentOrders = { assessed: "Date and Time", facility: "Facility", mode: "Mode" } as const;

/** The search parameters of the list, which another tab must not inherit. */
export const assessmentListNames: readonly string[] = [...Object.keys(assessmentParameters), "provinceId", "districtId", "implementingPartnerId", "sort", "rows"];

function matchIn(url: URLSearchParams) {
  const { functional, modes, search } = valuesOf(assessmentParameters, url) as { functional?: boolean; modes?: FunctionalityStatusMode[]; search?: string };
  const isUnknown = url.get("functional") === notRecorded;
  return { ...placesIn(url), modes, smartCareFunctional: isUnknown ? undefined : functional, notRecorded: isUnknown ? ["SMART_CARE_FUNCTIONAL" as const] : undefined, search };
}

/** The variables of the list's query, taken from its address. */
export function readAssessmentList(url: URLSearchParams, pageName: string) {
  const sort = sortIn(url, assessmentOrders);
  return {
    ...matchIn(url),
    sort: sort === undefined ? undefined : (sortValue(sort) as AssessmentSort),
    first: rowsIn(url),
    offset: offsetOf(url, pageName, rowsIn(url)),
  };
}

/** The search parameters of the file with the whole list. */
export function assessmentFileQuery(url: URLSearchParams): Record<string, string> {
  const { notRecorded: unknown, ...match } = matchIn(url);
  const given = Object.entries({ ...match, notRecorded: unknown && "smartCareFunctional", sort: sortIn(url, assessmentOrders) }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
