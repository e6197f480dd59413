import { z } from "zod";

import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { samplePassword } from "../rest/description/samples.ts";
import { linkNextOf } from "../rest/list.ts";
import { bySession, type RestServer } from "../rest/route.ts";
import * as account from "./account.ts";
import { changePasswordRules, newTokenRules } from "./account.rules.ts";
import * as token from "./token.ts";

/** Routes of one's own account: password, sessions, access tokens. */

const Session = z
  .object({
    current: z.boolean().describe("The one that asks"),
    address: z.string().nullable(),
    startDate: z.string(),
    startTime: z.string(),
    lastSeenDate: z.string(),
    lastSeenTime: z.string(),
  })
  .meta({ id: "OwnSession" });

export const Token = z
  .object({
    uuid: z.string(),
    name: z.string(),
    privileges: z.array(z.string()),
    createdDate: z.string(),
    expiryDate: z.string().describe("The last day on which it works"),
    lastUsedDate: z.string().nullable(),
    lastUsedTime: z.string().nullable(),
    lastUsedAddress: z.string().nullable().describe("The network address that it was last used from"),
    expired: z.boolean(),
    revoked: z.boolean(),
  })
  .meta({ id: "AccessToken" });

export const tokenBody = ({ tokenUuid, ...row }: token.TokenRow) => ({ uuid: tokenUuid, ...row });
const tags = ["Own account"];

export function accountRoutes(server: RestServer): void {
  server.post(
    "/user/me/password",
    {
      schema: {
        operationId: "changeOwnPassword",
        example: {
          currentPassword: samplePassword,
          password: `${samplePassword} at all`,
          confirmPassword: `${samplePassword} at all`,
          endTokens: false,
        },
        security: bySession,
        summary: "Change your password; your other sessions end",
        tags,
        body: changePasswordRules,
        response: { 200: z.object({}) },
      },
    },
    async (request) => {
      await account.changeOwnPassword(request.context, request.body);
      return {};
    },
  );
  server.get(
    "/user/me/session",
    {
      schema: {
        operationId: "listOwnSessions",
        security: bySession,
        summary: "Your sessions, the last used first",
        tags,
        response: { 200: z.array(Session) },
      },
    },
    (request) => account.listOwnSessions(request.context),
  );
  server.delete(
    "/user/me/session",
    {
      schema: {
        operationId: "endOwnSessions",
        security: bySession,
        summary: "End your other sessions",
        tags,
        response: { 200: z.object({ ended: z.number() }) },
      },
    },
    async (request) => ({ ended: await account.endOwnSessions(request.context) }),
  );
  server.get(
    "/token",
    {
      schema: {
        operationId: "listAccessTokens",
        summary: "Your access tokens, the newest first",
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(Token) },
      },
    },
    async (request, reply) =>
      linkNextOf(request, reply, request.query, await token.listOwnTokens(request.context), (row) => row.tokenUuid).map(
        tokenBody,
      ),
  );
  server.post(
    "/token",
    {
      schema: {
        operationId: "createAccessToken",
        example: { name: "nightly copy", expiryDate: "2027-06-30", privileges: ["viewAssessments"] },
        security: bySession,
        summary: "Make an access token: its secret is answered once",
        tags,
        body: newTokenRules,
        response: {
          200: Token.extend({ token: z.string().describe("The secret, for the header Authorization: Bearer") }),
        },
      },
    },
    async (request) => {
      const made = await token.createToken(request.context, request.body);
      return { ...tokenBody(made.token), token: made.secret };
    },
  );
  server.delete(
    "/token/:tokenUuid",
    {
      schema: {
        operationId: "revokeAccessToken",
        summary: "Revoke an access token for good",
        tags,
        params: z.strictObject({ tokenUuid: uuidTextRule }),
        response: { 200: Token },
      },
    },
    async (request) => tokenBody(await token.revokeToken(request.context, request.params.tokenUuid)),
  );
}
