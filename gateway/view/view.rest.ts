import { z } from "zod";

import { listQueryRules } from "../input/page.rules.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import * as views from "./view.ts";
import { newViewRules, viewFilterShape, viewUuidRule } from "./view.rules.ts";

/** Routes of saved views. */

const SavedView = z.object({
  uuid: z.string(),
  name: z.string(),
  address: z.string().describe("Path and search parameters of a list in the web application"),
  shared: z.boolean(),
  ownerUserName: z.string(),
  own: z.boolean().describe("Whether it is the caller's"),
  removable: z.boolean().describe("Whether the caller may remove it"),
  missing: z.string().nullable().describe("What the address names and is not there any more: province, district or implementing partner"),
  closed: z.string().nullable().describe("What the address names and was closed: province, district or implementing partner"),
  createdDate: z.string(),
}).meta({ id: "SavedView" });
const body = ({ uuid, name, address, shared, ownerUserName, own, removable, missing, closed, createdDate }: views.SavedView) => ({
  ...{ uuid, name, address, shared, ownerUserName, own, removable, missing, closed, createdDate },
});
const tags = ["Saved views"];
const params = z.strictObject({ uuid: viewUuidRule });

export function viewRoutes(server: RestServer): void {
  server.get(
    "/view",
    {
      schema: {
        operationId: "listSavedViews",
        summary: "Your saved views of lists and those that others share, by name",
        tags,
        querystring: listQueryRules.extend({ ...viewFilterShape, mine: z.stringbool({ truthy: ["true"], falsy: ["false"] }).optional().describe("Only your own.") }),
        response: { 200: z.array(SavedView) },
      },
    },
    async (request, reply) => {
      const { search, mine, ...page } = request.query;
      return linkNext(request, reply, await views.listSavedViews(request.context, { search, mine, page: pageOf(page) })).map(body);
    },
  );
  server.get(
    "/view/:uuid",
    { schema: { operationId: "getSavedView", summary: "A saved view: your own, or a shared one", tags, params, response: { 200: SavedView } } },
    async (request) => body(await views.readSavedView(request.context, request.params.uuid)),
  );
  server.post(
    "/view",
    {
      schema: {
        operationId: "createSavedView",
        example: { name: "Silent sites", address: "/facilities?silent=yes", shared: true },
        summary: "Keep the address of a list under a name", tags, body: newViewRules, response: { 200: SavedView },
      },
    },
    async (request) => body(await views.createSavedView(request.context, request.body)),
  );
  server.delete(
    "/view/:uuid",
    { schema: { operationId: "deleteSavedView", summary: "Remove a saved view: your own, or for administrators a shared one", tags, params, response: { 200: SavedView } } },
    async (request) => {
      expectMatch(request, body);
      return body(await views.deleteSavedView(request.context, request.params.uuid));
    },
  );
}
