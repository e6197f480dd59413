import { z } from "zod";

import { listQueryRules } from "../input/page.rules.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNextOf } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { describedFacility, FacilityMetadata, IdentifierBody } from "./facility.rest.ts";
import { readFacility } from "./facility.ts";
import { facilityUuidRule } from "./facility.rules.ts";
import * as act from "./identifier.ts";
import { identifiersRules, systemRule, valueRule } from "./identifier.rules.ts";

/** Routes of identifiers: a facility by one, those of a facility, and the systems that they belong to. */

const Identifiers = z.object({ identifiers: z.array(IdentifierBody) });
const System = z
  .object({
    system: z.string().describe("The key of the system in the interfaces"),
    name: z.string(),
    pattern: z.string().nullable().describe("A regular expression that a whole value matches; null: any text"),
    isUnique: z.boolean().describe("Whether an identifier belongs to one facility at a time"),
  })
  .meta({ id: "IdentifierSystem" });
const ByFacility = z.strictObject({ facilityUuid: facilityUuidRule });
const tags = ["Facilities"];

export function identifierRoutes(server: RestServer): void {
  server.get(
    "/facility/by/:system/:value",
    {
      schema: {
        operationId: "getFacilityByIdentifier",
        failures: [404, 409],
        summary: "The facility that has an identifier exactly",
        description:
          "Letters count as they are written. Where nobody uses it any more: the facility that had it last. 409 where several have it, in a system whose identifiers are not unique.",
        tags,
        params: z.strictObject({ system: systemRule, value: valueRule }),
        response: { 200: FacilityMetadata },
      },
    },
    async (request) => describedFacility(request.context, await act.readFacilityBy(request.context, request.params)),
  );
  server.get(
    "/facility/identifiers/:facilityUuid",
    {
      schema: {
        operationId: "getFacilityIdentifiers",
        summary: "The identifiers of a facility",
        tags,
        params: ByFacility,
        response: { 200: Identifiers },
      },
    },
    async (request) => {
      const { facilityUuid } = await readFacility(request.context, request.params.facilityUuid);
      return { identifiers: await act.loadIdentifiers(request.context, facilityUuid) };
    },
  );
  server.put(
    "/facility/identifiers/:facilityUuid",
    {
      ...needs("editRegistry"),
      schema: {
        operationId: "updateFacilityIdentifiers",
        example: { identifiers: [{ system: "dhis2", value: "pXhz0PLiYZX" }] },
        summary: "Replace the identifiers of a facility",
        description:
          "All of them: what is not in the list is removed. The HMIS code in use is the facility's hmisCode. Needs editRegistry or administrator.",
        tags,
        params: ByFacility,
        body: identifiersRules,
        response: { 200: Identifiers },
      },
    },
    (request) => {
      expectMatch(request);
      return act.saveFacilityIdentifiers(request.context, { ...request.params, ...request.body });
    },
  );
  server.get(
    "/identifierSystem",
    {
      schema: {
        operationId: "listIdentifierSystems",
        summary: "The systems that know facilities by identifiers",
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(System) },
      },
    },
    async (request, reply) =>
      linkNextOf(request, reply, request.query, await act.listSystems(request.context), ({ system }) => system),
  );
}
