import { byField, type FacilityField, fieldNames } from "../../db/facility/facilityFields.rules.ts";
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
import { type Identifier, loadIdentifiers, nameOfSystem, readFacilityBy } from "./identifier.ts";
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
      resolve: ({ mobileProviderId: id, mobileProvider: provider }) =>
        id != null && provider ? { id, provider } : null,
    }),
  }),
});

const FacilityIdentifier = builder.objectRef<Identifier>("FacilityIdentifier").implement({
  description: "An identifier under which another system knows a facility.",
  fields: (t) => ({
    system: t.exposeString("system", { description: "The system, by its name to programs: one of identifierSystems." }),
    systemName: t.string({
      description: "What people call the system.",
      resolve: ({ system }, _, context) => nameOfSystem(context, system),
    }),
    value: t.exposeString("value", { description: "The identifier. Letters count as they are written." }),
    from: t.exposeString("from", { nullable: true, description: "Its first day; null: since ever." }),
    until: t.exposeString("until", { nullable: true, description: "Its last day; null: still in use." }),
  }),
});

const scalars = { text: "String", choice: "String", count: "Int", degrees: "Float" } as const;
/**
 * The GraphQL scalar of a plain field. The cast: the types are in the catalogue, and the compiler cannot derive them
 * for each field, so all count as texts.
 */
export const scalarOf = ({ type }: FacilityField) => scalars[type] as "String";

export const Facility = builder.objectRef<facility.FacilityRow>("Facility");
builder.node(Facility, {
  description: "A health facility of the national facility list.",
  id: { resolve: ({ facilityUuid }) => facilityUuid },
  loadOne: loadNode((id, context) => facility.loadFacility(context, id)),
  fields: (t) => ({
    facilityUuid: t.exposeString("facilityUuid", {
      description: "An opaque text of at most 64 characters, not always a UUID.",
    }),
    facilityName: t.exposeString("facilityName"),
    ...byField(fieldNames, (name, field) =>
      t.field({
        type: scalarOf(field),
        nullable: true,
        description: field.about,
        resolve: (row) => row[name] as string,
      }),
    ),
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
    functionalityStatusMode: t.field({
      type: FunctionalityStatusMode,
      nullable: true,
      description: "The mode of its latest assessment; null before the first.",
      resolve: ({ functionalityStatusMode }) => functionalityStatusMode as (typeof modes)[number] | null,
    }),
    closedOn: t.exposeString("closedOn", {
      nullable: true,
      description: "From this day on it is closed; null while it is open.",
    }),
    closeReason: t.exposeString("closeReason", { nullable: true, description: "Why it was closed." }),
    identifiers: t.field({
      type: [FacilityIdentifier],
      description: "Under which identifiers other systems know it: those in use, then those that were.",
      resolve: ({ facilityUuid, identifiers }, _, context) => identifiers ?? loadIdentifiers(context, facilityUuid),
    }),
    connectivity: t.field({ type: FacilityConnectivity, resolve: (row) => row }),
    serviceAreas: t.field({
      type: [ServiceArea],
      description: "Its active service areas, by name.",
      resolve: ({ facilityUuid, serviceAreas }, _, context) =>
        serviceAreas ?? facility.loadServiceAreas(context, facilityUuid),
    }),
  }),
});

builder.queryFields((t) => ({
  facility: t.field({
    type: Facility,
    nullable: true,
    args: { facilityUuid: t.arg.string({ required: true }) },
    resolve: (_, { facilityUuid }, context) => facility.readFacility(context, facilityUuid),
  }),
  facilityBy: t.field({
    type: Facility,
    nullable: true,
    description:
      "The facility that has an identifier exactly, letter by letter: where it is in use, else where it was last.",
    args: {
      system: t.arg.string({
        required: true,
        description: "The system, by its name to programs: one of identifierSystems.",
      }),
      value: t.arg.string({ required: true, description: "The identifier." }),
    },
    resolve: (_, asked, context) => readFacilityBy(context, asked),
  }),
}));
