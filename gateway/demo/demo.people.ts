import { noPrivileges, type Privileges } from "../access/access.rules.ts";

/** Made-up partners and accounts. The start prints the accounts. */

export const ministry = "Ministry of Health";
export const partners: { name: string; active: boolean }[] = [
  { name: ministry, active: true },
  { name: "Partner A", active: true },
  { name: "Partner B", active: true },
  { name: "Partner C", active: true },
  { name: "Partner D", active: true },
  { name: "Partner E (ended)", active: false },
];

export const password = "demo-password";
export const temporaryPassword = "temporary-1";

type DemoUser = {
  userName: string;
  firstName: string;
  surname: string;
  gender: "U" | "M" | "F";
  bio: string;
  partner: string;
  privileges: Privileges;
  temporary?: true;
};

const may = (...names: (keyof Privileges)[]): Privileges => ({
  ...noPrivileges,
  ...Object.fromEntries(names.map((name) => [name, true])),
});

export const users: DemoUser[] = [
  {
    userName: "admin",
    firstName: "Mutinta",
    surname: "Kalobwe",
    gender: "F",
    bio: "Administrator of the demonstration.",
    partner: ministry,
    privileges: may("administrator"),
  },
  {
    userName: "viewer",
    firstName: "Chola",
    surname: "Simutwa",
    gender: "M",
    bio: "Reads assessments.",
    partner: "Partner A",
    privileges: may("viewAssessments", "editSelf"),
  },
  {
    userName: "assessor",
    firstName: "Bwalya",
    surname: "Nyambeko",
    gender: "F",
    bio: "Visits facilities and records assessments.",
    partner: "Partner A",
    privileges: may("viewAssessments", "editAssessments", "editSelf"),
  },
  {
    userName: "uploader",
    firstName: "Kondwani",
    surname: "Zulanga",
    gender: "M",
    bio: "Collects transport databases.",
    partner: "Partner A",
    privileges: may("uploadTdbs", "accessDownloads", "editSelf"),
  },
  {
    userName: "manager",
    firstName: "Namasiku",
    surname: "Lifwoli",
    gender: "F",
    bio: "Looks after the accounts of Partner A.",
    partner: "Partner A",
    privileges: may("manageUsers", "editSelf"),
  },
  {
    userName: "plain",
    firstName: "Tendai",
    surname: "Mukolwe",
    gender: "U",
    bio: "Has no rights beyond reading.",
    partner: "Partner B",
    privileges: noPrivileges,
  },
  {
    userName: "newcomer",
    firstName: "Luse",
    surname: "Chitembwe",
    gender: "F",
    bio: "Has not signed in yet.",
    partner: "Partner B",
    privileges: may("viewAssessments"),
    temporary: true,
  },
];

const newcomers = users
  .filter(({ temporary }) => temporary)
  .map(({ userName }) => `; ${userName}: ${temporaryPassword}`);
/** The user names and passwords, as text for the person who starts the product. */
export const demonstrationAccounts = `${users.map(({ userName }) => userName).join(", ")} (password ${password}${newcomers.join("")})`;

/** Names and roles for made-up contact persons at facilities. */
export const firstNames = [
  "Mwila",
  "Chanda",
  "Thandiwe",
  "Moonga",
  "Inonge",
  "Kelvin",
  "Ruth",
  "Gift",
  "Precious",
  "Lubasi",
  "Esnart",
  "Musonda",
];
export const surnames = ["Kapwelo", "Musambwe", "Nalwenga", "Sitalo", "Chikombwe", "Hamalindi", "Mbewala", "Zimbeko"];
export const roles = [
  "Facility in-charge",
  "Data clerk",
  "Nurse",
  "Clinical officer",
  "Pharmacist",
  "ART coordinator",
  "Midwife",
];
