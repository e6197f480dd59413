import { type Privileges as PrivilegesRow, privilegeNames } from "../access/access.rules.ts";
import { builder } from "../graphql/builder.ts";
import { loadNode } from "../graphql/node.ts";
import { ImplementingPartner } from "../reference/reference.graphql.ts";
import * as user from "./user.ts";

/** People and privileges. */

export const User = builder.objectRef<user.UserRow>("User");
builder.node(User, {
  description: "A person with an account.",
  id: { resolve: ({ userUuid }) => userUuid },
  loadOne: loadNode((id, context) => user.readUser(context, id)),
  fields: (t) => ({
    uuid: t.exposeString("userUuid"),
    userName: t.exposeString("userName"),
    firstName: t.exposeString("firstName"),
    middleName: t.exposeString("middleName", { nullable: true }),
    surname: t.exposeString("surname"),
    implementingPartner: t.field({
      type: ImplementingPartner,
      resolve: ({ implementingPartnerId, implementingPartner, implementingPartnerActive }) => ({
        implementingPartnerId,
        implementingPartner,
        active: implementingPartnerActive,
      }),
    }),
  }),
});

export const Privileges = builder.objectRef<PrivilegesRow>("Privileges").implement({
  description: "What a person may do. An administrator may do everything.",
  fields: (t) => Object.fromEntries(privilegeNames.map((name) => [name, t.exposeBoolean(name)])),
});

export const Viewer = builder.objectRef<user.UserRow>("Viewer").implement({
  description: "The signed-in person, with what they may do through this session or token.",
  fields: (t) => ({
    user: t.field({ type: User, resolve: (row) => row }),
    privileges: t.field({ type: Privileges, resolve: (_, __, context) => user.readOwnPrivileges(context) }),
  }),
});

builder.queryField("viewer", (t) =>
  t.field({
    type: Viewer,
    nullable: true,
    description: "The signed-in person; null when nobody is signed in.",
    resolve: (_, __, context) => (context.viewer ? user.readUser(context, context.viewer.userUuid) : null),
  }),
);
