import type { Privilege } from "../../gateway/access/access.rules.ts";
import { privilegeLabels } from "../../gateway/user/privilege.rules.ts";

/** Every privilege in words. */
export const privilegeTitles: Record<Privilege, string> = {
  administrator: "Administrator",
  editAssessments: privilegeLabels.editAssessments.title,
  viewAssessments: privilegeLabels.viewAssessments.title,
  uploadTdbs: privilegeLabels.uploadTdbs.title,
  accessDownloads: privilegeLabels.accessDownloads.title,
  manageUsers: privilegeLabels.manageUsers.title,
  editSelf: "Edit own profile",
  editRegistry: privilegeLabels.editRegistry.title,
};
