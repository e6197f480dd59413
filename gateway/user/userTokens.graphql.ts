import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { User, UserInput } from "./user.graphql.ts";
import type { UserRow } from "./user.ts";
import * as account from "./userAccount.ts";
import { AccessToken } from "./account.graphql.ts";
import { uuidTextRule } from "../input/page.rules.ts";
import type { TokenRow } from "../auth/token.ts";

/** Tokens of people whom the viewer manages, and ending all access of a person. */

builder.objectFields(User, (t) => ({
  accessTokens: t.field({
    type: [AccessToken],
    nullable: true,
    description: "The person's access tokens, the newest first: for who manages them; null with an error for others.",
    resolve: ({ userUuid }, _, context) => account.listUserTokens(context, userUuid),
  }),
}));

type Errors = { errors: InputError[] };

const RevokeUserAccessTokenInput = builder.inputType("RevokeUserAccessTokenInput", {
  description: "A token of a person whom the viewer manages.",
  fields: (t) => ({
    userUuid: t.string({ required: true, description: "Whose token it is." }),
    uuid: t.string({ required: true, description: "The token's uuid." }),
  }),
});
const RevokeUserAccessTokenPayload = builder
  .objectRef<{ token?: TokenRow } & Errors>("RevokeUserAccessTokenPayload")
  .implement({
    fields: (t) => ({
      accessToken: t.field({ type: AccessToken, nullable: true, resolve: ({ token }) => token }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const EndEverythingPayload = builder
  .objectRef<{ user?: UserRow; endedSessions?: number; endedTokens?: number } & Errors>("EndEverythingPayload")
  .implement({
    fields: (t) => ({
      user: t.field({ type: User, nullable: true, resolve: ({ user }) => user }),
      endedSessions: t.exposeInt("endedSessions", { nullable: true, description: "How many sessions ended." }),
      endedTokens: t.exposeInt("endedTokens", { nullable: true, description: "How many access tokens ended." }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });

builder.mutationFields((t) => ({
  revokeUserAccessToken: t.field({
    type: RevokeUserAccessTokenPayload,
    description: "Permanently revokes a token of a person whom the viewer manages.",
    args: { input: t.arg({ type: RevokeUserAccessTokenInput, required: true }) },
    resolve: (_, { input: { userUuid, uuid } }, context) =>
      withErrors(async () => ({
        token: await account.revokeUserToken(context, { userUuid, tokenUuid: parse(uuidTextRule, uuid, "uuid") }),
      })),
  }),
  endEverythingOfUser: t.field({
    type: EndEverythingPayload,
    description:
      "Ends a person's sessions and access tokens at once, for example after a lost telephone. Records on their devices cannot be opened any more. The account and its password stay.",
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context) => withErrors(() => account.endEverything(context, input.uuid)),
  }),
}));
