import { builder } from "../graphql/builder.ts";
import { loadNode } from "../graphql/node.ts";
import {
  ConnectivityProvider,
  ConnectivityType,
  District,
  ImplementingPartner,
  Province,
  ServiceArea,
} from "../reference/reference.graphql.ts";
import * as facility from "./facility.ts";
import { modeLabels, modes } from "./facility.rules.ts";

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
