import type { PageInput } from "../../db/list/page.ts";
import { type Privileges as PrivilegesRow, privilegeNames, roleCodes } from "../access/access.rules.ts";
import { AuditEvent } from "../audit/audit.graphql.ts";
import { builder } from "../graphql/builder.ts";
import { connectionsBelow, readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { loadNode } from "../graphql/node.ts";
import { sortEnum } from "../graphql/enums.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { type InputError, invalid } from "../problem.ts";
import { ImplementingPartner } from "../reference/reference.graphql.ts";
import * as save from "./saveUser.ts";
import * as account from "./userAccount.ts";
import * as user from "./user.ts";
import { createUserRules, genders, updateUserRules } from "./user.rules.ts";
import { userFilterRules, userListOf } from "./userQuery.rules.ts";

/** GraphQL types and fields of people and privileges. */

const Privileges = builder.objectRef<PrivilegesRow>("Privileges").implement({
  description: "What a person may do. An administrator may do everything.",
  fields: (t) => Object.fromEntries(privilegeNames.map((name) => [name, t.exposeBoolean(name)])),
});

const Gender = builder.enumType("Gender", {
  values: Object.fromEntries(Object.entries(genders).map(([code, description]) => [code, { description }])) as Record<
    keyof typeof genders,
    { description: string }
  >,
});

export const User = builder.objectRef<user.UserRow>("User");
builder.node(User, {
  description: "A person with an account: oneself, or whom one manages.",
  id: { resolve: ({ userUuid }) => userUuid },
  loadOne: loadNode((id, context) => user.readUserTogether(context, id)),
  fields: (t) => ({
    uuid: t.exposeString("userUuid", { description: "The person's uuid." }),
    userName: t.exposeString("userName"),
    firstName: t.exposeString("firstName"),
    middleName: t.exposeString("middleName", { nullable: true }),
    surname: t.exposeString("surname"),
    gender: t.field({ type: Gender, resolve: ({ gender }) => gender }),
    bio: t.exposeString("bio", { nullable: true }),
    primaryEmail: t.exposeString("primaryEmail"),
    secondaryEmail: t.exposeString("secondaryEmail", { nullable: true }),
    primaryPhoneNumber: t.exposeString("primaryPhoneNumber"),
    secondaryPhoneNumber: t.exposeString("secondaryPhoneNumber", { nullable: true }),
    implementingPartnerId: t.exposeInt("implementingPartnerId"),
    implementingPartner: t.field({
      type: ImplementingPartner,
      resolve: ({ implementingPartnerId, implementingPartner, implementingPartnerActive }) => ({
        implementingPartnerId,
        implementingPartner,
        active: implementingPartnerActive,
      }),
    }),
    privileges: t.field({ type: Privileges, resolve: (row) => row }),
    lastLoginDate: t.field({
      type: "Date",
      nullable: true,
      description: "Day of the last sign-in.",
      resolve: (row) => row.lastLoginDate,
    }),
    lastLoginTime: t.exposeString("lastLoginTime", { nullable: true, description: "HH:MM in the ministry's zone." }),
    active: t.exposeBoolean("active", { description: "Whether the person can sign in." }),
    passwordTemporary: t.exposeBoolean("passwordTemporary", {
      description: "Whether the password must be replaced at the next sign-in.",
    }),
    version: t.exposeInt("version", { description: "Counts changes, from 1." }),
  }),
});

export const Viewer = builder.objectRef<user.UserRow>("Viewer").implement({
  description: "The signed-in person, with what they may do through this session or token.",
  fields: (t) => ({
    user: t.field({ type: User, resolve: (row) => row }),
    privileges: t.field({ type: Privileges, resolve: (_, __, context) => user.readOwnPrivileges(context) }),
    signInDays: t.int({
      description: "On how many days the person signed in: 0 to 3, which stands for more.",
      resolve: (_, __, context) => user.readOwnSignInDays(context),
    }),
  }),
});

const RoleCode = builder.enumType("RoleCode", {
  description: "A privilege by the code of its role.",
  values: Object.fromEntries(
    Object.entries(roleCodes).map(([code, privilege]) => [code, { description: `Stands for ${privilege}.` }]),
  ) as Record<keyof typeof roleCodes, { description: string }>,
});

const UserSort = sortEnum("UserSort", "An order of people.", {
  userName: ["USER_NAME", "user name"],
  surname: ["SURNAME", "surname"],
  created: ["CREATED", "time at which the account was made"],
  lastLogin: ["LAST_LOGIN", "time of the last sign-in, those who never did first"],
});

type Narrowing = {
  implementingPartnerId?: number | null;
  active?: boolean | null;
  search?: string | null;
  role?: keyof typeof roleCodes | null;
  lastLoginBefore?: string | null;
  sort?: user.UserSort | null;
};

/** The arguments of a list of people as the act's input. */
const asked = ({
  implementingPartnerId,
  active,
  search,
  role,
  lastLoginBefore,
  sort,
  ...page
}: Narrowing & PageInput) => ({
  ...userListOf(parse(userFilterRules, { implementingPartnerId, active, search, role, lastLoginBefore })),
  sort,
  page: parse(connectionRules, page),
});

const about = "By user name. Needs manageUsers (own partner) or administrator: null with an error otherwise.";
const narrowing = {
  search: { description: "Words of the names or the primary e-mail address." },
  active: { description: "Those who can sign in, the others, or (null) both." },
  role: { type: RoleCode, description: "Only those who were given this privilege." },
  lastLoginBefore: {
    type: "Date",
    description: "Without a sign-in on this day or later: the last was before it, or there was none.",
  },
  sort: { type: UserSort, description: "By user name unless given." },
} as const;

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    nullable: true,
    description: "The signed-in person; null when nobody is signed in.",
    resolve: (_, __, context) => (context.viewer ? user.readUser(context, context.viewer.userUuid) : null),
  }),
  user: t.field({
    type: User,
    nullable: true,
    args: { uuid: t.arg.string({ required: true }) },
    resolve: (_, { uuid }, context) => user.readUser(context, uuid),
  }),
  users: t.connection({
    type: User,
    nullable: true,
    description: about,
    args: {
      implementingPartnerId: t.arg.int(),
      active: t.arg.boolean(narrowing.active),
      search: t.arg.string(narrowing.search),
      role: t.arg(narrowing.role),
      lastLoginBefore: t.arg(narrowing.lastLoginBefore),
      sort: t.arg(narrowing.sort),
      offset: t.arg.int(),
    },
    resolve: (_, args, context, info) => readConnection(user.listUsers, context, asked(args), info),
  }),
}));

const usersBelow = connectionsBelow(user.listUsers, asked);

builder.objectField(ImplementingPartner, "users", (t) =>
  t.connection({
    type: User,
    nullable: true,
    description: about,
    args: {
      active: t.arg.boolean(narrowing.active),
      search: t.arg.string(narrowing.search),
      role: t.arg(narrowing.role),
      lastLoginBefore: t.arg(narrowing.lastLoginBefore),
      sort: t.arg(narrowing.sort),
      offset: t.arg.int(),
    },
    resolve: ({ implementingPartnerId }, args, context, info) => {
      user.requireMayList(context, implementingPartnerId);
      return usersBelow(context, { implementingPartnerId }, args, info);
    },
  }),
);

const PrivilegesInput = builder.inputType("PrivilegesInput", {
  description: "Missing ones are not changed.",
  fields: (t) => Object.fromEntries(privilegeNames.map((name) => [name, t.boolean()])),
});

const optionalTexts = ["middleName", "bio", "secondaryEmail", "secondaryPhoneNumber"] as const;
const requiredTexts = ["userName", "firstName", "surname", "primaryEmail", "primaryPhoneNumber"] as const;

const CreateUserInput = builder.inputType("CreateUserInput", {
  fields: (t) => ({
    ...Object.fromEntries(requiredTexts.map((name) => [name, t.string({ required: true })])),
    ...Object.fromEntries(optionalTexts.map((name) => [name, t.string()])),
    gender: t.field({ type: Gender, required: true }),
    implementingPartnerId: t.int({
      description: "Required from administrators; others create users for their own partner.",
    }),
    privileges: t.field({ type: PrivilegesInput }),
    roles: t.field({
      type: [RoleCode],
      description: "Instead of privileges: all but editSelf and editRegistry, which stay.",
    }),
  }),
});

const UpdateUserInput = builder.inputType("UpdateUserInput", {
  description: "What is left out stays.",
  fields: (t) => ({
    uuid: t.string({ required: true }),
    ...Object.fromEntries([...requiredTexts, ...optionalTexts].map((name) => [name, t.string()])),
    gender: t.field({ type: Gender }),
    implementingPartnerId: t.int(),
    privileges: t.field({ type: PrivilegesInput }),
    roles: t.field({
      type: [RoleCode],
      description: "Instead of privileges: all but editSelf and editRegistry, which stay.",
    }),
    version: t.int({ description: "Refuses the change if somebody else has changed the user since." }),
  }),
});

export const UserInput = builder.inputType("UserInput", { fields: (t) => ({ uuid: t.string({ required: true }) }) });

/** Privileges can be given in two forms. Null means not given. */
function privilegesIn({ roles, privileges, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (roles != null && privileges != null)
    throw invalid([{ path: "roles", message: "cannot be given together with privileges" }]);
  const given =
    roles ?? (privileges && Object.fromEntries(Object.entries(privileges).filter(([, value]) => value !== null)));
  return given == null ? rest : { ...rest, privileges: given };
}

type Payload = { user?: user.UserRow; temporaryPassword?: string; errors: InputError[] };

const payload = (name: string, withPassword: boolean) =>
  builder.objectRef<Payload>(name).implement({
    fields: (t) => ({
      user: t.field({ type: User, nullable: true, resolve: (result) => result.user }),
      ...(withPassword
        ? {
            temporaryPassword: t.string({
              nullable: true,
              description: "Answered this once.",
              resolve: (result) => result.temporaryPassword,
            }),
          }
        : {}),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });

const changed = async (act: Promise<user.UserRow>) => ({ user: await act });

builder.mutationFields((t) => ({
  createUser: t.field({
    type: payload("CreateUserPayload", true),
    args: { input: t.arg({ type: CreateUserInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => save.createUser(context, parse(createUserRules, privilegesIn(input)))),
  }),
  updateUser: t.field({
    type: payload("UpdateUserPayload", false),
    args: { input: t.arg({ type: UpdateUserInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => changed(save.updateUser(context, parse(updateUserRules, privilegesIn(input))))),
  }),
  resetUserPassword: t.field({
    type: payload("ResetUserPasswordPayload", true),
    description: "Gives a new temporary password and ends the person's sessions.",
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context) => withErrors(() => account.resetPassword(context, input.uuid)),
  }),
  deactivateUser: t.field({
    type: payload("DeactivateUserPayload", false),
    description: "Ends the account until it is reactivated, and the person's sessions.",
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context) => withErrors(() => changed(account.deactivateUser(context, input.uuid))),
  }),
  reactivateUser: t.field({
    type: payload("ReactivateUserPayload", false),
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context) => withErrors(() => changed(account.reactivateUser(context, input.uuid))),
  }),
}));

builder.objectFields(AuditEvent, (t) => ({
  user: t.field({
    type: User,
    nullable: true,
    description: "The person who did it, in a session or by a token; null for a machine.",
    resolve: ({ userUuid }, _, context) => (userUuid === null ? null : user.loadUser(context, userUuid)),
  }),
}));
