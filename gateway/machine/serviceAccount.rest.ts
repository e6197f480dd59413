import { z } from "zod";

import { Token, tokenBody } from "../auth/account.rest.ts";
import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNext, linkNextOf, pageOf } from "../rest/list.ts";
import { bySession, needs, type RestServer } from "../rest/route.ts";
import * as act from "./serviceAccount.ts";
import {
  newServiceAccountRules,
  newServiceTokenRules,
  servicePrivileges,
  updateServiceAccountRules,
} from "./serviceAccount.rules.ts";

/** Routes of service accounts, for administrators. */

const ServiceAccount = z
  .object({
    uuid: z.string(),
    name: z.string(),
    ownerUuid: z.string(),
    owner: z.string().describe("User name of the person who answers for it"),
    ownerActive: z.boolean().describe("While the owner's account is not active, no token of this one works"),
    privileges: z.array(z.enum(servicePrivileges)),
    provinceId: z.number().nullable().describe("The province whose facilities it is limited to"),
    province: z.string().nullable(),
    districtId: z.number().nullable(),
    district: z.string().nullable(),
    implementingPartnerId: z.number().nullable(),
    implementingPartner: z.string().nullable(),
    active: z.boolean().describe("Whether it has not ended"),
    createdDate: z.string(),
  })
  .meta({ id: "ServiceAccount" });

function body(account: act.ServiceAccountRow): z.input<typeof ServiceAccount> {
  const {
    userUuid: uuid,
    viewAssessments: _view,
    editAssessments: _edit,
    uploadTdbs: _upload,
    accessDownloads: _downloads,
    ...rest
  } = account;
  return { uuid, ...rest, privileges: act.privilegesOf(account) };
}

const tags = ["Machines"];
const params = z.strictObject({ uuid: uuidTextRule });

export function serviceAccountRoutes(server: RestServer): void {
  const administrators = needs("manageMachines");
  server.get(
    "/serviceAccount",
    {
      ...administrators,
      schema: {
        operationId: "listServiceAccounts",
        summary: "Accounts of machines by name",
        description:
          "No password, tokens only, an owner. They are not among the users. Needs administrator, as everything about them.",
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(ServiceAccount) },
      },
    },
    async (request, reply) =>
      linkNext(request, reply, await act.listServiceAccounts(request.context, { page: pageOf(request.query) })).map(
        body,
      ),
  );
  server.post(
    "/serviceAccount",
    {
      ...administrators,
      schema: {
        operationId: "createServiceAccount",
        example: { name: "warehouse", owner: "manager", privileges: ["viewAssessments"], provinceId: 1 },
        summary: "Make an account for a machine",
        description: "It may be limited to the facilities of one province, district or partner.",
        tags,
        body: newServiceAccountRules,
        response: { 200: ServiceAccount },
      },
    },
    async ({ context, body: input }) => body(await act.createServiceAccount(context, input)),
  );
  server.get(
    "/serviceAccount/:uuid",
    {
      ...administrators,
      schema: {
        operationId: "getServiceAccount",
        summary: "A service account",
        tags,
        params,
        response: { 200: ServiceAccount },
      },
    },
    async ({ context, params: { uuid } }) => body(await act.readServiceAccount(context, uuid)),
  );
  server.patch(
    "/serviceAccount/:uuid",
    {
      ...administrators,
      schema: {
        operationId: "updateServiceAccount",
        example: { privileges: ["viewAssessments", "uploadTdbs"] },
        failures: [409],
        summary: "Change what a service account is called, may do and reaches, and who owns it",
        description:
          "A missing field is not changed. If one of provinceId, districtId and implementingPartnerId is given, all three are replaced.",
        tags,
        params,
        body: updateServiceAccountRules,
        response: { 200: ServiceAccount },
      },
    },
    async (request) => {
      expectMatch(request, body);
      return body(await act.updateServiceAccount(request.context, request.params.uuid, request.body));
    },
  );
  server.delete(
    "/serviceAccount/:uuid",
    {
      ...administrators,
      schema: {
        operationId: "endServiceAccount",
        summary: "End a service account and its tokens for good",
        tags,
        params,
        response: { 200: ServiceAccount },
      },
    },
    async (request) => {
      expectMatch(request, body);
      return body(await act.endServiceAccount(request.context, request.params.uuid));
    },
  );
  server.get(
    "/serviceAccount/:uuid/token",
    {
      ...administrators,
      schema: {
        operationId: "listServiceAccountTokens",
        summary: "A service account's tokens, the newest first",
        tags,
        params,
        querystring: listQueryRules,
        response: { 200: z.array(Token) },
      },
    },
    async (request, reply) => {
      const { context, query } = request;
      const rows = await act.listServiceTokens(context, await act.readServiceAccount(context, request.params.uuid));
      return linkNextOf(request, reply, query, rows, ({ tokenUuid }) => tokenUuid).map(tokenBody);
    },
  );
  server.post(
    "/serviceAccount/:uuid/token",
    {
      ...administrators,
      schema: {
        operationId: "createServiceAccountToken",
        example: { name: "nightly copy", expiryDate: "2027-06-30" },
        security: bySession,
        failures: [409],
        summary: "Make a token of a service account: its secret is answered once",
        description: "For an administrator in a session: a token cannot create tokens.",
        tags,
        params,
        body: newServiceTokenRules,
        response: {
          200: Token.extend({ token: z.string().describe("The secret, for the header Authorization: Bearer") }),
        },
      },
    },
    async ({ context, params: { uuid }, body: input }) => {
      const made = await act.createServiceToken(context, { uuid, ...input });
      return { ...tokenBody(made.token), token: made.secret };
    },
  );
  server.delete(
    "/serviceAccount/:uuid/token/:tokenUuid",
    {
      ...administrators,
      schema: {
        operationId: "revokeServiceAccountToken",
        summary: "Revoke a token of a service account for good",
        tags,
        params: params.extend({ tokenUuid: uuidTextRule }),
        response: { 200: Token },
      },
    },
    async ({ context, params: asked }) => tokenBody(await act.revokeServiceToken(context, asked)),
  );
}
