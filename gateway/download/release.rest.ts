import { z } from "zod";

import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import * as act from "./download.ts";
import { fileTypes } from "./download.rules.ts";
import { channels, downloadParts, releaseRules } from "./release.rules.ts";

/** Routes of the releases of files: which version a site runs after each. */

export const Release = z
  .object({
    uuid: z.string().describe("The file's"),
    name: z.string(),
    fileType: z.enum(fileTypes),
    size: z.number().describe("Bytes"),
    sha256: z.string(),
    version: z.string().nullable().describe("The version that a site runs after it; null for a file of no release"),
    installs: z.array(z.enum(downloadParts)),
    appliesFrom: z.string().nullable().describe("The oldest version that it can be applied to; null: any"),
    appliesTo: z
      .string()
      .nullable()
      .describe("The newest version that it can be applied to; null: any older than its own"),
    channel: z.enum(channels).describe("pilot: only for rollouts of the pilot channel"),
    requiredSince: z
      .string()
      .nullable()
      .describe("Since this day sites with an older version count as having an old version"),
  })
  .meta({ id: "Release" });

/** A release as a REST body. */
export const bodyOf = (row: act.DownloadRow): z.input<typeof Release> => {
  const { uuid, name, fileType, size, sha256 } = row;
  return { uuid, name, fileType, size, sha256, ...act.releaseOf(row) };
};

const tags = ["Downloads"];
const params = z.strictObject({ uuid: uuidTextRule });
const forReaders = "Needs accessDownloads or administrator.";

export function releaseRoutes(server: RestServer): void {
  server.get(
    "/download/release",
    {
      ...needs("accessDownloads"),
      schema: {
        operationId: "listReleases",
        summary: "Files by kind and name, with the version that each brings a site to",
        description: forReaders,
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(Release) },
      },
    },
    async (request, reply) =>
      linkNext(request, reply, await act.listDownloads(request.context, { page: pageOf(request.query) })).map(bodyOf),
  );
  server.get(
    "/download/:uuid/release",
    {
      ...needs("accessDownloads"),
      schema: {
        operationId: "getDownloadRelease",
        summary: "Which version a file brings a site to",
        description: forReaders,
        tags,
        params,
        response: { 200: Release },
      },
    },
    async (request) => bodyOf(await act.readRelease(request.context, request.params.uuid)),
  );
  server.put(
    "/download/:uuid/release",
    {
      ...needs("addDownloads"),
      schema: {
        operationId: "setDownloadRelease",
        example: {
          version: "4.10.2",
          installs: ["library"],
          appliesFrom: "4.9",
          appliesTo: "4.10.1",
          channel: "general",
          requiredSince: "2026-10-01",
        },
        conditional: true,
        summary: "Set which version a file brings a site to",
        description: "All of it is replaced: what is not given is then none. Needs administrator.",
        tags,
        params,
        body: releaseRules,
        response: { 200: Release },
      },
    },
    async (request) => {
      expectMatch(request, bodyOf);
      return bodyOf(await act.setRelease(request.context, request.params.uuid, request.body));
    },
  );
}
