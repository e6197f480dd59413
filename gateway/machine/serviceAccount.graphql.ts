import { AccessToken } from "../user/account.graphql.ts";
import type { TokenRow } from "../auth/token.ts";
import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { connectionRules, uuidTextRule } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { District, ImplementingPartner, Province } from "../reference/reference.graphql.ts";
import { readDistrict, readPartner, readProvince } from "../reference/reference.ts";
import { User } from "../user/user.graphql.ts";
import { loadUser } from "../user/user.ts";
import * as act from "./serviceAccount.ts";
import {
  newServiceAccountRules,
  newServiceTokenRules,
  servicePrivileges,
  updateServiceAccountRules,
} from "./serviceAccount.rules.ts";

/** Service accounts, for administrators. */

type Errors = { errors: InputError[] };

const ServicePrivilege = builder.enumType("ServicePrivilege", {
  description: "A privilege that a machine may have.",
  values: servicePrivileges,
});

const ServiceAccount = builder.objectRef<act.ServiceAccountRow>("ServiceAccount").implement({
  description: "An account for a machine: no password, tokens only, a person who owns it.",
  fields: (t) => ({
    uuid: t.exposeString("userUuid", { description: "The account's uuid." }),
    name: t.exposeString("name", { description: "Its name in lists and in the audit." }),
    owner: t.field({
      type: User,
      nullable: true,
      description: "Who is responsible for it.",
      resolve: ({ ownerUuid }, _, context) => loadUser(context, ownerUuid),
    }),
    ownerActive: t.exposeBoolean("ownerActive", {
      description: "Whether the owner's account is active; while it is not, no token of this one works.",
    }),
    privileges: t.field({ type: [ServicePrivilege], description: "What it may do.", resolve: act.privilegesOf }),
    province: t.field({
      type: Province,
      nullable: true,
      description: "The province whose facilities it is limited to.",
      resolve: ({ provinceId }, _, context) => (provinceId === null ? null : readProvince(context, provinceId)),
    }),
    district: t.field({
      type: District,
      nullable: true,
      description: "The district whose facilities it is limited to.",
      resolve: ({ districtId }, _, context) => (districtId === null ? null : readDistrict(context, districtId)),
    }),
    implementingPartner: t.field({
      type: ImplementingPartner,
      nullable: true,
      description: "The partner whose facilities it is limited to.",
      resolve: ({ implementingPartnerId }, _, context) =>
        implementingPartnerId === null ? null : readPartner(context, implementingPartnerId),
    }),
    active: t.exposeBoolean("active", { description: "Whether it has not ended." }),
    createdDate: t.field({ type: "Date", resolve: ({ createdDate }) => createdDate }),
    accessTokens: t.field({
      type: [AccessToken],
      description: "Its tokens, the newest first, ended ones too.",
      resolve: (account, _, context) => act.listServiceTokens(context, account),
    }),
  }),
});

builder.queryField("serviceAccounts", (t) =>
  t.connection({
    type: ServiceAccount,
    nullable: true,
    description: "Accounts of machines by name. Needs administrator: null with an error otherwise.",
    args: { offset: t.arg.int() },
    resolve: (_, page, context, info) =>
      readConnection(act.listServiceAccounts, context, { page: parse(connectionRules, page) }, info),
  }),
);

const limitTexts =
  "The facilities that it is limited to: of one province, district or partner; without any, the whole country.";
const CreateServiceAccountInput = builder.inputType("CreateServiceAccountInput", {
  description: limitTexts,
  fields: (t) => ({
    name: t.string({ required: true }),
    owner: t.string({ required: true, description: "User name or uuid of the person who answers for it." }),
    privileges: t.field({ type: [ServicePrivilege], required: true }),
    provinceId: t.int(),
    districtId: t.int(),
    implementingPartnerId: t.int(),
  }),
});
const UpdateServiceAccountInput = builder.inputType("UpdateServiceAccountInput", {
  description:
    "A missing field is not changed. If one of province, district and partner is given, all three are replaced; all null means the whole country.",
  fields: (t) => ({
    uuid: t.string({ required: true }),
    name: t.string(),
    owner: t.string({ description: "User name or uuid of the person who answers for it." }),
    privileges: t.field({ type: [ServicePrivilege] }),
    provinceId: t.int(),
    districtId: t.int(),
    implementingPartnerId: t.int(),
  }),
});
const EndServiceAccountInput = builder.inputType("EndServiceAccountInput", {
  fields: (t) => ({ uuid: t.string({ required: true }) }),
});
const CreateServiceAccountTokenInput = builder.inputType("CreateServiceAccountTokenInput", {
  fields: (t) => ({
    uuid: t.string({ required: true, description: "The account's uuid." }),
    name: t.string({ required: true }),
    expiryDate: t.field({ type: "Date", required: true, description: "The last day on which it works." }),
  }),
});
const RevokeServiceAccountTokenInput = builder.inputType("RevokeServiceAccountTokenInput", {
  fields: (t) => ({
    uuid: t.string({ required: true, description: "The account's uuid." }),
    tokenUuid: t.string({ required: true, description: "The token's uuid." }),
  }),
});

type Changed = { account?: act.ServiceAccountRow } & Errors;
const changedPayload = (name: string) =>
  builder.objectRef<Changed>(name).implement({
    fields: (t) => ({
      serviceAccount: t.field({ type: ServiceAccount, nullable: true, resolve: ({ account }) => account }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
type Made = { account?: act.ServiceAccountRow; token?: TokenRow; secret?: string } & Errors;
const CreateServiceAccountTokenPayload = builder.objectRef<Made>("CreateServiceAccountTokenPayload").implement({
  fields: (t) => ({
    serviceAccount: t.field({ type: ServiceAccount, nullable: true, resolve: ({ account }) => account }),
    accessToken: t.field({ type: AccessToken, nullable: true, resolve: ({ token }) => token }),
    secret: t.exposeString("secret", { nullable: true, description: "Answered this once." }),
    errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
  }),
});
const RevokeServiceAccountTokenPayload = builder
  .objectRef<{ token?: TokenRow } & Errors>("RevokeServiceAccountTokenPayload")
  .implement({
    fields: (t) => ({
      accessToken: t.field({ type: AccessToken, nullable: true, resolve: ({ token }) => token }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });

/** Null means that a field is not given. Only for places it is a value: "none". */
const given = ({ name, owner, privileges, ...rest }: Record<string, unknown>) =>
  Object.fromEntries([
    ...Object.entries({ name, owner, privileges }).filter(([, value]) => value != null),
    ...Object.entries(rest),
  ]);

builder.mutationFields((t) => ({
  createServiceAccount: t.field({
    type: changedPayload("CreateServiceAccountPayload"),
    description: "Creates a service account. Needs administrator.",
    args: { input: t.arg({ type: CreateServiceAccountInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => ({
        account: await act.createServiceAccount(context, parse(newServiceAccountRules, input)),
      })),
  }),
  updateServiceAccount: t.field({
    type: changedPayload("UpdateServiceAccountPayload"),
    description: "Changes a service account's name, privileges, limit and owner. Needs administrator.",
    args: { input: t.arg({ type: UpdateServiceAccountInput, required: true }) },
    resolve: (_, { input: { uuid, ...input } }, context) =>
      withErrors(async () => ({
        account: await act.updateServiceAccount(context, uuid, parse(updateServiceAccountRules, given(input))),
      })),
  }),
  endServiceAccount: t.field({
    type: changedPayload("EndServiceAccountPayload"),
    description: "Permanently ends a service account and its tokens. Needs administrator.",
    args: { input: t.arg({ type: EndServiceAccountInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => ({ account: await act.endServiceAccount(context, input.uuid) })),
  }),
  createServiceAccountToken: t.field({
    type: CreateServiceAccountTokenPayload,
    description:
      "Creates a token of a service account. Needs administrator in a session: a token cannot create tokens.",
    args: { input: t.arg({ type: CreateServiceAccountTokenInput, required: true }) },
    resolve: (_, { input: { uuid, ...input } }, context) =>
      withErrors(() => act.createServiceToken(context, { uuid, ...parse(newServiceTokenRules, input) })),
  }),
  revokeServiceAccountToken: t.field({
    type: RevokeServiceAccountTokenPayload,
    description: "Permanently revokes a token of a service account. Needs administrator.",
    args: { input: t.arg({ type: RevokeServiceAccountTokenInput, required: true }) },
    resolve: (_, { input: { uuid, tokenUuid } }, context) =>
      withErrors(async () => ({
        token: await act.revokeServiceToken(context, { uuid, tokenUuid: parse(uuidTextRule, tokenUuid, "tokenUuid") }),
      })),
  }),
}));
