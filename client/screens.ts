import type { ComponentType } from "react";
import type { LoaderFunction } from "react-router-dom";
import { patterns } from "./routes.ts";
import { readOnceTouched } from "./ui/network/idle.ts";

/** What the file of a screen gives; its loader starts the screen's query. */
export type ScreenFile = { loader?: LoaderFunction; Screen: ComponentType };

const facilities = () => import("./facility/FacilitiesScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.FacilitiesScreen }));
const districts = () => import("./reference/DistrictsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.DistrictsScreen }));
const facility = () => import("./facility/FacilityScreen.tsx");
const assessment = () => import("./assessment/AssessmentScreen.tsx");
/** Its facility's page is fetched ahead once somebody begins to fill the form in, because Save leads there, even if the network is gone by then. */
const newAssessment = () =>
  assessment().then(({ newLoader, AssessmentScreen: Screen }) => {
    const loader: LoaderFunction = (args) => {
      readOnceTouched(() => facility().then((file) => file.loader(args)));
      return newLoader(args);
    };
    return { loader, Screen };
  });
const user = () => import("./user/UserScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.UserScreen }));
const newUser = () => import("./user/NewUserScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.NewUserScreen }));

/** The screens that are fetched when they are first opened. A pattern with a parameter comes after the fixed paths that it would also match. */
export const screens: [pattern: string, fetchScreen: () => Promise<ScreenFile>][] = [
  [patterns.search, () => import("./facility/SearchScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.SearchScreen }))],
  [patterns.provinces, () => import("./reference/ProvincesScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ProvincesScreen }))],
  [patterns.districts, districts],
  [patterns.districtsOfProvince, districts],
  [patterns.facilities, facilities],
  [patterns.facilitiesOfDistrict, facilities],
  [patterns.facilitiesOfProvince, facilities],
  [patterns.facilitiesByMode, facilities],
  [patterns.facilitiesByModeOfProvince, facilities],
  [patterns.facilitiesByModeOfDistrict, facilities],
  [patterns.facilitiesByModeOfPartner, facilities],
  [patterns.facility, () => facility().then((file) => ({ loader: file.loader, Screen: file.FacilityScreen }))],
  [patterns.partners, () => import("./reference/PartnersScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.PartnersScreen }))],
  [patterns.partner, () => import("./reference/PartnerScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.PartnerScreen }))],
  [patterns.tdb, () => import("./tdb/TdbUploadScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.TdbUploadScreen }))],
  [patterns.downloads, () => import("./download/DownloadsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.DownloadsScreen }))],
  [patterns.fleet, () => import("./fleet/FleetScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.FleetScreen }))],
  [patterns.ownUser, user],
  [patterns.me, user],
  [patterns.addUser, newUser],
  [patterns.newUser, newUser],
  [patterns.user, user],
  [
    patterns.userDirectory,
    () => import("./user/UserDirectoryScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.UserDirectoryScreen })),
  ],
  [patterns.audit, () => import("./audit/AuditScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.AuditScreen }))],
  [patterns.machines, () => import("./machine/MachinesScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.MachinesScreen }))],
  [patterns.registry, () => import("./registry/RegistryScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.RegistryScreen }))],
  [patterns.newFacility, () => import("./registry/NewFacilityScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.NewFacilityScreen }))],
  [patterns.registryPlace, () => import("./registry/PlaceRegistryScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.PlaceRegistryScreen }))],
  [patterns.registryImports, () => import("./registry/ImportsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ImportsScreen }))],
  [patterns.registryImport, () => import("./registry/ImportScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ImportScreen }))],
  [patterns.reconciliations, () => import("./registry/ReconciliationsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ReconciliationsScreen }))],
  [patterns.reconciliation, () => import("./registry/ReconciliationScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ReconciliationScreen }))],
  [patterns.registeredFacility, () => import("./registry/FacilityRegistryScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.FacilityRegistryScreen }))],
  [patterns.field, () => import("./site/FieldScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.FieldScreen }))],
  [patterns.worklist, () => import("./situation/WorklistScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.WorklistScreen }))],
  [patterns.report, () => import("./dash/ReportScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ReportScreen }))],
  [patterns.changes, () => import("./dash/ChangesScreen.tsx").then((file) => ({ Screen: file.ChangesScreen }))],
  [patterns.savedQuery, () => import("./query/SavedQueryScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.SavedQueryScreen }))],
  [patterns.about, () => import("./system/AboutScreen.tsx").then((file) => ({ Screen: file.AboutScreen }))],
  [patterns.checks, () => import("./system/ChecksScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ChecksScreen }))],
  [patterns.newAssessment, newAssessment],
  [patterns.assessment, () => assessment().then((file) => ({ loader: file.loader, Screen: file.AssessmentScreen }))],
];

/** Fetches the screen of a path, if it has a file of its own. */
export async function fetchScreenAt(path: string): Promise<void> {
  const fits = (pattern: string) => new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(path);
  await screens.find(([pattern]) => fits(pattern))?.[1]();
}
