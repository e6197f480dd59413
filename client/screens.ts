import type { ComponentType } from "react";
import type { LoaderFunction } from "react-router-dom";
import type { Capability } from "../gateway/access/access.rules.ts";

/** The groups of the menu, in their order. */
export const menuGroups = ["Overview", "Sites", "Data", "Administration"] as const;

/** The exports of a screen's file. Its loader starts the screen's query. */
export type ScreenFile = { loader?: LoaderFunction; Screen: ComponentType };

type Screen = {
  /** its pattern in the router */
  path: string;
  /** fetches its file when it is first opened; undefined if the router has it from the start */
  fetch?: () => Promise<ScreenFile>;
  /** its entry in a group of the menu */
  menu?: {
    group: (typeof menuGroups)[number];
    title: string;
    /** beginnings of other paths for which the entry is marked as the current one */
    covers?: readonly string[];
    /** Without this right the entry is not shown. */
    needs?: Capability;
    /** Without this right the entry is shown as closed, because in the specification everybody has it in the menu. */
    opensWith?: Capability;
  };
};

const facilities = () =>
  import("./facility/FacilitiesScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.FacilitiesScreen }));
const districts = () =>
  import("./reference/DistrictsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.DistrictsScreen }));
const facility = () => import("./facility/FacilityScreen.tsx");
/**
 * A form comes with the facility's page and its answer, because saving opens that page, and the network may be gone by
 * then.
 */
const withFacility = (fetch: () => Promise<Required<ScreenFile>>) => async (): Promise<ScreenFile> => {
  const [form, page] = await Promise.all([fetch(), facility()]);
  const loader: LoaderFunction = (args) => {
    void page.loader(args);
    return form.loader(args);
  };
  return { loader, Screen: form.Screen };
};
const newAssessment = () =>
  import("./assessment/NewAssessmentScreen.tsx").then((file) => ({
    loader: file.loader,
    Screen: file.NewAssessmentScreen,
  }));
const assessment = () =>
  import("./assessment/AssessmentScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.AssessmentScreen }));
const worklist = () =>
  import("./worklist/WorklistScreen.tsx").then((file) => ({
    loader: file.loader,
    Screen: file.WorklistScreen,
  }));
const user = () => import("./user/UserScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.UserScreen }));
const newUser = () =>
  import("./user/NewUserScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.NewUserScreen }));

/**
 * Every screen, by its name. The groups of the menu have their entries in this order. A path with a parameter comes after the fixed
 * paths that it would also match.
 */
export const screens = {
  home: { path: "/", menu: { group: "Overview", title: "Home" } },
  search: {
    path: "/search",
    menu: { group: "Sites", title: "Search" },
    fetch: () =>
      import("./facility/SearchScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.SearchScreen })),
  },
  provinces: {
    path: "/provinces",
    menu: { group: "Overview", title: "Provinces", covers: ["/facilities/province/"] },
    fetch: () =>
      import("./reference/ProvincesScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ProvincesScreen })),
  },
  districts: {
    path: "/districts",
    menu: { group: "Overview", title: "Districts", covers: ["/facilities/district/"] },
    fetch: districts,
  },
  districtsOfProvince: { path: "/districts/:provinceId", fetch: districts },
  facilities: {
    path: "/facilities",
    menu: { group: "Sites", title: "Facilities", covers: ["/facility/"] },
    fetch: facilities,
  },
  facilitiesOfDistrict: { path: "/facilities/district/:districtId", fetch: facilities },
  facilitiesOfProvince: { path: "/facilities/province/:provinceId", fetch: facilities },
  facilitiesByMode: { path: "/facilities/implementation/:mode/all", fetch: facilities },
  facilitiesByModeOfProvince: { path: "/facilities/implementation/:mode/province/:provinceId", fetch: facilities },
  facilitiesByModeOfDistrict: { path: "/facilities/implementation/:mode/district/:districtId", fetch: facilities },
  facilitiesByModeOfPartner: { path: "/facilities/implementation/:mode/ip/:implementingPartnerId", fetch: facilities },
  facility: {
    path: "/facility/:facilityUuid",
    fetch: () => facility().then((file) => ({ loader: file.loader, Screen: file.FacilityScreen })),
  },
  partners: {
    path: "/ips",
    menu: { group: "Overview", title: "IP's", covers: ["/ip/"] },
    fetch: () =>
      import("./reference/PartnersScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.PartnersScreen })),
  },
  partner: {
    path: "/ip/:implementingPartnerId",
    fetch: () =>
      import("./reference/PartnerScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.PartnerScreen })),
  },
  tdb: {
    path: "/tdb",
    menu: { group: "Data", title: "TDB Upload", opensWith: "uploadTdbs" },
    fetch: () =>
      import("./tdb/TdbUploadScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.TdbUploadScreen })),
  },
  downloads: {
    path: "/downloads",
    menu: { group: "Data", title: "Downloads", opensWith: "accessDownloads" },
    fetch: () =>
      import("./download/DownloadsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.DownloadsScreen })),
  },
  ownUser: { path: "/user", menu: { group: "Administration", title: "User" }, fetch: user },
  me: { path: "/user/me", fetch: user },
  addUser: { path: "/user/add", fetch: newUser },
  newUser: { path: "/user/new", fetch: newUser },
  user: { path: "/user/:userUuid", fetch: user },
  users: { path: "/users" },
  userDirectory: {
    path: "/users/directory",
    menu: { group: "Administration", title: "Users", needs: "manageUsers" },
    fetch: () =>
      import("./user/UserDirectoryScreen.tsx").then((file) => ({
        loader: file.loader,
        Screen: file.UserDirectoryScreen,
      })),
  },
  audit: {
    path: "/audit",
    menu: { group: "Administration", title: "Audit", needs: "viewAudit" },
    fetch: () => import("./audit/AuditScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.AuditScreen })),
  },
  toCheck: {
    path: "/to-check",
    menu: { group: "Administration", title: "To check", needs: "setAside" },
    fetch: () =>
      import("./setAside/ToCheckScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ToCheckScreen })),
  },
  machines: {
    path: "/machines",
    menu: { group: "Administration", title: "Machines", needs: "manageMachines" },
    fetch: () =>
      import("./machine/MachinesScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.MachinesScreen })),
  },
  registry: {
    path: "/registry",
    menu: { group: "Administration", title: "Registry", needs: "editRegistry" },
    fetch: () =>
      import("./registry/RegistryScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.RegistryScreen })),
  },
  newFacility: {
    path: "/registry/facility",
    fetch: () =>
      import("./registry/NewFacilityScreen.tsx").then((file) => ({
        loader: file.loader,
        Screen: file.NewFacilityScreen,
      })),
  },
  registeredFacility: {
    path: "/registry/facility/:facilityUuid",
    fetch: () =>
      import("./registry/FacilityRegistryScreen.tsx").then((file) => ({
        loader: file.loader,
        Screen: file.FacilityRegistryScreen,
      })),
  },
  registryPlace: {
    path: "/registry/place/:placeKind/:id",
    fetch: () =>
      import("./registry/PlaceRegistryScreen.tsx").then((file) => ({
        loader: file.loader,
        Screen: file.PlaceRegistryScreen,
      })),
  },
  registryImports: {
    path: "/registry/imports",
    fetch: () =>
      import("./registry/ImportsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ImportsScreen })),
  },
  registryImport: {
    path: "/registry/imports/:uuid",
    fetch: () =>
      import("./registry/ImportScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ImportScreen })),
  },
  reconciliations: {
    path: "/registry/reconciliations",
    fetch: () =>
      import("./registry/ReconciliationsScreen.tsx").then((file) => ({
        loader: file.loader,
        Screen: file.ReconciliationsScreen,
      })),
  },
  reconciliation: {
    path: "/registry/reconciliations/:uuid",
    fetch: () =>
      import("./registry/ReconciliationScreen.tsx").then((file) => ({
        loader: file.loader,
        Screen: file.ReconciliationScreen,
      })),
  },
  fleet: {
    path: "/fleet",
    menu: { group: "Data", title: "Fleet", needs: "viewFleet" },
    fetch: () => import("./fleet/FleetScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.FleetScreen })),
  },
  worklists: {
    path: "/worklist",
    menu: { group: "Sites", title: "Work list" },
    fetch: worklist,
  },
  worklist: { path: "/worklist/:kind", fetch: worklist },
  field: {
    path: "/field",
    menu: { group: "Sites", title: "Prepare for the field", needs: "editAssessments" },
    fetch: () => import("./site/FieldScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.FieldScreen })),
  },
  about: {
    path: "/about",
    menu: { group: "Administration", title: "About" },
    fetch: () => import("./system/AboutScreen.tsx").then((file) => ({ Screen: file.AboutScreen })),
  },
  checks: {
    path: "/checks",
    fetch: () =>
      import("./system/ChecksScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ChecksScreen })),
  },
  style: {
    path: "/about/style",
    fetch: () =>
      import("./system/style/StyleScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.StyleScreen })),
  },
  glossary: {
    path: "/glossary",
    fetch: () => import("./glossary/GlossaryScreen.tsx").then((file) => ({ Screen: file.GlossaryScreen })),
  },
  setUp: {
    path: "/setup",
    fetch: () => import("./system/SetUpScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.SetUpScreen })),
  },
  changes: {
    path: "/changes",
    menu: { group: "Overview", title: "What changed" },
    fetch: () => import("./dash/ChangesScreen.tsx").then((file) => ({ Screen: file.ChangesScreen })),
  },
  reports: {
    path: "/reports",
    menu: { group: "Overview", title: "Reports", covers: ["/report"] },
    fetch: () =>
      import("./report/ReportsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ReportsScreen })),
  },
  report: {
    path: "/report",
    fetch: () =>
      import("./report/ReportScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ReportScreen })),
  },
  savedReport: {
    path: "/report/:number",
    fetch: () =>
      import("./report/SavedReportScreen.tsx").then((file) => ({
        loader: file.loader,
        Screen: file.SavedReportScreen,
      })),
  },
  questions: {
    path: "/questions",
    menu: { group: "Data", title: "Questions", covers: ["/query/"] },
    fetch: () => import("./query/QuestionsScreen.tsx").then((file) => ({ Screen: file.QuestionsScreen })),
  },
  savedQuery: {
    path: "/query/:queryUuid",
    fetch: () =>
      import("./query/SavedQueryScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.SavedQueryScreen })),
  },
  newAssessment: { path: "/assessment/facility/:facilityUuid", fetch: withFacility(newAssessment) },
  assessment: {
    path: "/assessment/facility/:facilityUuid/:assessmentUuid",
    fetch: withFacility(assessment),
  },
} satisfies Record<string, Screen>;

/** The same as a list. */
export const namedScreens = Object.entries(screens) as [keyof typeof screens, Screen][];

/** Fetches the screen of a path, if it has a file of its own. */
export async function fetchScreenAt(path: string): Promise<void> {
  const fits = (pattern: string) => new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(path);
  await namedScreens.find(([, { path: pattern }]) => fits(pattern))?.[1].fetch?.();
}
