import { z } from "zod";

import { privilegeNames } from "../access/access.rules.ts";
import { idRule, storable } from "../page.rules.ts";
import type { RestServer } from "../rest/route.ts";
import * as user from "./user.ts";

/** Routes of privileges. */

export const PrivilegesBody = z.object(Object.fromEntries(privilegeNames.map((name) => [name, z.boolean()])));
const answer = { tags: ["Privileges"], response: { 200: PrivilegesBody } };

export function userRoutes(server: RestServer): void {
  server.get("/privilege", { schema: { summary: "What you may do", ...answer } }, async (request) =>
    user.readOwnPrivileges(request.context),
  );
  server.get(
    "/privilege/user/:userUuid",
    {
      schema: {
        summary: "What a person may do",
        params: z.strictObject({ userUuid: z.string().max(64).refine(storable) }),
        ...answer,
      },
    },
    (request) => user.readUserPrivileges(request.context, request.params.userUuid),
  );
  server.get(
    "/privilege/ip/:implementingPartnerId",
    {
      schema: {
        summary: "What you may do for a partner",
        params: z.strictObject({ implementingPartnerId: idRule }),
        ...answer,
      },
    },
    (request) => user.readPrivilegesAtPartner(request.context, request.params.implementingPartnerId),
  );
}
