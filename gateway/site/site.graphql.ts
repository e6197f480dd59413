import { byField, siteColumnNames, siteKindNames } from "../../db/facility/facilityFields.rules.ts";
import { scalarOf } from "../facility/facility.graphql.ts";
import { builder } from "../graphql/builder.ts";
import {
  ConnectivityProvider,
  ConnectivityType,
  District,
  ImplementingPartner,
  Province,
  ServiceArea,
} from "../reference/reference.graphql.ts";
import { parse } from "../input/parse.ts";
import { readSiteList } from "./site.ts";
import { siteScopeRules } from "./site.rules.ts";
import type { SiteConnectivity as Connectivity, SiteKind as Kind, SiteList as List } from "./siteList.rules.ts";

/**
 * The compact site list as a query. For REST's latest assessments of a district, GraphQL has `facilities` with
 * `latestAssessment`.
 */

const SiteKind = builder.objectRef<Kind>("SiteKind").implement({
  description: "What kind of facility a site is.",
  fields: (t) => ({
    ...byField(siteKindNames, (name, field) =>
      t.field({ type: scalarOf(field), nullable: true, description: field.about, resolve: (kind) => kind[name] }),
    ),
  }),
});

const SiteConnectivity = builder.objectRef<Connectivity>("SiteConnectivity").implement({
  description: "How a site is connected; type and provider by their ids.",
  fields: (t) => ({
    present: t.exposeBoolean("present", { nullable: true }),
    type: t.exposeInt("type", { nullable: true }),
    details: t.exposeString("details", { nullable: true }),
    mobileCoverage: t.exposeBoolean("mobileCoverage", { nullable: true }),
    mobileProvider: t.exposeInt("mobileProvider", { nullable: true }),
  }),
});

const SiteList = builder.objectRef<List>("SiteList").implement({
  description:
    "All sites of a scope as columns: the same place in each column is the same facility, and what repeats is sent once in the lists beside them. " +
    "For devices that work without network.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", {
      description: "To be given to `changes` as `since`: what comes after it is new to who has this list.",
    }),
    total: t.exposeInt("total", { description: "How many sites: the length of each column." }),
    provinces: t.field({
      type: [Province],
      description: "The provinces that the sites lie in.",
      resolve: ({ provinces }) => provinces.map(({ provinceId, province: name }) => ({ provinceId, name })),
    }),
    districts: t.field({
      type: [District],
      description: "The districts that the sites lie in.",
      resolve: ({ districts, provinces }) =>
        districts.map(({ districtId, district: name, provinceId }) => ({
          districtId,
          name,
          provinceId,
          province: provinces.find((one) => one.provinceId === provinceId)!.province,
        })),
    }),
    implementingPartners: t.field({
      type: [ImplementingPartner],
      description: "The partners of the sites.",
      resolve: ({ implementingPartners }) => implementingPartners,
    }),
    serviceAreas: t.field({
      type: [ServiceArea],
      description: "All service areas.",
      resolve: ({ serviceAreas }) => serviceAreas,
    }),
    connectivityTypes: t.field({
      type: [ConnectivityType],
      description: "All types of connectivity.",
      resolve: (list) => list.connectivityTypes,
    }),
    connectivityProviders: t.field({
      type: [ConnectivityProvider],
      description: "All providers of mobile connectivity.",
      resolve: (list) => list.connectivityProviders,
    }),
    kinds: t.field({
      type: [SiteKind],
      description: "Every kind of facility among them.",
      resolve: ({ kinds }) => kinds,
    }),
    connectivities: t.field({
      type: [SiteConnectivity],
      description: "Every way in which one of them is connected.",
      resolve: ({ connectivities }) => connectivities,
    }),
    serviceAreaSets: t.field({
      type: t.listRef(t.listRef("Int")),
      description: "Every set of active service areas among them, by id.",
      resolve: ({ serviceAreaSets }) => serviceAreaSets,
    }),
    facilityUuid: t.exposeStringList("facilityUuid", { description: "Column: the uuids." }),
    facilityName: t.exposeStringList("facilityName", { description: "Column: the names." }),
    ...byField(siteColumnNames, (name, field) =>
      t.field({
        type: [scalarOf(field)],
        nullable: { list: false, items: true },
        description: `Column. ${field.about}${field.type === "degrees" ? " To 5 decimals." : ""}`,
        resolve: (list) => list[name] as (string | null)[],
      }),
    ),
    districtId: t.exposeIntList("districtId", { description: "Column: the districts' ids." }),
    implementingPartnerId: t.expose("implementingPartnerId", {
      type: ["Int"],
      nullable: { list: false, items: true },
      description: "Column: the partners' ids.",
    }),
    kind: t.exposeIntList("kind", { description: "Column: places in `kinds`, from 0." }),
    connectivity: t.exposeIntList("connectivity", { description: "Column: places in `connectivities`." }),
    serviceAreaSet: t.exposeIntList("serviceAreaSet", { description: "Column: places in `serviceAreaSets`." }),
  }),
});

builder.queryField("siteList", (t) =>
  t.field({
    type: SiteList,
    nullable: true,
    description:
      "All sites of the country, or of what is named of place, partner and field list, in a compact form. The twin of GET /api/v1/site.",
    args: {
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int(),
      fieldList: t.arg.string({
        description: "Only the sites of the field list with this uuid. Needs editAssessments or administrator.",
      }),
    },
    resolve: (_, args, context) => readSiteList(context, parse(siteScopeRules, args)),
  }),
);
