import {
  FacilitiesScreenQueryDocument,
  FacilityScreenQueryDocument,
  FacilityTdbsTabQueryDocument,
  PastAssessmentsTabQueryDocument,
  SearchResultsSectionQueryDocument,
} from "../../client/gql/graphql.ts";
import { fieldNames } from "../../db/facility/facilityFields.rules.ts";
import { sendingModes } from "../../db/situation/state.rules.ts";
import { visitDays } from "../../gateway/facility/state.rules.ts";
import {
  closing,
  district,
  outlineOfDistrict,
  facilities,
  globalId,
  identifiers,
  listOf,
  openFacilities,
  partner,
  plainFields,
  province,
  statement,
  systemName,
  typed,
} from "./floorSql.ts";
import { clientRequest, readGoals, type Question } from "./questions.ts";
import type { AnyAnswer } from "./same.ts";

/** The client's own operations on facilities. */

const pages = [0, 10, 50, 400, 1200, 2500];

/** The first day with the present answer after the last one with another answer. */
const sinceOf = (facilityUuid: string, answer: (visit: string) => string) => {
  const of = (visit: string) =>
    `from assessment as ${visit} where ${visit}.facility_uuid = ${facilityUuid} and ${visit}.set_aside_at is null and ${visit}.held is null and ${answer(visit)}`;
  return `(select min(same.assessed_at)::date ${of("same")} = ${answer("visit")} and same.assessed_at > coalesce(
    (select max(other.assessed_at) ${of("other")} <> ${answer("visit")}), '-infinity'))`;
};

/** The rows on which the state of a facility depends. */
const knownOf = (facilityUuid: string) => `from (select) as one
  left join facility_state as state on state.facility_uuid = ${facilityUuid} and state."until" is null
  left join assessment as visit on visit.assessment_uuid = state.assessment_uuid left join tdb_silence as sent on sent.facility_uuid = ${facilityUuid}`;
const neverSentOf = (mode: string) =>
  `(sent.due_day is null and coalesce(${mode} = any(array[${sendingModes.map((each) => `'${each}'`).join()}]), false))`;
const powerOf = (visit: string) => `(${visit}.primary_power_working or ${visit}.backup_power_working)`;

/** What lists ask beside what a facility's page asks. */
const ofLists = new Set(["daysSinceLastTdb"]);

/** A facility's state, with these values of it. */
const stateOf = (facilityUuid: string, mode: string, isWanted = (name: string) => !ofLists.has(name)) => {
  const neverSent = neverSentOf(mode);
  const values = {
    smartCareFunctional: "visit.smart_care_functional",
    smartCareFunctionalSince: sinceOf(facilityUuid, (visit) => `${visit}.smart_care_functional`),
    powerWorking: powerOf("visit"),
    powerWorkingSince: sinceOf(facilityUuid, powerOf),
    libraryVersion: "state.library_version",
    libraryVersionSince: sinceOf(facilityUuid, (visit) => `nullif(btrim(${visit}.library_version), '')`),
    functionalityStatusModeSince: sinceOf(facilityUuid, (visit) => `${visit}.functionality_status_mode`),
    ...Object.fromEntries(
      ["primaryPower", "primaryPowerWorking", "backupPower", "backupPowerWorking"].map((name) => [
        name,
        `visit.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      ]),
    ),
    lastVisitDate: "state.assessed_at::date",
    lastTdbCreationDate: "sent.tdb_created_at::date",
    daysSinceLastTdb: "current_date - sent.tdb_created_at::date",
    expected: `(sent.due_day is not null or ${neverSent})`,
    overdue: `coalesce(sent.due_day < current_date, ${neverSent})`,
  };
  const wanted = Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
  const state = typed("FacilityState", wanted);
  return `(select ${state} ${knownOf(facilityUuid)})`;
};

const listedState = new Set([
  "smartCareFunctional",
  "powerWorking",
  "libraryVersion",
  "lastVisitDate",
  "lastTdbCreationDate",
  "overdue",
  ...ofLists,
]);
const listedFields = new Set([
  ...["facilityOwner", "healthCenterType", "facilityType", "laboratoryLevel", "operationStatus"],
  ...["catchmentPopulation", "latitude", "longitude"],
]);

const facilityList: Question = {
  name: "facilityList",
  title: "A page of the facility list with its state, three names and the total",
  asker: "client",
  wanted: readGoals,
  floor: [
    {
      name: "facilityList",
      sql: statement({
        facilities: typed("FacilityConnection", {
          totalCount: "(select count(*) from facility where closed_on is null)",
          nodes: listOf(
            typed("Facility", {
              id: globalId("Facility", "r.facility_uuid"),
              facilityUuid: "r.facility_uuid",
              facilityName: "r.facility_name",
              hmisCode: "r.hmis_code",
              functionalityStatusMode: "r.functionality_status_mode",
              implementingPartner: partner({ implementingPartnerId: "r.implementing_partner_id" }),
              province: province({ provinceId: "r.province_id" }),
              district: district({ districtId: "r.district_id" }),
              ...Object.fromEntries(Object.entries(plainFields()).filter(([name]) => listedFields.has(name))),
              closedOn: closing.closedOn,
              connectivity: typed("FacilityConnectivity", { present: "r.connectivity_present" }),
              openActions: `(select count(*) from action where action.facility_uuid = r.facility_uuid and action.state = 'open')`,
              state: stateOf("r.facility_uuid", "r.functionality_status_mode", (name) => listedState.has(name)),
            }),
            `${openFacilities} order by f.facility_name, f.facility_uuid offset $1::int limit 10`,
          ),
        }),
      }),
    },
  ],
  operations: () =>
    pages.map((offset) => ({
      product: clientRequest(FacilitiesScreenQueryDocument, {
        offset,
        inProvince: false,
        inDistrict: false,
        ofPartner: false,
      }),
      floor: { name: "facilityList", values: [offset] },
      postgraphile: {
        query: `query ($offset: Int!) { allFacilities(first: 10, offset: $offset, orderBy: [FACILITY_NAME_ASC, FACILITY_UUID_ASC]) { totalCount nodes {
          id facilityUuid facilityName hmisCode functionalityStatusMode
          implementingPartnerByImplementingPartnerId { id implementingPartnerId name }
          districtByDistrictIdAndProvinceId { id districtId name provinceByProvinceId { id provinceId name } } } } }`,
        variables: { offset },
      },
    })),
  values: {
    product: ({ facilities: { totalCount, nodes } }) => [
      totalCount,
      nodes.map((node: AnyAnswer) => [
        node.facilityUuid,
        node.facilityName,
        node.hmisCode,
        node.functionalityStatusMode,
        node.implementingPartner?.implementingPartner ?? null,
        node.district.districtId,
        node.district.name,
        node.province.provinceId,
        node.province.name,
      ]),
    ],
    postgraphile: ({ allFacilities: { totalCount, nodes } }) => [
      totalCount,
      nodes.map(({ districtByDistrictIdAndProvinceId: place, ...node }: AnyAnswer) => [
        node.facilityUuid,
        node.facilityName,
        node.hmisCode,
        node.functionalityStatusMode,
        node.implementingPartnerByImplementingPartnerId?.name ?? null,
        place.districtId,
        place.name,
        place.provinceByProvinceId.provinceId,
        place.provinceByProvinceId.name,
      ]),
    ],
  },
};

/** Local day and time of an instant. The ministry's zone has no daylight saving time. */
const local = (instant: string) =>
  new Date(Date.parse(instant) + 2 * 3_600_000).toISOString().replace("T", " ").slice(0, 16);

const numbersOf = (version: string) => `string_to_array(btrim(${version}), '.')::integer[]`;
const newest = `(select array_to_string(max(numbers), '.') from (
  select ${numbersOf("library_version")} as numbers from smartcare_version union all
  select ${numbersOf("version")} from download where withdrawn_at is null and required_since <= current_date) as listed)`;

/** A facility's entries of the work lists, as the page asks for them. */
const problemsOf = (facilityUuid: string, mode: string) => {
  const brokenSince = (before: string, works: string) => `(
    select min(found.assessed_at)::date from assessment as found
    where found.facility_uuid = ${facilityUuid} and found.set_aside_at is null and found.held is null and found.assessed_at > ${before} and not ${works})`;
  const kinds = [
    [
      "STOPPED",
      "state.not_functional_at > state.functional_at",
      brokenSince("state.functional_at", "found.smart_care_functional"),
    ],
    ["LOST_POWER", "state.no_power_at > state.power_at", brokenSince("state.power_at", powerOf("found"))],
    ["SILENT", `coalesce(sent.due_day < current_date, ${neverSentOf(mode)})`, "sent.due_day + 1"],
    [
      "OLD_VERSION",
      `${numbersOf("state.library_version")} < ${numbersOf("newest.version")}`,
      "state.assessed_at::date",
    ],
    ["NOT_VISITED", `state.assessed_at::date <= current_date - ${visitDays}`, "state.assessed_at::date"],
  ];
  const problem = typed("FacilityProblem", {
    kind: "problem.kind",
    sinceDate: "problem.since",
    days: "current_date - problem.since",
    newestVersion: "newest.version",
  });
  return `(select coalesce(json_agg(${problem}), '[]') ${knownOf(facilityUuid)} cross join (select ${newest} as version) as newest
    cross join lateral (values ${kinds.map(([kind, holds, since]) => `('${kind}', ${holds}, ${since})`).join(", ")}) as problem (kind, holds, since)
    where problem.holds)`;
};

const facilityPage: Question = {
  name: "facilityPage",
  title: "A facility's page: its three operations in turn (details; last 10 assessments; last 10 TDBs)",
  asker: "client",
  wanted: readGoals,
  floor: [
    {
      name: "facilityPage.details",
      sql: statement(
        {
          facility: typed("Facility", {
            id: globalId("Facility", "r.facility_uuid"),
            facilityUuid: "r.facility_uuid",
            facilityName: "r.facility_name",
            ...plainFields(),
            ...closing,
            identifiers: identifiers((values) => typed("FacilityIdentifier", { ...values, systemName })),
            functionalityStatusMode: "r.functionality_status_mode",
            state: stateOf("r.facility_uuid", "r.functionality_status_mode"),
            problems: problemsOf("r.facility_uuid", "r.functionality_status_mode"),
            district: district({ districtId: "r.district_id", outline: outlineOfDistrict }),
            province: province({ provinceId: "r.province_id" }),
            implementingPartner: partner({ implementingPartnerId: "r.implementing_partner_id" }),
            connectivity: typed("FacilityConnectivity", {
              present: "r.connectivity_present",
              details: "r.connectivity_details",
              mobileCoverage: "r.mobile_coverage",
              type: `(select ${typed("ConnectivityType", { id: "connectivity_type_id", type: "name" })} from connectivity_type where connectivity_type_id = r.connectivity_type_id)`,
              mobileProvider: `(select ${typed("ConnectivityProvider", { id: "connectivity_provider_id", provider: "name" })} from connectivity_provider where connectivity_provider_id = r.mobile_provider_id)`,
            }),
            serviceAreas: `(select coalesce(json_agg(${typed("ServiceArea", { id: globalId("ServiceArea", "service_area_id"), serviceAreaId: "service_area_id", serviceArea: "name" })} order by name), '[]')
              from facility_service_area join service_area using (service_area_id) where facility_uuid = r.facility_uuid)`,
          }),
        },
        `from (${facilities} where f.facility_uuid = $1) as r`,
      ),
    },
    {
      name: "facilityPage.assessments",
      sql: statement({
        assessments: typed("AssessmentConnection", {
          totalCount: "(select count(*) from assessment where facility_uuid = $1)",
          nodes: listOf(
            typed("Assessment", {
              id: globalId("Assessment", "r.assessment_uuid"),
              assessmentUuid: "r.assessment_uuid",
              assessmentDate: "r.assessed_at::date",
              assessmentTime: "to_char(r.assessed_at, 'HH24:MI')",
              receivedDate: "r.received_at::date",
              userName: "r.user_name",
              functionalityStatusMode: "r.functionality_status_mode",
              setAside: "r.set_aside_reason",
              held: "r.held",
            }),
            `select a.*, u.user_name from assessment a join app_user u using (user_uuid) where facility_uuid = $1 order by assessed_at desc, assessment_uuid desc limit 10`,
          ),
        }),
      }),
    },
    {
      name: "facilityPage.tdbs",
      sql: statement({
        tdbs: typed("TdbConnection", {
          totalCount: "(select count(*) from tdb where facility_uuid = $1)",
          nodes: listOf(
            typed("Tdb", {
              id: globalId("Tdb", "r.tdb_uuid"),
              uuid: "r.tdb_uuid",
              uploadDate: "r.uploaded_at::date",
              uploadTime: "to_char(r.uploaded_at, 'HH24:MI')",
              deltaTdb: "r.delta",
              tdbCreationDate: "r.tdb_created_at::date",
              libraryVersion: "r.library_version",
              totalPatients: "r.total_patients",
              fileSize: "r.file_size",
              fileName: "r.file_name",
              sha256: "r.sha256",
              contentRemoved: "r.content_removed_at::date",
              receiptRemoved: "r.receipt_removed_at::date",
              setAside: "r.set_aside_reason",
              held: "r.held",
            }),
            `select * from tdb where facility_uuid = $1 order by uploaded_at desc, tdb_uuid desc limit 10`,
          ),
        }),
      }),
    },
  ],
  operations: ({ facilityUuids }) =>
    facilityUuids.slice(0, 100).flatMap((facilityUuid) => [
      {
        product: clientRequest(FacilityScreenQueryDocument, { facilityUuid }),
        floor: { name: "facilityPage.details", values: [facilityUuid] },
        postgraphile: {
          query: `query ($facilityUuid: String!) { facilityByFacilityUuid(facilityUuid: $facilityUuid) {
            id facilityUuid facilityName ${fieldNames.join(" ")} functionalityStatusMode
            districtByDistrictIdAndProvinceId { id districtId name provinceByProvinceId { id provinceId name } }
            implementingPartnerByImplementingPartnerId { id implementingPartnerId name }
            connectivityPresent connectivityDetails mobileCoverage
            connectivityTypeByConnectivityTypeId { id connectivityTypeId name } connectivityProviderByMobileProviderId { id connectivityProviderId name }
            facilityServiceAreasByFacilityUuid { nodes { serviceAreaByServiceAreaId { id name } } } } }`,
          variables: { facilityUuid },
        },
      },
      {
        product: clientRequest(PastAssessmentsTabQueryDocument, { facilityUuid, offset: 0 }),
        floor: { name: "facilityPage.assessments", values: [facilityUuid] },
        postgraphile: {
          query: `query ($facilityUuid: String!) { allAssessments(condition: { facilityUuid: $facilityUuid }, first: 10, orderBy: [ASSESSED_AT_DESC, ASSESSMENT_UUID_DESC]) {
            totalCount nodes { id assessmentUuid assessedAt appUserByUserUuid { userName } functionalityStatusMode } } }`,
          variables: { facilityUuid },
        },
      },
      {
        product: clientRequest(FacilityTdbsTabQueryDocument, { facilityUuid, offset: 0 }),
        floor: { name: "facilityPage.tdbs", values: [facilityUuid] },
        postgraphile: {
          query: `query ($facilityUuid: String!) { allTdbs(condition: { facilityUuid: $facilityUuid }, first: 10, orderBy: [UPLOADED_AT_DESC, TDB_UUID_DESC]) {
            totalCount nodes { id tdbUuid uploadedAt delta tdbCreatedAt totalPatients fileSize fileName sha256 } } }`,
          variables: { facilityUuid },
        },
      },
    ]),
  values: {
    product: ({ facility, assessments, tdbs }) => {
      if (facility) {
        const { connectivity } = facility;
        return [
          facility.facilityUuid,
          facility.facilityName,
          facility.hmisCode,
          facility.facilityOwner,
          facility.facilityType,
          facility.latitude,
          facility.longitude,
          facility.functionalityStatusMode,
          facility.district.name,
          facility.province.name,
          facility.implementingPartner?.implementingPartner ?? null,
          connectivity.present,
          connectivity.details,
          connectivity.mobileCoverage,
          connectivity.type?.type ?? null,
          connectivity.mobileProvider?.provider ?? null,
          facility.serviceAreas.map((area: AnyAnswer) => area.serviceArea).toSorted(),
        ];
      }
      if (assessments)
        return [
          assessments.totalCount,
          assessments.nodes.map((one: AnyAnswer) => [
            one.assessmentUuid,
            `${one.assessmentDate} ${one.assessmentTime}`,
            one.userName,
            one.functionalityStatusMode,
          ]),
        ];
      return [
        tdbs.totalCount,
        tdbs.nodes.map((one: AnyAnswer) => [
          one.uuid,
          `${one.uploadDate} ${one.uploadTime}`,
          one.deltaTdb,
          one.tdbCreationDate,
          one.totalPatients,
          one.fileSize,
          one.fileName,
          one.sha256,
        ]),
      ];
    },
    postgraphile: ({ facilityByFacilityUuid: facility, allAssessments: assessments, allTdbs: tdbs }) => {
      if (facility)
        return [
          facility.facilityUuid,
          facility.facilityName,
          facility.hmisCode,
          facility.facilityOwner,
          facility.facilityType,
          facility.latitude,
          facility.longitude,
          facility.functionalityStatusMode,
          facility.districtByDistrictIdAndProvinceId.name,
          facility.districtByDistrictIdAndProvinceId.provinceByProvinceId.name,
          facility.implementingPartnerByImplementingPartnerId?.name ?? null,
          facility.connectivityPresent,
          facility.connectivityDetails,
          facility.mobileCoverage,
          facility.connectivityTypeByConnectivityTypeId?.name ?? null,
          facility.connectivityProviderByMobileProviderId?.name ?? null,
          facility.facilityServiceAreasByFacilityUuid.nodes
            .map((one: AnyAnswer) => one.serviceAreaByServiceAreaId.name)
            .toSorted(),
        ];
      if (assessments)
        return [
          assessments.totalCount,
          assessments.nodes.map((one: AnyAnswer) => [
            one.assessmentUuid,
            local(one.assessedAt),
            one.appUserByUserUuid.userName,
            one.functionalityStatusMode,
          ]),
        ];
      return [
        tdbs.totalCount,
        tdbs.nodes.map((one: AnyAnswer) => [
          one.tdbUuid,
          local(one.uploadedAt),
          one.delta,
          local(one.tdbCreatedAt).slice(0, 10),
          one.totalPatients,
          Number(one.fileSize),
          one.fileName,
          one.sha256,
        ]),
      ];
    },
  },
};

/** The order of the results of a search, as SQL on `f` with the key in `k`. */
const distance = `(case
    when k.key in (lower(f.hmis_code), lower(f.old_hmis_code)) then 0
    when lower(f.hmis_code) like k.key || '%' or lower(f.old_hmis_code) like k.key || '%' then 1
    when search_key(f.facility_name) = k.key then 2
    when search_key(f.facility_name) like k.key || '%' then 3
    when ' ' || f.search_text like '% ' || k.key || '%' then 4
    when f.search_text like '%' || k.key || '%' then 5
    else 6 end + (1 - word_similarity(k.key, f.search_text)))::real`;
const found = `
  select f.*, d.name as district, p.name as province, i.name as partner, ${distance} as distance, count(*) over () as total
  from (select search_key($1) as key) as k
  join facility f on f.search_text like all (select '%' || word || '%' from string_to_table(k.key, ' ') as word) and f.closed_on is null
  join district d on d.district_id = f.district_id join province p on p.province_id = f.province_id
  left join implementing_partner i on i.implementing_partner_id = f.implementing_partner_id
  order by distance, f.facility_name, f.facility_uuid limit 20`;

const search: Question = {
  name: "search",
  title: "A search, 20 facilities (the client's query, 20 instead of 10)",
  asker: "client",
  wanted: readGoals,
  floor: [
    {
      name: "search",
      sql: `select json_build_object('facilities', ${typed("FacilityConnection", {
        totalCount: "coalesce(max(r.total), 0)",
        nodes: `coalesce(json_agg(${typed("Facility", {
          id: globalId("Facility", "r.facility_uuid"),
          facilityUuid: "r.facility_uuid",
          facilityName: "r.facility_name",
          hmisCode: "r.hmis_code",
          implementingPartner: partner(),
          province: province(),
          district: district(),
        })}), '[]')`,
      })})::text from (${found}) as r`,
    },
  ],
  operations: ({ texts }) =>
    texts.map((text) => {
      const { body, ...request } = clientRequest(SearchResultsSectionQueryDocument, { text, offset: 0 });
      return {
        product: { ...request, body: body!.replace("first: 10", "first: 20") },
        floor: { name: "search", values: [text] },
      };
    }),
};

export const placeQuestions = [facilityList, facilityPage, search];
