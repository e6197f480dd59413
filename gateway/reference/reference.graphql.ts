import type { PageInput } from "../../db/list/page.ts";
import { builder } from "../graphql/builder.ts";
import { connectionsBelow, readConnection } from "../graphql/connection.ts";
import { integerId, loadNode } from "../graphql/node.ts";
import { connectionRules, filterTextRule } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import * as reference from "./reference.ts";

/** GraphQL types and fields of provinces, districts, partners and the small lists. */

export const Province = builder.objectRef<reference.ProvinceRow>("Province");
builder.node(Province, {
  description: "A province of the country.",
  id: { resolve: ({ provinceId }) => provinceId },
  loadOne: loadNode((id, context) => reference.readProvince(context, integerId(id))),
  fields: (t) => ({ provinceId: t.exposeInt("provinceId"), name: t.exposeString("name") }),
});

export const District = builder.objectRef<reference.DistrictRow>("District");
builder.node(District, {
  description: "A district of a province.",
  id: { resolve: ({ districtId }) => districtId },
  loadOne: loadNode((id, context) => reference.readDistrict(context, integerId(id))),
  fields: (t) => ({
    districtId: t.exposeInt("districtId"),
    name: t.exposeString("name"),
    province: t.field({ type: Province, resolve: ({ provinceId, province }) => ({ provinceId, name: province }) }),
  }),
});

export const ImplementingPartner = builder.objectRef<reference.PartnerRow>("ImplementingPartner");
builder.node(ImplementingPartner, {
  description: "An organisation that supports the record system at facilities.",
  id: { resolve: ({ implementingPartnerId }) => implementingPartnerId },
  loadOne: loadNode((id, context) => reference.readPartner(context, integerId(id))),
  fields: (t) => ({
    implementingPartnerId: t.exposeInt("implementingPartnerId"),
    implementingPartner: t.exposeString("implementingPartner", { description: "Its name." }),
    active: t.exposeBoolean("active"),
  }),
});

type ServiceAreaRow = { serviceAreaId: number; serviceArea: string };
export const ServiceArea = builder.objectRef<ServiceAreaRow>("ServiceArea");
builder.node(ServiceArea, {
  description: "A department of a facility in which the record system may run, such as ART or Laboratory.",
  id: { resolve: ({ serviceAreaId }) => serviceAreaId },
  loadOne: loadNode((id, context) => reference.readServiceArea(context, integerId(id))),
  fields: (t) => ({
    serviceAreaId: t.exposeInt("serviceAreaId"),
    serviceArea: t.exposeString("serviceArea", { description: "Its name." }),
  }),
});

export const ConnectivityType = builder.objectRef<{ id: number; type: string }>("ConnectivityType").implement({
  description: "A way in which a facility is connected to a network.",
  fields: (t) => ({ id: t.exposeInt("id"), type: t.exposeString("type") }),
});

export const ConnectivityProvider = builder
  .objectRef<{ id: number; provider: string }>("ConnectivityProvider")
  .implement({
    description: "A provider of mobile coverage.",
    fields: (t) => ({ id: t.exposeInt("id"), provider: t.exposeString("provider") }),
  });

const SmartCareVersion = builder
  .objectRef<{ id: number; libraryVersion: string; databaseVersion: string }>("SmartCareVersion")
  .implement({
    description: "A known release of SmartCare: its library and database versions.",
    fields: (t) => ({
      id: t.exposeInt("id"),
      libraryVersion: t.exposeString("libraryVersion"),
      databaseVersion: t.exposeString("databaseVersion"),
    }),
  });

const search = { description: "Part of the name; case, accents and apostrophes do not count." };
const descending = { description: "By name from Z to A." };

type Asked = { search?: string | null; descending?: boolean | null } & PageInput;
/** The arguments of the lists that are sorted by name. */
const named = ({ search: text, descending: zToA, ...page }: Asked) => ({
  search: parse(filterTextRule, text, "search"),
  descending: zToA,
  page: parse(connectionRules, page),
});

builder.queryFields((t) => ({
  province: t.field({
    type: Province,
    nullable: true,
    args: { provinceId: t.arg.int({ required: true }) },
    resolve: (_, { provinceId }, context) => reference.readProvince(context, provinceId),
  }),
  provinces: t.connection({
    type: Province,
    description: "Provinces by name.",
    args: { search: t.arg.string(search), descending: t.arg.boolean(descending), offset: t.arg.int() },
    resolve: (_, args, context, info) => readConnection(reference.listProvinces, context, named(args), info),
  }),
  district: t.field({
    type: District,
    nullable: true,
    args: { districtId: t.arg.int({ required: true }) },
    resolve: (_, { districtId }, context) => reference.readDistrict(context, districtId),
  }),
  districts: t.connection({
    type: District,
    description: "Districts by name, of one province or all.",
    args: {
      provinceId: t.arg.int(),
      search: t.arg.string(search),
      descending: t.arg.boolean(descending),
      offset: t.arg.int(),
    },
    resolve: (_, { provinceId, ...args }, context, info) =>
      readConnection(reference.listDistricts, context, { provinceId, ...named(args) }, info),
  }),
  implementingPartner: t.field({
    type: ImplementingPartner,
    nullable: true,
    args: { implementingPartnerId: t.arg.int({ required: true }) },
    resolve: (_, { implementingPartnerId }, context) => reference.readPartner(context, implementingPartnerId),
  }),
  implementingPartners: t.connection({
    type: ImplementingPartner,
    description: "Implementing partners by name: the active ones, the others (active: false), or all (active: null).",
    args: {
      active: t.arg.boolean({
        defaultValue: true,
        description: "Those that still support facilities, the others, or (null) both.",
      }),
      search: t.arg.string(search),
      descending: t.arg.boolean(descending),
      offset: t.arg.int(),
    },
    resolve: (_, { active, ...args }, context, info) =>
      readConnection(reference.listPartners, context, { active, ...named(args) }, info),
  }),
  serviceAreas: t.field({ type: [ServiceArea], resolve: (_, __, context) => reference.listServiceAreas(context) }),
  connectivityTypes: t.field({
    type: [ConnectivityType],
    resolve: (_, __, context) => reference.listConnectivityTypes(context),
  }),
  connectivityProviders: t.field({
    type: [ConnectivityProvider],
    resolve: (_, __, context) => reference.listConnectivityProviders(context),
  }),
  smartCareAssessmentVersions: t.field({
    type: [SmartCareVersion],
    resolve: (_, __, context) => reference.listSmartCareVersions(context),
  }),
}));

const districtsBelow = connectionsBelow(reference.listDistricts, named);

builder.objectField(Province, "districts", (t) =>
  t.connection({
    type: District,
    description: "Its districts by name.",
    args: { search: t.arg.string(search), descending: t.arg.boolean(descending), offset: t.arg.int() },
    resolve: ({ provinceId }, args, context, info) => districtsBelow(context, { provinceId }, args, info),
  }),
);
