import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { requireSite } from "../access/access.ts";
import { fileTypes } from "../download/download.rules.ts";
import { downloadParts } from "../download/release.rules.ts";
import { facilityUuidRule } from "../facility/facility.rules.ts";
import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { updateOutcomes, updateReasons, updateReportRules } from "./rollout.rules.ts";
import * as act from "./update.ts";

/**
 * Routes of the files that a site should fetch and apply, and of its reports: for the site with its credential, and for
 * people.
 */

const Report = z
  .object({
    uuid: z.string(),
    downloadUuid: z.string(),
    name: z.string(),
    version: z.string().nullable(),
    outcome: z.enum(updateOutcomes),
    why: z.string().nullable(),
    reportedDate: z.string(),
    reportedTime: z.string(),
  })
  .meta({ id: "UpdateReport" });
const Updates = z
  .object({
    facilityUuid: z.string(),
    presentVersion: z.string().nullable().describe("What runs there, by the latest TDB or visit that names a version"),
    presentDate: z.string().nullable(),
    target: z.string().nullable().describe("Its target version"),
    rolloutUuid: z.string().nullable(),
    dueDate: z.string().nullable().describe("Since when the first file is due"),
    reason: z.enum(updateReasons).nullable().describe("Why nothing is to be fetched"),
    updates: z
      .array(
        z.object({
          uuid: z.string().describe("The file's"),
          name: z.string(),
          fileName: z.string().describe("Name under which it is saved"),
          fileType: z.enum(fileTypes),
          version: z.string().describe("The version that the site runs after it"),
          installs: z.array(z.enum(downloadParts)),
          size: z.number().describe("Bytes"),
          sha256: z.string(),
          digest: z.string().describe("As in the header Repr-Digest of its GET"),
          address: z.string().describe("Where it is fetched; with Range a fetch goes on where it stopped"),
          report: Report.nullable().describe("What was last reported of it"),
        }),
      )
      .describe("What is to be fetched, in the order in which it is applied"),
  })
  .meta({ id: "Updates" });

const reportOf = ({
  uuid,
  downloadUuid,
  name,
  version,
  outcome,
  why,
  reportedDate,
  reportedTime,
}: act.Report): z.input<typeof Report> => ({
  ...{ uuid, downloadUuid, name, version, outcome, why, reportedDate, reportedTime },
});
const body = ({ updates, ...about }: act.Updates): z.input<typeof Updates> => ({
  ...about,
  updates: updates.map(
    ({ file: { uuid, name, fileName, fileType, version, installs, size, sha256 }, digest, report }) => ({
      ...{
        uuid,
        name,
        fileName,
        fileType: fileType as (typeof fileTypes)[number],
        version,
        installs,
        size,
        sha256,
        digest,
      },
      address: `/api/v1/download/${uuid}`,
      report: report && reportOf(report),
    }),
  ),
});

const sites = {
  preValidation: async ({ context }: FastifyRequest) => {
    requireSite(context);
  },
};
const forReaders = "Needs viewAssessments, editAssessments, uploadTdbs or administrator.";
const ofFacility = z.strictObject({ facilityUuid: facilityUuidRule });

export function updateRoutes(server: RestServer): void {
  server.get(
    "/site/me/updates",
    {
      ...sites,
      schema: {
        operationId: "getOwnUpdates",
        summary: "What this site is to fetch and apply, in order",
        description: "For a site, by its site credential.",
        tags: ["Sites"],
        response: { 200: Updates },
      },
    },
    async ({ context }) => body(await act.readOwnUpdates(context)),
  );
  server.post(
    "/site/me/updates/:uuid",
    {
      ...sites,
      schema: {
        operationId: "reportOwnUpdate",
        example: { outcome: "failed", why: "The disk is full" },
        summary: "Report that a file was applied, or why it failed",
        description:
          "For a site, by its site credential. The same report of the same day is kept once: if the answer is lost, report again.",
        tags: ["Sites"],
        params: z.strictObject({ uuid: uuidTextRule }),
        body: updateReportRules,
        response: { 200: Report },
      },
    },
    async ({ context, params, body: report }) => reportOf(await act.reportOwnUpdate(context, params.uuid, report)),
  );
  server.get(
    "/facility/:facilityUuid/updates",
    {
      ...needs("viewFleet"),
      schema: {
        operationId: "getUpdates",
        summary: "What a facility is to fetch and apply, in order",
        description: forReaders,
        tags: ["Fleet"],
        params: ofFacility,
        response: { 200: Updates },
      },
    },
    async ({ context, params }) => body(await act.readUpdates(context, params.facilityUuid)),
  );
  server.get(
    "/facility/:facilityUuid/updates/reports",
    {
      ...needs("viewFleet"),
      schema: {
        operationId: "listUpdateReports",
        summary: "What was reported of the files that a facility applied, the newest first",
        description: forReaders,
        tags: ["Fleet"],
        params: ofFacility,
        querystring: listQueryRules,
        response: { 200: z.array(Report) },
      },
    },
    async (request, reply) =>
      linkNext(
        request,
        reply,
        await act.listUpdateReports(request.context, { ...request.params, page: pageOf(request.query) }),
      ).map(reportOf),
  );
  server.post(
    "/facility/:facilityUuid/updates/:uuid",
    {
      ...needs("editFacility"),
      schema: {
        operationId: "reportUpdate",
        example: { outcome: "applied" },
        summary: "Report for a facility that a file was applied, or why it failed",
        description: "Needs editAssessments or administrator.",
        tags: ["Fleet"],
        params: ofFacility.extend({ uuid: uuidTextRule }),
        body: updateReportRules,
        response: { 200: Report },
      },
    },
    async ({ context, params: { facilityUuid, uuid }, body: report }) =>
      reportOf(await act.reportUpdate(context, { facilityUuid, downloadUuid: uuid }, report)),
  );
}
