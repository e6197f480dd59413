import type { Privilege } from "../../gateway/access/access.rules.ts";
import { privilegeLabels } from "../../gateway/user/privilege.rules.ts";

/** Every privilege in words. */
export const privilegeTitles: Record<Privilege, string> = {
  ...(Object.fromEntries(Object.entries(privilegeLabels).map(([name, { title }]) => [name, title])) as Record<
    Privilege,
    string
  >),
  administrator: "Administrator",
  editSelf: "Edit own profile",
};
