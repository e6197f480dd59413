import { privilegeNames } from "../access/access.rules.ts";
import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { Viewer } from "./user.graphql.ts";
import * as account from "../auth/account.ts";
import { changePasswordRules, newTokenRules } from "../auth/account.rules.ts";
import { uuidTextRule } from "../input/page.rules.ts";
import * as token from "../auth/token.ts";

/** The viewer's own account: password, sessions, access tokens. */

type Errors = { errors: InputError[] };

const PrivilegeName = builder.enumType("PrivilegeName", { values: privilegeNames });

export const AccessToken = builder.objectRef<token.TokenRow>("AccessToken").implement({
  description: "A personal access token, for the header Authorization: Bearer.",
  fields: (t) => ({
    uuid: t.exposeString("tokenUuid"),
    name: t.exposeString("name"),
    privileges: t.field({
      type: [PrivilegeName],
      description: "The privileges chosen for it. It can use only those that its owner has today.",
      resolve: ({ privileges }) => privilegeNames.filter((name) => privileges.includes(name)),
    }),
    createdDate: t.field({ type: "Date", resolve: ({ createdDate }) => createdDate }),
    expiryDate: t.field({
      type: "Date",
      description: "The last day on which it works.",
      resolve: ({ expiryDate }) => expiryDate,
    }),
    lastUsedDate: t.field({ type: "Date", nullable: true, resolve: ({ lastUsedDate }) => lastUsedDate }),
    lastUsedTime: t.exposeString("lastUsedTime", { nullable: true }),
    lastUsedAddress: t.exposeString("lastUsedAddress", {
      nullable: true,
      description: "The network address that it was last used from.",
    }),
    expired: t.exposeBoolean("expired"),
    revoked: t.exposeBoolean("revoked"),
  }),
});

const OwnSession = builder.objectRef<account.OwnSession>("OwnSession").implement({
  description: "One of the viewer's sessions.",
  fields: (t) => ({
    current: t.exposeBoolean("current", { description: "The one that asks." }),
    address: t.exposeString("address", { nullable: true }),
    startDate: t.field({ type: "Date", resolve: ({ startDate }) => startDate }),
    startTime: t.exposeString("startTime"),
    lastSeenDate: t.field({ type: "Date", resolve: ({ lastSeenDate }) => lastSeenDate }),
    lastSeenTime: t.exposeString("lastSeenTime"),
  }),
});

builder.objectFields(Viewer, (t) => ({
  accessTokens: t.field({
    type: [AccessToken],
    description: "The viewer's tokens, the newest first.",
    resolve: (_, __, context) => token.listOwnTokens(context),
  }),
  sessions: t.field({
    type: [OwnSession],
    nullable: true,
    description: "The viewer's sessions; null with an error for a token.",
    resolve: (_, __, context) => account.listOwnSessions(context),
  }),
}));

const ChangeOwnPasswordInput = builder.inputType("ChangeOwnPasswordInput", {
  fields: (t) => ({
    currentPassword: t.string({ required: true }),
    password: t.string({ required: true }),
    confirmPassword: t.string({ required: true }),
    endTokens: t.boolean({ description: "Whether the viewer's access tokens end too; if not given, they stay valid." }),
  }),
});
const CreateAccessTokenInput = builder.inputType("CreateAccessTokenInput", {
  fields: (t) => ({
    name: t.string({ required: true }),
    expiryDate: t.field({ type: "Date", required: true, description: "The last day on which it works." }),
    privileges: t.field({ type: [PrivilegeName], required: true }),
  }),
});
const RevokeAccessTokenInput = builder.inputType("RevokeAccessTokenInput", {
  fields: (t) => ({ uuid: t.string({ required: true }) }),
});

const ChangeOwnPasswordPayload = builder.objectRef<Errors>("ChangeOwnPasswordPayload").implement({
  fields: (t) => ({ errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }) }),
});
const EndOwnSessionsPayload = builder.objectRef<{ ended?: number } & Errors>("EndOwnSessionsPayload").implement({
  fields: (t) => ({
    ended: t.int({ nullable: true, description: "How many sessions ended.", resolve: ({ ended }) => ended }),
    errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
  }),
});
const AccessTokenPayload = (name: string) =>
  builder.objectRef<{ token?: token.TokenRow; secret?: string } & Errors>(name).implement({
    fields: (t) => ({
      accessToken: t.field({ type: AccessToken, nullable: true, resolve: (payload) => payload.token }),
      ...(name === "CreateAccessTokenPayload"
        ? {
            secret: t.string({
              nullable: true,
              description: "Answered this once.",
              resolve: (payload) => payload.secret,
            }),
          }
        : {}),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const CreateAccessTokenPayload = AccessTokenPayload("CreateAccessTokenPayload");
const RevokeAccessTokenPayload = AccessTokenPayload("RevokeAccessTokenPayload");

builder.mutationFields((t) => ({
  changeOwnPassword: t.field({
    type: ChangeOwnPasswordPayload,
    description: "Ends the viewer's other sessions.",
    args: { input: t.arg({ type: ChangeOwnPasswordInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        await account.changeOwnPassword(context, parse(changePasswordRules, input));
        return {};
      }),
  }),
  endOwnSessions: t.field({
    type: EndOwnSessionsPayload,
    description: "Ends the viewer's other sessions.",
    resolve: (_, __, context) => withErrors(async () => ({ ended: await account.endOwnSessions(context) })),
  }),
  createAccessToken: t.field({
    type: CreateAccessTokenPayload,
    args: { input: t.arg({ type: CreateAccessTokenInput, required: true }) },
    resolve: (_, { input }, context) => withErrors(() => token.createToken(context, parse(newTokenRules, input))),
  }),
  revokeAccessToken: t.field({
    type: RevokeAccessTokenPayload,
    args: { input: t.arg({ type: RevokeAccessTokenInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => ({ token: await token.revokeToken(context, parse(uuidTextRule, input.uuid, "uuid")) })),
  }),
}));
