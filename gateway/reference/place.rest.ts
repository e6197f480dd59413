import { z } from "zod";

import { idRule, listQueryRules } from "../input/page.rules.ts";
import { sampleUuid } from "../rest/description/samples.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNextOf } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import * as act from "./place.ts";
import { changedPlaceRules, newPlaceRules, placeClosingRules, placeKindRule, placeSplitRules } from "./place.rules.ts";
import { splitPlace } from "./placeSplit.ts";

/** Routes of the registry's places and partners. */

const Place = z
  .object({
    kind: placeKindRule,
    id: z.number(),
    name: z.string(),
    provinceId: z.number().nullable().describe("Of a district"),
    province: z.string().nullable().describe("Of a district"),
    isOpen: z.boolean(),
    closedOn: z
      .string()
      .nullable()
      .describe("From this day on it is closed; null while it is open, or where no day is known"),
    version: z.number().describe("Rises with each change"),
  })
  .meta({ id: "RegistryPlace" });
const Counted = Place.extend({
  districts: z.number(),
  openFacilities: z.number(),
  closedFacilities: z.number(),
  people: z.number().describe("Users of the partner"),
  serviceAccounts: z.number().describe("Service accounts that are limited to it"),
  undoableMerges: z.number().describe("Facilities that lay there, were merged and can still be separated"),
}).meta({ id: "CountedRegistryPlace" });

const Split = z
  .object({
    from: Place.describe("The one that was split"),
    into: Place.describe("The new one"),
    moved: z.number().describe("How many districts or facilities went to it"),
  })
  .meta({ id: "RegistryPlaceSplit" });

const bodyOf = ({ kind, id, name, provinceId, province, isOpen, closedOn, version }: act.Place) => ({
  kind,
  id,
  name,
  provinceId,
  province,
  isOpen,
  closedOn,
  version,
});
const tags = ["Registry"];
const needed = "Needs editRegistry or administrator.";
const description = `${needed} If-Match takes the ETag of /api/v1/registry/place/{placeKind}/{id}.`;
const params = z.strictObject({ placeKind: placeKindRule, id: idRule });
const of = ({ params: { placeKind: kind, id } }: { params: z.output<typeof params> }) => ({ kind, id });
const response = { 200: Place };
const path = "/registry/place/:placeKind/:id";

export function placeRoutes(server: RestServer): void {
  const editors = needs("editRegistry");
  server.get(
    "/registry/place/:placeKind",
    {
      ...editors,
      schema: {
        operationId: "listRegistryPlaces",
        summary: "Provinces, districts or partners by name, the closed ones too, with what depends on each",
        description: needed,
        tags,
        params: params.pick({ placeKind: true }),
        querystring: listQueryRules,
        response: { 200: z.array(Counted) },
      },
    },
    async (request, reply) =>
      linkNextOf(
        request,
        reply,
        request.query,
        await act.listPlaces(request.context, request.params.placeKind),
        ({ id }) => id,
      ),
  );
  server.post(
    "/registry/place/:placeKind",
    {
      ...editors,
      schema: {
        operationId: "addRegistryPlace",
        example: { name: "Kasama West", provinceId: 1 },
        summary: "Add a province, district or partner",
        tags,
        params: params.pick({ placeKind: true }),
        body: newPlaceRules,
        response,
        description: `No other one may have the name, whatever its case and accents; of a district: no other one of its province. ${needed}`,
      },
    },
    async ({ context, params: { placeKind }, body }) => bodyOf(await act.addPlace(context, placeKind, body)),
  );
  server.get(
    path,
    {
      ...editors,
      schema: {
        operationId: "getRegistryPlace",
        summary: "A province, district or partner of the registry",
        description: needed,
        tags,
        params,
        response,
      },
    },
    async (request) => bodyOf(await act.readPlace(request.context, of(request))),
  );
  server.patch(
    path,
    {
      ...editors,
      schema: {
        operationId: "changeRegistryPlace",
        example: { name: "Central" },
        summary: "Rename a province, district or partner, or move a district",
        description: `What is not given stays. Another province moves a district with its facilities. ${description}`,
        tags,
        params,
        body: changedPlaceRules,
        response,
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      return bodyOf(await act.changePlace(request.context, of(request), request.body));
    },
  );
  server.post(
    `${path}/close`,
    {
      ...editors,
      schema: {
        operationId: "closeRegistryPlace",
        example: { closedOn: "2026-06-30" },
        failures: [409],
        summary: "Close a province, district or partner from a day on",
        description: `Lists to choose from leave it out; its history stays. A place must have no open facility. ${description}`,
        tags,
        params,
        body: placeClosingRules,
        response,
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      return bodyOf(await act.closePlace(request.context, of(request), request.body));
    },
  );
  server.post(
    `${path}/reopen`,
    {
      ...editors,
      schema: {
        operationId: "reopenRegistryPlace",
        failures: [409],
        summary: "Open a closed province, district or partner again",
        description,
        tags,
        params,
        response,
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      return bodyOf(await act.reopenPlace(request.context, of(request)));
    },
  );
  server.post(
    `${path}/split`,
    {
      ...editors,
      schema: {
        operationId: "splitRegistryPlace",
        example: { name: "Kasama West", facilityUuids: [sampleUuid] },
        failures: [409],
        summary: "Make a new province, district or partner of a part of one",
        tags,
        params,
        body: placeSplitRules,
        response: { 200: Split },
        description: `Districts of a province, or facilities of a district or a partner, go to the new one, with their visits, TDBs and counts; some must go and some must stay. Rollouts for the one that is split are for the new one too. People, targets and limits of service accounts stay. ${description}`,
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      const { from, into, moved } = await splitPlace(request.context, of(request), request.body);
      return { from: bodyOf(from), into: bodyOf(into), moved };
    },
  );
  server.delete(
    path,
    {
      ...editors,
      schema: {
        operationId: "removeRegistryPlace",
        failures: [409],
        summary: "Remove a province, district or partner that nothing depends on",
        description: `Answers it as it was. A refusal names what depends on it. ${description}`,
        tags,
        params,
        response,
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      return bodyOf(await act.removePlace(request.context, of(request)));
    },
  );
}
