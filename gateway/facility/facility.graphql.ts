import type { ObjectRef } from "@pothos/core";

import type { PageInput } from "../../db/page.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { connectionOf } from "../graphql/connection.ts";
import { loadNode } from "../graphql/node.ts";
import { connectionRules } from "../page.rules.ts";
import { parse } from "../parse.ts";
import {
  ConnectivityProvider,
  ConnectivityType,
  District,
  ImplementingPartner,
  Province,
  ServiceArea,
} from "../reference/reference.graphql.ts";
import type { Scope } from "../reference/reference.ts";
import * as facility from "./facility.ts";
import { facilityFilterRules, modeLabels, modes, searchTextRule } from "./facility.rules.ts";

export const FunctionalityStatusMode = builder.enumType("FunctionalityStatusMode", {
  description: "How SmartCare is deployed at a facility.",
  values: Object.fromEntries(modes.map((mode) => [mode, { value: mode, description: modeLabels[mode] }])) as Record<
    (typeof modes)[number],
    { value: (typeof modes)[number]; description: string }
  >,
});

const FacilityConnectivity = builder.objectRef<facility.FacilityRow>("FacilityConnectivity").implement({
  description: "How a facility is connected.",
  fields: (t) => ({
    present: t.exposeBoolean("connectivityPresent", { nullable: true }),
    type: t.field({
      type: ConnectivityType,
      nullable: true,
      resolve: ({ connectivityTypeId: id, connectivityType: type }) => (id != null && type ? { id, type } : null),
    }),
    details: t.exposeString("connectivityDetails", { nullable: true }),
    mobileCoverage: t.exposeBoolean("mobileCoverage", { nullable: true }),
    mobileProvider: t.field({
      type: ConnectivityProvider,
      nullable: true,
      resolve: ({ mobileProviderId: id, mobileProvider: provider }) => (id != null && provider ? { id, provider } : null),
    }),
  }),
});

export const Facility = builder.objectRef<facility.FacilityRow>("Facility");
builder.node(Facility, {
  description: "A health facility of the national facility list.",
  id: { resolve: ({ facilityUuid }) => facilityUuid },
  loadOne: loadNode((id, context) => facility.loadFacility(context, id)),
  fields: (t) => ({
    facilityUuid: t.exposeString("facilityUuid", { description: "An opaque text of at most 64 characters, not always a UUID." }),
    facilityName: t.exposeString("facilityName"),
    hmisCode: t.exposeString("hmisCode", { nullable: true, description: "Its code in the national facility list." }),
    oldHmisCode: t.exposeString("oldHmisCode", { nullable: true }),
    district: t.field({
      type: District,
      resolve: ({ districtId, district: name, provinceId, province }) => ({ districtId, name, provinceId, province }),
    }),
    province: t.field({ type: Province, resolve: ({ provinceId, province: name }) => ({ provinceId, name }) }),
    implementingPartner: t.field({
      type: ImplementingPartner,
      nullable: true,
      resolve: ({ implementingPartnerId, implementingPartner, implementingPartnerActive: active }) =>
        implementingPartnerId != null && implementingPartner
          ? { implementingPartnerId, implementingPartner, active: active ?? false }
          : null,
    }),
    facilityOwner: t.exposeString("facilityOwner", { nullable: true }),
    healthCenterType: t.exposeString("healthCenterType", { nullable: true }),
    facilityType: t.exposeString("facilityType", { nullable: true }),
    laboratoryLevel: t.exposeString("laboratoryLevel", { nullable: true }),
    latitude: t.exposeFloat("latitude", { nullable: true, description: "Degrees north." }),
    longitude: t.exposeFloat("longitude", { nullable: true, description: "Degrees east." }),
    functionalityStatusMode: t.field({
      type: FunctionalityStatusMode,
      nullable: true,
      description: "The mode of its latest assessment; null before the first.",
      resolve: ({ functionalityStatusMode }) => functionalityStatusMode as (typeof modes)[number] | null,
    }),
    connectivity: t.field({ type: FacilityConnectivity, resolve: (row) => row }),
    serviceAreas: t.field({
      type: [ServiceArea],
      description: "Its active service areas, by name.",
      resolve: ({ facilityUuid }, _, context) => facility.loadServiceAreas(context, facilityUuid),
    }),
  }),
});

builder.queryField("facility", (t) =>
  t.field({
    type: Facility,
    nullable: true,
    args: { facilityUuid: t.arg.string({ required: true }) },
    resolve: (_, { facilityUuid }, context) => facility.readFacility(context, facilityUuid),
  }),
);

const descriptions = {
  search: "At least 3 characters of the name or code: best match first.",
  mode: "Facilities with this mode: their present one, or with year (and quarter or month) that of their latest assessment in that period.",
  year: "Fiscal year: year Y runs from 1 October Y-1 to 30 September Y.",
  quarter: "Fiscal quarter 1 to 4, -1 for the entire year.",
  month: "Calendar month 1 to 12.",
};

type Filters = {
  search?: string | null;
  mode?: (typeof modes)[number] | null;
  year?: number | null;
  quarter?: number | null;
  month?: number | null;
};

async function facilitiesOf(
  context: Parameters<typeof facility.listFacilities>[0],
  scope: Scope,
  { search, mode, year, quarter, month, ...page }: Filters & PageInput,
) {
  const filter = parse(facilityFilterRules, { ...scope, mode, year, quarter, month });
  const input = { ...filter, search: search == null ? null : parse(searchTextRule, search, "search"), page: parse(connectionRules, page) };
  return connectionOf(await facility.listFacilities(context, input));
}

builder.queryField("facilities", (t) =>
  t.connection({
    type: Facility,
    description: "Facilities by name; with search the best match first.",
    args: {
      search: t.arg.string({ description: descriptions.search }),
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int(),
      mode: t.arg({ type: FunctionalityStatusMode, description: descriptions.mode }),
      year: t.arg.int({ description: descriptions.year }),
      quarter: t.arg.int({ description: descriptions.quarter }),
      month: t.arg.int({ description: descriptions.month }),
      offset: t.arg.int(),
    },
    resolve: (_, { provinceId, districtId, implementingPartnerId, ...rest }, context) =>
      facilitiesOf(context, { provinceId, districtId, implementingPartnerId }, rest),
  }),
);

/** The edge from a place or partner to its facilities. */
const facilitiesEdge = <Row>(parent: ObjectRef<SchemaTypes, Row>, scopeOf: (row: Row) => Scope) =>
  builder.objectField(parent, "facilities", (t) =>
    t.connection({
      type: Facility,
      args: {
        search: t.arg.string({ description: descriptions.search }),
        mode: t.arg({ type: FunctionalityStatusMode, description: descriptions.mode }),
        year: t.arg.int({ description: descriptions.year }),
        quarter: t.arg.int({ description: descriptions.quarter }),
        month: t.arg.int({ description: descriptions.month }),
        offset: t.arg.int(),
      },
      resolve: (row, args, context) => facilitiesOf(context, scopeOf(row), args),
    }),
  );

facilitiesEdge(Province, ({ provinceId }) => ({ provinceId }));
facilitiesEdge(District, ({ districtId }) => ({ districtId }));
facilitiesEdge(ImplementingPartner, ({ implementingPartnerId }) => ({ implementingPartnerId }));
