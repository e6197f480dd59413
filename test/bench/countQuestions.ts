import { object, statement } from "./floorSql.ts";
import { adHocRequest, type Question, readGoals } from "./questions.ts";
import type { AnyAnswer } from "./same.ts";

/** A question of an analyst, sent with a token. */

const counts: Question = {
  name: "counts",
  title: "All provinces and their districts, each with its number of facilities",
  asker: "token",
  wanted: readGoals,
  floor: [
    {
      name: "counts",
      sql: statement({
        provinces: object({
          totalCount: "(select count(*) from province)",
          nodes: `(select json_agg(${object({
            provinceId: "p.province_id",
            name: "p.name",
            facilities: object({
              totalCount:
                "(select count(*) from facility f where f.province_id = p.province_id and f.closed_on is null)",
            }),
            districts: object({
              totalCount: "(select count(*) from district d where d.province_id = p.province_id)",
              nodes: `(select coalesce(json_agg(${object({
                districtId: "d.district_id",
                name: "d.name",
                facilities: object({
                  totalCount:
                    "(select count(*) from facility f where f.district_id = d.district_id and f.closed_on is null)",
                }),
              })} order by d.name, d.district_id), '[]') from district d where d.province_id = p.province_id)`,
            }),
          })} order by p.name, p.province_id) from province p)`,
        }),
      }),
    },
  ],
  operations: () => [
    {
      product: adHocRequest(
        "{ provinces(first: 20) { totalCount nodes { provinceId name facilities { totalCount } districts(first: 20) { totalCount nodes { districtId name facilities { totalCount } } } } } }",
      ),
      floor: { name: "counts", values: [] },
      postgraphile: {
        query: `{ allProvinces { totalCount nodes { provinceId name districtsByProvinceId(orderBy: NAME_ASC) { totalCount nodes {
          districtId name facilitiesByDistrictIdAndProvinceId { totalCount } } } } } }`,
        variables: {},
      },
    },
  ],
  values: {
    product: ({ provinces: { nodes } }) =>
      nodes
        .map((one: AnyAnswer) => [
          one.provinceId,
          one.name,
          one.districts.totalCount,
          one.districts.nodes.map((each: AnyAnswer) => [each.districtId, each.name, each.facilities.totalCount]),
        ])
        .toSorted((one: AnyAnswer, other: AnyAnswer) => one[0] - other[0]),
    postgraphile: ({ allProvinces: { nodes } }) =>
      nodes
        .map((one: AnyAnswer) => [
          one.provinceId,
          one.name,
          one.districtsByProvinceId.totalCount,
          one.districtsByProvinceId.nodes.map((each: AnyAnswer) => [
            each.districtId,
            each.name,
            each.facilitiesByDistrictIdAndProvinceId.totalCount,
          ]),
        ])
        .toSorted((one: AnyAnswer, other: AnyAnswer) => one[0] - other[0]),
  },
};

export const countQuestions = [counts];
