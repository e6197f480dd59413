import { findWhetherNamed, type Mine } from "../../db/action/mine.ts";
import { findUser } from "../../db/user/user.ts";
import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";

/**
 * Which open actions are the caller's: those that name them, by name or user name in any case; if none does, those of
 * their partner.
 *
 * @throws Problem FORBIDDEN
 */
export async function readMine(context: Context): Promise<Mine> {
  const { userUuid, userName, implementingPartnerId } = requireRight(context, "viewAssessments", "somewhere");
  const person = await findUser(context.db, { userUuid });
  const fullNames = person
    ? [
        [person.firstName, person.surname],
        [person.firstName, person.middleName, person.surname],
      ].map((parts) => parts.filter(Boolean).join(" "))
    : [];
  const names = [userName, ...fullNames].map((name) => name.toLowerCase());
  return (await findWhetherNamed(context.db, { names })) ? { names } : { implementingPartnerId };
}
