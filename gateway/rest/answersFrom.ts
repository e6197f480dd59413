import type { FastifyRequest } from "fastify";

import type { RevisedNoun } from "../reading/kept.ts";
import { places, sites, visits } from "../reading/nounsOfAnswers.ts";

/**
 * The nouns from whose rows REST answers come. An answer is kept until one of them changes (reading/kept.ts), if its
 * route is listed here. A route is listed if its answers depend on these nouns, the address, the day and the rights of
 * the caller only: not on the person, the time or other tables. What is not listed is never kept, so a new route needs
 * no line here. `test/rest/kept-walk.test.ts` compares these lists with what the statements read.
 */

const placesOfLists = ["province", "district", "ip"];
const period = "/:year/:quarter";
const ofPlaces = ["", "/province/:provinceId", "/district/:districtId"];
const scopes = ofPlaces.map((scope) => `${scope}${period}/:implementingPartnerId`);
const charts = ["functionalityComparison", "deploymentMode", "libraryVersion", "cpuCore", "osX64"].flatMap((name) =>
  [...scopes, `/ip/:implementingPartnerId${period}`].map((scope) => `/dash/${name}${scope}`),
);
const sheets = [...ofPlaces, "/ip/:implementingPartnerId"].map((scope) => `/dash/summarySheet${scope}`);
const histories = ["province", "district"].map((level) => `/dash/tdbHistory/${level}/:start/:end`);
const recordsOfFacilities = ["facilityMetadata", "facilityConnectivity", "facility/settings", "facility/identifiers"];

const routes: [nouns: readonly RevisedNoun[], urls: string[]][] = [
  [places, ["/province", "/province/:id", "/district", "/district/province/:id", "/district/:id"]],
  [places, ["/implementingPartner/active/:active", "/implementingPartner/:implementingPartnerId", "/serviceArea"]],
  [places, ["/connectivityType", "/connectivityProvider", "/smartCareAssessmentVersion"]],
  [sites, ["/facility", "/facility/mode/:mode", "/facility/search/args/:text", "/identifierSystem"]],
  [sites, placesOfLists.flatMap((place) => [`/facility/${place}/:id`, `/facility/mode/:mode/${place}/:id`])],
  [sites, recordsOfFacilities.map((name) => `/${name}/:facilityUuid`)],
  [sites, ["/tdb/silent", "/tdb/silent/facility/:facilityUuid"]],
  [[...sites, "action"], ["/facility/state/:facilityUuid"]],
  [sites, placesOfLists.map((level) => `/dash/silentSites/${level}`)],
  [sites, [...charts, ...sheets, ...histories]],
  [visits, ["/assessment/:assessmentUuid", "/assessment/revisions/:assessmentUuid"]],
  [visits, ["/assessment/list/facility/:facilityUuid", "/tdb/facility/:facilityUuid"]],
  [[...sites, "target"], ["/dash/attainment/:year/:quarter"]],
  [[...visits, "worklist"], ["/worklist/:kind"]],
  [
    [...visits, "action"],
    ["/action/list", "/action/:actionUuid"],
  ],
];
const nounsOfRoutes = new Map<string, readonly RevisedNoun[]>(
  routes.flatMap(([nouns, urls]) => urls.map((url) => [`/api/v1${url}`, nouns] as const)),
);

/** The addresses of all listed routes, for the tests. */
export const listedRoutes: readonly string[] = [...nounsOfRoutes.keys()];

/** The nouns from which the answer to a call comes; undefined if it must not be kept. */
export function nounsOfCall({ routeOptions, query }: FastifyRequest): readonly RevisedNoun[] | undefined {
  // As at an earlier day, the rhythm of TDBs is read from the settings. Which field lists there are depends on the person.
  return ["asOf", "fieldList"].some((name) => name in (query as object))
    ? undefined
    : nounsOfRoutes.get(routeOptions.url ?? "");
}
