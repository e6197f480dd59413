import type { Privilege } from "../access/access.rules.ts";

/** The switches of the privilege table, with the specification's description of each. */
export const privilegeLabels: Record<
  Exclude<Privilege, "administrator" | "editSelf">,
  { title: string; allows: string }
> = {
  editAssessments: { title: "Edit assessments", allows: "Create or update assessments" },
  viewAssessments: { title: "View assessments", allows: "View or export assessments" },
  uploadTdbs: { title: "Upload TDBs", allows: "Upload transport databases" },
  accessDownloads: { title: "Access downloads", allows: "Fetch installers, upgraders, patches and other files" },
  manageUsers: { title: "Manage users", allows: "Create and manage users" },
  editRegistry: { title: "Edit registry", allows: "Add, change, close, merge and import facilities" },
};
