import { z } from "zod";

import { Token, tokenBody } from "../auth/account.rest.ts";
import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { linkNextOf } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import * as user from "./user.ts";
import * as account from "./userAccount.ts";
import { removeSecondFactor } from "./userSecondFactor.ts";
import { Created, UserBody } from "./user.rest.ts";

/** Routes of other people's accounts and tokens. */

const ByUser = z.strictObject({ userUuid: uuidTextRule });
const tags = ["Users"];

export function userAccountRoutes(server: RestServer): void {
  const managers = needs("manageUsers");
  server.post(
    "/user/:userUuid/resetPassword",
    {
      schema: {
        operationId: "resetUserPassword",
        failures: [409],
        summary: "Give a new temporary password; the person's sessions and tokens end",
        tags,
        params: ByUser,
        response: { 200: Created },
      },
    },
    async (request) => {
      const { user: row, temporaryPassword } = await account.resetPassword(request.context, request.params.userUuid);
      return { uuid: row.userUuid, temporaryPassword };
    },
  );
  server.post(
    "/user/:userUuid/deactivate",
    {
      schema: {
        operationId: "deactivateUser",
        failures: [409],
        summary: "End an account until it is reactivated; the person's sessions end, and their tokens for good",
        tags,
        params: ByUser,
        response: { 200: UserBody },
      },
    },
    async (request) => user.present(await account.deactivateUser(request.context, request.params.userUuid)),
  );
  server.post(
    "/user/:userUuid/reactivate",
    {
      schema: {
        operationId: "reactivateUser",
        summary: "Let a person sign in again",
        tags,
        params: ByUser,
        response: { 200: UserBody },
      },
    },
    async (request) => user.present(await account.reactivateUser(request.context, request.params.userUuid)),
  );
  server.post(
    "/user/:userUuid/endEverything",
    {
      ...managers,
      schema: {
        operationId: "endEverythingOfUser",
        summary:
          "End a person's sessions and tokens at once, as when a telephone was lost; what their devices keep opens no more, the account stays",
        tags,
        params: ByUser,
        response: { 200: z.object({ endedSessions: z.number(), endedTokens: z.number() }) },
      },
    },
    async (request) => {
      const { endedSessions, endedTokens } = await account.endEverything(request.context, request.params.userUuid);
      return { endedSessions, endedTokens };
    },
  );
  server.post(
    "/user/:userUuid/removeSecondFactor",
    {
      ...managers,
      schema: {
        operationId: "removeSecondFactorOfUser",
        failures: [409],
        summary: "Take a person's second factor away, as when it was lost; their sessions end",
        tags,
        params: ByUser,
        response: { 200: UserBody },
      },
    },
    async (request) => user.present(await removeSecondFactor(request.context, request.params.userUuid)),
  );
  server.get(
    "/user/:userUuid/token",
    {
      schema: {
        operationId: "listAccessTokensOfUser",
        summary: "Access tokens of a person whom you manage, the newest first",
        tags,
        params: ByUser,
        querystring: listQueryRules,
        response: { 200: z.array(Token) },
      },
    },
    async (request, reply) => {
      const rows = await account.listUserTokens(request.context, request.params.userUuid);
      return linkNextOf(request, reply, request.query, rows, ({ tokenUuid }) => tokenUuid).map(tokenBody);
    },
  );
  server.delete(
    "/user/:userUuid/token/:tokenUuid",
    {
      ...managers,
      schema: {
        operationId: "revokeUserAccessToken",
        summary: "Revoke an access token of a person whom you manage, for good",
        tags,
        params: ByUser.extend({ tokenUuid: uuidTextRule }),
        response: { 200: Token },
      },
    },
    async (request) => tokenBody(await account.revokeUserToken(request.context, request.params)),
  );
}
