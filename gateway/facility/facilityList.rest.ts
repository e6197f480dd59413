import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { idRule, listQueryRules } from "../input/page.rules.ts";
import { readHeavily } from "../reading/shares.ts";
import type { Scope } from "../reference/reference.ts";
import { prefers } from "../rest/answer.ts";
import { featureOf, geojsonType, sendFeaturePage, sendFeatures } from "../rest/geojson.ts";
import { mapRows } from "../rest/lines.ts";
import { linkNext, pageOf, sendJson, sendList } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import { exportFacilities } from "./exportFacilities.ts";
import { metadataOf } from "./facility.rest.ts";
import * as facility from "./facility.ts";
import { type FacilityFilter, modeRule, searchTextRule } from "./facility.rules.ts";
import {
  facilityExportRules,
  facilityListRules,
  type FacilityListQuery,
  formRules,
  listOf,
  modePeriodRules,
} from "./facilityQuery.rules.ts";
import { type Identifier, loadIdentifiersOf } from "./identifier.ts";

/** Routes of lists of facilities and of the search, as JSON and as GeoJSON. */

const FacilityListItem = z.object({ uuid: z.string(), facilityName: z.string() }).meta({ id: "FacilityListItem" });
const FacilitySearchResult = z
  .object({
    uuid: z.string(),
    facilityUuid: z.string(),
    facilityName: z.string(),
    implementingPartnerId: z.number().nullable(),
    implementingPartner: z.string().nullable(),
    provinceId: z.number(),
    province: z.string(),
    districtId: z.number(),
    district: z.string(),
  })
  .meta({ id: "FacilitySearchResult" });
const resultOf = ({
  facilityUuid,
  facilityName,
  implementingPartnerId,
  implementingPartner,
  provinceId,
  province,
  districtId,
  district,
}: facility.FacilityRow) => ({
  uuid: facilityUuid,
  facilityUuid,
  facilityName,
  implementingPartnerId,
  implementingPartner,
  provinceId,
  province,
  districtId,
  district,
});
const ById = z.strictObject({ id: idRule });
const tags = ["Facilities"];
const forms = ["application/json", geojsonType];

const featureOfFacility = (row: facility.FacilityRow, identifiers: Identifier[]) =>
  featureOf(row.facilityUuid, row, {
    ...metadataOf(row, identifiers),
    functionalityStatusMode: row.functionalityStatusMode,
  });

/** Answers a list of facilities as GeoJSON: the whole of it as a stream, or a page. */
async function sendGeojson(
  request: FastifyRequest,
  reply: FastifyReply,
  asked: FacilityListQuery & { search?: string | undefined; sort?: facility.FacilitySort | undefined },
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined } = {},
): Promise<FastifyReply> {
  readHeavily(request.context);
  if (limit === undefined && cursor === undefined)
    return sendFeatures(
      reply,
      "facilities.geojson",
      mapRows(await exportFacilities(request.context, asked), (row) =>
        featureOfFacility(row.facility, row.identifiers),
      ),
    );
  const rows = linkNext(
    request,
    reply,
    await facility.listFacilities(request.context, { ...asked, page: pageOf({ limit, cursor }) }),
  );
  const identifiers = await loadIdentifiersOf(
    request.context,
    rows.map(({ facilityUuid }) => facilityUuid),
  );
  return sendFeaturePage(
    reply,
    "facilities.geojson",
    rows.map((row) => featureOfFacility(row, identifiers.get(row.facilityUuid)!)),
  );
}

/** Whether a list is asked for as GeoJSON. `format` has precedence over the Accept header. */
function wantsGeojson(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  format: "json" | "geojson" | undefined,
): boolean {
  reply.header("vary", "accept");
  return format ? format === "geojson" : prefers(headers.accept, geojsonType);
}

type ListQuery = z.output<typeof facilityListRules> & Partial<z.output<typeof modePeriodRules>>;

async function sendNames(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, cursor, format, ...query }: ListQuery,
  ofPath: FacilityFilter,
) {
  const asked = { ...listOf(query), ...ofPath };
  if (wantsGeojson(request, reply, format)) return sendGeojson(request, reply, asked, { limit, cursor });
  if (limit === undefined && cursor === undefined)
    return sendJson(
      reply,
      await facility.readFacilityNamesJson(request.context, asked, {
        uuid: "facilityUuid",
        facilityName: "facilityName",
      }),
    );
  const page = await facility.listFacilityNames(request.context, { ...asked, page: pageOf({ limit, cursor }) });
  return linkNext(request, reply, page).map(({ facilityUuid, facilityName }) => ({ uuid: facilityUuid, facilityName }));
}

export function facilityListRoutes(server: RestServer): void {
  const answer = { produces: forms, response: { 200: z.array(FacilityListItem) } };
  server.get(
    "/facility",
    {
      schema: {
        operationId: "listFacilities",
        summary: "All facilities by name, or those that match",
        tags,
        querystring: facilityListRules,
        ...answer,
      },
    },
    (request, reply) => sendNames(request, reply, request.query, {}),
  );

  const scopes: { path: string; noun: string; summary: string; scopeOf: (id: number) => Scope }[] = [
    { path: "province", noun: "Province", summary: "of a province", scopeOf: (provinceId) => ({ provinceId }) },
    { path: "district", noun: "District", summary: "of a district", scopeOf: (districtId) => ({ districtId }) },
    {
      path: "ip",
      noun: "ImplementingPartner",
      summary: "of a partner",
      scopeOf: (implementingPartnerId) => ({ implementingPartnerId }),
    },
  ];
  for (const { path, noun, summary, scopeOf } of scopes) {
    server.get(
      `/facility/${path}/:id`,
      {
        schema: {
          operationId: `listFacilitiesOf${noun}`,
          summary: `Facilities ${summary} by name`,
          tags,
          params: ById,
          querystring: facilityListRules,
          ...answer,
        },
      },
      (request, reply) => sendNames(request, reply, request.query, scopeOf(request.params.id)),
    );
    server.get(
      `/facility/mode/:mode/${path}/:id`,
      {
        schema: {
          operationId: `listFacilitiesOf${noun}ByMode`,
          summary: `Facilities ${summary} with a deployment mode: the present one, or that of a period`,
          tags,
          params: z.strictObject({ mode: modeRule, id: idRule }),
          querystring: modePeriodRules,
          ...answer,
        },
      },
      (request, reply) =>
        sendNames(request, reply, request.query, { mode: request.params.mode, ...scopeOf(request.params.id) }),
    );
  }
  server.get(
    "/facility/mode/:mode",
    {
      schema: {
        operationId: "listFacilitiesByMode",
        summary: "Facilities with a deployment mode: the present one, or that of a period",
        tags,
        params: z.strictObject({ mode: modeRule }),
        querystring: modePeriodRules,
        ...answer,
      },
    },
    (request, reply) => sendNames(request, reply, request.query, { mode: request.params.mode }),
  );

  server.get(
    "/facility/search/args/:text",
    {
      schema: {
        operationId: "searchFacilities",
        summary: "Facilities whose name or code matches, the best match first",
        tags,
        params: z.strictObject({ text: searchTextRule }),
        querystring: listQueryRules.extend(formRules),
        produces: forms,
        response: { 200: z.array(FacilitySearchResult) },
      },
    },
    async (request, reply) => {
      const { format, ...page } = request.query;
      const search = request.params.text;
      if (wantsGeojson(request, reply, format)) return sendGeojson(request, reply, { search }, page);
      return sendList(
        request,
        reply,
        page,
        (part) => facility.listFacilities(request.context, { search, page: part }),
        resultOf,
      );
    },
  );
  server.get(
    "/facility/geojson",
    {
      schema: {
        operationId: "exportFacilitiesAsGeojson",
        summary: "Facilities as GeoJSON, by name",
        description:
          "A FeatureCollection (RFC 7946) for maps: each feature has the properties that /api/v1/facilityMetadata says, with functionalityStatusMode (the present one). Facilities without a position have no geometry. Narrowed as their lists are; those answer so too, with `format=geojson` or `Accept: application/geo+json`.",
        produces: [geojsonType],
        tags,
        querystring: facilityExportRules,
      },
    },
    (request, reply) => sendGeojson(request, reply, listOf(request.query)),
  );
}
