import { z } from "zod";

import {
  byField,
  editableNames,
  fieldGroups,
  type FieldName,
  fieldNames,
  type ValuesOf,
  valuesOf,
} from "../../db/facility/facilityFields.rules.ts";
import { sampleUuid } from "../rest/description/samples.ts";
import { expectMatch } from "../rest/etag.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { PrivilegesBody, privilegesBodyOf } from "../user/user.rest.ts";
import type { Context } from "../context.ts";
import * as facility from "./facility.ts";
import { type Identifier, loadIdentifiers } from "./identifier.ts";
import { facilityUuidRule } from "./facility.rules.ts";
import { connectivityOf, saveFacilityConnectivity, saveFacilitySettings } from "./saveFacility.ts";
import { connectivityRules, settingsRules } from "./settings.rules.ts";

/** Routes of single facilities: metadata, connectivity and settings. */

/** The schemas of plain fields in answers. */
export const fieldBodies = <Name extends FieldName>(names: readonly Name[]) =>
  byField(names, (_name, { type, about }) =>
    (type === "text" || type === "choice" ? z.string() : z.number()).nullable().describe(about),
  ) as object as {
    [One in Name]: z.ZodNullable<
      z.ZodType<NonNullable<ValuesOf<FieldName>[One]>, NonNullable<ValuesOf<FieldName>[One]>>
    >;
  };

export const IdentifierBody = z.object({
  system: z.string().describe("One of /api/v1/identifierSystem"),
  value: z.string(),
  from: z.string().nullable().describe("Its first day; null: since ever"),
  until: z.string().nullable().describe("Its last day; null: still in use"),
});
export const FacilityMetadata = z
  .object({
    facilityUuid: z.string(),
    facilityName: z.string(),
    ...fieldBodies(fieldGroups.codes),
    district: z.string(),
    districtId: z.number(),
    province: z.string(),
    provinceId: z.number(),
    implementingPartner: z.string().nullable(),
    implementingPartnerId: z.number().nullable(),
    ...fieldBodies([...fieldGroups.kinds, ...fieldGroups.location, ...fieldGroups.later]),
    closedOn: z.string().nullable().describe("From this day on it is closed; null while it is open"),
    closeReason: z.string().nullable().describe("Why it was closed"),
    identifiers: z.array(IdentifierBody).describe("Under which identifiers other systems know it"),
  })
  .meta({ id: "Facility" });
export const FacilityConnectivity = z
  .object({
    facilityUuid: z.string(),
    present: z.boolean().nullable(),
    type: z.number().nullable().describe("Id of a connectivity type"),
    details: z.string().nullable(),
    mobileCoverage: z.boolean().nullable(),
    mobileProvider: z.number().nullable().describe("Id of a provider"),
  })
  .meta({ id: "FacilityConnectivity" });
export const FacilitySettings = z
  .object({
    implementingPartnerId: z.number().nullable(),
    serviceAreas: z.array(z.number()).describe("Ids of the active service areas"),
    ...fieldBodies(editableNames),
  })
  .meta({ id: "FacilitySettings" });

/** A facility's metadata as a REST body. */
export const metadataOf = (row: facility.FacilityRow, identifiers: Identifier[]): z.input<typeof FacilityMetadata> => ({
  facilityUuid: row.facilityUuid,
  facilityName: row.facilityName,
  district: row.district,
  districtId: row.districtId,
  province: row.province,
  provinceId: row.provinceId,
  implementingPartner: row.implementingPartner,
  implementingPartnerId: row.implementingPartnerId,
  ...valuesOf(fieldNames, row),
  closedOn: row.closedOn,
  closeReason: row.closeReason,
  identifiers,
});
/**
 * A facility's metadata with its identifiers as a REST body. The identifiers are read if the row does not have them.
 */
export const describedFacility = async (context: Context, row: facility.FacilityRow) =>
  metadataOf(row, row.identifiers ?? (await loadIdentifiers(context, row.facilityUuid)));

const ByFacility = z.strictObject({ facilityUuid: facilityUuidRule });
const tags = ["Facilities"];
const mayEdit = "Needs editAssessments or administrator.";

export function facilityRoutes(server: RestServer): void {
  server.get(
    "/facilityMetadata/:facilityUuid",
    {
      schema: {
        operationId: "getFacility",
        summary: "Names, codes, place and kind of a facility",
        tags,
        params: ByFacility,
        response: { 200: FacilityMetadata },
      },
    },
    async (request) =>
      describedFacility(request.context, await facility.readFacility(request.context, request.params.facilityUuid)),
  );
  server.get(
    "/facilityConnectivity/:facilityUuid",
    {
      schema: {
        operationId: "getFacilityConnectivity",
        summary: "How a facility is connected",
        tags,
        params: ByFacility,
        response: { 200: FacilityConnectivity },
      },
    },
    async (request) => connectivityOf(await facility.readFacility(request.context, request.params.facilityUuid)),
  );
  server.put(
    "/facilityConnectivity",
    {
      ...needs("editFacility"),
      schema: {
        operationId: "updateFacilityConnectivity",
        example: {
          facilityUuid: sampleUuid,
          present: true,
          type: 1,
          details: "VSAT on the roof",
          mobileCoverage: true,
          mobileProvider: 1,
        },
        conditional: true,
        failures: [404],
        summary: "Replace how a facility is connected",
        description: mayEdit,
        tags,
        body: connectivityRules,
        response: { 200: FacilityConnectivity },
      },
    },
    (request) => {
      expectMatch(request);
      return saveFacilityConnectivity(request.context, request.body);
    },
  );
  server.get(
    "/facility/settings/:facilityUuid",
    {
      schema: {
        operationId: "getFacilitySettings",
        summary: "What can be edited of a facility beside its connectivity: partner, active service areas and more",
        tags,
        params: ByFacility,
        response: { 200: FacilitySettings },
      },
    },
    async (request) => {
      const found = await facility.readFacility(request.context, request.params.facilityUuid);
      return facility.settingsOf(found, found.serviceAreas);
    },
  );
  server.patch(
    "/facility/settings/:facilityUuid",
    {
      ...needs("editFacility"),
      schema: {
        operationId: "updateFacilitySettings",
        example: { implementingPartnerId: 1, serviceAreas: [1, 2] },
        conditional: true,
        summary: "Change the partner, the active service areas and more of a facility",
        description: `What is not given stays. ${mayEdit}`,
        tags,
        params: ByFacility,
        body: settingsRules,
        response: { 200: FacilitySettings },
      },
    },
    (request) => {
      expectMatch(request);
      return saveFacilitySettings(request.context, { ...request.body, facilityUuid: request.params.facilityUuid });
    },
  );
  server.get(
    "/privilege/facility/:facilityUuid",
    {
      schema: {
        operationId: "getPrivilegesAtFacility",
        summary: "What you may do at a facility",
        tags: ["Privileges"],
        params: ByFacility,
        response: { 200: PrivilegesBody },
      },
    },
    async (request) =>
      privilegesBodyOf(await facility.readPrivilegesAtFacility(request.context, request.params.facilityUuid)),
  );
}
