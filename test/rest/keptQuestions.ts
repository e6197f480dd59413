import { print } from "graphql";
import { sql } from "kysely";

import { FacilitiesScreenQueryDocument } from "../../client/gql/graphql.ts";
import type { Database } from "../../db/engine/connect.ts";
import { type SampleFacility, visit } from "../support/assessment-data.ts";
import type { Person } from "../support/gateway.ts";
import { noteEntry, setTarget } from "../support/mutations.ts";

/**
 * Requests for gateways that cache answers and for a twin that caches none, and the changes that are made meanwhile.
 */

export const logins = ["admin", "viewer", "assessor", "uploader", "manager", "plain"] as const;

export type KeptQuestion = { path: string; body?: object };
export const graphql = (query: string, variables: object = {}): KeptQuestion => ({
  path: "/graphql",
  body: { query, variables },
});
const byAddress = (query: string): KeptQuestion => ({ path: `/graphql?query=${encodeURIComponent(query)}` });

export const keptQuestions = (facilities: readonly SampleFacility[]): KeptQuestion[] => [
  ...[
    "/facility",
    "/facilityMetadata",
    "/province",
    "/district",
    "/implementingPartner",
    "/user",
    "/download",
    "/worklist/stopped?limit=5",
    "/serviceArea",
  ].map((path) => ({ path: `/api/v1${path}` })),
  ...facilities.flatMap(({ facilityUuid }) =>
    [
      `/facilityMetadata/${facilityUuid}`,
      `/facilityConnectivity/${facilityUuid}`,
      `/facility/identifiers/${facilityUuid}`,
      `/assessment/facility/${facilityUuid}`,
      `/assessment/list/facility/${facilityUuid}`,
      `/tdb/facility/${facilityUuid}`,
    ].map((path) => ({ path: `/api/v1${path}` })),
  ),
  ...["/dash/implementationMode/2027/-1", "/dash/tdbCounts/2027", "/situation", "/user/me", "/token", "/system"].map(
    (path) => ({ path: `/api/v1${path}` }),
  ),
  graphql("{ viewer { user { userName } privileges { administrator } } }"),
  graphql(
    "{ facilities(first: 5, sort: CATCHMENT_POPULATION_DESC) { totalCount nodes { facilityName hmisCode latestAssessment { assessmentUuid otherIssues } } } }",
  ),
  graphql("{ users(first: 20) { nodes { userName active } } }"),
  graphql(
    "query ($uuid: String!) { facility(facilityUuid: $uuid) { facilityName implementingPartner { implementingPartner } assessments(first: 3) { totalCount nodes { otherIssues } } } }",
    { uuid: facilities[0]!.facilityUuid },
  ),
  graphql("{ facilityGroups(by: [PROVINCE, MODE]) { province { name } functionalityStatusMode facilities } }"),
  graphql("{ situation { facilities { share } asAt } }"),
  byAddress("{ provinces { nodes { name provinceId } } }"),
  byAddress("{ targets { nodes { year percent } } }"),
  graphql("{ savedViews { nodes { name address } } }"),
  // Its field list is left out.
  graphql(print(FacilitiesScreenQueryDocument), { inProvince: false, inDistrict: false, ofPartner: false }),
];

/** An answer without the time of the request. */
export const lasting = (text: string): string => text.replace(/"asAt":"[^"]*"/, "");

/** Changes of the requested data, through the gateway and directly in the database, each to another value. */
export function keptWrites(
  db: Database,
  { admin, assessor, facilities }: { admin: Person; assessor: Person; facilities: readonly SampleFacility[] },
  random: () => number,
): (() => Promise<unknown>)[] {
  const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const one = () => oneOf(facilities).facilityUuid;
  return [
    () => assessor.call("POST", "/api/v1/assessment", visit(oneOf(facilities))),
    () =>
      admin.call("PATCH", `/api/v1/facility/${one()}`, {
        hmisCode: String(10_000_000 + Math.floor(random() * 80_000_000)),
      }),
    () => setTarget(admin, { measure: "functional", year: 2027, percent: Math.floor(random() * 100) }),
    () => noteEntry(admin, { kind: "stopped", facilityUuid: one(), comment: `Its road is closed ${random()}` }),
    () =>
      sql`update app_user set manage_users = not manage_users where user_name = ${oneOf(["plain", "uploader"])}`.execute(
        db,
      ),
    () => sql`update app_user set view_assessments = not view_assessments where user_name = 'viewer'`.execute(db),
    () =>
      sql`update implementing_partner set name = regexp_replace(name, '( of [0-9]+)?$', ' of ' || ${Math.floor(random() * 1e9)}::text) where implementing_partner_id = 1`.execute(
        db,
      ),
  ];
}
