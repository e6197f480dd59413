import { editableNames, fieldGroups } from "../../db/facility/facilityFields.rules.ts";
import {
  closing,
  facilities,
  identifiers,
  listOf,
  object,
  openFacilities,
  plainFields,
  statement,
} from "./floorSql.ts";
import { found } from "./placeQuestions.ts";
import { adHocRequest, type Question, readGoals, restRequest } from "./questions.ts";
import type { AnyAnswer } from "./same.ts";

/** The questions of analysts and integrators, sent with a token. */

const counts: Question = {
  name: "counts",
  title: "All provinces and their districts, each with its number of facilities",
  asker: "token",
  wanted: readGoals,
  face: "GraphQL",
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

const fields = {
  facilityUuid: "r.facility_uuid",
  facilityName: "r.facility_name",
  hmisCode: "r.hmis_code",
  oldHmisCode: "r.old_hmis_code",
  facilityOwner: "r.facility_owner",
  healthCenterType: "r.health_center_type",
  facilityType: "r.facility_type",
  latitude: "r.latitude",
  longitude: "r.longitude",
  functionalityStatusMode: "r.functionality_status_mode",
};
const names = Object.keys(fields);

const hundred: Question = {
  name: "hundred",
  title: "100 facilities with 10 fields and 2 objects each",
  asker: "token",
  wanted: readGoals,
  face: "GraphQL",
  floor: [
    {
      name: "hundred",
      sql: statement({
        facilities: object({
          nodes: listOf(
            object({
              ...fields,
              district: object({ districtId: "r.district_id", name: "r.district" }),
              implementingPartner: `case when r.implementing_partner_id is not null then ${object({ implementingPartnerId: "r.implementing_partner_id", implementingPartner: "r.partner" })} end`,
            }),
            `${openFacilities} order by f.facility_name, f.facility_uuid offset $1::int limit 100`,
          ),
        }),
      }),
    },
  ],
  operations: () =>
    [0, 100, 700, 1500, 3000].map((offset) => ({
      product: adHocRequest(
        `query ($offset: Int) { facilities(first: 100, offset: $offset) { nodes { ${names.join(" ")} district { districtId name } implementingPartner { implementingPartnerId implementingPartner } } } }`,
        { offset },
      ),
      floor: { name: "hundred", values: [offset] },
      postgraphile: {
        query: `query ($offset: Int) { allFacilities(first: 100, offset: $offset, orderBy: [FACILITY_NAME_ASC, FACILITY_UUID_ASC]) { nodes { ${names.join(" ")}
          districtByDistrictIdAndProvinceId { districtId name } implementingPartnerByImplementingPartnerId { implementingPartnerId name } } } }`,
        variables: { offset },
      },
    })),
  values: {
    product: ({ facilities: { nodes } }) =>
      nodes.map((one: AnyAnswer) => [
        ...names.map((name) => one[name]),
        one.district.districtId,
        one.district.name,
        one.implementingPartner?.implementingPartnerId ?? null,
        one.implementingPartner?.implementingPartner ?? null,
      ]),
    postgraphile: ({ allFacilities: { nodes } }) =>
      nodes.map((one: AnyAnswer) => [
        ...names.map((name) => one[name]),
        one.districtByDistrictIdAndProvinceId.districtId,
        one.districtByDistrictIdAndProvinceId.name,
        one.implementingPartnerByImplementingPartnerId?.implementingPartnerId ?? null,
        one.implementingPartnerByImplementingPartnerId?.name ?? null,
      ]),
  },
};

const listItem = object({ uuid: "facility_uuid", facilityName: "facility_name" });

const all: Question = {
  name: "all",
  title: "All facilities in one answer, uuid and name",
  asker: "token",
  wanted: readGoals,
  face: "REST",
  floor: [
    {
      name: "all",
      sql: `select json_agg(${listItem} order by facility_name, facility_uuid)::text from facility where closed_on is null`,
    },
  ],
  operations: () => [
    {
      product: restRequest("/facility"),
      floor: { name: "all", values: [] },
      postgraphile: {
        query:
          "{ allFacilities(orderBy: [FACILITY_NAME_ASC, FACILITY_UUID_ASC]) { nodes { facilityUuid facilityName } } }",
        variables: {},
      },
    },
  ],
  values: {
    product: (rows) => rows.map((one: AnyAnswer) => [one.uuid, one.facilityName]),
    postgraphile: ({ allFacilities: { nodes } }) => nodes.map((one: AnyAnswer) => [one.facilityUuid, one.facilityName]),
  },
};

const restPage: Question = {
  name: "restPage",
  title: "A facility's page: metadata, connectivity, settings, last 10 assessments, last 10 TDBs in turn",
  asker: "token",
  wanted: readGoals,
  face: "REST",
  floor: [
    {
      name: "restPage.metadata",
      sql: `select ${object({
        facilityUuid: "r.facility_uuid",
        facilityName: "r.facility_name",
        ...plainFields(fieldGroups.codes),
        district: "r.district",
        districtId: "r.district_id",
        province: "r.province",
        provinceId: "r.province_id",
        implementingPartner: "r.partner",
        implementingPartnerId: "r.implementing_partner_id",
        ...plainFields([...fieldGroups.kinds, ...fieldGroups.location, ...fieldGroups.later]),
        ...closing,
        identifiers: identifiers(object),
      })}::text from (${facilities} where f.facility_uuid = $1) as r`,
    },
    {
      name: "restPage.connectivity",
      sql: `select ${object({
        facilityUuid: "facility_uuid",
        present: "connectivity_present",
        type: "connectivity_type_id",
        details: "connectivity_details",
        mobileCoverage: "mobile_coverage",
        mobileProvider: "mobile_provider_id",
      })}::text from facility where facility_uuid = $1`,
    },
    {
      name: "restPage.settings",
      sql: `select ${object({
        implementingPartnerId: "implementing_partner_id",
        serviceAreas: `(select coalesce(json_agg(service_area_id order by name), '[]') from facility_service_area join service_area using (service_area_id) where facility_uuid = $1)`,
        ...plainFields(editableNames, "facility"),
      })}::text from facility where facility_uuid = $1`,
    },
    {
      name: "restPage.assessments",
      sql: `select ${listOf(
        object({
          uuid: "r.assessment_uuid",
          facilityUuid: "r.facility_uuid",
          assessmentDate: "r.assessed_at::date",
          assessmentTime: "to_char(r.assessed_at, 'HH24:MI')",
          assessedAt: `to_char(r.assessed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
          receivedAt: `to_char(r.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
          userName: "r.user_name",
          setAside: "r.set_aside_reason",
          held: "r.held",
        }),
        "select a.*, u.user_name from assessment a join app_user u using (user_uuid) where facility_uuid = $1 order by assessed_at desc, assessment_uuid desc limit 10",
      )}::text`,
    },
    {
      name: "restPage.tdbs",
      sql: `select ${listOf(
        object({
          uuid: "r.tdb_uuid",
          facilityUuid: "r.facility_uuid",
          facility: "r.facility_name",
          district: "r.district",
          province: "r.province",
          uploadDate: "r.uploaded_at::date",
          uploadTime: "to_char(r.uploaded_at, 'HH24:MI')",
          deltaTdb: "r.delta",
          tdbCreationDate: "r.tdb_created_at::date",
          totalPatients: "r.total_patients",
          fileSize: "r.file_size",
          userFirstName: "r.first_name",
          userSurname: "r.surname",
          implementingPartner: "r.partner",
          sha256: "r.sha256",
          libraryVersion: "r.library_version",
          setAside: "r.set_aside_reason",
          held: "r.held",
        }),
        `select t.*, u.first_name, u.surname, f.facility_name, f.district, f.province, f.partner from tdb t join app_user u using (user_uuid)
          join (${facilities}) as f using (facility_uuid) where t.facility_uuid = $1 order by uploaded_at desc, tdb_uuid desc limit 10`,
      )}::text`,
    },
  ],
  operations: ({ facilityUuids }) =>
    facilityUuids.slice(0, 100).flatMap((uuid) => [
      { product: restRequest(`/facilityMetadata/${uuid}`), floor: { name: "restPage.metadata", values: [uuid] } },
      {
        product: restRequest(`/facilityConnectivity/${uuid}`),
        floor: { name: "restPage.connectivity", values: [uuid] },
      },
      { product: restRequest(`/facility/settings/${uuid}`), floor: { name: "restPage.settings", values: [uuid] } },
      {
        product: restRequest(`/assessment/list/facility/${uuid}?limit=10`),
        floor: { name: "restPage.assessments", values: [uuid] },
      },
      { product: restRequest(`/tdb/facility/${uuid}?limit=10`), floor: { name: "restPage.tdbs", values: [uuid] } },
    ]),
};

const restSearch: Question = {
  name: "restSearch",
  title: "A search, 20 facilities",
  asker: "token",
  wanted: readGoals,
  face: "REST",
  floor: [
    {
      name: "restSearch",
      sql: `select ${listOf(
        object({
          uuid: "r.facility_uuid",
          facilityUuid: "r.facility_uuid",
          facilityName: "r.facility_name",
          implementingPartnerId: "r.implementing_partner_id",
          implementingPartner: "r.partner",
          provinceId: "r.province_id",
          province: "r.province",
          districtId: "r.district_id",
          district: "r.district",
        }),
        found,
      )}::text`,
    },
  ],
  operations: ({ texts }) =>
    texts.map((text) => ({
      product: restRequest(`/facility/search/args/${encodeURIComponent(text)}?limit=20`),
      floor: { name: "restSearch", values: [text] },
    })),
};

export const adHocQuestions = [counts, hundred, all, restPage, restSearch];
