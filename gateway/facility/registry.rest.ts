import { z } from "zod";

import { listQueryRules } from "../input/page.rules.ts";
import { sampleUuid } from "../rest/description/samples.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNextOf } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { FacilityMetadata, IdentifierBody, metadataOf } from "./facility.rest.ts";
import { facilityUuidRule } from "./facility.rules.ts";
import * as act from "./registry.ts";
import { changedFacilityRules, closingRules, mergeRules, newFacilityRules } from "./registry.rules.ts";

/** Routes of the registry: facilities added, changed, moved, closed, opened again and merged. */

const Merge = z
  .object({
    facilityUuid: z.string().describe("The facility that was merged: its uuid leads to the other one"),
    facilityName: z.string(),
    intoUuid: z.string(),
    intoName: z.string(),
    mergedDate: z.string(),
    undoUntil: z.string().describe("The last day on which it can be undone"),
    undoable: z.boolean(),
    userName: z.string().nullable().describe("Who merged them"),
  })
  .meta({ id: "FacilityMerge" });
const Named = z.object({
  facilityUuid: z.string(),
  facilityName: z.string(),
  district: z.string(),
  province: z.string(),
});
const Preview = z.object({
  from: Named,
  into: Named.extend({
    closedOn: z.string().nullable().describe("Since when it is closed: what moves to it leaves lists and counts"),
  }),
  moves: z
    .object({ assessments: z.number(), tdbs: z.number(), serviceAreas: z.number(), siteCredential: z.boolean() })
    .describe("What would become the other's"),
  identifiers: z.array(IdentifierBody).describe("Under these the other would be found too"),
  hindrance: z.string().nullable().describe("Why they cannot be merged, if so"),
});

const bodyOf = ({ facility, identifiers }: act.Registered) => metadataOf(facility, identifiers);
const named = ({ facilityUuid, facilityName, district, province }: act.MergePreview["from"]) => ({
  facilityUuid,
  facilityName,
  district,
  province,
});
const params = z.strictObject({ facilityUuid: facilityUuidRule });
const tags = ["Registry"];
const description =
  "Needs editRegistry or administrator. If-Match takes the ETag of /api/v1/facilityMetadata/{facilityUuid}.";
const response = { 200: FacilityMetadata };

export function registryRoutes(server: RestServer): void {
  const editors = needs("editRegistry");
  server.post(
    "/facility",
    {
      ...editors,
      schema: {
        operationId: "addFacility",
        example: { facilityName: "Chilenje Clinic", districtId: 1 },
        summary: "Add a facility",
        description: "Without facilityUuid it gets one. Needs editRegistry or administrator.",
        tags,
        body: newFacilityRules,
        response,
      },
    },
    async (request) => bodyOf(await act.addFacility(request.context, request.body)),
  );
  server.patch(
    "/facility/:facilityUuid",
    {
      ...editors,
      schema: {
        operationId: "changeFacility",
        example: { facilityName: "Chilenje Hospital" },
        summary: "Change a facility's name, codes, kind or place",
        description: `What is not given stays. Another district moves it. ${description}`,
        tags,
        params,
        body: changedFacilityRules,
        response,
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      return bodyOf(await act.changeFacility(request.context, request.params.facilityUuid, request.body));
    },
  );
  server.post(
    "/facility/:facilityUuid/close",
    {
      ...editors,
      schema: {
        operationId: "closeFacility",
        example: { closedOn: "2026-06-30", reason: "Moved into the new hospital" },
        summary: "Close a facility from a day on",
        description: `It leaves lists, counts and expectations; its history stays. ${description}`,
        tags,
        params,
        body: closingRules,
        response,
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      return bodyOf(await act.closeFacility(request.context, request.params.facilityUuid, request.body));
    },
  );
  server.post(
    "/facility/:facilityUuid/reopen",
    {
      ...editors,
      schema: {
        operationId: "reopenFacility",
        summary: "Open a closed facility again",
        description,
        tags,
        params,
        response,
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      return bodyOf(await act.reopenFacility(request.context, request.params.facilityUuid));
    },
  );
  server.get(
    "/facility/:facilityUuid/merge/:into",
    {
      ...editors,
      schema: {
        operationId: "previewFacilityMerge",
        summary: "What a merge of two facilities would do",
        description: "Needs editRegistry or administrator.",
        tags,
        params: params.extend(mergeRules.shape),
        response: { 200: Preview },
      },
    },
    async (request) => {
      const { facilityUuid: from, into } = request.params;
      const { from: one, into: other, ...preview } = await act.previewMerge(request.context, { from, into });
      return { from: named(one), into: { ...named(other), closedOn: other.closedOn }, ...preview };
    },
  );
  server.post(
    "/facility/:facilityUuid/merge",
    {
      ...editors,
      schema: {
        operationId: "mergeFacilities",
        example: { into: sampleUuid },
        summary: "Merge a facility into another one",
        description: `Its visits, TDBs and identifiers become the other's, and its uuid leads there. It can be undone for 30 days. Answers the facility that stays. ${description}`,
        tags,
        params,
        body: mergeRules,
        response,
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      return bodyOf(
        await act.mergeFacilities(request.context, { from: request.params.facilityUuid, into: request.body.into }),
      );
    },
  );
  server.post(
    "/facility/:facilityUuid/unmerge",
    {
      ...editors,
      schema: {
        operationId: "undoFacilityMerge",
        summary: "Undo a merge within 30 days",
        description: "By the uuid of the facility that was merged. Needs editRegistry or administrator.",
        tags,
        params,
        response,
      },
    },
    async (request) => bodyOf(await act.undoMerge(request.context, request.params.facilityUuid)),
  );
  server.get(
    "/registry/merge",
    {
      ...editors,
      schema: {
        operationId: "listFacilityMerges",
        summary: "Merges of facilities, the latest first",
        description: "Needs editRegistry or administrator.",
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(Merge) },
      },
    },
    async (request, reply) =>
      linkNextOf(
        request,
        reply,
        request.query,
        await act.listMerges(request.context),
        ({ facilityUuid }) => facilityUuid,
      ),
  );
}
