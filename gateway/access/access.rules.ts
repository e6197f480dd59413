/**
 * Who may do what: the table of the specification's section 6 as pure functions. The gateway's acts enforce them, for
 * REST and GraphQL alike; the client asks them to show or hide. A hidden button is no protection.
 */

export const privilegeNames = [
  "administrator",
  "editAssessments",
  "viewAssessments",
  "uploadTdbs",
  "accessDownloads",
  "manageUsers",
  "editSelf",
  "editRegistry",
] as const;
export type Privilege = (typeof privilegeNames)[number];
export type Privileges = Record<Privilege, boolean>;

/** The role codes that stand for privileges in list form; editSelf and editRegistry have none. */
export const roleCodes = {
  SYS_ADMINISTRATOR: "administrator",
  EDIT_ASSESSMENTS: "editAssessments",
  VIEW_ASSESSMENTS: "viewAssessments",
  UPLOAD_TDBS: "uploadTdbs",
  MANAGE_USERS: "manageUsers",
  ACCESS_DOWNLOADS: "accessDownloads",
} as const satisfies Record<string, Privilege>;

export const noPrivileges: Privileges = {
  administrator: false,
  editAssessments: false,
  viewAssessments: false,
  uploadTdbs: false,
  accessDownloads: false,
  manageUsers: false,
  editSelf: false,
  editRegistry: false,
};

const anyOf =
  (...names: Privilege[]) =>
  (privileges: Privileges): boolean =>
    privileges.administrator || names.some((name) => privileges[name]);

/** Capabilities that depend on nothing but the person's privileges. */
const capabilities = {
  /** Past assessments, the View link and their CSV. */
  viewAssessments: anyOf("viewAssessments", "editAssessments"),
  /** Create and change assessments; the Save and Export buttons of the assessment screen. */
  editAssessments: anyOf("editAssessments"),
  /** The facility's Edit button and configuration dialog. */
  editFacility: anyOf("editAssessments"),
  /** Every list of TDB rows and their count and CSV. */
  viewTdbs: anyOf("uploadTdbs"),
  uploadTdbs: anyOf("uploadTdbs"),
  accessDownloads: anyOf("accessDownloads"),
  addDownloads: anyOf(),
  /** What runs at each site, what it is to fetch, and how far a rollout is. */
  viewFleet: anyOf("viewAssessments", "editAssessments", "uploadTdbs"),
  /** Rollouts: which sites get which version. */
  manageRollouts: anyOf(),
  manageUsers: anyOf("manageUsers"),
  editOwnProfile: anyOf("editSelf", "manageUsers"),
  /** Facilities, places, partners and identifiers: added, changed, closed, merged and imported. */
  editRegistry: anyOf("editRegistry"),
  /** Systems of identifiers: added, changed and removed. */
  manageIdentifierSystems: anyOf(),
  /** Targets: the share of facilities that should work, by year and unit. */
  setTargets: anyOf(),
  /** Quarterly reports: saved and signed; without administrator those of the own partner (report.rules.ts). */
  signReports: anyOf("manageUsers"),
  /** Visits and TDBs: set aside, restored, and accepted if they are held. */
  setAside: anyOf(),
  viewPrivilegeTable: anyOf("manageUsers"),
  viewAudit: anyOf(),
  /** The checks of the installation: database, storage, backup. */
  viewSystem: anyOf(),
  /** Service accounts and site credentials: made, watched, limited and revoked. */
  manageMachines: anyOf(),
} as const;
export type Capability = keyof typeof capabilities;

/**
 * Capabilities for what belongs to facilities. For an account that is limited to a place or partner, the limit applies
 * to these.
 */
export const placedCapabilities: readonly Capability[] = [
  "viewAssessments",
  "editAssessments",
  "editFacility",
  "viewTdbs",
  "uploadTdbs",
  "viewFleet",
];

/** Whether somebody with these privileges may do this. Nobody (null) may do nothing. */
export function may(privileges: Privileges | null | undefined, capability: Capability): boolean {
  return privileges ? capabilities[capability](privileges) : false;
}

export const missingRightsMessage = "You dont have the rights to access this feature";
