import { parse } from "csv-parse/sync";
import { type RawBuilder, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Filters and orders of the assessments of a person and of a facility: the same rows by REST, by GraphQL and in the CSV
 * file, compared with a plain query.
 */

let author: { userUuid: string; start: string; end: string };
let place: { provinceId: number; districtId: number };
const gateway = await gatewayOfFile();
const viewer = await gateway.as("viewer");
beforeAll(async () => {
  const rows = await gateway.sql<typeof author & typeof place>`
    select user_uuid, min(assessed_at)::date as start, max(assessed_at)::date as "end", min(province_id) as province_id, (array_agg(district_id order by province_id))[1] as district_id
    from assessment join facility using (facility_uuid) group by user_uuid order by count(*) desc limit 1`;
  const { provinceId, districtId, ...rest } = rows[0]!;
  author = rest;
  place = { provinceId, districtId };
});

const document = `query ($userUuid: String, $start: Date, $end: Date, $provinceId: Int, $districtId: Int, $modes: [FunctionalityStatusMode!], $smartCareFunctional: Boolean, $notRecorded: [FacilityAnswer!], $sort: AssessmentSort) {
  assessments(userUuid: $userUuid, start: $start, end: $end, provinceId: $provinceId, districtId: $districtId, modes: $modes, smartCareFunctional: $smartCareFunctional
    notRecorded: $notRecorded, sort: $sort, first: 100) { totalCount nodes { assessmentUuid } } }`;

const newest = sql`assessed_at desc, assessment_uuid desc`;
type Case = [query: string, variables: object, where: RawBuilder<unknown>, order?: RawBuilder<unknown>];
const cases = (): Case[] => [
  ["modes=EFirst,Partial", { modes: ["EFirst", "Partial"] }, sql`a.functionality_status_mode in ('EFirst', 'Partial')`],
  ["modes=NotOperational", { modes: ["NotOperational"] }, sql`a.functionality_status_mode = 'NotOperational'`],
  [
    "smartCareFunctional=true&sort=facility",
    { smartCareFunctional: true, sort: "FACILITY_ASC" },
    sql`smart_care_functional`,
    sql`facility_name, facility_uuid, assessed_at, assessment_uuid`,
  ],
  ["smartCareFunctional=false", { smartCareFunctional: false }, sql`not smart_care_functional`],
  [
    "notRecorded=libraryVersionConsistent",
    { notRecorded: ["LIBRARY_VERSION_CONSISTENT"] },
    sql`library_version_consistent is null`,
  ],
  [
    `provinceId=${place.provinceId}&sort=assessed`,
    { provinceId: place.provinceId, sort: "ASSESSED_ASC" },
    sql`province_id = ${place.provinceId}`,
    sql`assessed_at, assessment_uuid`,
  ],
  [
    `districtId=${place.districtId}&modes=EFirst,EFast,ELast`,
    { districtId: place.districtId, modes: ["EFirst", "EFast", "ELast"] },
    sql`district_id = ${place.districtId} and a.functionality_status_mode like 'E%'`,
  ],
  [
    "sort=-mode",
    { sort: "MODE_DESC" },
    sql`true`,
    sql`a.functionality_status_mode desc, assessed_at desc, assessment_uuid desc`,
  ],
];

test("a person's assessments are filtered and sorted the same by REST, by GraphQL and in the CSV file", async () => {
  let matched = 0;
  for (const [query, variables, where, order = newest] of cases()) {
    const rows = await gateway.sql<{ uuid: string }>`
      select assessment_uuid as uuid from assessment a join facility using (facility_uuid)
      where a.user_uuid = ${author.userUuid} and ${where} order by ${order}`;
    const wanted = rows.map(({ uuid }) => uuid);
    matched += wanted.length;
    const rest = await viewer.get(
      `/api/v1/assessment/list/user/${author.userUuid}/start/${author.start}/end/${author.end}?${query}`,
    );
    expect([query, bodyOf<{ uuid: string }[]>(rest).map(({ uuid }) => uuid)]).toEqual([query, wanted]);
    const { data } = await viewer.graphql(document, { ...author, ...variables });
    expect([query, data.assessments.totalCount]).toEqual([query, wanted.length]);
    expect(data.assessments.nodes.map((one: { assessmentUuid: string }) => one.assessmentUuid)).toEqual(
      wanted.slice(0, 100),
    );
    const file = await viewer.get(
      `/api/v1/assessment/csv/${author.start}/${author.end}?userUuid=${author.userUuid}&${query}`,
    );
    const lines = parse(file.text, { bom: true, columns: true }) as { assessmentUuid: string }[];
    expect([query, lines.map(({ assessmentUuid }) => assessmentUuid)]).toEqual([query, wanted]);
  }
  expect(matched).toBeGreaterThan(0);
});

test("nested lists of assessments accept the filters that their parent leaves open", async () => {
  const rows = await gateway.sql<{ facilityUuid: string; partner: number; district: number; site: number }>`
    with found as (select facility_uuid, facility.implementing_partner_id as partner from assessment join facility using (facility_uuid)
      where user_uuid = ${author.userUuid} and district_id = ${place.districtId} and facility.implementing_partner_id is not null)
    select facility_uuid, partner, (select count(*)::integer from found as other where other.partner = found.partner) as district, count(*)::integer as site
    from found group by 1, 2 order by 4 desc limit 1`;
  const [{ facilityUuid, partner, district, site }] = rows as [(typeof rows)[number]];
  const { data } = await viewer.graphql(
    `query ($facility: String!, $province: Int!, $district: Int!, $partner: Int, $user: String!) {
      facility(facilityUuid: $facility) { assessments(userUuid: $user) { totalCount } }
      province(provinceId: $province) { assessments(districtId: $district, implementingPartnerId: $partner, userUuid: $user) { totalCount } }
      district(districtId: $district) { assessments(implementingPartnerId: $partner, userUuid: $user) { totalCount } none: assessments(userUuid: $user, end: "2000-01-01") { totalCount } }
    }`,
    { facility: facilityUuid, province: place.provinceId, district: place.districtId, partner, user: author.userUuid },
  );
  expect(data).toEqual({
    facility: { assessments: { totalCount: site } },
    province: { assessments: { totalCount: district } },
    district: { assessments: { totalCount: district }, none: { totalCount: 0 } },
  });
});

test("a facility's assessments accept the same filters, and the path takes precedence", async () => {
  const rows = await gateway.sql<{ facilityUuid: string; other: string; mode: string }>`
    select facility_uuid, functionality_status_mode as mode,
    (select min(facility_uuid) from facility where facility_uuid <> a.facility_uuid) as other from assessment a order by assessed_at desc limit 1`;
  const { facilityUuid, other, mode } = rows[0]!;
  const path = `/api/v1/assessment/list/facility/${facilityUuid}`;
  const unfiltered = bodyOf<{ uuid: string }[]>(await viewer.get(path));
  const of = await gateway.sql<{ uuid: string }>`
    select assessment_uuid as uuid from assessment where facility_uuid = ${facilityUuid} and functionality_status_mode = ${mode}
    order by assessed_at, assessment_uuid`;
  expect(
    bodyOf<{ uuid: string }[]>(await viewer.get(`${path}?modes=${mode}&sort=assessed`)).map(({ uuid }) => uuid),
  ).toEqual(of.map(({ uuid }) => uuid));
  expect((await viewer.get(`${path}?facilityUuid=${other}`)).body).toEqual(unfiltered);
});

test.each([
  ["modes=", "modes"],
  ["modes=EFirst,Best", "modes"],
  ["smartCareFunctional=perhaps", "smartCareFunctional"],
  ["search=ab", "search"],
  ["sort=colour", "sort"],
])("?%s returns 422 with the wrong field", async (query, field) => {
  for (const path of [
    `list/user/${author.userUuid}/start/${author.start}/end/${author.end}`,
    `csv/${author.start}/${author.end}`,
  ]) {
    const answer = await viewer.get(`/api/v1/assessment/${path}?${query}`);
    expect([path, answer.status]).toEqual([path, 422]);
    expect(errorsOf(answer).map(({ path: named }) => named)).toContain(field);
  }
});
