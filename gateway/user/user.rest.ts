import { z } from "zod";

import { type Privileges, privilegeNames } from "../access/access.rules.ts";
import { idRule, listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { sampleUuid } from "../rest/description/samples.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import { sendLongTable } from "../rest/longTable.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { fileShape, tableTypes } from "../rest/table.ts";
import * as save from "./saveUser.ts";
import * as user from "./user.ts";
import { createUserRules, genders, updateUserRules } from "./user.rules.ts";
import { userExportRules, userListOf } from "./userQuery.rules.ts";

/** Routes of people and their privileges. */

export const PrivilegesBody = z
  .object(
    Object.fromEntries(
      privilegeNames.map((name) => [name, name === "editRegistry" ? z.boolean().optional() : z.boolean()]),
    ),
  )
  .describe("What beside the others only some have is there where it is given: editRegistry")
  .meta({ id: "Privileges" });
/** Privileges as a REST body: those of the specification, and editRegistry if the person has it. */
export const privilegesBodyOf = ({ editRegistry, ...others }: Privileges): z.input<typeof PrivilegesBody> =>
  editRegistry ? { ...others, editRegistry } : others;
/** A person as a REST body. */
export const userBodyOf = (row: user.UserRow) => {
  const record = user.present(row);
  return { ...record, privileges: privilegesBodyOf(record.privileges) };
};

export const UserBody = z
  .object({
    uuid: z.string().nullable(),
    userName: z.string().nullable(),
    firstName: z.string().nullable(),
    middleName: z.string().nullable(),
    surname: z.string().nullable(),
    gender: z.enum(Object.keys(genders) as [keyof typeof genders]),
    bio: z.string().nullable(),
    primaryEmail: z.string().nullable(),
    secondaryEmail: z.string().nullable(),
    primaryPhoneNumber: z.string().nullable(),
    secondaryPhoneNumber: z.string().nullable(),
    implementingPartnerId: z.number().nullable(),
    privileges: PrivilegesBody,
    version: z.number().nullable().describe("Counts changes: a PATCH that names an old one gets 409"),
    active: z.boolean(),
  })
  .meta({ id: "User" });
const UserMeta = z
  .object({
    implementingPartner: z.string(),
    lastLoginDate: z.string().nullable(),
    lastLoginTime: z.string().nullable(),
  })
  .meta({ id: "UserMeta" });
export const Created = z
  .object({ uuid: z.string(), temporaryPassword: z.string().describe("Answered this once") })
  .meta({ id: "CreatedUser" });

const ByUser = z.strictObject({ userUuid: uuidTextRule });
const ByPartner = z.strictObject({ implementingPartnerId: idRule });
const tags = ["Users"];

export function userRoutes(server: RestServer): void {
  const managers = needs("manageUsers");
  server.get(
    "/user",
    {
      ...managers,
      schema: {
        operationId: "listUsers",
        summary: "People whom you manage, by user name",
        tags,
        querystring: listQueryRules.extend(userExportRules.shape),
        response: { 200: z.array(UserBody) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      const page = pageOf({ limit, cursor });
      return linkNext(request, reply, await user.listUsers(request.context, { ...userListOf(filter), page })).map(
        userBodyOf,
      );
    },
  );
  server.get(
    "/user/csv",
    {
      ...managers,
      schema: {
        operationId: "exportUsersAsCsv",
        summary: "People whom you manage as a CSV or Excel file, by user name",
        description: "Narrowed and sorted as their list is.",
        produces: tableTypes,
        tags,
        querystring: userExportRules.safeExtend(fileShape),
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const table = await user.exportUsers(request.context, userListOf(filter));
      return sendLongTable(request, reply, { name: "users", format }, table);
    },
  );
  server.get(
    "/user/new",
    {
      ...managers,
      schema: {
        operationId: "getUserTemplate",
        summary: "What a form for a new user begins with",
        tags,
        response: { 200: UserBody },
      },
    },
    async (request) => {
      const { implementingPartnerId, privileges } = user.readUserTemplate(request.context);
      return {
        uuid: null,
        userName: null,
        firstName: null,
        middleName: null,
        surname: null,
        gender: "U" as const,
        bio: null,
        primaryEmail: null,
        secondaryEmail: null,
        primaryPhoneNumber: null,
        secondaryPhoneNumber: null,
        implementingPartnerId,
        privileges: privilegesBodyOf(privileges),
        version: null,
        active: true,
      };
    },
  );
  server.get(
    "/user/:userUuid",
    {
      schema: {
        operationId: "getUser",
        summary: "A person's record",
        tags,
        params: ByUser,
        response: { 200: UserBody },
      },
    },
    async (request) =>
      userBodyOf(await user.readUser(request.context, user.personNamed(request.context, request.params.userUuid))),
  );
  server.get(
    "/user/meta/:userUuid",
    {
      schema: {
        operationId: "getUserMeta",
        summary: "A person's partner and last sign-in",
        tags,
        params: ByUser,
        response: { 200: UserMeta },
      },
    },
    async (request) => {
      const { implementingPartner, lastLoginDate, lastLoginTime } = await user.readUser(
        request.context,
        user.personNamed(request.context, request.params.userUuid),
      );
      return { implementingPartner, lastLoginDate, lastLoginTime };
    },
  );
  server.get(
    "/user/ip/:implementingPartnerId",
    {
      ...managers,
      schema: {
        operationId: "listUsersOfImplementingPartner",
        summary: "A partner's people by user name",
        tags,
        params: ByPartner,
        querystring: listQueryRules,
        response: { 200: z.array(UserBody) },
      },
    },
    async (request, reply) => {
      const input = { ...request.params, page: pageOf(request.query) };
      return linkNext(request, reply, await user.listUsers(request.context, input)).map(userBodyOf);
    },
  );
  server.post(
    "/user",
    {
      ...managers,
      schema: {
        operationId: "createUser",
        example: {
          userName: "cmulenga",
          firstName: "Chanda",
          surname: "Mulenga",
          gender: "F",
          primaryEmail: "chanda.mulenga@example.org",
          primaryPhoneNumber: "0977000000",
          implementingPartnerId: 1,
          privileges: ["VIEW_ASSESSMENTS", "EDIT_ASSESSMENTS"],
        },
        failures: [409],
        summary: "Create a user with a temporary password",
        tags,
        body: createUserRules,
        response: { 200: Created },
      },
    },
    async (request) => {
      const created = await save.createUser(request.context, request.body);
      return { uuid: created.user.userUuid, temporaryPassword: created.temporaryPassword };
    },
  );
  server.patch(
    "/user",
    {
      schema: {
        operationId: "updateUser",
        example: { uuid: sampleUuid, version: 3, primaryPhoneNumber: "0977000001" },
        conditional: true,
        failures: [404, 409],
        summary: "Change a user; what is left out stays",
        tags,
        body: updateUserRules,
        response: { 200: UserBody },
      },
    },
    async (request) => {
      expectMatch(request, userBodyOf);
      return userBodyOf(await save.updateUser(request.context, request.body));
    },
  );
  const answer = { tags: ["Privileges"], response: { 200: PrivilegesBody } };
  server.get(
    "/privilege",
    { schema: { operationId: "getOwnPrivileges", summary: "What you may do", ...answer } },
    async (request) => privilegesBodyOf(user.readOwnPrivileges(request.context)),
  );
  server.get(
    "/privilege/user/:userUuid",
    { schema: { operationId: "getPrivilegesOfUser", summary: "What a person may do", params: ByUser, ...answer } },
    async (request) =>
      privilegesBodyOf(
        await user.readUserPrivileges(request.context, user.personNamed(request.context, request.params.userUuid)),
      ),
  );
  server.get(
    "/privilege/ip/:implementingPartnerId",
    {
      schema: {
        operationId: "getPrivilegesAtImplementingPartner",
        summary: "What you may do for a partner",
        params: ByPartner,
        ...answer,
      },
    },
    async (request) =>
      privilegesBodyOf(await user.readPrivilegesAtPartner(request.context, request.params.implementingPartnerId)),
  );
}
