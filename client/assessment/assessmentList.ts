import { assessmentParameters } from "../../gateway/assessment/listFilter.rules.ts";
import { notRecorded } from "../../gateway/input/listParameters.rules.ts";
import type { AssessmentSort, FunctionalityStatusMode } from "../gql/graphql.ts";
import { placesIn } from "../reference/placeFilter.ts";
import { valuesOf } from "../ui/filter/listTexts.ts";
import { orderAndPage, sortIn } from "../ui/filter/listSort.ts";

/** The state of the list of a person's assessments in its address: filters, order and page. */

export const assessmentOrders = { assessed: "Date and Time", facility: "Facility", mode: "Mode" } as const;

/** The search parameters of the list, which another tab must not inherit. */
export const assessmentListNames: readonly string[] = [
  ...Object.keys(assessmentParameters),
  "provinceId",
  "districtId",
  "implementingPartnerId",
  "sort",
  "rows",
];

function matchIn(url: URLSearchParams) {
  const { functional, modes, search } = valuesOf(assessmentParameters, url) as {
    functional?: boolean;
    modes?: FunctionalityStatusMode[];
    search?: string;
  };
  const isUnknown = url.get("functional") === notRecorded;
  return {
    ...placesIn(url),
    modes,
    smartCareFunctional: isUnknown ? undefined : functional,
    notRecorded: isUnknown ? ["SMART_CARE_FUNCTIONAL" as const] : undefined,
    search,
  };
}

/** The variables of the list's query, taken from its address. */
export const readAssessmentList = (url: URLSearchParams) => ({
  ...matchIn(url),
  ...orderAndPage<AssessmentSort>(url, assessmentOrders),
});

/** The search parameters of the file with the whole list. */
export const assessmentFileQuery = (url: URLSearchParams) => ({
  ...matchIn(url),
  notRecorded: url.get("functional") === notRecorded ? "smartCareFunctional" : undefined,
  sort: sortIn(url, assessmentOrders),
});
