import { z } from "zod";

import { idRule, listQueryRules } from "../input/page.rules.ts";
import { linkNext, linkNextOf, pageOf } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import * as reference from "./reference.ts";

/** Routes of provinces, districts, partners and the small lists. */

export const Province = z.object({ id: z.number(), name: z.string() }).meta({ id: "Province" });
export const District = z.object({ id: z.number(), name: z.string() }).meta({ id: "District" });
export const Partner = z
  .object({ implementingPartnerId: z.number(), implementingPartner: z.string() })
  .meta({ id: "ImplementingPartner" });
const ServiceArea = z.object({ serviceAreaId: z.number(), serviceArea: z.string() }).meta({ id: "ServiceArea" });
const ConnectivityType = z.object({ id: z.number(), type: z.string() }).meta({ id: "ConnectivityType" });
const ConnectivityProvider = z.object({ id: z.number(), provider: z.string() }).meta({ id: "ConnectivityProvider" });
const SmartCareVersion = z
  .object({ id: z.number(), libraryVersion: z.string(), databaseVersion: z.string() })
  .meta({ id: "SmartCareVersion" });
const ById = z.strictObject({ id: idRule });

export const provinceBody = ({ provinceId, name }: reference.ProvinceRow) => ({ id: provinceId, name });
export const districtBody = ({ districtId, name }: reference.DistrictRow) => ({ id: districtId, name });
export const partnerBody = ({ implementingPartnerId, implementingPartner }: reference.PartnerRow) => ({
  implementingPartnerId,
  implementingPartner,
});

export function referenceRoutes(server: RestServer): void {
  server.get(
    "/province",
    {
      schema: {
        operationId: "listProvinces",
        summary: "Provinces by name",
        tags: ["Places"],
        querystring: listQueryRules,
        response: { 200: z.array(Province) },
      },
    },
    async (request, reply) =>
      linkNext(request, reply, await reference.listProvinces(request.context, { page: pageOf(request.query) })).map(
        provinceBody,
      ),
  );
  server.get(
    "/province/:id",
    {
      schema: {
        operationId: "getProvince",
        summary: "One province",
        tags: ["Places"],
        params: ById,
        response: { 200: Province },
      },
    },
    async (request) => provinceBody(await reference.readProvince(request.context, request.params.id)),
  );
  server.get(
    "/district",
    {
      schema: {
        operationId: "listDistricts",
        summary: "Districts by name",
        tags: ["Places"],
        querystring: listQueryRules,
        response: { 200: z.array(District) },
      },
    },
    async (request, reply) =>
      linkNext(request, reply, await reference.listDistricts(request.context, { page: pageOf(request.query) })).map(
        districtBody,
      ),
  );
  server.get(
    "/district/province/:id",
    {
      schema: {
        operationId: "listDistrictsOfProvince",
        summary: "Districts of a province by name",
        tags: ["Places"],
        params: ById,
        querystring: listQueryRules,
        response: { 200: z.array(District) },
      },
    },
    async (request, reply) => {
      const input = { provinceId: request.params.id, page: pageOf(request.query) };
      return linkNext(request, reply, await reference.listDistricts(request.context, input)).map(districtBody);
    },
  );
  server.get(
    "/district/:id",
    {
      schema: {
        operationId: "getDistrict",
        summary: "One district",
        tags: ["Places"],
        params: ById,
        response: { 200: District },
      },
    },
    async (request) => districtBody(await reference.readDistrict(request.context, request.params.id)),
  );
  server.get(
    "/implementingPartner/active/:active",
    {
      schema: {
        operationId: "listImplementingPartners",
        summary: "Implementing partners by name: the active ones (true) or the others (false)",
        tags: ["Partners"],
        params: z.strictObject({ active: z.enum(["true", "false"]) }),
        querystring: listQueryRules,
        response: { 200: z.array(Partner) },
      },
    },
    async (request, reply) => {
      const input = { active: request.params.active === "true", page: pageOf(request.query) };
      return linkNext(request, reply, await reference.listPartners(request.context, input)).map(partnerBody);
    },
  );
  server.get(
    "/implementingPartner/:implementingPartnerId",
    {
      schema: {
        operationId: "getImplementingPartner",
        summary: "One implementing partner",
        tags: ["Partners"],
        params: z.strictObject({ implementingPartnerId: idRule }),
        response: { 200: Partner },
      },
    },
    async (request) => partnerBody(await reference.readPartner(request.context, request.params.implementingPartnerId)),
  );
  server.get(
    "/serviceArea",
    {
      schema: {
        operationId: "listServiceAreas",
        summary: "Service areas by name",
        tags: ["Lists"],
        querystring: listQueryRules,
        response: { 200: z.array(ServiceArea) },
      },
    },
    async (request, reply) =>
      linkNextOf(
        request,
        reply,
        request.query,
        await reference.listServiceAreas(request.context),
        (row) => row.serviceAreaId,
      ),
  );
  server.get(
    "/connectivityType",
    {
      schema: {
        operationId: "listConnectivityTypes",
        summary: "Types of connectivity",
        tags: ["Lists"],
        querystring: listQueryRules,
        response: { 200: z.array(ConnectivityType) },
      },
    },
    async (request, reply) =>
      linkNextOf(
        request,
        reply,
        request.query,
        await reference.listConnectivityTypes(request.context),
        (row) => row.id,
      ),
  );
  server.get(
    "/connectivityProvider",
    {
      schema: {
        operationId: "listConnectivityProviders",
        summary: "Providers of mobile coverage",
        tags: ["Lists"],
        querystring: listQueryRules,
        response: { 200: z.array(ConnectivityProvider) },
      },
    },
    async (request, reply) =>
      linkNextOf(
        request,
        reply,
        request.query,
        await reference.listConnectivityProviders(request.context),
        (row) => row.id,
      ),
  );
  server.get(
    "/smartCareAssessmentVersion",
    {
      schema: {
        operationId: "listSmartCareAssessmentVersions",
        summary: "Known SmartCare versions",
        tags: ["Lists"],
        querystring: listQueryRules,
        response: { 200: z.array(SmartCareVersion) },
      },
    },
    async (request, reply) =>
      linkNextOf(
        request,
        reply,
        request.query,
        await reference.listSmartCareVersions(request.context),
        (row) => row.id,
      ),
  );
}
