import { Readable } from "node:stream";

import { z } from "zod";

import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { sendList } from "../rest/list.ts";
import { bySession, needs, type RestServer } from "../rest/route.ts";
import { sendTable, tableFormatOf } from "../rest/table.ts";
import * as act from "./siteCredential.ts";
import { credentialFilterShape, issuedTable, issueRules, revokeManyRules, stateNames } from "./siteCredential.rules.ts";

/** Routes of site credentials, for administrators. */

const SiteCredential = z
  .object({
    uuid: z.string().describe("Stays the same when the credential is renewed"),
    facilityUuid: z.string(),
    facilityName: z.string(),
    hmisCode: z.string().nullable(),
    district: z.string(),
    province: z.string(),
    state: z.enum(stateNames),
    issuedDate: z.string(),
    expiryDate: z.string().describe("The last day on which it works"),
    daysLeft: z.number(),
    renewed: z.boolean().describe("Whether another one was made to replace it and was not used yet"),
    lastUsedDate: z.string().nullable(),
    lastUsedTime: z.string().nullable(),
    lastUsedAddress: z.string().nullable().describe("The network address that it was last used from"),
  })
  .meta({ id: "SiteCredential" });
const Issued = z
  .object({
    facilityUuid: z.string(),
    facilityName: z.string(),
    hmisCode: z.string().nullable(),
    secret: z.string().describe("Answered this once, for the header Authorization: Bearer"),
    expiryDate: z.string(),
  })
  .meta({ id: "IssuedSiteCredential" });

const RevokedMany = z
  .object({
    revoked: z.number().describe("Sites whose credentials have ended by this"),
    unchanged: z.number().describe("Sites that had none, or none any more"),
  })
  .meta({ id: "RevokedSiteCredentials" });

const body = ({
  userUuid: uuid,
  tokenUuid: _token,
  validDays: _days,
  ...row
}: act.SiteCredentialRow): z.input<typeof SiteCredential> => ({ uuid, ...row });
const tags = ["Machines"];

export function siteCredentialRoutes(server: RestServer): void {
  const administrators = needs("manageMachines");
  server.get(
    "/siteCredential",
    {
      ...administrators,
      schema: {
        operationId: "listSiteCredentials",
        summary: "Facilities that were given a credential to send their TDBs by, by name",
        description: "Needs administrator.",
        tags,
        querystring: listQueryRules.extend(credentialFilterShape),
        response: { 200: z.array(SiteCredential) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      return sendList(
        request,
        reply,
        { limit, cursor },
        (page) => act.listSiteCredentials(request.context, { ...filter, page }),
        body,
      );
    },
  );
  server.post(
    "/siteCredential",
    {
      ...administrators,
      schema: {
        operationId: "issueSiteCredentials",
        example: { facilities: ["10010001"], expiryDate: "2027-06-30" },
        security: bySession,
        summary: "Issue credentials for facilities: their secrets are answered once",
        description:
          "All or none: 422 lists each unknown facility. With `Accept: text/csv`, or the type of Excel, as a file. A credential that a facility had works until the new one is first used. For an administrator in a session: a token cannot create tokens.",
        tags,
        body: issueRules,
        response: { 200: z.array(Issued) },
      },
    },
    async (request, reply) => {
      const issued = await act.issueSiteCredentials(request.context, request.body);
      reply.header("cache-control", "no-store");
      const format = tableFormatOf(request.headers.accept);
      if (!format) return issued;
      const [header, ...rows] = issuedTable(issued);
      return sendTable(reply, { name: "site-credentials", format }, header, Readable.from(rows));
    },
  );
  server.post(
    "/siteCredential/revoke",
    {
      ...administrators,
      schema: {
        operationId: "revokeSiteCredentials",
        example: { state: "expired", provinceId: 1, expected: 3 },
        failures: [409],
        summary: "Revoke what many sites have, for good: those of a list of facilities, or those that a filter finds",
        description:
          "Needs administrator. All or none: 422 lists each unknown facility. Each site is written to the audit.",
        tags,
        body: revokeManyRules,
        response: { 200: RevokedMany },
      },
    },
    async ({ context, body: asked }) => act.revokeSiteCredentials(context, asked),
  );
  server.delete(
    "/siteCredential/:uuid",
    {
      ...administrators,
      schema: {
        operationId: "revokeSiteCredential",
        summary: "Revoke what a site has, renewals included, for good",
        description: "Needs administrator.",
        tags,
        params: z.strictObject({ uuid: uuidTextRule }),
        response: { 200: SiteCredential },
      },
    },
    async ({ context, params: { uuid } }) => body(await act.revokeSiteCredential(context, uuid)),
  );
}
