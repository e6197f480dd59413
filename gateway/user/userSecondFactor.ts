import type { Handle } from "../../db/engine/connect.ts";
import { deleteSecondFactor, listHolders } from "../../db/user/secondFactor.ts";
import { deleteSessionsOfUser } from "../../db/auth/session.ts";
import type { UserRow } from "../../db/user/user.ts";
import { requireRight } from "../access/access.ts";
import { batched } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { Problem } from "../problem.ts";
import { requireReach } from "./saveUser.ts";
import { readUserTogether } from "./user.ts";
import { changeAccount } from "./userAccount.ts";

/** Acts on the second factor of people whom the caller manages, shared by REST and GraphQL. */

const loadHolds = batched<string, boolean>(
  (context, userUuids) => listHolders(context.primary, { userUuids }),
  () => false,
);

/**
 * Whether a person whom the caller manages has a second factor. Batched over a request.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function hasSecondFactor(context: Context, userUuid: string): Promise<boolean> {
  const user = await readUserTogether(context, userUuid);
  requireRight(context, "manageUsers");
  requireReach(context, "user.read-second-factor", user);
  return loadHolds(context, user.userUuid);
}

/**
 * Removes a person's second factor, for example after it was lost, and ends their sessions.
 *
 * @throws Problem NOT_FOUND, FORBIDDEN, INVALID, CONFLICT
 */
export async function removeSecondFactor(context: Context, userUuid: string): Promise<UserRow> {
  const remove = async (transaction: Handle, user: UserRow) => {
    if (!(await deleteSecondFactor(transaction, user)))
      throw new Problem("CONFLICT", `${user.userName} has no second factor.`);
    await deleteSessionsOfUser(transaction, user);
    return { result: user };
  };
  return changeAccount(
    context,
    "user.remove-second-factor",
    userUuid,
    remove,
    "is yourself: switch it off on your profile instead",
  );
}
