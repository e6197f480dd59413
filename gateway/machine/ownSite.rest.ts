import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { requireSite } from "../access/access.ts";
import { listQueryRules } from "../input/page.rules.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import { receiptOf } from "../tdb/receive.ts";
import { tdbReceiptRules } from "../tdb/tdb.rules.ts";
import { batchLimitBytes } from "../input/upload.rules.ts";
import * as act from "./ownSite.ts";

/**
 * Routes for sites, which authenticate with a site credential. A site can call these and the routes that receive TDBs,
 * nothing else.
 */

const OwnSite = z
  .object({
    facilityUuid: z.string(),
    facilityName: z.string(),
    hmisCode: z.string().nullable(),
    district: z.string(),
    province: z.string(),
    expiryDate: z.string().describe("The last day on which the credential of this call works"),
    daysLeft: z.number(),
    renewed: z.boolean().describe("Whether a credential was made to replace this one and was not used yet"),
    limits: z.object({
      uploadsAtOnce: z.number().describe("Uploads that this site may have under way at a time"),
      uploadBytes: z.number().describe("Bytes of one upload, and of the files of one form together"),
    }),
  })
  .meta({ id: "OwnSite" });

const Needs = z
  .object({
    tdb: z
      .object({
        lastCreationDate: z
          .string()
          .nullable()
          .describe("Day on which the latest TDB received was made, YYYY-MM-DD; null when none was"),
        lastUploadDate: z.string().nullable().describe("Day of its receipt"),
        daysSince: z.number().nullable().describe("Days from lastCreationDate to today"),
        rhythmDays: z.number().describe("Days within which the next one is expected"),
        expected: z.boolean().describe("Whether the platform expects TDBs of this site"),
        overdue: z.boolean().describe("Whether one is overdue"),
      })
      .describe("What is known of the site's TDBs"),
  })
  .meta({ id: "OwnSiteNeeds" });

const Renewed = z
  .object({
    secret: z.string().describe("The new credential, for the header Authorization: Bearer"),
    expiryDate: z.string().describe("Its last day"),
    daysLeft: z.number(),
  })
  .meta({ id: "RenewedSiteCredential" });

const tags = ["Sites"];
const about = "For a site, by its site credential.";
const sites = {
  preValidation: async ({ context }: FastifyRequest) => {
    requireSite(context);
  },
};

export function ownSiteRoutes(server: RestServer): void {
  server.get(
    "/site/me",
    {
      ...sites,
      schema: {
        operationId: "getOwnSite",
        summary: "Which site calls, until when and how much it may",
        description: about,
        tags,
        response: { 200: OwnSite },
      },
    },
    async ({ context }) => {
      const { facilityUuid, facilityName, hmisCode, district, province, expiryDate, daysLeft, renewed } =
        await act.readOwnSite(context);
      const limits = { uploadsAtOnce: server.uploads.perMachine, uploadBytes: batchLimitBytes };
      return { facilityUuid, facilityName, hmisCode, district, province, expiryDate, daysLeft, renewed, limits };
    },
  );
  server.get(
    "/site/me/receipts",
    {
      ...sites,
      schema: {
        operationId: "listOwnSiteReceipts",
        summary: "Receipts of the TDBs that this site has sent, the latest first",
        description: about,
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(tdbReceiptRules) },
      },
    },
    async (request, reply) =>
      linkNext(request, reply, await act.listOwnReceipts(request.context, { page: pageOf(request.query) })).map((row) =>
        // The reason tells numbers of patients, which a site's credential does not read.
        ({ ...receiptOf(row.fileName, row), held: row.held === null ? null : "far from usual" }),
      ),
  );
  server.get(
    "/site/me/needs",
    {
      ...sites,
      schema: {
        operationId: "getOwnSiteNeeds",
        summary: "What the platform waits for from this site",
        description: about,
        tags,
        response: { 200: Needs },
      },
    },
    async ({ context }) => {
      const site = await act.readOwnNeeds(context);
      return {
        tdb: {
          lastCreationDate: site.lastTdbCreationDate,
          lastUploadDate: site.lastTdbUploadDate,
          daysSince: site.daysSinceLastTdb,
          rhythmDays: site.rhythmDays,
          expected: site.expected,
          overdue: site.overdue,
        },
      };
    },
  );
  server.post(
    "/site/me/renew",
    {
      ...sites,
      schema: {
        operationId: "renewOwnSiteCredential",
        summary: "Renew the credential",
        description: `${about} The present one goes on working until the new one is first used, and not beyond its own last day: if the answer is lost, ask again.`,
        tags,
        response: { 200: Renewed },
      },
    },
    async ({ context }, reply) => {
      reply.header("cache-control", "no-store");
      return act.renewOwnCredential(context);
    },
  );
}
